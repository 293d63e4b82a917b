/** Builders with defaults: raw rows, posts, and the input of a plan. */

import { type Lockfile, emptyLockfile } from "../../src/model/lockfile.ts";
import type { RemotePost, ResolvedPost } from "../../src/model/post.ts";
import type { LeftOut, StayingRow } from "../../src/model/row-filter.ts";
import type { Cell, RawRow } from "../../src/model/row.ts";
import type { Field } from "../../src/model/fields.ts";
import { type Calendar, settingsOf } from "../../src/settings/calendar-settings.ts";
import { HeldPosts } from "../../src/checks/held-posts.ts";
import type { Config } from "../../src/settings/config.ts";
import { configSchema } from "../../src/calendars/check-project.ts";
import { fingerprint } from "../../src/sync/plan/compare.ts";
import type { DiffInput } from "../../src/sync/plan/input.ts";
import { Staying } from "../../src/sync/plan/staying.ts";

export function config(given: Record<string, unknown> = {}): Config {
  return configSchema.parse({ timezone: "Europe/Paris", ...given });
}

/** A row with one line and one column per field: line 2, columns in order. */
export function row(cells: Partial<Record<Field, Cell>>, line = 2, file = "calendars/a.csv"): RawRow {
  const fields = Object.keys(cells);
  return {
    file,
    line,
    cells,
    variants: [],
    at: (field, item) => ({
      file,
      line,
      column: field === undefined ? 1 : 10 * (fields.indexOf(field) + 1) + (item ?? 0),
    }),
  };
}

export function calendar(
  rows: readonly RawRow[],
  given: Partial<Calendar> = {},
  project: Config = config(),
): Calendar {
  return {
    settings: settingsOf(project, []),
    file: rows[0]?.file ?? "calendars/a.csv",
    rows,
    problems: [],
    sourceLine: () => undefined,
    ...given,
  };
}

export function post(given: Partial<ResolvedPost> & { line?: number } = {}): ResolvedPost {
  const { line = 2, ...rest } = given;
  const source = rest.source ?? { file: "calendars/a.csv", line };
  return {
    key: "launch",
    source,
    at: () => ({ ...source, column: 1 }),
    content: "We are open",
    platforms: ["linkedin"],
    scheduledAt: "2030-03-01T08:00:00Z",
    media: [],
    ...rest,
  };
}

export function remote(given: Partial<RemotePost> = {}): RemotePost {
  const { content, platforms, scheduledAt } = post();
  return { id: "post_1", content, platforms, scheduledAt, mediaIds: [], ...given };
}

export function lockfile(posts: Lockfile["posts"] = {}, given: Partial<Lockfile> = {}): Lockfile {
  return { ...emptyLockfile("https://api.example.com"), posts, ...given };
}

/** An entry of the lockfile for a post as `remote` makes it. */
export function owned(
  post_id: string,
  given: Partial<Lockfile["posts"][string]> = {},
): Lockfile["posts"][string] {
  return {
    post_id,
    fingerprint: fingerprint({ ...post(), mediaIds: [] }),
    scheduled_at: post().scheduledAt,
    file: "calendars/a.csv",
    ...given,
  };
}

/** What a run leaves out; by default, nothing. */
export function staying(
  rows: readonly StayingRow[] = [],
  others: Partial<LeftOut> = {},
  planned: readonly ResolvedPost[] = [],
): Staying {
  const leftOut = { rows, brokenOthers: [], isFiltered: false, rowsWithoutId: [], ...others };
  return new Staying(leftOut, planned);
}

export function diffInput(given: Partial<DiffInput> = {}): DiffInput {
  return {
    desired: [],
    held: new Map(),
    holds: new HeldPosts([], [], config()),
    lockfile: lockfile(),
    remote: [],
    absent: new Map(),
    paused: new Map(),
    mayListBeIncomplete: false,
    now: Date.parse("2030-01-01T00:00:00Z"),
    leadTimeMs: 120_000,
    expired: new Set(),
    settleMs: 120_000,
    inScope: () => true,
    staying: staying(),
    setAside: () => new Set(),
    ...given,
  };
}

/** A create of the usual post with an unknown result, as the lockfile keeps it. */
export const attempt = {
  fingerprint: "sha256:-",
  attempted_at: "2029-12-31T23:59:30Z",
  scheduled_at: post().scheduledAt,
  content: post().content,
  platforms: ["linkedin"],
  media_ids: [],
  file: "calendars/a.csv",
};
