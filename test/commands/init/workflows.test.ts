/** The workflow that init writes agrees with the action that it uses. */

import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import {
  type WorkflowOptions,
  publishWorkflow,
  publishedBranch,
  workflowTemplate,
} from "../../../src/commands/init/workflows.ts";
import { interpolate, isTrue } from "../../support/github/expression.ts";
import { readAction } from "../../support/github/runner.ts";

const ACTION = "plancast/plancast@v1.2.3";

const job = z.object({
  if: z.string(),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.union([z.boolean(), z.string()]) }),
  steps: z.array(z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) })),
});
const workflow = z.object({
  on: z.object({
    pull_request: z.null(),
    push: z.object({ branches: z.array(z.string()) }),
    schedule: z.array(z.object({ cron: z.string() })).optional(),
    workflow_dispatch: z.object({ inputs: z.record(z.string(), z.object({ default: z.literal("") })) }),
  }),
  permissions: z.strictObject({}),
  jobs: z.object({ plan: job, apply: job }),
});

const written = (over: Partial<WorkflowOptions> = {}): z.infer<typeof workflow> =>
  workflow.parse(
    parseYaml(workflowTemplate({ action: ACTION, branch: "main", folder: "", repeats: false, ...over })),
  );
const { jobs, on } = written();
const actionStep = (of: z.infer<typeof job>): Record<string, unknown> =>
  of.steps.find(({ uses }) => uses === ACTION)?.with ?? {};

test.each([
  ["pull_request", "refs/pull/12/merge", ["plan"]],
  ["push", "refs/heads/main", ["apply"]],
  ["workflow_dispatch", "refs/heads/main", ["apply"]],
  ["schedule", "refs/heads/main", ["apply"]],
  ["workflow_dispatch", "refs/heads/draft", []],
])("%s on %s runs %j", (event, ref, expected) => {
  const contexts = { "github.event_name": event, "github.ref": ref };
  const run = Object.entries(jobs).filter(([, each]) => isTrue(each.if, contexts));
  expect(run.map(([name]) => name)).toEqual(expected);
});

test("the workflow applies each day for rows that repeat, and otherwise does not", () => {
  expect(on.schedule).toBeUndefined();
  expect(written({ repeats: true }).on.schedule).toEqual([{ cron: "23 4 * * *" }]);
});

test("each job has only the permissions that it needs", () => {
  expect(jobs.plan.permissions).toEqual({ contents: "read", "pull-requests": "write" });
  expect(jobs.apply.permissions).toEqual({ contents: "write", actions: "read", "pull-requests": "read" });
  expect(jobs.plan.steps[0]?.with["persist-credentials"]).toBe(false);
});

test("a newer apply never stops an older one, and only one runs at a time; a hold does not wait", () => {
  const { group, "cancel-in-progress": stops } = jobs.apply.concurrency;
  expect(group).toBe("plancast-apply");
  const isStopped = (hold: string): boolean => isTrue(String(stops), { "inputs.hold": hold });
  expect([isStopped(""), isStopped("all")]).toEqual([false, true]);
  expect(jobs.plan.concurrency["cancel-in-progress"]).toBe(true);
});

test("the action knows every input, and gets all that it requires", async () => {
  const { inputs } = await readAction();
  const steps = Object.values(jobs).flatMap((each) => each.steps.filter(({ uses }) => uses === ACTION));
  expect(steps.map((each) => each.with["command"])).toEqual(["plan", "apply", "hold"]);
  for (const step of steps) expect(Object.keys(step.with).filter((name) => !(name in inputs))).toEqual([]);
  expect(actionStep(jobs.apply)["api-key"]).toBe("${{ secrets.PLANCAST_API_KEY }}");
  // A key that can only read, if there is one.
  const given = String(actionStep(jobs.plan)["api-key"]);
  expect(interpolate(given, { "secrets.PLANCAST_API_KEY": "w" })).toBe("w");
  expect(interpolate(given, { "secrets.PLANCAST_API_KEY": "w", "secrets.PLANCAST_READ_KEY": "r" })).toBe("r");
  expect([actionStep(jobs.plan)["command"], actionStep(jobs.apply)["command"]]).toEqual(["plan", "apply"]);
});

