/** Whether the list of scheduled posts is complete: only a complete list proves that a post is missing. */

import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import type { Page } from "../../service/answers/list-page.ts";
import { type PaginationHint, unresolvedHints } from "../../service/answers/pagination-hints.ts";
import { UnfollowablePages } from "../../service/answers/results.ts";
import {
  type Facts,
  type Check,
  REPORTED_ELSEWHERE,
  firstPage,
  pageOf,
  publishedType,
  NEEDS_ANSWER,
  NEEDS_READABLE,
  failing,
  ok,
  skipped,
  warning,
} from "../check.ts";
import { mappingHelp } from "../mapping-help.ts";

export const listsCheck: Check = {
  name: "lists",
  looksAt:
    "Whether the list of scheduled posts is complete, and how its pages work. Reads at most ten pages.",
  run: (facts) => {
    const { service } = facts;
    const { posts } = service ?? {};
    if (service === undefined || posts === undefined) return skipped(NEEDS_ANSWER);
    if (publishedType(service) !== undefined) return undefined;
    const first = firstPage(service);
    const page = first && pageOf(first, service.settings.shape, "/posts");
    if (service.isCutShort && page !== undefined)
      return ok(`${describePaging(page)}. doctor stopped after a few pages; a plan reads all of them.`);
    if (posts instanceof Failure) return listFailure(posts, facts);
    const count = plural(posts.items.length, "scheduled post");
    const paging = page === undefined ? "" : ` ${describePaging(page)}.`;
    if (posts.doubt === undefined) return ok(`${count}; the list is complete.${paging}`);
    const signs = first === undefined || page === undefined ? [] : unresolvedHints(first, page);
    if (signs.length > 0) return incompleteList(count, signs, facts);
    return warning(
      `${count}, but the list may be incomplete: ${posts.doubt.why}, and nothing marks its end.`,
      posts.doubt.hint,
    );
  },
};

const IF_ALL = "If these are all posts, set service.list_limit to the largest page that the service gives.";

/** Fields that may mean that there is more. A person has to say what they mean. */
function incompleteList(count: string, signs: readonly PaginationHint[], facts: Facts) {
  const says = signs.slice(0, 3).map((sign) => sign.says);
  const message = `${count}, and there may be more: ${says.join("; ")}. plancast does not know these words, so the list may be incomplete.`;
  const said = facts.service?.settings.shape;
  const help = mappingHelp(facts);
  if (help === undefined || (help.shape["next"] === said?.next && help.shape["total"] === said?.total))
    return failing(message, `${IF_ALL} Otherwise plancast cannot get the rest: ${FOLLOWED}`);
  return failing(message, `${IF_ALL} If there are more: ${help.advice}`, help.snippet);
}

const FOLLOWED =
  "plancast follows addresses and cursors in the answer's JSON, and a Link header with rel=next.";

const NOT_FOUND = `Run again in a moment: the list may have changed. If it still fails, the answer names no next page that plancast can get: ${FOLLOWED}`;

/** Unreadable answers are reported with the records; refusals, with the key and the connection. */
function listFailure(failure: Failure, facts: Facts) {
  if (failure.code === "service/unreadable") return skipped(NEEDS_READABLE);
  if (REPORTED_ELSEWHERE.has(failure.code)) return skipped(NEEDS_ANSWER);
  const help = mappingHelp(facts);
  if (help === undefined || help.shape["next"] === facts.service?.settings.shape?.next) {
    return failing(failure.message, failure instanceof UnfollowablePages ? NOT_FOUND : failure.hint);
  }
  return failing(failure.message, `The lines below name its next page. ${help.advice}`, help.snippet);
}

function describePaging({ next, total }: Page): string {
  const all = total === undefined ? "" : `, and says that there are ${total} in all`;
  switch (next.kind) {
    case "url":
      return `The service gives the address of the next page${all}`;
    case "cursor":
      return `The service gives a cursor for the next page${all}`;
    case "end":
      return `The service marks the last page${all}`;
    case "unsaid":
      return total === undefined
        ? "The last page is shorter than plancast asked for"
        : `The service says how many there are in all`;
    case "unfollowable":
      return "The service says that there is more, but not how to get it";
  }
}
