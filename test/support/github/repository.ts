/** A repository on a disk, a bare one as its remote, and somebody else who pushes to it. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterThisTest } from "../after-test.ts";
import { makeProject, type TestProject } from "../project.ts";

export interface TestRepository {
  /** The job's checkout. */
  readonly project: TestProject;
  /** The bare repository. */
  readonly origin: string;
  /** Runs git in the checkout. Returns its output. */
  readonly git: (...args: string[]) => string;
  /** The commit that is checked out. */
  head(): Promise<string>;
  /** Commits all of the checkout and pushes it. */
  push(message: string): void;
  /** Makes the checkout the newest main. */
  pull(): void;
  /** Somebody else pushes a file to main. */
  pushByOther(path: string, text: string): Promise<void>;
  /** Runs a shell script in the bare repository before each push. If the script fails, the push is refused. */
  beforePush(script: string): Promise<void>;
  /** A file on a branch of the remote; empty if it has none. */
  remoteFile(path: string, branch?: string): string;
  /** The subjects of a branch of the remote, newest first. */
  log(branch?: string): string[];
}

/** Nobody's settings. */
export const GIT_ENV = {
  GIT_CONFIG_GLOBAL: fileURLToPath(new URL("gitconfig", import.meta.url)),
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
} as const;

type Files = Readonly<Record<string, string>>;

/** A checkout of `files` on main, which is pushed. */
export async function makeRepository(
  files: Files,
  config: Readonly<Record<string, unknown>>,
): Promise<TestRepository> {
  const project = await makeProject({ files, config });
  const folder = await emptyFolder();
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const origin = join(folder, "origin.git");
  const template = await templateOf(project, JSON.stringify([files, config]));
  await cp(join(template, "origin.git"), origin, { recursive: true });
  await cp(join(template, "checkout.git"), join(project.root, ".git"), { recursive: true });
  await project.write(".gitignore", GITIGNORE);
  const git = (...args: string[]): string => run(project.root, args);
  const settings = await project.read(".git/config");
  await project.write(".git/config", settings.replace(join(template, "origin.git"), origin));
  return {
    project,
    origin,
    git,
    head: async () => (await project.read(".git/refs/heads/main")).trim(),
    push: (message) => commitAndPush(project.root, message),
    pull: () => {
      git("fetch", "-q", "origin", "main");
      git("reset", "-q", "--hard", "FETCH_HEAD");
    },
    pushByOther: async (path, text) => {
      const other = join(await mkdtemp(join(folder, "other-")), "checkout");
      run(folder, ["clone", "-q", origin, other]);
      await writeFile(join(other, path), text);
      commitAndPush(other, `other: ${path}`);
    },
    beforePush: async (script) => {
      await mkdir(join(origin, "hooks"), { recursive: true });
      await writeFile(join(origin, "hooks", "pre-receive"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    },
    remoteFile: (path, branch = "main") => {
      const shown = spawnSync("git", ["show", `${branch}:${path}`], { cwd: origin, encoding: "utf8" });
      return shown.status === 0 ? shown.stdout : "";
    },
    log: (branch = "main") => run(origin, ["log", "--first-parent", "--format=%s", branch]).split("\n"),
  };
}

const GITIGNORE = ".plancast/\n";

/**
 * Folders with `origin.git` and `checkout.git`, by their content, because copying them is much faster than making them.
 */
const templates = new Map<string, Promise<string>>();

function templateOf(project: TestProject, key: string): Promise<string> {
  const known = templates.get(key) ?? makeTemplate(project);
  templates.set(key, known);
  return known;
}

async function makeTemplate(project: TestProject): Promise<string> {
  const folder = await emptyFolder();
  const checkout = join(folder, "checkout");
  const origin = join(folder, "origin.git");
  await cp(project.root, checkout, { recursive: true });
  await writeFile(join(checkout, ".gitignore"), GITIGNORE);
  const init = `git init -q --template= --bare -b main "$2"
    git init -q --template= -b main
    git remote add origin "$2"`;
  runScript(checkout, `${init}\n${COMMIT_AND_PUSH}`, ["first", origin]);
  await cp(join(checkout, ".git"), join(folder, "checkout.git"), { recursive: true });
  return folder;
}

/** Commits everything with the message in `$1`. */
const COMMIT_AND_PUSH = `
  git add --all
  git commit -q --allow-empty -m "$1"
  git push -q origin HEAD:main`;

function commitAndPush(checkout: string, message: string): void {
  runScript(checkout, COMMIT_AND_PUSH, [message]);
}

async function emptyFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "plancast-repository-")));
}

/** The output of git, which must succeed. */
function run(cwd: string, args: readonly string[]): string {
  return start("git", args, cwd);
}

/** Several commands in one shell, each of which must succeed. Each process that a test's large process starts is slow. */
function runScript(cwd: string, script: string, args: readonly string[]): void {
  start("sh", ["-ec", script, "sh", ...args], cwd);
}

function start(program: string, args: readonly string[], cwd: string): string {
  const env = { PATH: process.env["PATH"], ...GIT_ENV };
  const done = spawnSync(program, args, { cwd, encoding: "utf8", env });
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
}
