import { rowName } from "../calendar/place-name.ts";
import { utcMs } from "../calendar/canonical.ts";
import type { CheckedPost, RowFinding, RowsRule } from "./check.ts";
import { groupPosts, clashesWithEarlier } from "./earlier-posts.ts";

/** Several networks refuse a text that they had from the same account in this time. */
const WINDOW_MS = 3 * 24 * 3_600_000;

/** row/repeated-text. At the very same time it is an error of its own (row/duplicate-post). */
export const repeatedText: RowsRule = (posts, titleOf) =>
  groupPosts(
    posts.filter(({ content }) => content !== ""),
    ({ content }) => content,
  ).flatMap((group) =>
    clashesWithEarlier(group.toSorted(byTime), isSoonAfter).map(
      ({ post, earlier, platforms }): RowFinding => {
        const message =
          `The same text goes to ${platforms.map(titleOf).join(", ")} less than 3 days before: ${rowName(earlier.source, earlier.at())}. ` +
          "Networks may refuse it: change the text, or move one of them.";
        return { post, message, field: "content" };
      },
    ),
  );

function byTime(one: CheckedPost, other: CheckedPost): number {
  return one.scheduledAt < other.scheduledAt ? -1 : Number(one.scheduledAt > other.scheduledAt);
}

function isSoonAfter(post: CheckedPost, earlier: CheckedPost): boolean {
  const passed = utcMs(post.scheduledAt) - utcMs(earlier.scheduledAt);
  return passed > 0 && passed < WINDOW_MS;
}
