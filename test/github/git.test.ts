/** git as a process: what it printed, and why it ended. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Git } from "../../src/github/push-lockfile.ts";
import { afterThisTest } from "../support/after-test.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A git that does what a script says. */
async function gitThat(script: string, timeoutMs?: number): Promise<Git> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-git-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "git"), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, "git"), 0o755);
  return new Git(folder, { PATH: `${folder}:${process.env["PATH"]}` }, timeoutMs);
}

test("a git command that hangs is stopped together with its helper, and the message says so without secrets", async () => {
  // The helper keeps the output open, as the one that speaks to a remote does.
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
