/**
 * `plancast.schedule.json`, the schedule of a project without a service: posts from apply, claims and results from
 * publish. It is committed, so people and merges may have changed it: it is checked like any other input. Two versions
 * are merged here, too: what may be published is never changed back, so no post is sent twice. Pure.
 */

import { isOverOnAccount } from "../model/publication.ts";
import { createHash } from "node:crypto";
import { z } from "zod";
import { hasBegun } from "../embedded/publishing/publication-steps.ts";
import { storedPost, storedPublication } from "../embedded/store/records.ts";
import { isSameJson, sortKeys } from "../model/data.ts";
import { MAX_REPLIES } from "../model/extras.ts";
import { Failure } from "../model/failure.ts";
import { getOwn } from "../model/lockfile.ts";
import { compareText } from "../model/text.ts";
import type { AccountName } from "../networks/open-accounts.ts";

/** Its name in the folder of plancast.yaml. */
export const SCHEDULE_FILE = "plancast.schedule.json";
/** The posts that publish changed since then: see schedule-layers.ts. */
export const PUBLISHED_FILE = "plancast.published.json";
/** Both files of a schedule. */
export const SCHEDULE_FILES = [SCHEDULE_FILE, PUBLISHED_FILE] as const;

/** A copy of what the last run on this machine wrote, in the folder of its state. */
export const OWN_SCHEDULE = `${SCHEDULE_FILE}.own`;

const VERSION = 1;

const utcTime = z.iso.datetime();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const scheduledMedia = z.strictObject({
  /** Relative to the project root, with `/`. */
  path: z.string().min(1),
  sha256,
  bytes: z.int().min(0),
  mime: z.string(),
});

/** A run of publish that may send the post until a time. */
const claim = z.strictObject({ run: z.string().regex(/^[\w-]{1,40}$/), until: utcTime });

/** The progress of a post on an account. With a claim, its state is `sending`. */
const publication = storedPublication.extend({ claim: claim.optional() });

const scheduledPost = storedPost
  .omit({
    id: true,
    media_ids: true,
    cancelled_at: true,
    published_at: true,
    results: true,
    publications: true,
  })
  .extend({
    media: z.array(scheduledMedia),
    thread: z.array(z.string()).max(MAX_REPLIES).optional(),
    /** The checksum of what apply wrote. Publish does not send a post that somebody edited by hand. */
    digest: sha256,
    publications: z.record(z.string(), publication).optional(),
  });

const scheduleSchema = z.strictObject({
  version: z.literal(VERSION),
  posts: z.record(z.string().regex(/^post_[0-9a-f]{12}$/), scheduledPost),
});

export type ScheduledMedia = z.infer<typeof scheduledMedia>;
export type ScheduledPublication = z.infer<typeof publication>;
export type ScheduledPost = z.infer<typeof scheduledPost>;
export type Schedule = z.infer<typeof scheduleSchema>;

export const EMPTY_SCHEDULE: Schedule = { version: VERSION, posts: {} };

/** What apply decides about a post. */
export type PostDecision = Omit<ScheduledPost, "digest" | "publications">;

export function withDigest(post: PostDecision): ScheduledPost {
  return { ...post, digest: digestOf(post) };
}

/** Whether the post is as apply wrote it. */
export function isAsWritten({ digest, publications: _results, ...post }: ScheduledPost): boolean {
  return digest === digestOf(post);
}

/** Whether apply decided the same about two posts, whatever their results. The digest of a forged post may be right. */
export function isSameDecision(one: ScheduledPost, other: ScheduledPost): boolean {
  const [a, b] = [one, other].map(({ publications: _results, ...decision }) => decision);
  return JSON.stringify(a, sortKeys) === JSON.stringify(b, sortKeys);
}

function digestOf(post: PostDecision): string {
  return createHash("sha256").update(JSON.stringify(post, sortKeys)).digest("hex");
}

