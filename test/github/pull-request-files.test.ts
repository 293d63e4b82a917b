/** The files that a pull request changes, in clones of several depths. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { changedFiles } from "../../src/github/pull-request-files.ts";
import { Git } from "../../src/github/git-branch.ts";
import type { PullRequest } from "../../src/github/runner.ts";
import { GIT_ENV, makeRepository } from "../support/github/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ENV = { ...GIT_ENV, PATH: process.env["PATH"] };

/** A pull request from an older main. Its trial merge is the branch `merge`. */
async function makePull() {
  const repository = await makeRepository({ kept: "1", gone: "2", moved: "3", "été 1/ü": "4" }, {});
  const { git, project } = repository;
  git("checkout", "-q", "-b", "pull");
  git("mv", "moved", "there");
  git("rm", "-q", "gone");
  await project.write("été 1/ü", "changed");
  git("add", "--all");
  git("commit", "-q", "-m", "pull");
  const headSha = git("rev-parse", "HEAD");
  git("checkout", "-q", "main");
  await project.write("kept", "by others");
  repository.push("others");
  const baseSha = git("rev-parse", "HEAD");
  git("checkout", "-q", "-b", "merge");
  git("merge", "-q", "--no-ff", "-m", "trial", "pull");
  git("push", "-q", "origin", "pull", "merge");
  const clone = async (branch: string, ...depth: readonly string[]): Promise<Git> => {
    const folder = join(await tempFolder(), "clone");
    const from = `file://${repository.origin}`;
    await new Git(project.root, ENV).run(["clone", "-q", ...depth, "--branch", branch, from, folder]);
    return new Git(folder, ENV);
  };
  const pull: PullRequest = { number: 1, headSha, baseSha, isFork: false };
  return { clone, pull };
}

const CHANGED = ["gone", "moved", "there", "été 1/ü"];

test("are those between the branch and the trial merge, not those of others", async () => {
  const { clone, pull } = await makePull();
  for (const depth of [["--depth=2"], []])
    expect([...((await changedFiles(await clone("merge", ...depth), pull)) ?? [])].toSorted()).toEqual(
      CHANGED,
    );
});

test("are those since the common commit, if the job checks out the pull request itself", async () => {
  const { clone, pull } = await makePull();
  expect([...((await changedFiles(await clone("pull"), pull)) ?? [])].toSorted()).toEqual(CHANGED);
});

test("are unknown if the job checks out the branch without the pull request", async () => {
  const { clone, pull } = await makePull();
  expect(await changedFiles(await clone("main"), pull)).toBeUndefined();
});

test("are unknown if the clone is too shallow, or not a repository", async () => {
  const { clone, pull } = await makePull();
  expect(await changedFiles(await clone("merge", "--depth=1"), pull)).toBeUndefined();
  expect(await changedFiles(await clone("pull", "--depth=2"), pull)).toBeUndefined();
  expect(await changedFiles(await clone("pull"), { ...pull, baseSha: undefined })).toBeUndefined();
  expect(await changedFiles(new Git(await tempFolder(), ENV), pull)).toBeUndefined();
});
