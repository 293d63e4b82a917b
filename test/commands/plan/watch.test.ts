/** plan --watch makes a plan after each save, whichever file was saved, and however the editor saves. */

import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../src/model/clock.ts";
import { type Saves, watchSaves } from "../../../src/preview/live/watch.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { type ForeignService, startForeignService } from "../../support/foreign-service.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type RunningCommand, runCommand, startCommand } from "../../support/run-command.ts";

const ROW = "id,scheduled_at,platforms,content\n";
const POST = "launch,2036-03-01T09:00Z,linkedin,Hello\n";

/** Shortens waits of half a second or more to a tenth: those for a second list, and for a folder that is gone. */
const CLOCK: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms < 500 ? ms : ms / 10, signal),
};

interface Watched {
  readonly project: TestProject;
  readonly service: ForeignService;
  readonly cli: RunningCommand;
  /** Requests for lists of scheduled posts. */
  readonly lists: () => number;
}

async function watched(): Promise<Watched> {
  const service = await startForeignService();
  onTestFinished(() => service.close());
  const project = await makeProject({
    config: { service: { url: service.url }, timezone: "UTC" },
    files: { "calendars/a.csv": ROW + POST },
  });
  const cli = startCommand(["plan", "--watch"], {
    cwd: project.root,
    env: { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key },
    clock: CLOCK,
  });
  await cli.waitFor("Watching");
  const lists = (): number =>
    service.requests.filter(({ method, path }) => method === "GET" && path === "/v1/posts").length;
  return { project, service, cli, lists };
}

test("plans again after a save without a new request", async () => {
  const { project, cli, lists } = await watched();
  const before = lists();
  expect(before).toBeGreaterThan(0);
  await project.write("calendars/a.csv", `${ROW}${POST}second,2036-03-02T09:00Z,linkedin,More\n`);
  await cli.waitFor("second · calendars/a.csv:3");
  expect(cli.stderr()).toContain("Saved: calendars/a.csv. Planning again.");
  await cli.waitFor(/To\s+save\s+requests/);
  expect(lists()).toBe(before);
  expect(cli.stdout()).not.toContain("\u001b");
  cli.stop();
  expect((await cli.ended).code).toBe(130);
});

test("asks the service again after the lockfile was saved", async () => {
  const { project, service, cli, lists } = await watched();
  const before = lists();
  const applied = await runCommand(["apply", "--yes"], {
    cwd: project.root,
    env: { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key },
    clock: CLOCK,
  });
  expect(applied.code).toBe(0);
  await cli.waitFor("Nothing to do: 1 unchanged");
  expect(lists()).toBeGreaterThan(before + 1);
});

test("shows errors, and keeps watching", async () => {
  const { project, cli } = await watched();
  // As a whole, so that no plan reads a file while it is written.
  const save = async (path: string, text: string): Promise<void> => {
    await project.write(`${path}.tmp`, text);
    await rename(join(project.root, `${path}.tmp`), join(project.root, path));
  };
  const config = await project.read("plancast.yaml");
  await save("plancast.yaml", `${config}bogus: 1\n`);
  await cli.waitFor("project/unknown-key");
  await save("plancast.yaml", config);
  await cli.waitFor(/Saved: plancast\.yaml[\s\S]*Saved: plancast\.yaml/);
  await save("calendars/a.csv", `${ROW}launch,soon,linkedin,Hello\n`);
  await cli.waitFor("schedule/format");
  await project.remove("calendars");
  await cli.waitFor("calendar/none-found");
  await save("calendars/new/b.csv", ROW + POST.replace("Hello", "Other"));
  await cli.waitFor("launch · calendars/new/b.csv:2");
  await save("calendars/new/b.csv", ROW + POST.replace("Hello", "Another"));
  await cli.waitFor("Another");
  cli.stop();
  expect((await cli.ended).code).toBe(130);
});

test("waits for a broken project to be fixed; refuses to start without a project", async () => {
  const project = await makeProject({ config: "bogus: 1\n" });
  const cli = startCommand(["plan", "--watch"], { cwd: project.root, clock: CLOCK });
  await cli.waitFor("Watching");
  await project.write("plancast.yaml", "service: { url: embedded }\ntimezone: UTC\n");
  await cli.waitFor("Nothing to do");
  const none = await makeProject({ config: false });
  expect(await runCommand(["plan", "--watch"], { cwd: none.root })).toMatchObject({ code: 1 });
});

test.each([
  ["that are broken", "timezone: [UTC]\n"],
  ["that are missing", undefined],
])("waits for shared settings %s when it starts", async (_what, broken) => {
  const { root } = await makeProject({
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      "acme/plancast.yaml": "extends: ../agency.yaml\nservice: { url: embedded }\n",
      "acme/calendars/a.csv": ROW,
      ...(broken === undefined ? {} : { "agency.yaml": broken }),
    },
    config: false,
  });
  const cli = startCommand(["plan", "--watch"], { cwd: join(root, "acme"), clock: CLOCK });
  await cli.waitFor("Watching");
  expect(cli.stdout()).not.toContain("Nothing to do");
  await writeFile(join(root, "agency.yaml"), "timezone: UTC\n");
  await cli.waitFor("Nothing to do");
  cli.stop();
  expect((await cli.ended).code).toBe(130);
});