/** The id of a file in posts. It depends only on the bytes. */
export function mediaId({ sha256: hash }: Pick<ScheduledMedia, "sha256">): string {
  return `media_${hash}`;
}

/** The progress of a post on an account; undefined before its first claim. */
export function publicationOn(
  { publications = {} }: Pick<ScheduledPost, "publications">,
  platform: string,
): ScheduledPublication | undefined {
  return getOwn(publications, platform);
}

/** Whether a part of the post may be published, so that it is too late to change or cancel it. */
export function isBegun(post: Pick<ScheduledPost, "platforms" | "publications">): boolean {
  return post.platforms.some((platform) => {
    const publication = publicationOn(post, platform);
    return publication !== undefined && hasBegun(publication);
  });
}

/** Whether publish may still do something with the post, on any of its accounts. */
export function isOpen(post: Pick<ScheduledPost, "platforms" | "publications">): boolean {
  return post.platforms.some((platform) => {
    const publication = publicationOn(post, platform);
    return publication === undefined || !isOverOnAccount(publication);
  });
}

/**
 * The account for a post. Undefined if the post was scheduled for a different account. It is found by its id, because its
 * name in rows changes when the project gets another account on its network.
 */
export function accountOf(
  { accounts = {} }: Pick<ScheduledPost, "accounts">,
  platform: string,
  connected: readonly AccountName[],
): AccountName | undefined {
  const chosen = getOwn(accounts, platform);
  return connected.find(({ id }) => id === chosen);
}

/** Why a post stays where it is: its account was changed or removed after apply. */
export function otherAccount(platform: string): string {
  return `The post was scheduled for another account on ${platform} than plancast.yaml has now. Apply the row again.`;
}

/**
 * A blank text is an empty schedule. Throws a Failure for anything that plancast did not write.
 * @param now ms; if it is given, results from the future are refused too
 */
export function parseSchedule(text: string, now = Infinity, name: string = SCHEDULE_FILE): Schedule {
  if (text.trim() === "") return EMPTY_SCHEDULE;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw /^<{7} /m.test(text) ? conflict(name) : invalid(name, "it is not JSON");
  }
  const version = z.object({ version: z.number() }).safeParse(value).data?.version;
  if (version !== undefined && version > VERSION)
    throw new Failure(
      "run/newer-version",
      `A newer plancast wrote ${name} (version ${version}, but this plancast knows only ${VERSION}).`,
      "Update plancast to the version that your team uses.",
    );
  const read = scheduleSchema.safeParse(value);
  if (read.success) {
    const wrong = impossibleResult(read.data, now);
    if (wrong !== undefined) throw invalid(name, wrong);
    return read.data;
  }
  const [issue] = read.error.issues;
  throw invalid(name, `at ${issue?.path.join(".") || "the top"}: ${issue?.message ?? "changed by hand"}`);
}

/** Empty for anything but a schedule: it says nothing. */
export function readable(text: string): Schedule {
  try {
    return parseSchedule(text);
  } catch {
    return EMPTY_SCHEDULE;
  }
}

/** How far the clocks of two machines may differ, in ms. */
const CLOCKS_DIFFER_MS = 2 * 3_600_000;
/** Longest time from an attempt to the end of its claim, or to the next attempt, in ms. It is far above what publish writes. */
const MAX_WAIT_MS = 7 * 86_400_000;

/** The first result that publish cannot have written; undefined if there is none. The digest does not cover results. */
function impossibleResult({ posts }: Schedule, now: number): string | undefined {
  for (const [id, post] of Object.entries(posts)) {
    for (const [platform, publication] of Object.entries(post.publications ?? {})) {
      const why = whyImpossible(post, platform, publication, now);
      if (why !== undefined) return `at posts.${id}.publications.${platform}: ${why}`;
    }
  }
  return undefined;
}

