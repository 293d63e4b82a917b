/** Branches that both applied, and other ways to bring them together. Needs `npm run build`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { csv } from "../support/scenario.ts";
import { xlsx } from "../support/workbook-files.ts";
import { CALENDARS, HEADER, applied, keepsAll, lockfileText, row, texts } from "./branches.ts";

test.each([
  ["a rebase", ["rebase", "feature"]],
  ["a cherry-pick", ["cherry-pick", "feature"]],
])("%s of branches with their own posts keeps all posts, and the next plan is empty", async (_what, args) => {
  await keepsAll(...args);
});

test("an octopus merge, for which git calls no driver, stops and leaves no wrong lockfile", async () => {
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
      expect.stringMatching(/calendar\/conflict git could not merge this file/),
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