test("apply requires a reviewed plan, or the hash of a plan in a run by hand", () => {
  const given = actionStep(jobs.apply);
  expect([given["reviewed-plan"], given["allow-cancels"]]).toEqual([undefined, undefined]);
  expect(Object.keys(on.workflow_dispatch.inputs)).toEqual(["plan", "hold", "reason", "until"]);
  expect(interpolate(String(given["plan"]), { "inputs.plan": "sha256:0" })).toBe("sha256:0");
});

test.each(["trunk", "release/1.2", "true", "1.0"])("the branch %s is the one that is published", (name) => {
  const { on: events, jobs: both } = written({ branch: publishedBranch(name) });
  expect(events.push.branches).toEqual([name]);
  const contexts = { "github.event_name": "push", "github.ref": `refs/heads/${name}` };
  expect(isTrue(both.apply.if, contexts)).toBe(true);
  expect(isTrue(both.apply.if, { ...contexts, "github.ref": "refs/heads/main" })).toBe(false);
});

test.each([undefined, "", "a*", "!a", "it's", 'a"b', "${{x}}", "a\nb", "-a", "a b", "x".repeat(300)])(
  "a branch whose name is %j is not written anywhere",
  (name) => {
    expect(publishedBranch(name)).toBe("main");
  },
);

test.each(["brands/spring", 'été 2026: "x" #1', "a ${{ secrets.PLANCAST_API_KEY }}", "x".repeat(99)])(
  "a project in the folder %j is found there, and separate from others",
  (folder) => {
    const { jobs: both } = written({ folder });
    for (const each of [both.plan, both.apply]) {
      const given = actionStep(each);
      expect(interpolate(String(given["working-directory"]), { "github.none": "" })).toBe(folder);
      expect(given["name"]).toMatch(/^plancast-[\w.-]{1,50}$/);
      expect(each.concurrency.group.startsWith(String(given["name"]))).toBe(true);
    }
  },
);

const publishing = z.object({
  on: z.object({ schedule: z.tuple([z.object({ cron: z.string() })]), workflow_dispatch: z.null() }),
  permissions: z.strictObject({}),
  jobs: z.object({
    publish: job.extend({
      steps: z.tuple([
        z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()) }),
        z.object({
          uses: z.literal(ACTION),
          with: z.record(z.string(), z.unknown()),
          env: z.record(z.string(), z.string()),
        }),
      ]),
    }),
  }),
});

test("the workflow that publishes runs on one branch, one run at a time, and may only push", async () => {
  const { inputs } = await readAction();
  const read = publishing.parse(
    parseYaml(publishWorkflow({ action: ACTION, branch: "main", folder: "brands/spring" })),
  );
  const { publish } = read.jobs;
  expect(read.on.schedule[0].cron).toMatch(/^[1-9]\d?-59\/10 \* \* \* \*$/);
  for (const [ref, runs] of [
    ["refs/heads/main", true],
    ["refs/heads/draft", false],
  ] as const)
    expect(isTrue(publish.if, { "github.event_name": "schedule", "github.ref": ref })).toBe(runs);
  expect(publish.permissions).toEqual({ contents: "write" });
  expect(publish.concurrency).toEqual({
    group: "plancast-brands-spring-publish",
    "cancel-in-progress": false,
  });
  const [, action] = publish.steps;
  expect(action.with).toMatchObject({ command: "publish", "working-directory": "brands/spring" });
  expect(Object.keys(action.with).filter((name) => !(name in inputs))).toEqual([]);
  expect(action.env["PLANCAST_TRUSTED_ORIGINS"]).toBe("${{ vars.PLANCAST_TRUSTED_ORIGINS }}");
});