/** The post with the results of another version of it, as far as it can have them. */
export function withResultsOf(
  { publications: _own, ...post }: ScheduledPost,
  { publications: others = {} }: ScheduledPost,
): ScheduledPost {
  const possible = Object.entries(others).filter(
    ([platform, each]) => whyImpossible(post, platform, each, Infinity) === undefined,
  );
  return possible.length === 0 ? post : { ...post, publications: Object.fromEntries(possible) };
}

/**
 * The post with the results that an earlier version of it had and this one lost: somebody edited the file, or reverted it.
 * @param keepsClaims whether the version is from the newest run of publish. Otherwise a claim may have ended without a result
 */
export function withKeptResults(
  post: ScheduledPost,
  { publications: earlier = {} }: Pick<ScheduledPost, "publications">,
  keepsClaims: boolean,
): ScheduledPost {
  const { publications: now = {} } = post;
  const lost = Object.entries(earlier).flatMap(([platform, was]) => {
    const mine = getOwn(now, platform);
    const kept = mine === undefined && keepsClaims ? was : mergePublication(was, mine, was);
    return kept === undefined || isSameJson(kept, mine) ? [] : [[platform, kept] as const];
  });
  return lost.length === 0 ? post : { ...post, publications: { ...now, ...Object.fromEntries(lost) } };
}

function whyImpossible(
  { platforms, accounts = {}, scheduled_at: due }: ScheduledPost,
  platform: string,
  { account_id: account, state, claim: claimed, sent_at: sentAt, next_at: next }: ScheduledPublication,
  now: number,
): string | undefined {
  if (!platforms.includes(platform)) return "the post is not for this network";
  if (account !== getOwn(accounts, platform)) return "the post is for another account";
  if ((state === "sending") !== (claimed !== undefined)) return "only a post that is sent has a claim";
  const sent = Date.parse(sentAt);
  if (sent < Date.parse(due)) return "the attempt is from before the post was due";
  if (sent > now + CLOCKS_DIFFER_MS) return "by the clock of this machine, the attempt is in the future";
  const isTooFar = [claimed?.until, next].some(
    (time) => time !== undefined && Date.parse(time) > sent + MAX_WAIT_MS,
  );
  return isTooFar ? "the next attempt is too far in the future" : undefined;
}

/** Sorted keys and one line for each value, so that git merges it well. */
export function scheduleText(schedule: Schedule): string {
  return `${JSON.stringify(schedule, sortKeys, 2)}\n`;
}

function invalid(name: string, why: string): Failure {
  return new Failure(
    "lockfile/invalid",
    `${name} is not as plancast wrote it: ${why}. Nothing was published.`,
    `\`git log --oneline -- ${name}\` shows which commit changed it. \`git checkout COMMIT~1 -- ${name}\` restores the version before that commit. To change a post, change its row and apply.`,
  );
}

function conflict(name: string): Failure {
  return new Failure(
    "lockfile/conflict",
    `${name} contains git's conflict markers. Nothing was published.`,
    "Run `plancast lockfile merge`, which keeps what both sides scheduled and published.",
  );
}

/** Whether a text is a schedule, and no lockfile. */
export function isScheduleText(text: string): boolean {
  try {
    parseSchedule(text);
    return text.trim() !== "";
  } catch {
    return false;
  }
}

/** Like `mergeSchedules`, for texts. Throws a Failure for anything but a schedule. */
export function mergeScheduleTexts(base: string, ours: string, theirs: string): string {
  return scheduleText(mergeSchedules(parseSchedule(base), parseSchedule(ours), parseSchedule(theirs)));
}

/** Merges post by post. @param base what both versions were made from */
export function mergeSchedules(base: Schedule, ours: Schedule, theirs: Schedule): Schedule {
  const ids = [...new Set([base, ours, theirs].flatMap(({ posts }) => Object.keys(posts)))];
  const posts = ids.flatMap((id) => {
    const versions = [base, ours, theirs].map((each) => getOwn(each.posts, id));
    const merged = mergePost(versions[0], versions[1], versions[2]);
    return merged === undefined ? [] : [[id, merged] as const];
  });
  return { ...theirs, posts: Object.fromEntries(posts) };
}

