import { expect, test } from "vitest";
import { exitCode } from "../../../src/commands/apply/report.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { Outcome, PendingChange, Plan } from "../../../src/model/plan.ts";
import { plan } from "../../report/sample-plan.ts";

const of = { key: "a", action: "create" } as const;
const done: Outcome = { ...of, status: "done", postId: "post_1" };
const failed: Outcome = {
  ...of,
  status: "failed",
  code: "validation_error",
  reason: { kind: "message", message: "no" },
};
const unknown: Outcome = { ...of, status: "unknown", reason: { kind: "run-ended" } };
const notStarted: Outcome = { ...of, status: "not_started" };
const pending: PendingChange = {
  action: "pending",
  key: "a",
  desired: undefined,
  file: "a.csv",
  dueAt: "2030-01-01T00:00:00Z",
  unsure: "posts-not-comparable",
};

test.each<[string, Outcome[], PendingChange[], boolean, boolean, number]>([
  ["nothing to do", [], [], false, false, 0],
  ["all done", [done, done], [], false, false, 0],
  ["one failed", [done, failed], [], false, false, 1],
  ["one not started", [done, notStarted], [], false, false, 1],
  ["one unknown, one failed", [unknown, failed], [], false, false, 3],
  ["one pending", [done], [pending], false, false, 3],
  ["interrupted", [done, unknown, notStarted], [], true, false, 130],
  ["a full disk", [done], [], false, true, 1],
])("the exit code of an apply with %s", (_name, outcomes, pendings, interrupted, isBroken, expected) => {
  const failure = isBroken ? new Failure("disk/not-writable", "full") : undefined;
  const result = { outcomes, uploaded: 0, missing: 0, requests: 0, waitedMs: 0, interrupted, failure };
  const of: Plan = plan([], { pending: pendings });
  expect(exitCode(result, of)).toBe(expected);
});
