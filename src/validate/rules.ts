/** Rules across rows: each a small function from all posts to problems. A new rule is a function and a line below. */
import { problem, type Problem } from "../calendar/problem.ts";
import { DERIVED_KEY_PREFIX, type Post } from "../calendar/post.ts";

type Rule = (posts: readonly Post[]) => Problem[];

const uniqueIds: Rule = (posts) =>
  repeats(posts, (post) => (post.key.startsWith(DERIVED_KEY_PREFIX) ? [] : [post.key])).map(
    ({ post, first }) => {
      const message = `The id "${post.key}" is taken by ${place(first)}. Give each row an id of its own, or none.`;
      return problem("row/duplicate-id", message, post.at("id"));
    },
  );

const uniquePosts: Rule = (posts) =>
  repeats(posts, (post) =>
    post.platforms.map((platform) =>
      JSON.stringify([post.scheduledAt, platform, post.content, mediaIfNoText(post)]),
    ),
  ).map(({ post, first }) => {
    const message = `The row would publish the same text at the same time on the same platform as ${place(first)}. Remove one of them.`;
    return problem("row/duplicate-post", message, post.at("content"));
  });

export const RULES: readonly Rule[] = [uniqueIds, uniquePosts];

/** Posts without text are told apart by their media. */
function mediaIfNoText(post: Post): unknown {
  return post.content === "" ? post.media : undefined;
}

function place(post: Post): string {
  return `${post.source.file}:${post.source.line}`;
}

/** Each post, once, of which some mark was met before, with the post that bore it first. */
function repeats(
  posts: readonly Post[],
  marks: (post: Post) => readonly string[],
): { post: Post; first: Post }[] {
  const seen = new Map<string, Post>();
  return posts.flatMap((post) => {
    const own = marks(post);
    const first = own.map((mark) => seen.get(mark)).find((each) => each !== undefined);
    for (const mark of own) if (!seen.has(mark)) seen.set(mark, post);
    return first === undefined ? [] : [{ post, first }];
  });
}