type Maybe<T> = T | undefined;

function mergePost(
  base: Maybe<ScheduledPost>,
  ours: Maybe<ScheduledPost>,
  theirs: Maybe<ScheduledPost>,
): Maybe<ScheduledPost> {
  // A post that may be published stays as it was sent, even if the other version changed or cancelled it.
  const sent = [ours, theirs].find((each) => each !== undefined && isBegun(each));
  const before = base !== undefined && isBegun(base) && hasResult(base) ? base : undefined;
  const decided = sent ?? before ?? changed(base, ours, theirs);
  if (decided === undefined) return undefined;
  const { publications: _results, ...post } = decided;
  // Results of another text or time do not belong to this post.
  const [was, mine, yours] = [base, ours, theirs].map((each) =>
    each?.digest === decided.digest ? each : undefined,
  );
  const publications = mergePublications(was, mine, yours);
  return Object.keys(publications).length === 0 ? post : { ...post, publications };
}

function mergePublications(
  base: Maybe<ScheduledPost>,
  ours: Maybe<ScheduledPost>,
  theirs: Maybe<ScheduledPost>,
): Record<string, ScheduledPublication> {
  const [before = {}, one = {}, other = {}] = [base, ours, theirs].map((each) => each?.publications);
  const platforms = [...new Set([before, one, other].flatMap((each) => Object.keys(each)))].sort(compareText);
  return Object.fromEntries(
    platforms.flatMap((platform) => {
      const [was, mine, yours] = [before, one, other].map((each) => getOwn(each, platform));
      const merged = mergePublication(was, mine, yours);
      return merged === undefined ? [] : [[platform, merged] as const];
    }),
  );
}

/** A merge never loses known facts. Only a claim can end without a result. */
function mergePublication(
  was: Maybe<ScheduledPublication>,
  mine: Maybe<ScheduledPublication>,
  yours: Maybe<ScheduledPublication>,
): Maybe<ScheduledPublication> {
  const now =
    isSameJson(was, mine) || isSameJson(was, yours) ? changed(was, mine, yours) : surer(mine, yours);
  const kept =
    was !== undefined && (isResult(was) || now === undefined) && hasNews(was) ? surer(now, was) : now;
  if (kept === undefined) return undefined;
  const parts = [kept, was, mine, yours]
    .map((each) => each?.parts ?? [])
    .reduce((longest, each) => (each.length > longest.length ? each : longest));
  return parts === kept.parts ? kept : { ...kept, parts };
}

function hasResult({ publications = {} }: ScheduledPost): boolean {
  return Object.values(publications).some(hasNews);
}

/** Whether something is known that a later version must not forget. */
function hasNews(publication: ScheduledPublication): boolean {
  return isResult(publication) || publication.parts.length > 0;
}

function isResult({ state }: ScheduledPublication): boolean {
  return state !== "sending" && state !== "waiting";
}

/** The version that differs from the base; ours if both do. */
function changed<T>(base: Maybe<T>, ours: Maybe<T>, theirs: Maybe<T>): Maybe<T> {
  return isSameJson(base, ours) ? theirs : ours;
}

/** The state that says more about whether the post is published; the first state if both say the same. */
function surer(
  one: Maybe<ScheduledPublication>,
  other: Maybe<ScheduledPublication>,
): Maybe<ScheduledPublication> {
  return certainty(other) > certainty(one) ? other : one;
}

/** A run may claim a post that is unknown, to ask the network. Its claim must not get lost. */
function certainty(publication: Maybe<ScheduledPublication>): number {
  if (publication === undefined) return -1;
  const { state, next_at: next } = publication;
  const isAsked = state === "unknown" && next !== undefined;
  return ["waiting", "asked", "sending", "expired", "failed", "unknown", "published"].indexOf(
    isAsked ? "asked" : state,
  );
}
