/**
 * Merges two versions of a schedule, such as apply's and publish's. What may be published is never changed back, so no
 * post is sent twice. Pure.
 */

import { getOwn } from "../model/lockfile.ts";
import { compareText } from "../model/text.ts";
import {
  type Publication,
  type Schedule,
  type ScheduledPost,
  isBegun,
  parseSchedule,
  scheduleText,
} from "./schedule.ts";

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
): Record<string, Publication> {
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
  was: Maybe<Publication>,
  mine: Maybe<Publication>,
  yours: Maybe<Publication>,
): Maybe<Publication> {
  const now = isSame(was, mine) || isSame(was, yours) ? changed(was, mine, yours) : surer(mine, yours);
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
function hasNews(publication: Publication): boolean {
  return isResult(publication) || publication.parts.length > 0;
}

function isResult({ state }: Publication): boolean {
  return state !== "sending" && state !== "waiting";
}

/** The version that differs from the base; ours if both do. */
function changed<T>(base: Maybe<T>, ours: Maybe<T>, theirs: Maybe<T>): Maybe<T> {
  return isSame(base, ours) ? theirs : ours;
}

/** The state that says more about whether the post is published; the first state if both say the same. */
function surer(one: Maybe<Publication>, other: Maybe<Publication>): Maybe<Publication> {
  return certainty(other) > certainty(one) ? other : one;
}

/** A run may claim a post that is unknown, to ask the network. Its claim must not get lost. */
function certainty(publication: Maybe<Publication>): number {
  if (publication === undefined) return -1;
  const { state, next_at: next } = publication;
  const isAsked = state === "unknown" && next !== undefined;
  return ["waiting", "asked", "sending", "expired", "failed", "unknown", "published"].indexOf(
    isAsked ? "asked" : state,
  );
}

/** By value: both were read from JSON with sorted keys. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
