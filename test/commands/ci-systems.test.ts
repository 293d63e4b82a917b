/** CI systems that do not set CI give a checkout no more rights than others. */

import { expect, test } from "vitest";
import { KEY, keyProject, startListener } from "../support/key-commands.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";

const SYSTEMS = [
  ["Azure Pipelines", { TF_BUILD: "True" }],
  ["Jenkins", { BUILD_NUMBER: "7" }],
  ["TeamCity", { TEAMCITY_VERSION: "2026.1" }],
  ["CodeBuild", { CODEBUILD_BUILD_ID: "acme:1" }],
] as const;

test.each(SYSTEMS)("on %s, a row cannot write a command into the log", async (_name, env) => {
  const { root } = await makeProject({
    config: "timezone: UTC\n",
    files: {
      "calendars/a.csv": csv(
        ["scheduled_at", "platforms", "content"],
        ["2036-03-01 10:00", "x", "Hi\n##vso[task.setvariable variable=PATH]/evil"],
      ),
    },
  });
  for (const args of [
    ["convert", "calendars/a.csv", "--to", "yaml"],
    ["calendar", "--format", "ics"],
  ]) {
    const { code, stdout, stderr } = await runCommand(args, { cwd: root, env });
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("ci/stdout")]);
  }
});

test.each(SYSTEMS)(
  "on %s, plancast does not ask where a key may go, even at a terminal",
  async (_name, env) => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin }, listener.origin);
    const { stderr } = await runCommand(["posts", "list"], {
      cwd: root,
      env: { ...env, PLANCAST_API_KEY: KEY },
      terminal: { answer: () => true },
    });
    expect(stderr).toContain("service/url-not-confirmed");
    expect(listener.requests).toEqual([]);
  },
);

test.each(SYSTEMS)("on %s, only the job's settings name a Redis and private hosts", async (_name, env) => {
  const listener = await startListener();
  const named = { ...env, PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
  const { root } = await keyProject({ share: "redis://127.0.0.1:1" });
  const shared = await runCommand(["plan"], { cwd: root, env: named });
  expect(shared.stderr).toContain("share/not-confirmed");
  const hosts = await makeProject({
    config: "timezone: UTC\nmedia: { allow_hosts: [10.0.0.1] }\n",
    files: { "calendars/a.csv": csv(["content"], ["Hi"]) },
  });
  const planned = await runCommand(["plan"], { cwd: hosts.root, env: named });
  expect(planned.stderr).toContain("media/url-private");
  expect(listener.requests).toEqual([]);
});
