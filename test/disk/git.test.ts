/** Which repository a folder is in, and on which branch: with repositories that git itself makes. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBranch } from "../../src/disk/git.ts";
import { afterThisTest } from "../support/after-test.ts";
import { GIT_ENV } from "../support/github/repository.ts";

async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plancast-find-")));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", ...GIT_ENV };
  const { status, stderr } = spawnSync("git", args, { cwd, encoding: "utf8", env });
  expect([status, stderr]).toEqual([0, expect.anything()]);
}

async function repositoryOn(branch: string): Promise<string> {
  const root = join(await emptyFolder(), "ours");
  await mkdir(root);
  git(root, "init", "-q", "-b", branch);
  return root;
}

test("finds no repository in a folder outside of one", async () => {
  expect(await findBranch(await emptyFolder())).toBeUndefined();
});

test("finds a new repository and its branch before the first commit, even from a folder within", async () => {
  const root = await repositoryOn("team/trunk");
  await mkdir(join(root, "brands", "spring"), { recursive: true });
  const found = { root, branch: "team/trunk" };
  expect(await findBranch(root)).toEqual(found);
  expect(await findBranch(join(root, "brands", "spring"))).toEqual(found);
});

test("a worktree has its own root and branch; a detached commit has no branch", async () => {
  const root = await repositoryOn("trunk");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  git(root, "worktree", "add", "-q", "-b", "side", "../beside");
  const beside = join(root, "..", "beside");
  expect(await findBranch(beside)).toEqual({ root: beside, branch: "side" });
  git(root, "checkout", "-q", "--detach");
  expect(await findBranch(root)).toEqual({ root, branch: undefined });
});

test("a clone has the remote's main branch, whatever is checked out, even in a worktree", async () => {
  const root = await repositoryOn("trunk");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  git(root, "clone", "-q", root, "../clone");
  const clone = join(root, "..", "clone");
  git(clone, "checkout", "-q", "-b", "add-plancast");
  git(clone, "worktree", "add", "-q", "-b", "side", "../beside");
  expect(await findBranch(clone)).toEqual({ root: clone, branch: "trunk" });
  expect((await findBranch(join(root, "..", "beside")))?.branch).toBe("trunk");
});

test.each(["", "gitdir: nowhere\n", "gitdir: \n", "\u0000".repeat(99)])(
  "a file .git with %j names no branch",
  async (text) => {
    const folder = await emptyFolder();
    await writeFile(join(folder, ".git"), text);
    expect((await findBranch(folder))?.branch).toBeUndefined();
  },
);

test("a pipe in the place of git's files is ignored, without waiting", async () => {
  const root = await emptyFolder();
  await mkdir(join(root, ".git"));
  execFileSync("mkfifo", [join(root, ".git", "HEAD")]);
  expect(await findBranch(root)).toBeUndefined();
});
