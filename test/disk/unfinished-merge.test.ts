/** Files that git left with the content of one side, in real repositories with a stopped merge. */
import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneSidedFiles } from "../../src/disk/unfinished-merge.ts";
import { afterThisTest } from "../support/after-test.ts";
import { GIT_ENV } from "../support/github/repository.ts";

/** Main deletes the files that another branch changes, so git leaves the changed ones. */
async function stoppedMerge(change: (root: string) => Promise<void>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plancast-merge-")));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const env = { PATH: process.env["PATH"] ?? "", ...GIT_ENV };
  const git = (...args: string[]): number | null => spawnSync("git", args, { cwd: folder, env }).status;
  git("init", "-q", "-b", "main");
  await symlink("nowhere", join(folder, "link.json"));
  await writeFile(join(folder, "lock.json"), "old");
  git("add", ".");
  git("commit", "-q", "-m", "Files");
  git("checkout", "-q", "-b", "other");
  await change(folder);
  git("commit", "-q", "--all", "-m", "Change");
  git("checkout", "-q", "main");
  git("rm", "-q", "link.json", "lock.json");
  git("commit", "-q", "-m", "Delete");
  expect(git("merge", "other")).toBe(1);
  return folder;
}

test("finds a file that has the content of one side", async () => {
  const root = await stoppedMerge((folder) => writeFile(join(folder, "lock.json"), "new"));
  expect(await oneSidedFiles(root, new Set(["lock.json"]))).toEqual(new Set(["lock.json"]));
  expect(await oneSidedFiles(root, new Set(["other.json"]))).toEqual(new Set());
  await writeFile(join(root, "lock.json"), "both");
  expect(await oneSidedFiles(root, new Set(["lock.json"]))).toEqual(new Set());
});

test("reads nothing through a link that the other branch brought, such as one to an endless device", async () => {
  const root = await stoppedMerge(async (folder) => {
    const outside = `${folder}.txt`;
    afterThisTest(() => rm(outside, { force: true }));
    // Its content is what git stores for the link, so a reader that follows the link would say yes.
    await writeFile(outside, outside);
    await unlink(join(folder, "link.json"));
    await symlink(outside, join(folder, "link.json"));
  });
  expect(await oneSidedFiles(root, new Set(["link.json"]))).toEqual(new Set());
});
