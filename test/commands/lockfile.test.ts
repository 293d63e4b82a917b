import { expect, test } from "vitest";
import { startForeignService } from "../support/foreign-service.ts";
import { afterThisTest } from "../support/after-test.ts";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";

const LOCKFILE = "plancast.lock.json";
const ROWS = [1, 2].map((day) => [`row-${day}`, `2036-03-0${day} 10:00`, "twitter", `Post ${day}`]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };

/** A project that was applied on the embedded service, and a real service to move to. */
async function goingLive() {
  const service = await startForeignService();
  afterThisTest(() => service.close());
  const project = await makeProject({
    config: { timezone: "UTC", service: { url: "embedded" } },
    files: FILES,
  });
  const cwd = project.root;
  expect((await runCommand(["apply", "--yes"], { cwd })).code).toBe(0);
  const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  const run = (...args: string[]): Promise<CommandResult> => runCommand(args, { cwd, env });
  return { service, project, run, env };
}

test("going live from the embedded service: the error names `lockfile forget`, and the next apply schedules everything again", async () => {
  const { service, project, run } = await goingLive();
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringMatching(/lockfile\/other-service.*plancast lockfile forget/),
  ]);
  const { code, stdout } = await run("lockfile", "forget", "--yes", "--format", "json");
  expect([code, JSON.parse(stdout).outcome]).toEqual([
    0,
    { status: "done", origin: "embedded", posts: 2, due: 2 },
  ]);
  expect(await project.tree()).not.toHaveProperty([LOCKFILE]);
  expect((await run("apply", "--yes")).code).toBe(0);
  expect(service.scheduled()).toHaveLength(2);
});

test("forget says so if the lockfile is not a file, and removes nothing", async () => {
  const project = await makeProject({
    config: { service: { url: "embedded" } },
    files: { [`${LOCKFILE}/x`]: "x" },
  });
  const { code, stderr } = await runCommand(["lockfile", "forget", "--yes"], { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("disk/unreadable")]);
  expect(await project.read(`${LOCKFILE}/x`)).toBe("x");
});

test("forget asks, shows which posts stay scheduled, and does nothing without confirmation", async () => {
  const { project, run, env } = await goingLive();
  const before = await project.tree();
  expect((await run("lockfile", "forget")).stderr).toContain("run/needs-terminal");
  let asked = "";
  const terminal = { answer: (question: string) => ((asked = question), false) };
  const refused = await runCommand(["lockfile", "forget"], { cwd: project.root, env, terminal });
  expect([refused.code, asked]).toEqual([
    1,
    "plancast.lock.json knows 2 posts on embedded. 2 posts due later stay scheduled there, and plancast no longer manages them. Remove it and start fresh? [y/N] ",
  ]);
  expect(await project.tree()).toEqual(before);
});

test.each<[string, string, object]>([
  ["a lockfile with conflict markers", "<<<<<<< ours\n", { status: "done", posts: 0, due: 0 }],
  ["no lockfile", "", { status: "done", posts: 0 }],
])("forget copes with %s", async (_what, text, outcome) => {
  const project = await makeProject({ files: text === "" ? {} : { [LOCKFILE]: text } });
  const { code, stdout } = await runCommand(["lockfile", "forget", "--yes", "--format", "json"], {
    cwd: project.root,
  });
  expect([code, JSON.parse(stdout).outcome]).toEqual([0, outcome]);
  expect(await project.tree()).not.toHaveProperty([LOCKFILE]);
});

test("merge changes nothing in a file that is not a lockfile, and says which side is wrong", async () => {
  const files = { "base.json": "{}", "notes.md": "Our notes\n", "theirs.json": "{}" };
  const project = await makeProject({ config: false, files });
  const { code, stderr } = await runCommand(["lockfile", "merge", "base.json", "notes.md", "theirs.json"], {
    cwd: project.root,
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("Our side of the lockfile")]);
  expect(await project.read("notes.md")).toBe("Our notes\n");
});

test("plan warns if the lockfile of this folder is lost, and apply writes it again", async () => {
  const { project, run } = await goingLive();
  await run("lockfile", "forget", "--yes");
  const warned = async (): Promise<boolean> => (await run("plan")).stderr.includes("lockfile/missing");
  expect(await warned()).toBe(false);
  await run("apply", "--yes");
  await project.remove(LOCKFILE);
  expect(await warned()).toBe(true);
  expect((await run("apply", "--yes")).code).toBe(0);
  expect(await warned()).toBe(false);
});
