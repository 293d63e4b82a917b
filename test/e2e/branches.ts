/** Branches that both applied, for merges by the real git with plancast as its merge driver. Needs `npm run build`. */
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { inRepository } from "../support/doc-pages.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";

export const HEADER = ["id", "scheduled_at", "platforms", "content"];
export const LOCKFILE = "plancast.lock.json";
export const CALENDARS = { spring: "calendars/spring.csv", summer: "calendars/summer.csv" };

export const row = (id: string, content: string): string[] => [id, "2036-03-01 10:00", "twitter", content];

export interface Branches extends Scenario {
  /** Runs git in the project; the exit code and everything that it printed. */
  readonly git: (...args: string[]) => { readonly code: number | null; readonly text: string };
  /** Writes calendars, applies, and commits everything. */
  readonly applied: (files: Readonly<Record<string, string>>, ...args: string[]) => Promise<void>;
}

/** An applied project in git; its branches `main` and `feature` are equal. */
export async function applied({ driver = true } = {}): Promise<Branches> {
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
  const commitApplied: Branches["applied"] = async (changed, ...args) => {
    for (const [path, text] of Object.entries(changed)) await writeFile(join(root, path), text);
    await scenario.apply({ args });
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

/** Goes to a branch as in a clone of somebody else, which does not know what runs here have done. */
export async function atColleague({ git, project }: Branches, branch: string): Promise<void> {
  git("checkout", "-q", branch);
  await rm(join(project.root, ".plancast"), { recursive: true });
}

/** Both branches schedule another post for the row. The calendar takes the text of main. */
export async function bothEdited(given?: { driver: boolean }): Promise<Branches> {
  const branches = await applied(given);
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring on main")) });
  await atColleague(branches, "feature");
  // The post that this branch knows is gone: main replaced it. Apply asks before it creates another one.
  await branches.applied(
    { [CALENDARS.spring]: csv(HEADER, row("spring", "Spring on feature")) },
    "--allow-recreates",
    "1",
  );
  branches.git("checkout", "-q", "main");
  return branches;
}

/** What the service publishes. */
export function texts({ service }: Scenario): string[] {
  return service
    .scheduled()
    .map(({ content }) => content)
    .sort();
}

export async function lockfileText({ project }: Scenario): Promise<string> {
  return readFile(join(project.root, LOCKFILE), "utf8");
}

/** Git brings together two branches that each scheduled a row of their own. */
export async function keepsAll(...args: readonly string[]): Promise<void> {
  const branches = await applied();
  await branches.applied({ [CALENDARS.spring]: csv(HEADER, row("spring", "Spring"), row("a", "A")) });
  branches.git("checkout", "-q", "feature");
  await branches.applied({ [CALENDARS.summer]: csv(HEADER, row("summer", "Summer"), row("b", "B")) });
  branches.git("checkout", "-q", "main");
  expect(branches.git(...args)).toMatchObject({ code: 0 });
  expect(await branches.summary()).toEqual({ keep: 4 });
}
