/** Whole runs in clones of one repository: a post that is gone from the service is a question. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const calendar = (b: string, day = "02"): string =>
  csv(
    HEADER,
    ["a", "2036-03-01 09:30", "twitter", "Row a"],
    ["b", `2036-03-${day} 09:30`, "twitter", b],
    ["c", "2036-03-03 09:30", "twitter", "Row c"],
  );

/** Runs git in a folder. Throws unless it succeeds. */
function git(cwd: string, ...args: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { status, stderr } = spawnSync("git", [...who, ...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

interface Team extends Scenario {
  /** A clone that is as old as the first commit until somebody pulls. */
  readonly old: string;
  readonly applyIn: (folder: string, ...args: string[]) => Promise<CommandResult>;
}

/** Somebody has applied and pushed three rows, then edited row b, applied and pushed again. */
async function team(edited: string): Promise<Team> {
  const scenario = await startScenario({
    files: { [FILE]: calendar("Row b"), ".gitignore": ".plancast/\n" },
  });
  const { project, env, clock } = scenario;
  const hub = await tempFolder();
  const old = join(await tempFolder(), "old");
  const commit = async (): Promise<void> => {
    await scenario.apply();
    git(project.root, "add", "-A");
    git(project.root, "commit", "-q", "-m", "applied");
    git(project.root, "push", "-q", "origin", "main");
  };
  git(hub, "init", "-q", "--bare", "--initial-branch=main");
  git(project.root, "init", "-q", "--initial-branch=main");
  git(project.root, "remote", "add", "origin", hub);
  await commit();
  git(hub, "clone", "-q", hub, old);
  await project.write(FILE, edited);
  await commit();
  const applyIn: Team["applyIn"] = (cwd, ...args) =>
    runCommand(["apply", "--yes", ...args], { cwd, env, clock });
  return { ...scenario, old, applyIn };
}

const texts = ({ service }: Scenario): string[] =>
  service
    .scheduled()
    .map(({ content }) => content)
    .sort();

test.each([
  ["its text", calendar("Row b, edited")],
  ["its time", calendar("Row b", "09")],
  ["both", calendar("Row b, edited", "09")],
])("an old clone never schedules a row again that somebody changed: %s", async (_what, edited) => {
  const world = await team(edited);
  const before = world.service.scheduled();
  const stale = await world.applyIn(world.old);
  expect([stale.code, world.service.scheduled()]).toEqual([1, before]);
  expect(stale.stdout).toContain("Plan: 1 missing; 2 unchanged, 1 not managed by this project\n");
  expect(stale.stderr).toContain("apply/missing");
  git(world.old, "fetch", "-q");
  expect((await world.applyIn(world.old)).stdout.replaceAll(/\s+/g, " ")).toContain(
    "The lockfile of the upstream branch is newer and says otherwise: run `git pull` first.",
  );
  git(world.old, "pull", "-q");
  expect([(await world.applyIn(world.old)).code, world.service.scheduled()]).toEqual([0, before]);
});

test("after a revert of calendar and lockfile, the newer version is replaced", async () => {
  const world = await team(calendar("Row b, edited"));
  git(world.project.root, "revert", "--no-edit", "HEAD");
  await world.apply();
  expect(texts(world)).toEqual(["Row a", "Row b", "Row c"]);
});

test("apply makes all other changes, and a person at a terminal decides about missing posts", async () => {
  const world = await team(calendar("Row b, edited"));
  const { service, project, env, clock } = world;
  service.cancelByHand(service.scheduled().find(({ content }) => content === "Row c")?.id ?? "");
  await project.write(FILE, calendar("Row b, edited twice"));
  const asked: string[] = [];
  const atTerminal = (isWanted: boolean): Promise<CommandResult> =>
    runCommand(["apply"], {
      cwd: project.root,
      env,
      clock,
      terminal: {
        answer: (question) => {
          asked.push(question);
          return isWanted || !question.includes("again");
        },
      },
    });
  expect((await atTerminal(false)).code).toBe(1);
  expect(texts(world)).toEqual(["Row a", "Row b, edited twice"]);
  expect((await atTerminal(true)).code).toBe(0);
  expect(texts(world)).toEqual(["Row a", "Row b, edited twice", "Row c"]);
  expect(asked).toEqual([
    "Create the missing post again? [y/N] ",
    "Apply these changes? [y/N] ",
    "Create the missing post again? [y/N] ",
    "Apply these changes? [y/N] ",
  ]);
});

test("without its lockfile, an edited row waits beside the post that may be its older version", async () => {
  const world = await startScenario({ files: { [FILE]: calendar("Row b") } });
  await world.apply();
  await world.project.remove("plancast.lock.json");
  await world.project.write(FILE, calendar("Row b, edited"));
  expect((await world.apply({ exit: 1 })).summary).toMatchObject({ adopted: 2, created: 0, missing: 1 });
  expect(texts(world)).toEqual(["Row a", "Row b", "Row c"]);
});
