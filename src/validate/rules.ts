/** Rules across rows: each a small function from all posts to problems. A new rule is a function and a line below. */
import { problem, type Problem } from "../calendar/problem.ts";
import type { Post } from "../calendar/post.ts";

/** A row as far as rules on ids need it: also one with problems has an id. */
export interface IdentifiedRow extends Pick<Post, "source" | "at"> {
  readonly id: string | undefined;
}

interface AllRows {
  readonly rows: readonly IdentifiedRow[];
  readonly posts: readonly Post[];
}

type Rule = (all: AllRows) => Problem[];

const uniqueIds: Rule = ({ rows }) =>
  repeats(rows, ({ id }) => (id === undefined ? [] : [id])).map(({ each, first }) => {
    const message = `The id "${each.id}" is taken by ${place(first)}. Give each row an id of its own, or none.`;
    return problem("row/duplicate-id", message, each.at("id"));
  });

const uniquePosts: Rule = ({ posts }) =>
  repeats(atSharedTimes(posts), (post) =>
    post.platforms.map((platform) =>
      JSON.stringify([post.scheduledAt, platform, post.content, mediaIfNoText(post)]),
    ),
  ).map(({ each: post, first }) => {
    const message = `The row would publish the same text at the same time on the same platform as ${place(first)}. Remove one of them.`;
    return problem("row/duplicate-post", message, post.at("content"));
  });

/** The posts that are not alone at their time: few, and only they can repeat another. */
function atSharedTimes(posts: readonly Post[]): readonly Post[] {
  const times = new Set<string>();
  const shared = new Set<string>();
  for (const { scheduledAt } of posts) {
    if (times.has(scheduledAt)) shared.add(scheduledAt);
    times.add(scheduledAt);
  }
  return shared.size === 0 ? [] : posts.filter(({ scheduledAt }) => shared.has(scheduledAt));
}

export const RULES: readonly Rule[] = [uniqueIds, uniquePosts];

/** Posts without text are told apart by their media. */
function mediaIfNoText(post: Post): unknown {
  return post.content === "" ? post.media : undefined;
}

function place({ source }: Pick<Post, "source">): string {
  return `${source.file}:${source.line}`;
}

/** Each of which some mark was met before, once, with the one that bore it first. */
function repeats<T>(all: readonly T[], marks: (each: T) => readonly string[]): { each: T; first: T }[] {
  const seen = new Map<string, T>();
  return all.flatMap((each) => {
    const own = marks(each);
    const first = own.map((mark) => seen.get(mark)).find((earlier) => earlier !== undefined);
    for (const mark of own) if (!seen.has(mark)) seen.set(mark, each);
    return first === undefined ? [] : [{ each, first }];
  });
}
