import { rowName } from "../calendar/place-name.ts";
import type { RowFinding, RowsRule, CheckedPost } from "./check.ts";
import { groupPosts, clashesWithEarlier } from "./earlier-posts.ts";

const MINUTE = "YYYY-MM-DDTHH:MM".length;
const WHOLE = ":00Z";

/** row/same-minute. The same text at the very same time is an error of its own (row/duplicate-post). */
export const sameMinute: RowsRule = (posts, titleOf) =>
  groupPosts(posts, minuteOf).flatMap((group) =>
    clashesWithEarlier(group, isOther).map(({ post, earlier, platforms }): RowFinding => {
      const message =
        `Another post goes to ${platforms.map(titleOf).join(", ")} in the same minute: ${rowName(earlier.source, earlier.at())}. ` +
        "Move one of them.";
      return { post, message, field: "scheduled_at" };
    }),
  );

/** Nearly all times are whole minutes: these need no text of their own. */
function minuteOf({ scheduledAt }: CheckedPost): string {
  return scheduledAt.endsWith(WHOLE) ? scheduledAt : scheduledAt.slice(0, MINUTE) + WHOLE;
}

function isOther(post: CheckedPost, earlier: CheckedPost): boolean {
  return post.content !== earlier.content || post.scheduledAt !== earlier.scheduledAt;
}
