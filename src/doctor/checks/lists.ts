/** Whether the list of scheduled posts can be shown whole: an absent post is only absent in a whole list. */
import { Failure } from "../../calendar/failure.ts";
import { plural } from "../../report/plural.ts";
import type { Page } from "../../service/decode-list.ts";
import { RUN_DOCTOR_FOR_PAGES } from "../../service/not-whole.ts";
import { unresolvedHints, type PaginationHint } from "../../service/signs-of-more.ts";
import { adviseMapping } from "../advise-shape.ts";
import { NEEDS_ANSWER, NEEDS_READABLE, ok, skipped, warning, failing, type Check } from "../check.ts";
import { decodedPage } from "../decoded-page.ts";
import { REPORTED_ELSEWHERE, type Facts } from "../facts.ts";
import { firstPage } from "./answers.ts";

export const listsCheck: Check = (facts) => {
  const { service } = facts;
  const { posts } = service ?? {};
  if (service === undefined || posts === undefined) return skipped("lists", NEEDS_ANSWER);
  const first = firstPage(service);
  const page = first && decodedPage(first, service.settings.shape).page;
  if (service.isCutShort && page !== undefined)
    return ok("lists", `${describePaging(page)}. Left after a few pages; a plan reads all of them.`);
  if (posts instanceof Failure) return listFailure(posts, facts);
  const count = plural(posts.items.length, "scheduled post");
  const hidden = posts.items.length === 0 ? adviseMapping(facts) : undefined;
  if (hidden?.shape.list !== undefined || hidden?.shape.post?.list !== undefined)
    return warning(
      "lists",
      "The list of scheduled posts reads as empty, but the answer holds records in another place.",
      `If those are the posts, ${hidden.paste}`,
      hidden.snippet,
    );
  const paging = page === undefined ? "" : ` ${describePaging(page)}.`;
  if (posts.doubt === undefined) return ok("lists", `${count}, shown whole.${paging}`);
  const signs = first === undefined || page === undefined ? [] : unresolvedHints(first, page);
  if (signs.length > 0) return incompleteList(count, signs, facts);
  return warning("lists", `${count}: ${posts.doubt.why}, and no end is told.`, posts.doubt.hint);
};

const IF_ALL = "If these are all, set service.list_limit to the largest page that the service gives.";
/** Words that may tell of more: somebody has to say what they are. */
function incompleteList(count: string, signs: readonly PaginationHint[], facts: Facts) {
  const says = signs.slice(0, 3).map((sign) => sign.says);
  const message = `${count}, and there may be more: ${says.join("; ")}. plancast does not know these words, so the list is not shown whole.`;
  const found = adviseMapping(facts);
  if (found?.shape.next === undefined && found?.shape.total === undefined)
    return failing("lists", message, `${IF_ALL} Else the rest cannot be asked for: ${FOLLOWED}`);
  return failing("lists", message, `${IF_ALL} ${found.guess}Else ${found.paste}`, found.snippet);
}

const FOLLOWED =
  "plancast follows addresses and cursors in the answer's JSON, and a Link header with rel=next.";

const NOT_FOUND = `Run again in a moment: it may have changed meanwhile. If it stays so, the answer tells no next page that can be asked for: ${FOLLOWED}`;

/** What cannot be read at all is told with the records; a refusal, with key and reach. */
function listFailure(failure: Failure, facts: Facts) {
  if (failure.code === "service/unreadable") return skipped("lists", NEEDS_READABLE);
  if (REPORTED_ELSEWHERE.has(failure.code)) return skipped("lists", NEEDS_ANSWER);
  const found = adviseMapping(facts);
  if (found === undefined || found.shape.next === facts.service?.settings.shape?.next) {
    const isPaged =
      failure.code === "service/list-not-whole" && failure.hint?.includes(RUN_DOCTOR_FOR_PAGES) === true;
    return failing("lists", failure.message, isPaged ? NOT_FOUND : failure.hint);
  }
  return failing(
    "lists",
    failure.message,
    `Its pages may be asked for as below. ${found.guess}If that is right, ${found.paste}`,
    found.snippet,
  );
}

function describePaging({ next, total }: Page): string {
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
