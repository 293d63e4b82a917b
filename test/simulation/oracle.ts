/**
 * What each row may have on the service, from the guarantees in `docs/change/reliability.md`. It shares no code with
 * plancast. It knows only the rows that people wrote, and the service's own book of posts. Each guarantee is one entry.
 */

import type { Service, SimulatedPost } from "./service.ts";

/** A row as somebody wrote it. Posts begin with its name, so they show which row they belong to. */
export interface Row {
  readonly name: string;
  readonly version: number;
  readonly dueMs: number;
}

export function contentOf({ name, version }: Row): string {
  return `${name}: version ${version}`;
}

export function rowNameIn({ content }: Pick<SimulatedPost, "content">): string {
  return content.split(":")[0] ?? "";
}

/** What the oracle knows when a run has ended. */
export interface Moment {
  readonly service: Service;
  readonly nowMs: number;
  /** The rows in the clone that ran. */
  readonly rows: readonly Row[];
  /** Null if the process died. */
  readonly code: number | null;
  readonly stderr: string;
  /** Whether the run said that it is done, or that only missing rows are left. */
  readonly isDone: boolean;
  /** The same, if its list of posts was not old. */
  readonly isCalm: boolean;
  /** Rows that were in step at the last calm run, and that nobody has changed since. */
  readonly standing: readonly Row[];
  /** Rows whose post somebody removed, and that nobody wants back. */
  readonly removed: ReadonlySet<string>;
  /** Rows that the run called missing. */
  readonly missing: ReadonlySet<string>;
  /** Rows that a hold keeps back now. */
  readonly held: ReadonlySet<string>;
  /** Rows that may be missing besides the removed ones: a hold that still counts cancelled their post. */
  readonly mayBeMissing: (name: string) => boolean;
  /** Posts that only the lockfile of another clone has. */
  readonly unknown: ReadonlySet<string>;
  /** Somebody brought an old lockfile back: nobody knows the newer versions any more. */
  readonly isReverted: boolean;
}

/** From here on, a row counts as past, or the service may publish it at any moment. */
const LEAD_MS = 120_000;

function isDue(row: Row, { nowMs }: Moment): boolean {
  return row.dueMs > nowMs + LEAD_MS;
}

function livePosts({ service }: Moment, name: string): readonly SimulatedPost[] {
  return service.live().filter((post) => rowNameIn(post) === name);
}

function isOf(post: SimulatedPost, row: Row): boolean {
  return post.content === contentOf(row) && post.dueMs === row.dueMs;
}

/** Each gives what is wrong, as sentences. */
export const GUARANTEES: Readonly<Record<string, (moment: Moment) => readonly string[]>> = {
  "the program does not fail in itself": ({ stderr }) =>
    stderr.includes("internal/fault") ? [`It says: ${stderr.slice(0, 400)}`] : [],

  "posts of others stay": ({ service }) =>
    service.posts.flatMap((post) =>
      post.madeBy === "hand" && post.end === "cancelled by the API" ? [`${post.id} was cancelled.`] : [],
    ),

  "a row is not published twice": ({ service }) => {
    const names = service.posts.flatMap((post) =>
      post.end === "published" && post.madeBy === "api" ? [rowNameIn(post)] : [],
    );
    return names
      .filter((name, index) => names.indexOf(name) < index)
      .map((name) => `${name} was published twice.`);
  },

  "after a run that is done, each row is scheduled once": (moment) =>
    moment.isCalm
      ? moment.rows
          .filter(
            (row) =>
              isDue(row, moment) &&
              ![moment.missing, moment.removed, moment.held].some((names) => names.has(row.name)),
          )
          .flatMap((row) => {
            const count = livePosts(moment, row.name).filter((post) => isOf(post, row)).length;
            return count === 1 ? [] : [`${contentOf(row)} is scheduled ${count} times.`];
          })
      : [],

  "after a run that is done, no row has another version": (moment) =>
    moment.isCalm
      ? moment.rows.flatMap((row) =>
          livePosts(moment, row.name)
            .filter((post) => !isOf(post, row) && post.dueMs > moment.nowMs + LEAD_MS)
            .filter(() => !moment.missing.has(row.name) && !moment.held.has(row.name) && isDue(row, moment))
            .map((post) => `${post.id} (${post.content}) is still scheduled beside ${contentOf(row)}.`),
        )
      : [],

  "after a run that is done, no row has two posts": (moment) =>
    moment.isDone
      ? moment.rows.flatMap((row) => {
          const posts = livePosts(moment, row.name).filter(({ dueMs }) => dueMs > moment.nowMs + LEAD_MS);
          return posts.length > 1 ? [`${row.name} has ${posts.map(({ id }) => id).join(" and ")}.`] : [];
        })
      : [],

  "after a run that is done, deleted rows have no post": (moment) =>
    moment.isCalm && !moment.isReverted
      ? moment.service
          .live()
          .filter(({ madeBy, dueMs }) => madeBy === "api" && dueMs > moment.nowMs + LEAD_MS)
          .filter((post) => !moment.rows.some(({ name }) => name === rowNameIn(post)))
          .map((post) => `${post.id} (${post.content}) is scheduled without a row.`)
      : [],

  "after a run that is done, no held row has a post": (moment) =>
    moment.isCalm
      ? moment.rows
          .filter((row) => moment.held.has(row.name) && isDue(row, moment))
          .flatMap((row) => livePosts(moment, row.name))
          .filter(
            ({ id, madeBy, dueMs }) =>
              madeBy === "api" && dueMs > moment.nowMs + LEAD_MS && !moment.unknown.has(id),
          )
          .map((post) => `${post.id} (${post.content}) is scheduled although it is held.`)
      : [],

  "an unchanged row is never lost or doubled": (moment) =>
    moment.standing
      .filter((row) => row.dueMs > moment.nowMs && !moment.removed.has(row.name))
      .flatMap((row) => {
        const count = livePosts(moment, row.name).filter((post) => isOf(post, row)).length;
        return count === 1 ? [] : [`${contentOf(row)} is scheduled ${count} times.`];
      }),

  "what somebody removed does not come back": (moment) =>
    [...moment.removed].flatMap((name) =>
      livePosts(moment, name).map((post) => `${post.id} (${post.content}) came back.`),
    ),

  "only what somebody removed is missing": (moment) =>
    moment.isReverted
      ? []
      : [...moment.missing].flatMap((name) =>
          moment.removed.has(name) || moment.mayBeMissing(name)
            ? []
            : [`${name} is called missing, and nobody removed it.`],
        ),
};
