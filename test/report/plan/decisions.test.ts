import { expect, test } from "vitest";
import type { Change, Guard } from "../../../src/model/plan.ts";
import {
  changeReason,
  guardAdvice,
  guardMessage,
  notableReason,
} from "../../../src/report/plan/decisions.ts";
import { cancel, create, media, post, replace } from "../sample-plan.ts";

const adopt: Change = { action: "adopt", key: "launch", desired: post(), remote: { id: "post_1" } };
const old = cancel("old", "2027-03-01T08:00:00Z");

test.each<[string, Change]>([
  ["The row is new.", create(post())],
  ["The row has changed.", replace(post(), { content: "Old" })],
])("JSON has the reason %s, and the text leaves it out", (sentence, change) => {
  expect(changeReason(change)).toBe(sentence);
  expect(notableReason(change)).toBeUndefined();
});

test("for a cancel whose row has no id, the text also says what else may have happened to the row", () => {
  expect(notableReason(old)).toBe("The row is gone.");
  const derived: Change = { ...old, key: "row:1234" };
  expect(changeReason(derived)).toBe("The row is gone.");
  expect(notableReason(derived)).toBe(
    "Its row is gone, or both its time and text have changed. With an id, a row keeps its post.",
  );
  expect(notableReason({ ...derived, reason: "row-set-aside" })).toBe("Its row is now a draft or skipped.");
});

test.each<[string, Change]>([
  ["An earlier run sent it, but it never appeared on the service.", create(post(), "earlier-create-lost")],
  [
    "An earlier run cancelled the old post, and did not schedule the new one.",
    create(post(), "half-replaced"),
  ],
  [
    "It was missing on the service, and somebody decided to create it again.",
    create(post(), "allowed-again"),
  ],
  [
    "The earlier post of this row is no longer scheduled, and the row has a new time.",
    create(post(), "row-rescheduled"),
  ],
  ["The row changed after it was scheduled. The service does not show what differs.", replace(post(), {})],
  [
    "An earlier apply found this post. The service does not show media, so plancast replaces it once.",
    { ...replace(post({ media: [media("a.png", 1)] }), {}), reason: "adopted" },
  ],
  [
    "An earlier apply found this post. The service does not show all parts of posts, so plancast replaces it once.",
    { ...replace(post(), {}), reason: "adopted" },
  ],
  ["Its replacement is scheduled.", { ...old, reason: "replacement-scheduled" }],
  ["The service already has this post.", adopt],
  ["The service already has this post.", { ...adopt, remote: { id: "post_1", mediaIds: [] } }],
  [
    "The service already has this post. The service does not show alt texts, threads, and first comments, so the next apply replaces it once.",
    { ...adopt, desired: post({ alt: ["A rose"], thread: ["Two"], first_comment: "Hi" }) },
  ],
])("text and JSON show: %s", (sentence, change) => {
  expect(changeReason(change)).toBe(sentence);
  expect(notableReason(change)).toBe(sentence);
});

const wayOn = (cancels: number): string =>
  ` If you want to cancel these posts, run \`plancast apply --allow-cancels ${cancels}\`, or review a saved plan: \`plancast plan --out FILE\`, then \`plancast apply --plan FILE\`.`;
const MISTAKE = " Did a filter or a deletion remove rows by mistake? Restore them.";

test.each<[Guard, string]>([
  [
    { code: "guard/too-many-cancels", cancels: 1_200, limit: 5, limitFrom: "settings" },
    `1200 posts would be cancelled, but safety.max_cancels allows 5.${MISTAKE}${wayOn(1_200)}`,
  ],
  [
    { code: "guard/too-many-cancels", cancels: 1, limit: 2, limitFrom: "person" },
    `1 post would be cancelled, but --allow-cancels allows exactly 2.${MISTAKE}${wayOn(1)}`,
  ],
  [
    { code: "guard/too-many-cancels-percent", cancels: 1, total: 3, percent: 100 / 3, limit: 25 },
    `1 of 3 posts (33 %) would be cancelled, but safety.max_cancel_percent allows 25 %.${MISTAKE}${wayOn(1)}`,
  ],
  [
    { code: "guard/no-rows", cancels: 2 },
    `No row is planned, so every post would be cancelled. Check that the calendars are in place.${wayOn(2)}`,
  ],
  [
    { code: "guard/not-as-recorded", cancels: 3, others: 2 },
    `2 of 3 posts to cancel differ from their records in the lockfile. The warnings show what was found.${wayOn(3)}`,
  ],
])("a guard names its numbers, and how to continue: %j", (guard, message) => {
  expect(guardMessage(guard)).toBe(message);
});

test("several guards give each advice once, the possible mistakes first", () => {
  const guards: Guard[] = [
    { code: "guard/too-many-cancels", cancels: 16, limit: 5, limitFrom: "settings" },
    { code: "guard/too-many-cancels-percent", cancels: 16, total: 20, percent: 80, limit: 25 },
    { code: "guard/no-rows", cancels: 16 },
  ];
  expect(guardAdvice(guards)).toBe(`${MISTAKE.trim()} Check that the calendars are in place.${wayOn(16)}`);
});
