/** Whether the list of scheduled posts can be shown whole: an absent post is only absent in a whole list. */

import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Page, decodePage } from "../../service/answers/list-page.ts";
import { decodeAutomation, decodeMedia } from "../../service/answers/other-records.ts";
import { type PaginationHint, unresolvedHints } from "../../service/answers/pagination-hints.ts";
import { RUN_DOCTOR_FOR_PAGES } from "../../service/answers/read-list.ts";
import { applyMapping } from "../../service/answers/response-mapping.ts";
import { isJsonOrEmpty } from "../../service/answers/results.ts";
import type { PostRecord } from "../../service/records.ts";
import { answersIn, decodedPage, firstPage } from "../answers.ts";
import { type Check, NEEDS_ANSWER, NEEDS_READABLE, failing, ok, skipped, warning } from "../check.ts";
import { type Facts, REPORTED_ELSEWHERE } from "../facts.ts";
import { adviseMapping, exampleOf } from "../suggest-mapping.ts";

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

/** What the service's records of posts tell: what they leave out, plancast must remember. */

const PARTS: readonly (readonly [string, (post: PostRecord) => boolean])[] = [
  ["status", ({ status }) => status !== undefined],
  ["scheduled_at", ({ scheduledAt }) => scheduledAt !== undefined],
  ["platforms", ({ platforms }) => platforms !== undefined],
  ["content", ({ content }) => content !== undefined],
  ["media", ({ mediaIds }) => mediaIds !== undefined],
  ["addresses", ({ record }) => hasAddress(record)],
];

/** Without these, posts cannot be compared with rows. */
const COMPARED = ["content", "platforms", "scheduled_at"];

export const recordsCheck: Check = (facts) => {
  const { posts, single } = facts.service ?? {};
  const isJson = answersIn(facts.service).every(({ result }) => isJsonOrEmpty(result));
  const failure = [posts, single].find(isUnreadable);
  if (failure !== undefined && isJson) return unreadable(failure, facts);
  if (posts === undefined || posts instanceof Failure) return skipped("records", NEEDS_ANSWER);
  const [first] = posts.items;
  if (first === undefined) return skipped("records", "there is no scheduled post to look at.");
  if (single === "missing") return notFoundById(first);
  return reportParts(posts.items, facts);
};

function isUnreadable(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/unreadable";
}

function notFoundById({ id }: PostRecord) {
  return warning(
    "records",
    `The service lists ${id}, but does not find it by that id.`,
    "Run doctor again: it may have gone just now. If it stays so, another field is the id: say which with service.shape (docs/doctor.md).",
  );
}

function reportParts(posts: readonly PostRecord[], facts: Facts) {
  const parts = PARTS.filter(([, isIn]) => posts.some(isIn)).map(([part]) => part);
  const says = `Posts tell id${parts.map((part) => `, ${part}`).join("")}.`;
  // Addresses are only there once a post is published.
  const untold = PARTS.map(([part]) => part).filter((part) => part !== "addresses" && !parts.includes(part));
  if (untold.length === 0) return ok("records", says);
  const message = `${says} They do not tell ${untold.join(" and ")}`;
  const missed = untold.filter((part) => COMPARED.includes(part));
  if (missed.length === 0) return ok("records", `${message}.`);
  return missingParts(message, missed, facts);
}

function missingParts(message: string, missed: readonly string[], facts: Facts) {
  const found = adviseMapping(facts);
  const isFound = missed.some((part) => Object.hasOwn(found?.shape.post ?? {}, part));
  if (isFound && found !== undefined)
    return warning("records", `${message} where plancast looks.`, exampleOf(found), found.snippet);
  return warning(
    "records",
    `${message}: that is compared by what the lockfile remembers.`,
    "Keep the lockfile in git: without it, posts cannot be found again.",
  );
}

function unreadable({ message }: Failure, facts: Facts) {
  const found = adviseMapping(facts);
  if (found !== undefined) return failing("records", message, exampleOf(found), found.snippet);
  return failing(
    "records",
    message,
    "Nothing in the answer looks like posts. Schedule one by hand in the service and run doctor again, or write service.shape by the service's documentation (docs/doctor.md).",
  );
}

function hasAddress(record: PostRecord["record"]): boolean {
  return Object.entries(record).some(
    ([key, value]) => /url|link|permalink/i.test(key) && JSON.stringify(value ?? "").includes("http"),
  );
}

/** What only some commands read: looked at where a service's answers are otherwise than usual. */

export const mediaCheck: Check = listCheck("media", "media item", decodeMedia);
export const automationsCheck: Check = listCheck("automations", "automation", decodeAutomation);

function listCheck(
  name: "media" | "automations",
  noun: string,
  decode: (item: unknown, endpoint: string) => unknown,
): Check {
  return (facts) => {
    const heard = facts.service?.further.find(({ path }) => path.includes(`/v1/${name}?`))?.result;
    if (heard === undefined) return undefined;
    if (heard.kind !== "answer" || heard.status >= 300)
      return skipped(name, "the service does not list them.");
    const endpoint = `GET /v1/${name}`;
    try {
      const page = decodePage(
        applyMapping(heard, facts.service?.settings.shape, `/${name}`, "list"),
        endpoint,
      );
      for (const item of page.items) decode(item, endpoint);
      return ok(
        name,
        page.items.length === 0
          ? "None is there to look at."
          : `The first ${plural(page.items.length, noun)} can be read.`,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const found = adviseMapping(facts);
      const part = name === "media" ? found?.shape.media : found?.shape.automation;
      const isFound = part !== undefined || found?.shape.list !== facts.service?.settings.shape?.list;
      return found === undefined || !isFound
        ? warning(
            name,
            error.message,
            "Commands that read them fail. Say where they stand with service.shape (docs/doctor.md).",
          )
        : warning(name, error.message, `If they stand there, ${found.paste}`, found.snippet);
    }
  };
}
