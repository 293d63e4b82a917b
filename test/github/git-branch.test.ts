/** git as a process: its output, and why it ended. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Git, commitFiles, fetchTip } from "../../src/github/git-branch.ts";
import { fetchingToo, pathWithGit } from "../support/github/other-git.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "../support/github/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A git that does what a script says. */
async function gitThat(script: string, timeoutMs?: number): Promise<Git> {
  const folder = await tempFolder();
  return new Git(folder, { PATH: await pathWithGit(script) }, timeoutMs);
}

test("a git command that hangs is stopped together with its helper, and the message says so without secrets", async () => {
  // The helper keeps the output open, like the helpers that talk to a remote.
  const git = await gitThat('echo "Connecting to https://me:secret@host/" >&2; sleep 600 & wait', 400);
  await expect(git.run(["push"])).rejects.toThrow(
    "`git push` failed: Connecting to https://••••@host/ it had not ended after 0.4 s and was stopped.",
  );
});

test("the message names the signal that ended a git command", async () => {
  const git = await gitThat("kill -KILL $$");
  await expect(git.run(["fetch"])).rejects.toThrow("`git fetch` failed: it was ended by SIGKILL.");
});

test("a git command gives its exit code and what it prints", async () => {
  expect(await (await gitThat("cat; exit 3")).try(["x"], { input: "in" })).toEqual({
    code: 3,
    stdout: "in",
    bytes: Buffer.from("in"),
    stderr: "",
  });
});

test("git runs no hook and no monitor of the repository", async () => {
  const folder = await tempFolder();
  const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" };
  const env = { GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com", ...identity };
  const git = new Git(folder, { ...process.env, ...env });
  await git.run(["init"]);
  const script = `#!/bin/sh\ntouch "${folder}/executed"\n`;
  await mkdir(join(folder, ".git", "hooks"), { recursive: true });
  for (const name of ["pre-commit", "reference-transaction", "monitor"])
    await writeFile(join(folder, ".git", "hooks", name), script, { mode: 0o755 });
  await git.run(["config", "core.fsmonitor", join(folder, ".git", "hooks", "monitor")]);
  await writeFile(join(folder, "a"), "");
  await git.run(["add", "a"]);
  await git.run(["commit", "--message", "A"]);
  expect((await git.run(["status", "--porcelain"])).trim()).toBe("");
});

/** Somebody else's branch `other`, which has one commit more than main. */
async function makeBranches(): Promise<TestRepository> {
  const repository = await makeRepository({ a: "1" }, {});
  repository.git("commit", "-q", "--allow-empty", "-m", "unreviewed");
  repository.git("push", "-q", "origin", "HEAD:other");
  repository.git("reset", "-q", "--hard", "origin/main");
  return repository;
}

test("a fetch gives the tip of its own branch, whatever else the clone fetches at the same time", async () => {
  const repository = await makeBranches();
  const { project } = repository;
  const PATH = await pathWithGit(fetchingToo(project.root, "other"));
  expect(await fetchTip(new Git(project.root, { ...GIT_ENV, PATH }), "main")).toBe(await repository.head());
  expect(repository.git("rev-parse", "FETCH_HEAD")).toBe(repository.git("rev-parse", "origin/other"));
});

test("a fetch leaves no ref behind, even if it fails", async () => {
  const repository = await makeBranches();
  const { project } = repository;
  const clone = new Git(project.root, { ...GIT_ENV, PATH: process.env["PATH"] });
  const before = repository.git("for-each-ref");
  expect(await fetchTip(clone, "main")).toBe(await repository.head());
  await expect(fetchTip(clone, "missing")).rejects.toMatchObject({
    message: expect.stringContaining("couldn't find remote ref refs/heads/missing"),
    hint: "Push this branch first: `git push -u origin missing`.",
  });
  expect(repository.git("for-each-ref")).toBe(before);
  const PATH = await pathWithGit(
    `case " $* " in *" rev-parse "*) exit 1;; esac\nPATH="${process.env["PATH"]}"\nexec git "$@"`,
  );
  const failing = new Git(project.root, { ...GIT_ENV, PATH });
  await expect(fetchTip(failing, "main")).rejects.toThrow("`git rev-parse` failed");
  expect(repository.git("for-each-ref")).toBe(before);
});

test("a shallow clone stays shallow, and gets the tips that others push", async () => {
  const repository = await makeBranches();
  const folder = join(await tempFolder(), "shallow");
  const env = { ...GIT_ENV, PATH: process.env["PATH"] };
  await repository.pushByOther("b", "1");
  await new Git(tmpdir(), env).run(["clone", "--quiet", "--depth=1", `file://${repository.origin}`, folder]);
  await repository.pushByOther("b", "2");
  const clone = new Git(folder, env);
  const tip = await fetchTip(clone, "main");
  expect(await clone.run(["cat-file", "blob", `${tip}:b`])).toBe("2");
  expect((await clone.run(["rev-list", "--count", tip])).trim()).toBe("2");
});

test("commits that are made at the same time in one clone do not mix, and leave no index behind", async () => {
  const repository = await makeBranches();
  const { project } = repository;
  const git = new Git(project.root, { ...GIT_ENV, PATH: process.env["PATH"] });
  const on = await repository.head();
  const names = ["one", "two", "three", "four"];
  const commits = await Promise.all(
    names.map((name) => commitFiles(git, new Map([[name, name]]), { on, parents: [on], message: name })),
  );
  const changed = commits.map((commit) => git.run(["diff", "--name-only", on, commit]));
  expect(await Promise.all(changed)).toEqual(names.map((name) => `${name}\n`));
  const files = await readdir(join(project.root, ".git"));
  expect(files.filter((name) => name.startsWith("plancast-"))).toEqual([]);
});
