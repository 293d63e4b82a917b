/** Branches that both applied, merged by the real git with plancast as its merge driver. Needs `npm run build`. */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../support/doc-pages.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { xlsx } from "../support/workbook-files.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const LOCKFILE = "plancast.lock.json";
const CALENDARS = { spring: "calendars/spring.csv", summer: "calendars/summer.csv" };

const row = (id: string, content: string): string[] => [id, "2036-03-01 10:00", "twitter", content];

interface Branches extends Scenario {
  /** Runs git in the project; the exit code and everything that it printed. */
  readonly git: (...args: string[]) => { readonly code: number | null; readonly text: string };
  /** Writes calendars, applies, and commits everything. */
  readonly applied: (files: Readonly<Record<string, string>>) => Promise<void>;
}

/** An applied project in git; its branches `main` and `feature` are equal. */
async function applied({ driver = true } = {}): Promise<Branches> {
  const files = {
    [CALENDARS.spring]: csv(HEADER, row("spring", "Spring")),
    [CALENDARS.summer]: csv(HEADER, row("summer", "Summer")),
    ".gitattributes": `${LOCKFILE} merge=plancast\n`,
    ".gitignore": ".plancast/\n",
  };
  const scenario = await startScenario({ files });
  const { root } = scenario.project;
  const git: Branches["git"] = (...args) => {
    const identity = {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@x",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@x",
    };
    const env = {
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      ...identity,
    };
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", env });
    return { code: status, text: `${stdout}${stderr}` };
  };
  const commitApplied: Branches["applied"] = async (changed) => {
    for (const [path, text] of Object.entries(changed)) await writeFile(join(root, path), text);
    await scenario.apply();
    git("add", "--all");
    expect(git("commit", "-q", "-m", "Apply").code).toBe(0);
  };
  git("init", "-q", "--template=", "-b", "main");
  if (driver) {
    const command = [process.execPath, inRepository("dist/cli.js")].map((each) => `'${each}'`).join(" ");
    git("config", "merge.plancast.driver", `${command} lockfile merge %O %A %B`);
  }
  await commitApplied({});
  git("branch", "feature");
  return { ...scenario, git, applied: commitApplied };
}

/** Both branches schedule another post for the row. The calendar takes the text of main. */
async function bothEdited(given?: { driver: boolean }): Promise<Branches> {
  const branches = await applied(given);
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring on main")) });
  branches.git("checkout", "-q", "feature");
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring on feature")) });
  branches.git("checkout", "-q", "main");
  return branches;
}

/** What the service publishes. */
function texts({ service }: Scenario): string[] {
  return service
    .scheduled()
    .map(({ content }) => content)
    .sort();
}

async function lockfileText({ project }: Scenario): Promise<string> {
  return readFile(join(project.root, LOCKFILE), "utf8");
}

test.each<[string, readonly string[]]>([
  ["a merge", ["merge", "--no-edit", "feature"]],
  ["a rebase", ["rebase", "feature"]],
  ["a cherry-pick", ["cherry-pick", "feature"]],
])("%s of branches with posts of their own keeps all, and the next plan is empty", async (_what, args) => {
  const branches = await applied();
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring"), row("a", "A")) });
  branches.git("checkout", "-q", "feature");
  await branches.applied({ [CALENDARS.summer]: csv(HEADER, row("summer", "Summer"), row("b", "B")) });
  branches.git("checkout", "-q", "main");
  expect(branches.git(...args)).toMatchObject({ code: 0 });
  expect(await branches.summary()).toEqual({ keep: 4 });
});

test("if both branches edited a row, the row keeps one post and the next apply cancels the other", async () => {
  const branches = await bothEdited();
  expect(texts(branches)).toEqual(["Spring on feature", "Spring on main", "Summer"]);
  const merge = branches.git("merge", "--no-edit", "feature");
  expect(merge.text.replaceAll(/\s+/g, " ")).toMatch(
    /Both sides scheduled a post for 1 row.* spring · also scheduled as \S+/,
  );
  // Only the calendar is left to resolve.
  expect(branches.git("diff", "--name-only", "--diff-filter=U").text.trim()).toBe(CALENDARS.spring);
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring on feature")) });
  expect(texts(branches)).toEqual(["Spring on feature", "Summer"]);
  expect(await branches.summary()).toEqual({ keep: 2 });
});

