/** What the service's records of posts tell: what they leave out, plancast must remember. */
import { Failure } from "../../calendar/failure.ts";
import { isJsonOrEmpty } from "../../service/own-answer.ts";
import type { PostRecord } from "../../service/records.ts";
import { NEEDS_ANSWER, ok, skipped, warning, failing, type Check } from "../check.ts";
import type { Facts } from "../facts.ts";
import { adviseMapping, exampleOf } from "../advise-shape.ts";
import { answersIn } from "./answers.ts";

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
