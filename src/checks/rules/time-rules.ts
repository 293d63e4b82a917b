/** Rules about the time of a post: quiet hours, holidays, what slots need, and other posts that clash with it. */

import { utcMs } from "../../model/canonical.ts";
import { groupsOfSeveral } from "../../model/data.ts";
import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import { rowName } from "../../model/problem.ts";
import { compareText } from "../../model/text.ts";
import { type CheckedPost, type PostFinding, type Rule, NO_FINDINGS } from "./rule.ts";

export const inQuietHours: Rule = {
  code: "row/quiet-hours",
  severity: "warning",
  rule: "A post is not in the `quiet_hours:` of its network.",
  cause: "The post is due in the quiet hours that `plancast.yaml` sets.",
  fix: "Move the post, or leave its time blank if the project has `slots:`.",
  of: "time",
  check: ({ platforms, scheduledAt, timezone }, closed, titleOf) => {
    if (closed.isEmpty) return NO_FINDINGS;
    const ms = utcMs(scheduledAt);
    const quiet = platforms.filter((name) => closed.quietHours(ms, timezone, name) !== undefined);
    const [first] = quiet;
    if (first === undefined) return NO_FINDINGS;
    const message = `The post is in the quiet hours of ${quiet.map(titleOf).join(", ")}: ${closed.quietHours(ms, timezone, first)}. Choose another time.`;
    return [{ message, field: "scheduled_at" }];
  },
};

export const onHoliday: Rule = {
  code: "row/holiday",
  severity: "warning",
  rule: "A post is not on a day of `holidays:`.",
  cause: "The post is due on a holiday of the file that `plancast.yaml` names.",
  fix: "Move the post to another day, or turn the rule off if the post is about the holiday.",
  of: "time",
  check: ({ scheduledAt, timezone, series }, closed) => {
    if (closed.isEmpty) return NO_FINDINGS;
    const name = closed.holiday(utcMs(scheduledAt), timezone);
    if (name === undefined) return NO_FINDINGS;
    const message =
      series === undefined
        ? `The post is on a holiday: ${name}. Choose another day.`
        : `The post of ${series.day} is on a holiday: ${name}. Leave out or move this day in \`except\`.`;
    return [{ message, field: "scheduled_at" }];
  },
};

export const slotWithoutId: Rule = {
  code: "row/slot-without-id",
  severity: "warning",
  rule: "A row that takes a slot has an id.",
  cause: "The row has no time and no id, so only its text identifies it.",
  fix: "Give the row an id, which stays the same when you edit its text.",
  of: "time",
  check: ({ slot, key }) => {
    if (slot === undefined || !key.startsWith(DERIVED_KEY_PREFIX)) return NO_FINDINGS;
    const message =
      "The row takes a slot and has no id. If you edit its text after it was published, plancast treats it as a new post and schedules it again. Give it an id.";
    return [{ message, field: "content" }];
  },
};

const MINUTE = "YYYY-MM-DDTHH:MM".length;
const WHOLE = ":00Z";

/** The same text at exactly the same time is a separate error (row/duplicate-post). */
export const sameMinute: Rule = {
  code: "row/same-minute",
  severity: "warning",
  rule: "A platform gets at most one post in each minute.",
  cause: "Two posts go to the same platform in the same minute.",
  fix: "Move one of them.",
  of: "all-posts",
  check: (posts, titleOf) =>
    groupsOfSeveral(posts, minuteOf).flatMap((group) =>
      clashesWithEarlier(group, isOther).map(({ post, earlier, platforms }): PostFinding => {
        const message =
          `Another post goes to ${platforms.map(titleOf).join(", ")} in the same minute: ${rowName(earlier.source, earlier.at())}. ` +
          "Move one of them.";
        return { post, message, field: "scheduled_at" };
      }),
    ),
};

/** Nearly all times are whole minutes, which need no separate text. */
function minuteOf({ scheduledAt }: CheckedPost): string {
  return scheduledAt.endsWith(WHOLE) ? scheduledAt : scheduledAt.slice(0, MINUTE) + WHOLE;
}

function isOther(post: CheckedPost, earlier: CheckedPost): boolean {
  return post.content !== earlier.content || post.scheduledAt !== earlier.scheduledAt;
}

/** Several networks refuse a text that the same account posted within this time. */
const WINDOW_MS = 3 * 24 * 3_600_000;

/** At exactly the same time, it is a separate error (row/duplicate-post). */
export const repeatedText: Rule = {
  code: "row/repeated-text",
  severity: "warning",
  rule: "A platform does not get the same text twice within 3 days.",
  cause: "The same text goes to a platform twice within 3 days, and networks may treat that as spam.",
  fix: "Change the text, or move one of them.",
  of: "all-posts",
  check: (posts, titleOf) =>
    postsWithSameText(posts).flatMap((group) =>
      clashesWithEarlier(
        group.toSorted((one, other) => compareText(one.scheduledAt, other.scheduledAt)),
        isSoonAfter,
      ).map(({ post, earlier, platforms }): PostFinding => {
        if (post.series !== undefined && post.series.row === earlier.series?.row)
          return { post, message: tooOften(platforms.map(titleOf)), field: "content" };
        const message =
          `The same text goes to ${platforms.map(titleOf).join(", ")} less than 3 days earlier: ${rowName(earlier.source, earlier.at())}. ` +
          "Networks may refuse it: change the text, or move one of the posts.";
        return { post, message, field: "content" };
      }),
    ),
};

function tooOften(titles: readonly string[]): string {
  return (
    `The row repeats the same text on ${titles.join(", ")} within 3 days. Networks may refuse it: ` +
    "use {date} or {n} in the text, or repeat the row less often."
  );
}

function isSoonAfter(post: CheckedPost, earlier: CheckedPost): boolean {
  const passed = utcMs(post.scheduledAt) - utcMs(earlier.scheduledAt);
  return passed > 0 && passed < WINDOW_MS;
}

/** Posts that share a text, in their order. A list is created only for the second post. */
function postsWithSameText(posts: readonly CheckedPost[]): readonly CheckedPost[][] {
  const first = new Map<string, CheckedPost>();
  const several = new Map<string, CheckedPost[]>();
  for (const post of posts) {
    const { content } = post;
    if (content === "") continue;
    const earlier = first.get(content);
    if (earlier === undefined) first.set(content, post);
    else {
      const group = several.get(content);
      if (group === undefined) several.set(content, [earlier, post]);
      else group.push(post);
    }
  }
  return [...several.values()];
}

interface Clash {
  readonly post: CheckedPost;
  readonly earlier: CheckedPost;
  /** Platforms of both posts. */
  readonly platforms: readonly string[];
}

/** Pairs each post of a group with the previous one on the same platform, if the two clash. */
function clashesWithEarlier(
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
