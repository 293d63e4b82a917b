/**
 * Which clock decides what is past: that of the embedded service, which people can move. Other services must agree with
 * this machine.
 */

import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand, startCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const DAY_MS = 86_400_000;
const soon = (days: number): string => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`;

interface Embedded {
  readonly clock?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

async function embedded({ clock, config }: Embedded, ...rows: string[][]) {
  const project = await makeProject({
    config: { timezone: "UTC", service: { url: "embedded" }, ...config },
    files: { "calendars/a.csv": csv(HEADER, ...rows) },
  });
  const at = clock === undefined ? [] : ["--clock", clock];
  const args = ["serve", "--port", "0", "--fail", "platform=instagram", ...at];
  const serve = startCommand(args, { cwd: project.root });
  await serve.waitFor("\n");
  const { control, keys } = JSON.parse(serve.stdout());
  const run = (...args: string[]): Promise<CommandResult> => runCommand(args, { cwd: project.root });
  const move = async (by: string): Promise<void> => {
    const answer = await fetch(`${control}/clock`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" },
      body: JSON.stringify({ by }),
    });
    expect(answer.status).toBe(200);
  };
  return { project, run, move };
}

test("after the embedded service's clock moves, free slots and rows that repeat follow it", async () => {
  const { project, run, move } = await embedded(
    { config: { slots: { default: ["daily 10:00"] }, series: { ahead: "20d" } } },
    ["slot", "", "twitter", "In a slot"],
  );
  await project.write(
    "calendars/b.yaml",
    `- { id: news, scheduled_at: "${soon(1).slice(0, 10)} 09:00", repeat: every 10 days, platforms: linkedin, content: "News {n}" }`,
  );
  await move("400d");
  const { summary, changes } = JSON.parse((await run("plan", "--format", "json")).stdout);
  expect(summary).toMatchObject({ create: 3, past: 0 });
  for (const { post } of changes) expect(post.scheduled_at > soon(400)).toBe(true);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await run("plan", "--format", "json")).toMatchObject({
    stdout: expect.stringContaining('"changes": []'),
  });
});

test("after the embedded service's clock moves, apply can do everything in a plan, and status still shows failures", async () => {
  const { run, move } = await embedded(
    {},
    ["out", soon(1), "twitter", "Goes out"],
    ["broken", soon(1), "instagram", "Fails"],
    ["later", soon(30), "twitter", "Later"],
  );
  expect((await run("apply", "--yes")).code).toBe(0);
  await move("2d");
  const { summary, changes } = JSON.parse((await run("plan", "--format", "json")).stdout);
  expect([changes, summary]).toMatchObject([[], { create: 0, keep: 1, past: 2 }]);
  expect(await run("apply", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing to do/),
  });
  const status = await run("status", "--format", "json");
  const states = JSON.parse(status.stdout).rows.map(
    ({ key, status: word }: { key: string; status: string }) => [key, word],
  );
  expect([status.code, Object.fromEntries(states)]).toEqual([
    1,
    { out: "published", broken: "failed", later: "scheduled" },
  ]);
});

test("a row that is past on this machine is scheduled if the embedded service's clock is behind", async () => {
  const { run } = await embedded({ clock: "2020-01-01T08:00Z" }, [
    "new",
    "2020-02-01T08:00:00Z",
    "twitter",
    "New",
  ]);
  expect(await run("apply", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 created"),
  });
});

const FILES = { "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 10:00", "twitter", "Hello"]) };

test.each([
  [11 * 60_000, "11 minutes ahead of"],
  [-11 * 60_000, "11 minutes behind"],
])("a service whose clock differs by %i ms stops plan and apply", async (serviceAheadMs, words) => {
  const { run, service } = await startScenario({ files: FILES, serviceAheadMs });
  for (const args of [["plan"], ["apply", "--yes"]]) {
    const { code, stderr } = await run(...args);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringMatching(`service/other-clock.*${words}`),
    ]);
  }
  expect(service.posts.size).toBe(0);
});

test.each([9 * 60_000, -9 * 60_000])(
  "a difference of %i ms does not stop the run",
  async (serviceAheadMs) => {
    const { apply, service } = await startScenario({ files: FILES, serviceAheadMs });
    await apply();
    expect(service.scheduled()).toHaveLength(1);
  },
);

test("a failed post that cannot be created again is still shown by status", async () => {
  const { run, apply, service } = await startScenario({
    files: FILES,
    service: { shape: { results: "list" } },
  });
  await apply();
  const [post] = service.scheduled();
  const results = [{ platform: "twitter", error: "The account is locked." }];
  service.edit(post?.id ?? "", { status: "failed", results });
  service.faults.at(1, { kind: "refused", code: "validation_error" }, { method: "POST" });
  const again = () => run("apply", "--yes", "--allow-recreates", "1");
  // Without a person's word it stays missing; then the service refuses it.
  await apply({ exit: 1 });
  expect((await again()).code).toBe(1);
  const status = await run("status");
  expect([status.code, status.stdout]).toEqual([1, expect.stringContaining("The account is locked.")]);
  // After it is created, the failed post is no longer shown.
  expect((await again()).code).toBe(0);
  expect((await run("status")).code).toBe(0);
  const requests = service.requests.length;
  await apply();
  expect(service.requests.length - requests).toBe(1);
});
