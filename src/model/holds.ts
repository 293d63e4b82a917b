/**
 * Holds: what must not go out until somebody releases it. The only definition of `plancast.holds.yaml`. Each line is one
 * record, and commands only add lines, so the holds of two branches merge. Pure.
 */

import { z } from "zod";
import type { HoldFacts } from "../problems/hold-texts.ts";
import { Failure } from "./failure.ts";
import { type Only, FilterFault, parseConditions } from "./row-filter.ts";
import { clipped } from "./text.ts";

export const HOLDS_FILE = "plancast.holds.yaml";

const id = z.string().regex(/^[\w.-]{1,60}$/);
const person = z.string().max(200).optional();
/** Always with an offset: two people may read the file in two zones. */
const time = z.iso.datetime({ offset: true });

const holdLine = z.strictObject({
  hold: id,
  /** Conditions for rows, as in `only:`; absent for the whole project. */
  only: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  until: time.optional(),
  reason: z.string().min(1).max(1000),
  by: person,
  at: time.optional(),
  /** Ids of the posts that the command has cancelled. */
  posts: z.array(z.string()).optional(),
});

const releaseLine = z.strictObject({ release: id, by: person, at: time.optional() });

export type HoldLine = z.infer<typeof holdLine>;
type ReleaseLine = z.infer<typeof releaseLine>;

export interface Hold {
  readonly id: string;
  /** Empty for the whole project. */
  readonly only: Only;
  readonly reason: string;
  readonly by: string | undefined;
  /** When it began, in ms; undefined if nobody knows. */
  readonly from: number | undefined;
  /** When it ends without a release, in ms. */
  readonly until: number | undefined;
  /** When it was released, in ms; undefined if it was not, and -Infinity if nobody knows when. */
  readonly released: number | undefined;
  readonly posts: ReadonlySet<string>;
}

/** All holds of the file, also those that ended. Throws a Failure: a hold that cannot be read must not be ignored. */
export function parseHolds(text: string): readonly Hold[] {
  const holds = holdsOf(writtenLines(text).map(([line, number]) => recordIn(line, number)));
  if (holds.filter(({ released }) => released === undefined).length <= MOST_OPEN) return holds;
  throw new Failure(
    "hold/unreadable",
    `${HOLDS_FILE} has more than ${MOST_OPEN} holds that nobody released. Nothing was changed.`,
    "Release old holds, or remove their lines.",
  );
}

/** Each post is compared with each hold, and a pull request may bring any number of them. */
const MOST_OPEN = 1_000;

/** The holds in the lines that can be read: a pull request may repair the others, and still ends these. */
export function readableHolds(text: string): readonly Hold[] {
  const records = writtenLines(text).flatMap(([line, number]) => {
    try {
      return [recordIn(line, number)];
    } catch {
      return [];
    }
  });
  return holdsOf(records);
}

function writtenLines(text: string): readonly (readonly [line: string, number: number])[] {
  return text.split("\n").flatMap((line, index) => (isBlank(line) ? [] : [[line, index + 1] as const]));
}

/** A release ends only holds above it: it could not know a later one, and must not end it before it begins. */
function holdsOf(records: readonly (HoldLine | ReleaseLine)[]): readonly Hold[] {
  const releases = new Map<string, ReleaseLine>();
  const holds: Hold[] = [];
  for (const each of [...records].reverse()) {
    if ("release" in each) releases.set(each.release, each);
    else holds.push(toHold(each, releases.get(each.hold)));
  }
  return holds.reverse();
}

function isBlank(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

/** A record of one line, which is an item of a YAML list, in JSON. */
function recordIn(line: string, number: number): HoldLine | ReleaseLine {
  try {
    const value: unknown = JSON.parse(line.replace(/^- /, ""));
    const read = z.union([holdLine, releaseLine]).parse(value);
    if ("hold" in read) parseConditions(read.only ?? {});
    return read;
  } catch (error) {
    const why = error instanceof FilterFault ? ` ${error.message}` : "";
    throw new Failure(
      "hold/unreadable",
      `${HOLDS_FILE}:${number} is not a hold or a release: ${clipped(line.trim())}.${why} Nothing was changed, because plancast cannot know what it withholds.`,
      "If git left conflict markers, remove the lines with <<<<<<<, ======= and >>>>>>>, and keep all others.",
    );
  }
}

function toHold({ hold, only = {}, reason, by, at, until, posts = [] }: HoldLine, end?: ReleaseLine): Hold {
  const released = end === undefined ? undefined : end.at === undefined ? -Infinity : Date.parse(end.at);
  return {
    id: hold,
    only,
    reason,
    by,
    from: at === undefined ? undefined : Date.parse(at),
    until: until === undefined ? undefined : Date.parse(until),
    released,
    posts: new Set(posts),
  };
}

/** A release with a time in the future has not happened yet. */
export function isActive({ until = Infinity, released = Infinity }: Hold, now: number): boolean {
  return now < released && now < until;
}

/** Whether a hold was active at that time, now or earlier. */
export function wasActiveAt(
  { from = Infinity, until = Infinity, released = Infinity }: Hold,
  at: number,
): boolean {
  return from <= at && at < Math.min(until, released);
}

/**
 * The hold that keeps a post of a schedule from being sent. It withholds the post now, or it did when the post was due:
 * a post never goes out late because its hold ended.
 */
export function holdOfPost(
  holds: readonly Hold[],
  { id, dueAt }: { readonly id: string; readonly dueAt: number },
  now: number,
): Hold | undefined {
  return holds.find(
    (hold) =>
      (hold.posts.has(id) || Object.keys(hold.only).length === 0) &&
      (isActive(hold, now) || wasActiveAt(hold, dueAt)),
  );
}

/**
 * The holds that count: those of the main branch, and what the checkout adds to them. A line that only the checkout
 * lacks still counts, because a release is a change that reaches the main branch.
 * @param base the file in the commit that the checkout shares with the main branch
 */
export function withMainHolds(mine: string, base: string, main: string): string {
  const known = new Set(base.split("\n"));
  const there = new Set(main.split("\n"));
  const added = mine.split("\n").filter((line) => !isBlank(line) && !known.has(line) && !there.has(line));
  return added.reduce(withLine, main);
}

/** The file with one more line. */
export function withLine(text: string, line: string): string {
  const before = text === "" ? HEAD : text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${line}\n`;
}

const HEAD = "# plancast hold, plancast release\n";

export function lineText(line: HoldLine | ReleaseLine): string {
  return `- ${JSON.stringify(line)}`;
}

export function holdFacts(hold: Pick<Hold, "id" | "only" | "reason" | "by">): HoldFacts {
  const { id, reason, by } = hold;
  const who = by === undefined ? undefined : clipped(by);
  return { id, conditions: clipped(conditionsText(hold)), reason: clipped(reason), by: who };
}

/** What a hold is about, as it is typed: `client=acme, platform=x`. */
export function conditionsText({ only }: Pick<Hold, "only">): string {
  const parts = Object.entries(only).flatMap(([name, value]) =>
    [value].flat().map((each: string) => `${name}=${each}`),
  );
  return parts.length === 0 ? "the whole project" : parts.join(", ");
}
