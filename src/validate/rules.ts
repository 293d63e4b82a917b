/** Rules across rows: each a small function from all posts to problems. A new rule is a function and a line below. */
import { rowName } from "../calendar/place-name.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Post } from "../calendar/post.ts";
import type { RawRow } from "../calendar/row.ts";

/** A row with an id; also one with problems has one. */
export interface IdentifiedRow {
  readonly id: string;
  readonly source: RawRow;
  readonly isFilteredOut: boolean;
}

interface AllRows {
  readonly rows: readonly IdentifiedRow[];
  readonly posts: readonly Post[];
}

type CrossRowCheck = (all: AllRows) => Problem[];

const uniqueIds: CrossRowCheck = ({ rows }) =>
  repeats(rows, ({ id }) => [id]).flatMap(({ each, first }) => {
    // What is wrong between rows that a filter leaves out is not this run's matter.
    if (each.isFilteredOut && first.isFilteredOut) return [];
    const message = `The id "${each.id}" is taken by ${rowName(first.source, first.source.at())}. Give each row an id of its own, or none.`;
    return [problem("row/duplicate-id", message, each.source.at("id"))];
  });

/** What a platform has of its own is kept under the row's id and its name: `launch@twitter` must not be another row's. */
const uniqueKeys: CrossRowCheck = ({ rows, posts }) => {
  const suspects = posts.filter(({ key }) => key.includes("@"));
  if (suspects.length === 0) return [];
  const ids = new Map(rows.map((row) => [row.id, row]));
  return suspects.flatMap((post) => {
    const other = post.key.endsWith(`@${post.platforms[0]}`) ? ids.get(post.key) : undefined;
    if (other === undefined) return [];
    const own = rowName(post.source, post.at());
    if (own === rowName(other.source, other.source.at())) return [];
    const message = `The id "${post.key}" is what ${own} is called on one of its platforms. Choose another.`;
    return [problem("row/duplicate-id", message, other.source.at("id"))];
  });
};

const uniquePosts: CrossRowCheck = ({ posts }) =>
  repeats(atSharedTimes(posts), (post) =>
    post.platforms.map((platform) =>
      JSON.stringify([post.scheduledAt, platform, post.content, mediaIfNoText(post)]),
    ),
  ).map(({ each: post, first }) => {
    const message = `The row would publish the same text at the same time on the same platform as ${rowName(first.source, first.at())}. Remove one of them.`;
    return problem("row/duplicate-post", message, post.at("content"));
  });

/** The posts that are not alone at their time: few, and only they can repeat another. */
function atSharedTimes(posts: readonly Post[]): readonly Post[] {
  const times = new Set<string>();
  const shared = new Set<string>();
  for (const { scheduledAt } of posts) {
    const before = times.size;
    if (times.add(scheduledAt).size === before) shared.add(scheduledAt);
  }
  return shared.size === 0 ? [] : posts.filter(({ scheduledAt }) => shared.has(scheduledAt));
}

export const CROSS_ROW_CHECKS: readonly CrossRowCheck[] = [uniqueIds, uniqueKeys, uniquePosts];

/** Posts without text are told apart by their media. */
function mediaIfNoText(post: Post): unknown {
  return post.content === "" ? post.media : undefined;
}

/** Each of which some mark was met before, once, with the one that bore it first. */
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
