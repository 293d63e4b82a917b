/**
 * Checks of the lists that the service gives. Is the list of scheduled posts complete? Only a complete list proves that a
 * post is missing. Which fields do its records have? Are the accounts connected that the calendars name?
 */

import { networkNamed } from "../../checks/networks/network-names.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import { severalAccounts } from "../../checks/platforms.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import { nearest } from "../../model/text.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { plural } from "../../report/text/numbers.ts";
import { type Page, unresolvedHints } from "../../service/answers/list-page.ts";
import { isDown } from "../../service/answers/other-records.ts";
import type { PaginationHint } from "../../service/answers/paging.ts";
import { COMPARED_FIELDS } from "../../service/answers/post.ts";
import { UnfollowablePages, isJsonOrEmpty } from "../../service/answers/results.ts";
import type { Listed, PlatformRecord, PostRecord } from "../../service/records.ts";
import { ACCOUNT_NETWORKS } from "../../settings/accounts.ts";
import { EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import {
  type Check,
  type Facts,
  NEEDS_ANSWER,
  NEEDS_READABLE,
  REPORTED_ELSEWHERE,
  answersIn,
  failing,
  firstPage,
  isUnreadable,
  ok,
  checkedPage,
  publishedType,
  skipped,
  warning,
  worked,
} from "../check.ts";
import { mappingHelp, unknownStatuses } from "../mapping-help.ts";

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
    const page = first && checkedPage(first, service.settings.shape, "/posts");
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

const PARTS: readonly (readonly [string, (post: PostRecord) => boolean])[] = [
  ["status", ({ status }) => status !== undefined],
  ["scheduled_at", ({ scheduledAt }) => scheduledAt !== undefined],
  ["platforms", ({ platforms }) => platforms !== undefined],
  ["content", ({ content }) => content !== undefined],
  ["media", ({ mediaIds }) => mediaIds !== undefined],
  ["addresses", ({ record }) => hasAddress(record)],
];

export const recordsCheck: Check = {
  name: "records",
  looksAt: "Which fields of a post the service shows, so that plancast can compare them.",
  run: (facts) => {
    if (facts.service !== undefined && publishedType(facts.service) !== undefined) return undefined;
    const { posts, single } = facts.service ?? {};
    const isJson = answersIn(facts.service).every(({ result }) => isJsonOrEmpty(result));
    const failure = [posts, single].find(isUnreadable);
    if (failure !== undefined && isJson) return unreadable(failure, facts);
    if (posts === undefined || posts instanceof Failure) return skipped(NEEDS_ANSWER);
    const words = unknownStatusesIn(facts);
    const [first] = posts.items;
    // A post with an unknown status does not count as scheduled.
    if (first === undefined && words.length > 0) return unknownWords(words, facts);
    if (first === undefined) return skipped("there is no scheduled post to check.");
    if (single === "missing") return notFoundById(first);
    return reportParts(posts.items, words, facts);
  },
};

function unknownStatusesIn({ service }: Facts): readonly string[] {
  const answer = firstPage(service);
  const page = answer && checkedPage(answer, service?.settings.shape, "/posts");
  return unknownStatuses(page?.items ?? []);
}

function notFoundById({ id }: PostRecord) {
  return warning(
    `The service lists ${id}, but cannot find it by that id.`,
    "Run doctor again: somebody may have just removed it. If it still fails, the id is in another field: name it with service.shape (docs/run/doctor.md).",
  );
}

function reportParts(posts: readonly PostRecord[], words: readonly string[], facts: Facts) {
  const parts = PARTS.filter(([, isIn]) => posts.some(isIn)).map(([part]) => part);
  const says = `The service shows id${parts.map((part) => `, ${part}`).join("")}.`;
  // Only published posts have addresses.
  const untold = PARTS.map(([part]) => part).filter((part) => part !== "addresses" && !parts.includes(part));
  const message = untold.length === 0 ? says : `${says} It does not show ${untold.join(" and ")}`;
  const missed = COMPARED_FIELDS.filter((part) => untold.includes(part));
  if (missed.length > 0) return missingParts(message, missed, facts);
  if (words.length > 0) return unknownWords(words, facts);
  return ok(untold.length === 0 ? message : `${message}.`);
}

/** @param missed fields without which posts cannot be compared with rows */
function missingParts(message: string, missed: readonly (typeof COMPARED_FIELDS)[number][], facts: Facts) {
  const help = mappingHelp(facts);
  const kept = "keep the lockfile in git: without it, plancast cannot find posts again.";
  // `service.shape` names a path for each of these fields, but the path leads to no value.
  if (help === undefined)
    return warning(`${message}, so plancast compares with the lockfile instead.`, `K${kept.slice(1)}`);
  const own = missed.map((field) => `${field}: ${field}`).join(", ");
  const advice = `If the service does not have ${missed.join(" and ")}, write its own name as the path (${own}), and ${kept} If it does: ${help.advice}`;
  const said = facts.service?.settings.shape?.post;
  if (missed.every((field) => said?.[field] !== undefined))
    return warning(
      `${message} where plancast looks, so plancast compares with the lockfile instead.`,
      advice,
      help.snippet,
    );
  return failing(`${message} where plancast looks, so plancast makes no plan.`, advice, help.snippet);
}

function unknownWords(words: readonly string[], facts: Facts) {
  const help = mappingHelp(facts);
  return warning(
    `plancast does not know what the status ${words.map((word) => `"${word}"`).join(" or ")} means.`,
    help?.advice ?? "Set its meaning with service.shape (docs/run/doctor.md).",
    help?.snippet,
  );
}

function unreadable({ message }: Failure, facts: Facts) {
  const help = mappingHelp(facts);
  if (help !== undefined) return failing(message, help.advice, help.snippet);
  return failing(
    message,
    "The answer contains no record. Schedule a post by hand on the service and run doctor again, or write service.shape from the service's documentation (docs/run/doctor.md).",
  );
}

function hasAddress(record: PostRecord["record"]): boolean {
  return Object.entries(record).some(
    ([key, value]) => /url|link|permalink/i.test(key) && JSON.stringify(value ?? "").includes("http"),
  );
}

export const platformsCheck: Check = {
  name: "platforms",
  looksAt: "Whether each network of a scheduled row has a connected account, under the same name.",
  run: (facts) => {
    const { accounts } = facts.service ?? {};
    if (accounts instanceof Failure) return unlisted(accounts, facts);
    if (accounts === undefined) return skipped(NEEDS_ANSWER);
    const known = new Set(accounts.items.flatMap(namesOf));
    const used = usedIn(facts);
    if (known.size === 0) return nothingKnown(accounts, used, facts);
    const down = new Set(accounts.items.filter(isDown).flatMap(namesOf));
    const connected = new Set([...known].filter((name) => !down.has(name)));
    const missing = [...used].filter((name) => !known.has(name));
    const broken = [...used].filter((name) => down.has(name));
    if (missing.length > 0)
      return failing(
        missingPlatforms(missing, connected),
        missing.map((name) => adviceFor(name, connected, facts)).join(" "),
      );
    if (broken.length > 0)
      return failing(
        `The service's connection to ${broken.join(" and ")} is down.`,
        "Connect the account again in the service's settings.",
      );
    const calendars = used.size === 0 ? "" : ` The calendars use ${[...used].sort().join(", ")}.`;
    const others = down.size === 0 ? "" : ` Down, and not used: ${[...down].join(", ")}.`;
    return ok(
      `${plural(accounts.items.length, "connected account")}: ${listed(known)}.${calendars}${others}`,
    );
  },
};

/** Whether plancast publishes on the accounts itself. */
function isOwn({ service }: Facts): boolean {
  return service?.settings.url === EMBEDDED || service?.settings.url === REPOSITORY;
}

function connectWay(facts: Facts): string {
  return isOwn(facts) ? "with `plancast accounts add`" : "in the service's settings";
}

function connectAdvice(name: string, facts: Facts): string {
  const mayConnect = !isOwn(facts) || ACCOUNT_NETWORKS.some((network) => network === networkOf(name));
  return mayConnect
    ? `Connect ${name} ${connectWay(facts)}`
    : `plancast itself publishes only on ${ACCOUNT_NETWORKS.join(", ")}: use a service for ${name}`;
}

function nothingKnown({ items }: Listed<PlatformRecord>, used: ReadonlySet<string>, facts: Facts) {
  const message =
    items.length === 0
      ? "The service has no connected account."
      : "The accounts do not show their platforms.";
  if (items.length > 0 || used.size === 0)
    return warning(
      message,
      `plancast cannot check the names in calendars. Connect accounts ${connectWay(facts)}.`,
    );
  const advice = [...used].sort().map((name) => `${connectAdvice(name, facts)}.`);
  return failing(message, advice.join(" "));
}

/** Failures of all requests are reported with the key and the connection; failures that also affect posts, with those. */
function unlisted({ code, message, hint }: Failure, facts: Facts) {
  const { posts } = facts.service ?? {};
  if (REPORTED_ELSEWHERE.has(code)) return skipped(NEEDS_ANSWER);
  if (code !== "service/unreadable") return warning(message, hint ?? "");
  if (posts instanceof Failure && posts.code === code) return skipped(NEEDS_READABLE);
  const help = mappingHelp(facts);
  const unchecked = "plancast cannot check the names in calendars.";
  return help === undefined
    ? warning(message, `${unchecked} docs/run/doctor.md explains service.shape.`)
    : warning(message, `${unchecked} ${help.advice}`, help.snippet);
}

/** Only for upcoming posts, because past rows need no account. */
function usedIn({ calendars, now }: Facts): ReadonlySet<string> {
  const posts = worked(calendars) ? calendars.posts : [];
  return new Set(
    posts.filter(({ scheduledAt }) => scheduledAt > utcTime(now)).flatMap((post) => post.platforms),
  );
}

function namesOf({ platform }: PlatformRecord): readonly string[] {
  return platform === undefined ? [] : [platform];
}

function missingPlatforms(missing: readonly string[], known: ReadonlySet<string>): string {
  const names = missing.length === 1 ? "this name" : "these names";
  return `The calendars name ${missing.join(" and ")}, but the service has no account with ${names}. Connected: ${listed(known)}.`;
}

function listed(known: ReadonlySet<string>): string {
  return listSome(
    [...known].sort().map((name) => name.slice(0, 60)),
    20,
  );
}

/**
 * Another name for the same network is an alias, and a typing mistake can be fixed. Other networks must be connected.
 */
function adviceFor(name: string, known: ReadonlySet<string>, facts: Facts): string {
  const network = networkNamed(name);
  const same = network && [...known].find((each) => networkNamed(each) === network);
  if (same !== undefined)
    return `The service calls ${name} "${same}": set platforms: { ${name}: ${same} } in plancast.yaml.`;
  const several = severalAccounts(name, known);
  if (several !== undefined) return several;
  const near = nearest(name, known);
  return near === undefined
    ? `${connectAdvice(name, facts)}, or remove it from the calendars.`
    : `${name} may be mistyped: did you mean ${near}?`;
}
