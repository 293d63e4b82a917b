/** Whether the list of scheduled posts can be shown whole: an absent post is only absent in a whole list. */
import { Failure } from "../../calendar/failure.ts";
import { plural } from "../../report/plural.ts";
import type { Page } from "../../service/decode-list.ts";
import { NAME_THE_LIMIT } from "../../service/read-list.ts";
import { NEEDS_ANSWER, NEEDS_READABLE, ok, skipped, warning, wrong, type Check } from "../check.ts";
import { decodedPage } from "../decoded-page.ts";
import { TOLD_ELSEWHERE, type ServiceFacts } from "../facts.ts";
import { shapeSnippet, suggestedFor } from "../suggested.ts";
import { firstPage } from "./answers.ts";

export const lists: Check = (facts) => {
  const { service } = facts;
  const { posts } = service ?? {};
  if (service === undefined || posts === undefined) return skipped("lists", NEEDS_ANSWER);
  const first = firstPage(service);
  const page = first && decodedPage(first, service.settings.shape).page;
  if (service.isCutShort && page !== undefined)
    return ok("lists", `${pagingIn(page)}. Left after a few pages; a plan reads all of them.`);
  if (posts instanceof Failure) return broken(posts, service, facts.now);
  const count = plural(posts.items.length, "scheduled post");
  const paging = page === undefined ? "" : ` ${pagingIn(page)}.`;
  const hidden = posts.items.length === 0 ? suggestedFor(service, facts.now) : undefined;
  if (hidden?.shape.list !== undefined || hidden?.shape.post?.list !== undefined)
    return warning(
      "lists",
      "The list of scheduled posts reads as empty, but the answer holds records in another place.",
      "If those are the posts, put this into the project file, and run doctor again:",
      shapeSnippet(hidden.shape),
    );
  if (posts.wholeness === "end") return ok("lists", `${count}, shown whole.${paging}`);
  return warning(
    "lists",
    `${count}: a number that services cut lists at, and no end is told.${paging}`,
    NAME_THE_LIMIT,
  );
};

/** What cannot be read at all is told with the records; a refusal, with key and reach. */
function broken(failure: Failure, service: ServiceFacts, now: number) {
  if (failure.code === "service/unreadable") return skipped("lists", NEEDS_READABLE);
  if (TOLD_ELSEWHERE.has(failure.code)) return skipped("lists", NEEDS_ANSWER);
  const next = suggestedFor(service, now)?.shape;
  if (next?.next === undefined) return wrong("lists", failure.message, failure.hint);
  return wrong(
    "lists",
    failure.message,
    `Its pages may be asked for like this. What the query parameter is called (next_as) is a guess: look it up in the service's documentation.`,
    shapeSnippet(next),
  );
}

function pagingIn({ next, total }: Page): string {
  const all = total === undefined ? "" : `, ${total} in all are told`;
  switch (next.kind) {
    case "url":
      return `Pages follow by their addresses${all}`;
    case "cursor":
      return `Pages follow by a cursor${all}`;
    case "end":
      return `Its end is told${all}`;
    case "unsaid":
      return total === undefined
        ? "Its end shows in being shorter than asked for"
        : `How many there are is told`;
    case "unfollowable":
      return "It says that there is more, in a way that plancast cannot ask for";
  }
}