test("without the driver, plan names the command that merges the lockfile, which then does it", async () => {
  const branches = await bothEdited({ driver: false });
  expect(branches.git("merge", "--no-edit", "feature").code).toBe(1);
  await writeFile(
    join(branches.project.root, CALENDARS.spring),
    csv(HEADER, row("spring", "Spring on main")),
  );
  expect((await branches.run("plan")).stderr).toContain("Run `plancast lockfile merge`");
  const merged = await branches.run("lockfile", "merge");
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining("it owns 2 posts") });
  await branches.applied({});
  expect(texts(branches)).toEqual(["Spring on main", "Summer"]);
  expect(await branches.run("lockfile", "merge")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("lockfile/no-conflict"),
  });
});

test("an octopus merge, for which git calls no driver, stops without a wrong lockfile", async () => {
  const branches = await applied();
  for (const name of ["a", "b", "c"]) {
    branches.git("checkout", "-q", "-B", name, "feature");
    await branches.applied({ [`calendars/${name}.csv`]: csv(HEADER, row(name, name)) });
  }
  branches.git("checkout", "-q", "main");
  const before = await lockfileText(branches);
  const { code } = branches.git("merge", "--no-edit", "a", "b", "c");
  // If git merges the lines without a conflict, the result still contains every post.
  if (code === 0) expect(await branches.summary()).toEqual({ keep: 5 });
  else {
    branches.git("merge", "--abort");
    branches.git("reset", "-q", "--hard");
    expect(await lockfileText(branches)).toBe(before);
    for (const name of ["a", "b", "c"]) expect(branches.git("merge", "--no-edit", name).code).toBe(0);
    expect(await branches.summary()).toEqual({ keep: 5 });
  }
});

test("what plancast cannot merge stays a conflict for git, with its markers", async () => {
  const branches = await applied();
  const { root } = branches.project;
  const setOrigin = async (origin: string): Promise<void> => {
    const text = await lockfileText(branches);
    await writeFile(join(root, LOCKFILE), text.replace(/"origin": ".*"/, `"origin": "${origin}"`));
    branches.git("commit", "-q", "-a", "-m", "Other service");
  };
  await setOrigin("https://one.example");
  branches.git("checkout", "-q", "feature");
  await setOrigin("https://two.example");
  const { code, text } = branches.git("merge", "--no-edit", "main");
  expect([code, text.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("Our side belongs to https://two.example, and their side to https://one.example"),
  ]);
  expect(await lockfileText(branches)).toMatch(
    /^<{7} ours\n.*two\.example.*\n={7}\n.*one\.example.*\n>{7} theirs$/m,
  );
});

function sheet(...rows: readonly string[][]): Uint8Array {
  return xlsx([{ name: "Plan", rows: [HEADER, ...rows] }]);
}

test("a workbook and a lockfile of one branch only are refused until somebody completes them", async () => {
  const book = "calendars/summer.xlsx";
  const branches = await applied();
  const { git, run, project } = branches;
  git("rm", "-q", CALENDARS.summer);
  const at = join(project.root, book);
  const save = async (...rows: string[][]): Promise<void> => {
    await writeFile(at, sheet(row("summer", "Summer"), ...rows));
    await branches.applied({});
  };
  await save();
  git("checkout", "-q", "-B", "feature");
  await save(["right", "2036-03-02 10:00", "twitter", "Right"]);
  git("checkout", "-q", "main");
  await save(["left", "2036-03-03 10:00", "twitter", "Left"]);
  // The merge driver fails, as in a clone in which plancast is not installed.
  git("config", "merge.plancast.driver", "false");
  expect(git("merge", "--no-edit", "feature").code).not.toBe(0);
  const before = texts(branches);

  for (const command of [["plan"], ["apply", "--yes"]]) {
    const { code, stderr } = await run(...command);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringMatching(/calendar\/unmerged git could not merge this file/),
    ]);
  }
  await writeFile(
    at,
    sheet(
      row("summer", "Summer"),
      ["right", "2036-03-02 10:00", "twitter", "Right"],
      ["left", "2036-03-03 10:00", "twitter", "Left"],
    ),
  );
  const half = await run("apply", "--yes");
  expect([half.code, half.stderr.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringMatching(/lockfile\/conflict.*only the posts of one branch.*lockfile merge/),
  ]);
  expect((await run("lockfile", "merge")).code).toBe(0);
  expect(await branches.summary()).toEqual({ keep: 4 });
  git("add", "--all");
  expect(git("commit", "-q", "-m", "Merge").code).toBe(0);
  expect(texts(branches)).toEqual(before);
});