test.each([["--out", "p.json"], ["--format", "json"], ["--format", "markdown"], ["--detailed-exitcode"]])(
  "refuses to watch with %s %s",
  async (...flags) => {
    const { root } = await makeProject({ config: { service: { url: "embedded" } } });
    const { code, stderr } = await runCommand(["plan", "--watch", ...flags], { cwd: root });
    expect(code).toBe(1);
    expect(stderr).toContain("error usage/arguments");
  },
);

/** Watches a folder from now on. Yields the changed files of each save, relative to the folder. */
async function listening(root: string): Promise<{ heard: Saves["next"]; alsoWatch: Saves["alsoWatch"] }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { next, alsoWatch } = await watchSaves(root, { stop: stop.signal, clock: CLOCK });
  return { heard: next, alsoWatch };
}

/**
 * Waits until a save of this file is reported. A busy machine may report the steps of one save in several reports.
 * @param earlier files that were saved before, so that they may be reported again
 * @returns all reported files, without the earlier ones
 */
async function saved(heard: Saves["next"], file: string, earlier: readonly string[] = []): Promise<string[]> {
  const files = new Set<string>();
  while (!files.has(file)) for (const each of await heard()) files.add(each);
  return [...files].filter((each) => !earlier.includes(each));
}

test("notices a save in place, by rename, and in a new folder", async () => {
  const files = { "a/b/c.csv": "1", "a/b/d.csv": "1" };
  const { root } = await makeProject({ files, config: false });
  const { heard } = await listening(root);
  await writeFile(join(root, "a/b/c.csv"), "22");
  expect(await saved(heard, "a/b/c.csv")).toEqual(["a/b/c.csv"]);
  await writeFile(join(root, "a/b/.c.csv.swp"), "3");
  await writeFile(join(root, "a/b/d.tmp"), "333");
  await rename(join(root, "a/b/d.tmp"), join(root, "a/b/d.csv"));
  expect(await saved(heard, "a/b/d.csv", ["a/b/c.csv"])).toEqual(["a/b/d.csv"]);
  await mkdir(join(root, "x/y"), { recursive: true });
  await writeFile(join(root, "x/y/new.csv"), "1");
  expect(await saved(heard, "x/y/new.csv", ["a/b/c.csv", "a/b/d.csv"])).toEqual(
    expect.arrayContaining(["x/y/new.csv"]),
  );
  // A file can come into a new folder before that is watched. So the folder itself is reported.
  await mkdir(join(root, "z"));
  await saved(heard, "z");
});

test("notices saves in a folder that was replaced", async () => {
  const { root } = await makeProject({ files: { "a/b/c.csv": "1" }, config: false });
  const { heard } = await listening(root);
  await rename(join(root, "a"), join(root, "old"));
  await mkdir(join(root, "a/b"), { recursive: true });
  await writeFile(join(root, "a/b/c.csv"), "new");
  await saved(heard, "a/b/c.csv");
  await writeFile(join(root, "a/b/d.csv"), "1");
  await saved(heard, "a/b/d.csv");
  await writeFile(join(root, "a/b/c.csv"), "newer");
  await saved(heard, "a/b/c.csv");
});

test("notices a save below a folder that a link leads to", async () => {
  const { root } = await makeProject({ files: { "a.csv": "1" }, config: false });
  const other = await makeProject({ config: false });
  await symlink(root, join(other.root, "link"));
  const { heard } = await listening(join(other.root, "link"));
  await writeFile(join(root, "a.csv"), "22");
  expect(await heard()).toEqual(["a.csv"]);
});

test("notices saves of shared settings outside the folder, in place and by rename", async () => {
  const { root } = await makeProject({ files: { "agency.yaml": "1", "acme/a.csv": "1" }, config: false });
  const { heard, alsoWatch } = await listening(join(root, "acme"));
  await alsoWatch(["../agency.yaml", "plancast.yaml"]);
  await writeFile(join(root, "other.yaml"), "2");
  await writeFile(join(root, "agency.yaml"), "22");
  expect(await heard()).toEqual(["../agency.yaml"]);
  for (const text of ["333", "4444"]) {
    await writeFile(join(root, "agency.yaml.new"), text);
    await rename(join(root, "agency.yaml.new"), join(root, "agency.yaml"));
    await saved(heard, "../agency.yaml");
  }
});

test("waits for a removed folder", async () => {
  const { root } = await makeProject({ files: { "a.csv": "1" }, config: false });
  const { heard } = await listening(root);
  await rm(root, { recursive: true });
  expect(await heard()).toEqual(["a.csv"]);
  await mkdir(root);
  await writeFile(join(root, "b.csv"), "2");
  await saved(heard, "b.csv");
  await writeFile(join(root, "c.csv"), "3");
  await saved(heard, "c.csv");
});

test("ignores folders and files that cannot be calendars", async () => {
  const { root } = await makeProject({ files: { "node_modules/x/a.csv": "1" }, config: false });
  const { heard } = await listening(root);
  await writeFile(join(root, "node_modules/x/a.csv"), "2");
  await writeFile(join(root, "~$a.xlsx"), "2");
  await writeFile(join(root, "seen.csv"), "2");
  expect(await heard()).toEqual(["seen.csv"]);
});
