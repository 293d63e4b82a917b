/** Branches that both applied, merged by the real git with plancast as its merge driver. Needs `npm run build`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { csv } from "../support/scenario.ts";
import {
  CALENDARS,
  HEADER,
  LOCKFILE,
  applied,
  atColleague,
  bothEdited,
  keepsAll,
  lockfileText,
  row,
  texts,
} from "./branches.ts";

test("a merge of branches with their own posts keeps all posts, and the next plan is empty", async () => {
  await keepsAll("merge", "--no-edit", "feature");
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

test("without the driver, plan names the command that merges the lockfile, and this command works", async () => {
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
    stderr: expect.stringContaining("lockfile/cannot-merge"),
  });
});

test("after a merge that keeps exactly our lockfile, plan works before git add", async () => {
  const branches = await applied({ driver: false });
  const ours = csv(HEADER, row("spring", "Spring on main"));
  await branches.applied({ [CALENDARS.spring]: ours });
  await atColleague(branches, "feature");
  await branches.applied({ [CALENDARS.spring]: csv(HEADER) });
  branches.git("checkout", "-q", "main");
  const before = await lockfileText(branches);
  expect(branches.git("merge", "--no-edit", "feature").code).toBe(1);
  await writeFile(join(branches.project.root, CALENDARS.spring), ours);
  expect(await branches.run("lockfile", "merge")).toMatchObject({ code: 0 });
  expect(await lockfileText(branches)).toBe(before);
  expect(await branches.run("plan")).toMatchObject({ code: 0 });
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
