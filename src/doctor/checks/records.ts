/** Checks the fields in the records of posts: plancast must remember the missing ones. */

import { Failure } from "../../model/failure.ts";
import { isJsonOrEmpty } from "../../service/answers/results.ts";
import type { PostRecord } from "../../service/records.ts";
import {
  type Facts,
  type Check,
  answersIn,
  firstPage,
  isUnreadable,
  pageOf,
  publishedType,
  NEEDS_ANSWER,
  failing,
  ok,
  skipped,
  warning,
} from "../check.ts";
import { mappingHelp, unknownStatuses } from "../mapping-help.ts";

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
  const page = answer && pageOf(answer, service?.settings.shape, "/posts");
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
  const missed = untold.filter((part) => COMPARED.includes(part));
  if (missed.length > 0) return missingParts(message, missed, facts);
  if (words.length > 0) return unknownWords(words, facts);
  return ok(untold.length === 0 ? message : `${message}.`);
}

function missingParts(message: string, missed: readonly string[], facts: Facts) {
  const help = mappingHelp(facts);
  const kept = "keep the lockfile in git: without it, plancast cannot find posts again.";
  const where = `${message} where plancast looks`;
  // `service.shape` names a path for each of these fields, but the path leads to no value.
  if (help === undefined)
    return warning(`${message}, so plancast compares with the lockfile instead.`, `K${kept.slice(1)}`);
  return warning(
    `${where}, so plancast compares with the lockfile instead.`,
    `If the service does not have ${missed.join(" and ")}, ${kept} If it does: ${help.advice}`,
    help.snippet,
  );
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
