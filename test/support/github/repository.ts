/** A repository on a disk, a bare one as its remote, and somebody else who pushes to it. */
import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "../after-test.ts";
import { makeProject, type TestProject } from "../project.ts";

export interface TestRepository {
  /** The job's checkout. */
  readonly project: TestProject;
  /** The bare repository. */
  readonly origin: string;
  /** Runs git in the checkout; gives what it prints. */
  git(...args: string[]): string;
  /** Commits all of the checkout and pushes it; gives the commit. */
  push(message: string): string;
  /** Somebody else pushes a file to a branch. */
  pushByOther(path: string, text: string, branch?: string): Promise<void>;
  /** A file on a branch of the remote; empty where it is not there. */
  remoteFile(path: string, branch?: string): string;
  /** The subjects of a branch of the remote, newest first. */
  log(branch?: string): string[];
}

/** Nobody's settings. */
export const GIT_ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
} as const;

export async function makeRepository(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, unknown>>,
): Promise<TestRepository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plancast-origin-")));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const [origin, other] = [join(folder, "origin.git"), join(folder, "other")];
  const project = await makeProject({ files, config });
  const git = (...args: string[]): string => run(project.root, args);
  run(folder, ["init", "-q", "--bare", "-b", "main", origin]);
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", origin);
  const push = (message: string): string => {
    git("add", "--all");
    git("commit", "-q", "--allow-empty", "-m", message);
    git("push", "-q", "origin", "HEAD:main");
    return git("rev-parse", "HEAD");
  };
  await project.write(".gitignore", ".plancast/\n");
  push("first");
  run(folder, ["clone", "-q", origin, other]);
  return {
    project,
    origin,
    git,
    push,
    pushByOther: async (path, text, branch = "main") => {
      run(other, ["fetch", "-q", "origin"]);
      run(other, ["checkout", "-q", "-B", branch, `origin/${branch}`]);
      await writeFile(join(other, path), text);
      run(other, ["add", "--all"]);
      run(other, ["commit", "-q", "-m", `other: ${path}`]);
      run(other, ["push", "-q", "origin", branch]);
    },
    remoteFile: (path, branch = "main") => {
      const shown = spawnSync("git", ["show", `${branch}:${path}`], { cwd: origin, encoding: "utf8" });
      return shown.status === 0 ? shown.stdout : "";
    },
    log: (branch = "main") => run(origin, ["log", "--first-parent", "--format=%s", branch]).split("\n"),
  };
}

/** What git prints, which must succeed. */
function run(cwd: string, args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], ...GIT_ENV };
  const done = spawnSync("git", args, { cwd, encoding: "utf8", env });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
}
