/** Checks across rows: each is a function from all posts to problems. To add one, write the function and list it below. Pure. */

import { groupsOfSeveral } from "../model/data.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { type Problem, problem, rowName } from "../model/problem.ts";
import type { RawRow } from "../model/row.ts";

/** A row with an id, including one with problems. */
export interface IdentifiedRow {
  readonly id: string;
  readonly source: RawRow;
  readonly isFilteredOut: boolean;
}

interface AllRows {
  /** Rows that are ready, or have faults. */
  readonly rows: readonly IdentifiedRow[];
  readonly posts: readonly Post[];
}

type CrossRowCheck = (all: AllRows) => Problem[];

const uniqueIds: CrossRowCheck = ({ rows }) =>
  repeats(rows, ({ id }) => [id]).flatMap(({ each, first }) => {
    // Problems between rows that a filter leaves out do not concern this run.
    if (each.isFilteredOut && first.isFilteredOut) return [];
    const message = `The id "${each.id}" is also the id of ${rowName(first.source, first.source.at())}. ${areVersions(each.source, first.source) ? "If these are two versions of one post, delete one. Otherwise, give one row another id." : "Give each row a different id, or none."}`;
    return [problem("row/duplicate-id", message, each.source.at("id"))];
  });

/** Whether both rows are for the same time and platforms, as they are written. */
function areVersions(one: RawRow, other: RawRow): boolean {
  const fields = ["scheduled_at", "date", "time", "timezone", "platforms"] as const;
  return fields.every((field) => String(one.cells[field] ?? "") === String(other.cells[field] ?? ""));
}

/**
 * The part for one platform is stored under the row's id and the platform's name: `launch@twitter` must not be another
 * row's id.
 */
const uniqueKeys: CrossRowCheck = ({ rows, posts }) => {
  const suspects = posts.filter(({ key }) => key.includes("@"));
  if (suspects.length === 0) return [];
  const ids = new Map(rows.map((row) => [row.id, row]));
  return suspects.flatMap((post) => {
    const other = post.key.endsWith(`@${post.platforms[0]}`) ? ids.get(post.key) : undefined;
    if (other === undefined) return [];
    const own = rowName(post.source, post.at());
    if (own === rowName(other.source, other.source.at())) return [];
    const message = `plancast uses the id "${post.key}" for ${own} on one of its platforms. Choose another id.`;
    return [problem("row/duplicate-id", message, other.source.at("id"))];
  });
};

/** Without ids, nothing distinguishes two rows with the same text that each ask for a slot. */
const uniqueSlotRows: CrossRowCheck = ({ posts }) => {
  const withoutId = posts.filter(({ slot, key }) => slot !== undefined && key.startsWith(DERIVED_KEY_PREFIX));
  return repeats(withoutId, ({ key }) => [key]).map(({ each: post, first }) => {
    const message = `The row has the same text and networks as ${rowName(first.source, first.at())}, and neither has a time. Remove one of them, or give each an id.`;
    return problem("row/duplicate-post", message, post.at("content"));
  });
};

const uniquePosts: CrossRowCheck = ({ posts }) =>
  // Only posts at the same time can be duplicates, and few are.
  repeats(groupsOfSeveral(posts.filter(hasTime), ({ scheduledAt }) => scheduledAt).flat(), (post) =>
    post.platforms.map((platform) =>
      JSON.stringify([post.scheduledAt, platform, post.content, mediaIfNoText(post)]),
    ),
  ).map(({ each: post, first }) => {
    const way = areOneCarousel(post, first)
      ? "If their pictures are one post, set `carousel_rows: join` for this file in plancast.yaml. Otherwise, remove one of them."
      : "Remove one of them.";
    const message = `The row would publish the same text at the same time on the same platform as ${rowName(first.source, first.at())}. ${way}`;
    return problem("row/duplicate-post", message, post.at("content"));
  });

export function hasTime({ scheduledAt }: Post): boolean {
  return scheduledAt !== "";
}

/** Some schedulers have a row for each picture of a post. */
function areOneCarousel(one: Post, other: Post): boolean {
  const isSameFile = one.source.file === other.source.file;
  const [own, others] = [one, other].map(({ media }) => JSON.stringify(media));
  return isSameFile && one.media.length > 0 && other.media.length > 0 && own !== others;
}

const CROSS_ROW_CHECKS: readonly CrossRowCheck[] = [uniqueIds, uniqueKeys, uniqueSlotRows, uniquePosts];

/** @param drafts draft rows, which only must not share ids */
export function crossRowProblems(all: AllRows, drafts: readonly IdentifiedRow[]): Problem[] {
  const ofAll = CROSS_ROW_CHECKS.flatMap((check) => check(all));
  return [...ofAll, ...uniqueIds({ rows: drafts, posts: [] })];
}

/** Posts without text differ by their media. */
function mediaIfNoText(post: Post): unknown {
  return post.content === "" ? post.media : undefined;
}

/** Items with the same mark as an earlier item, each once, with the first item that has the mark. */
function repeats<T>(all: readonly T[], marks: (each: T) => readonly string[]): { each: T; first: T }[] {
  const seen = new Map<string, T>();
  const found: { each: T; first: T }[] = [];
  for (const each of all) {
    const own = marks(each);
    const known = own.find((mark) => seen.has(mark));
    const first = known === undefined ? undefined : seen.get(known);
    for (const mark of own) if (!seen.has(mark)) seen.set(mark, each);
    if (first !== undefined) found.push({ each, first });
  }
  return found;
}
