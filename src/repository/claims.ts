/**
 * What a run of publish may do: which posts are due on which accounts, and which other runs have claimed. A claim is
 * pushed before anything is sent, and the results afterwards. Pure.
 *
 * | state of a post on an account | when a run may claim it |
 * | ----------------------------- | ----------------------- |
 * | none                          | when it is due |
 * | waiting: certainly not sent   | at its next time |
 * | sending: claimed by a run     | when the claim is over, and a lost request can no longer arrive |
 * | unknown                       | at its next time; without one, never |
 * | published, failed, expired    | never |
 */

import { isOverOnAccount } from "../model/publication.ts";
import { utcTime } from "../model/canonical.ts";
import { getOwn } from "../model/lockfile.ts";
import { compareText } from "../model/text.ts";
import type { AccountName } from "../networks/open-accounts.ts";
import {
  type ScheduledPublication,
  type Schedule,
  type ScheduledPost,
  accountOf,
  isAsWritten,
  publicationOn,
} from "./schedule.ts";

/** A post on an account. */
export interface Task {
  readonly id: string;
  readonly platform: string;
  readonly post: ScheduledPost;
  /** Its progress before this run; undefined if nothing was started. */
  readonly before: ScheduledPublication | undefined;
}

export interface Terms {
  /** Ms. */
  readonly now: number;
  /** How long after its start a request may still have an effect, in ms. */
  readonly settleMs: number;
  readonly accounts: readonly AccountName[];
}

/** Everything that may be claimed now, earliest first. */
export function openTasks(schedule: Schedule, terms: Terms): readonly Task[] {
  return allTasks(schedule).filter((task) => opensAt(task, terms) <= terms.now);
}

/** When one of these may be claimed next, in ms; Infinity if nothing is left. */
export function nextTaskAt(
  schedule: Schedule,
  terms: Terms,
  isWanted: (task: Task) => boolean = () => true,
): number {
  const tasks = allTasks(schedule).filter(isWanted);
  return tasks.reduce((least, task) => Math.min(least, opensAt(task, terms)), Infinity);
}

/** A due post that cannot go out: somebody edited it by hand, or it was scheduled for another account. */
export interface BlockedTask extends Task {
  readonly why: "edited" | "other-account";
}

export function blockedTasks(schedule: Schedule, { now, accounts }: Terms): readonly BlockedTask[] {
  return allTasks(schedule).flatMap((task): BlockedTask[] => {
    const { post, platform, before } = task;
    if (dueAt(post) > now || (before !== undefined && before.state !== "waiting")) return [];
    if (!isAsWritten(post)) return [{ ...task, why: "edited" }];
    const isConnected = accountOf(post, platform, accounts) !== undefined;
    return isConnected ? [] : [{ ...task, why: "other-account" }];
  });
}

function allTasks({ posts }: Schedule): readonly Task[] {
  return Object.entries(posts)
    .sort(([a, one], [b, other]) => compareText(one.scheduled_at, other.scheduled_at) || compareText(a, b))
    .flatMap(([id, post]) =>
      post.platforms.map((platform) => ({ id, platform, post, before: publicationOn(post, platform) })),
    );
}

function dueAt({ scheduled_at: due }: Pick<ScheduledPost, "scheduled_at">): number {
  return Date.parse(due);
}

function opensAt({ post, platform, before }: Task, { accounts, settleMs }: Terms): number {
  const account = accountOf(post, platform, accounts);
  if (account === undefined || !isAsWritten(post)) return Infinity;
  if (before === undefined) return dueAt(post);
  if (isOverOnAccount(before) || before.account_id !== account.id) return Infinity;
  const after = before.state === "sending" ? lastSendAt(before) + settleMs : Date.parse(before.next_at ?? "");
  return Math.max(dueAt(post), Number.isNaN(after) ? -Infinity : after);
}

/** The time until which the run with the claim may send, in ms. */
export function lastSendAt({ claim, sent_at: sentAt }: ScheduledPublication): number {
  return Date.parse(claim?.until ?? sentAt);
}

/** The run that claims, and the end of its claim, in ms. */
export interface Claimant {
  readonly run: string;
  readonly until: number;
}

/** The schedule in which these tasks belong to a run. */
export function withClaims(
  schedule: Schedule,
  tasks: readonly Task[],
  { run, until }: Claimant,
  now: number,
): Schedule {
  return edited(
    schedule,
    tasks.map(({ id, platform, post, before }) => {
      const { next_at: _next, ...rest } = before ?? {
        account_id: getOwn(post.accounts ?? {}, platform) ?? "",
        attempts: 0,
        parts: [],
      };
      const claim = { run, until: new Date(until).toISOString() };
      const publication = { ...rest, state: "sending" as const, sent_at: new Date(now).toISOString(), claim };
      return { id, platform, publication };
    }),
  );
}

/** What a run found out about a task. Undefined: nothing happened, and others may claim it. */
export interface Result extends Pick<Task, "id" | "platform"> {
  readonly publication: ScheduledPublication | undefined;
}

/**
 * The schedule with the results of a run. If another run has claimed a task since then, this run's result counts only
 * if the post is certainly published.
 */
export function withResults(schedule: Schedule, results: readonly Result[], run: string): Schedule {
  const ours = results.filter(({ id, platform, publication }) => {
    const post = getOwn(schedule.posts, id);
    const current = post && publicationOn(post, platform);
    if (current?.claim?.run === run) return true;
    const isCertain = publication?.state === "published" && current?.state !== "published";
    return post !== undefined && isCertain && current?.claim === undefined;
  });
  return edited(schedule, ours);
}

function edited(schedule: Schedule, results: readonly Result[]): Schedule {
  if (results.length === 0) return schedule;
  const posts: Record<string, ScheduledPost> = { ...schedule.posts };
  for (const { id, platform, publication } of results) {
    const post = posts[id];
    if (post === undefined) continue;
    const { [platform]: _before, ...others } = post.publications ?? {};
    const publications = publication === undefined ? others : { ...others, [platform]: publication };
    const { publications: _publications, ...rest } = post;
    posts[id] = Object.keys(publications).length === 0 ? rest : { ...rest, publications };
  }
  return { ...schedule, posts };
}

/** How long the schedule keeps posts that are over, in ms. */
const KEEP_MS = 90 * 86_400_000;

/** Without old posts, because nothing happens to them any more. */
export function withoutOld(schedule: Schedule, now: number): Schedule {
  const limit = utcTime(now - KEEP_MS);
  const posts = Object.entries(schedule.posts).filter(([, post]) => {
    if (post.scheduled_at >= limit) return true;
    return post.platforms.some((platform) => {
      const publication = publicationOn(post, platform);
      return publication !== undefined && !isOverOnAccount(publication);
    });
  });
  return posts.length === Object.keys(schedule.posts).length
    ? schedule
    : { ...schedule, posts: Object.fromEntries(posts) };
}
