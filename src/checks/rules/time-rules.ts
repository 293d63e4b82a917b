/** Rules about the time of a post: quiet hours, holidays, and what slots need. */

import { utcMs } from "../../model/canonical.ts";
import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import { NO_FINDINGS, type Rule } from "./rule.ts";

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
