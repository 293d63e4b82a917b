import type { CheckedPost } from "./check.ts";

/** Posts that share a mark, where there are several; in their order. */
export function groupPosts(
  posts: readonly CheckedPost[],
  markOf: (post: CheckedPost) => string,
): readonly CheckedPost[][] {
  const first = new Map<string, CheckedPost>();
  const several = new Map<string, CheckedPost[]>();
  for (const post of posts) {
    const mark = markOf(post);
    const earlier = first.get(mark);
    if (earlier === undefined) first.set(mark, post);
    else {
      const group = several.get(mark);
      if (group === undefined) several.set(mark, [earlier, post]);
      else group.push(post);
    }
  }
  return [...several.values()];
}

export interface Clash {
  readonly post: CheckedPost;
  readonly earlier: CheckedPost;
  /** That both go to. */
  readonly platforms: readonly string[];
}

/** Each post of a group with the one just before it on the same platform, where the two clash. */
export function clashesWithEarlier(
  group: readonly CheckedPost[],
  clash: (post: CheckedPost, earlier: CheckedPost) => boolean,
): Clash[] {
  const last = new Map<string, CheckedPost>();
  return group.flatMap((post) => {
    const shared = new Map<CheckedPost, string[]>();
    for (const platform of post.platforms) {
      const earlier = last.get(platform);
      last.set(platform, post);
      if (earlier === undefined || !clash(post, earlier)) continue;
      shared.set(earlier, [...(shared.get(earlier) ?? []), platform]);
    }
    return [...shared].map(([earlier, platforms]) => ({ post, earlier, platforms }));
  });
}
