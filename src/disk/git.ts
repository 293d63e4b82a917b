/**
 * The git repository of a folder. Finding it and its branch needs no installed git, because only git's files are read.
 * Everything else runs git without a shell, and git executes nothing from the checkout: no hook, no monitor, no repository
 * inside it.
 */

import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { readFile, stat } from "./machine.ts";

export interface Repository {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** Absolute path of git's own folder. It may be missing, or invalid. */
  readonly gitFolder: string;
}

/** The nearest repository at or above a folder; undefined if there is none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => undefined);
  // Like git, it does not treat a folder without a HEAD as a repository.
  if (found?.isDirectory() === true && (await textOf(join(path, "HEAD"))) !== undefined)
    return { root: folder, gitFolder: path };
  if (found?.isFile() === true) return { root: folder, gitFolder: await namedFolder(path) };
  const above = dirname(folder);
  return above === folder ? undefined : findRepository(above);
}

/** For a worktree or a submodule, where `.git` is a file. */
async function namedFolder(path: string): Promise<string> {
  const [, named = ".git"] = /^gitdir: (.+)$/.exec((await textOf(path)) ?? "") ?? [];
  return resolve(dirname(path), named);
}

/** A file's text without spaces at its end; undefined if it cannot be read. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readIfFile(path)).toString("utf8").trimEnd();
  } catch {
    return undefined;
  }
}

/** Throws for anything but a file: reading a pipe from an archive would never end. */
export async function readIfFile(path: string): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a file`);
  return readFile(path);
}

export interface FoundBranch {
  /** Absolute path of the folder that holds `.git`. */
  readonly root: string;
  /** The main branch of its remote, otherwise the branch that is checked out, if any. */
  readonly branch: string | undefined;
}

/** The nearest repository at or above a folder; undefined if there is none. Unreadable files count as missing. */
export async function findBranch(folder: string): Promise<FoundBranch | undefined> {
  const repository = await findRepository(folder);
  if (repository === undefined) return undefined;
  const { root, gitFolder } = repository;
  const shared = await sharedFolder(repository);
  const remote = await branchIn(join(shared, "refs", "remotes", "origin", "HEAD"), "refs/remotes/origin/");
  return { root, branch: remote ?? (await branchIn(join(gitFolder, "HEAD"), "refs/heads/")) };
}

/** Whether the nearest repository has a remote on GitHub, even on a company's own server such as github.example.com. */
export async function hasGithubRemote(folder: string): Promise<boolean> {
  const repository = await findRepository(folder);
  if (repository === undefined) return false;
  const config = (await textOf(join(await sharedFolder(repository), "config"))) ?? "";
  return config
    .split("\n")
    .map((line) => /^url\s*=(.*)$/i.exec(line.trim())?.[1]?.trim() ?? "")
    .some((address) => /^(?:[a-z+]+:\/\/)?(?:[^@/\s]*@)?(?:[a-z0-9.-]+\.)?github\.[a-z]/i.test(address));
}

/** A worktree has its own HEAD, and shares the rest with its repository. */
async function sharedFolder({ gitFolder }: Repository): Promise<string> {
  return resolve(gitFolder, (await textOf(join(gitFolder, "commondir"))) ?? ".");
}

/** The branch that a symbolic ref points to; undefined for a commit. */
async function branchIn(path: string, prefix: string): Promise<string | undefined> {
  const ref = /^ref: (\S+)$/.exec((await textOf(path)) ?? "")?.[1];
  return ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
}

/** How long a command that was asked to stop may take to clean up, in ms. */
const STOP_MS = 5_000;

/** These settings override any configuration of the repository. */
const SAFE = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "safe.bareRepository=explicit"].flatMap(
  (setting) => ["-c", setting],
);

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  /** What `stdout` is in bytes: a file need not be text. */
  readonly bytes: Uint8Array;
  readonly stderr: string;
}

export interface GitRun {
  /** Absolute path of the working folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longest time, in ms. */
  readonly timeoutMs: number;
  readonly input?: string | Uint8Array;
}

/** The commands that run now. Each has its own group of processes. */
const running = new Set<ChildProcess>();

/** How long git may take to clean up when the process ends, in ms. */
const LAST_MS = 200;

/** Ends every command that still runs, with its children. For the end of the process: blocks it for a moment. */
export function endGit(): void {
  const children = [...running];
  running.clear();
  if (children.length === 0) return;
  for (const child of children) stopGroup(child, "SIGTERM");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_MS);
  for (const child of children) stopGroup(child, "SIGKILL");
}

/** Runs a command to its end, whatever the result. Undefined if git is not installed. */
export async function runGit(
  args: readonly string[],
  { folder, env, timeoutMs, input = "" }: GitRun,
): Promise<GitResult | undefined> {
  // Only here, because every run loads this file, and few run git.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn("git", ["-C", folder, ...SAFE, ...args], {
    // Windows searches the current folder first for programs, and the checkout may contain a git.exe.
    cwd: dirname(process.execPath),
    // git must never prompt, and its messages must be the English ones.
    env: { ...env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
    // A cancelled job interrupts all its processes, but a push of completed work must continue.
    detached: true,
  });
  if (running.size === 0) process.once("exit", endGit);
  running.add(child);
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
  child.stdout.on("data", (part: Uint8Array) => stdout.push(part));
  child.stderr.on("data", (part: Uint8Array) => stderr.push(part));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const end = await endOf(child, timeoutMs);
  if (end === undefined) return undefined;
  const said = [decoded(stderr), end.why].filter((each) => each !== undefined).join("\n");
  const bytes = Buffer.concat(stdout);
  return { code: end.code, stdout: bytes.toString("utf8"), bytes, stderr: said };
}

interface End {
  readonly code: number;
  /** Why plancast ended it, if it did not end on its own. */
  readonly why?: string;
}

function endOf(child: ChildProcess, timeoutMs: number): Promise<End | undefined> {
  let isLate = false;
  const term = setTimeout(() => {
    isLate = true;
    stopGroup(child, "SIGTERM");
  }, timeoutMs);
  const kill = setTimeout(() => stopGroup(child, "SIGKILL"), timeoutMs + STOP_MS);
  return new Promise<End | undefined>((resolve) => {
    child.once("error", () => resolve(undefined));
    child.once("close", (code, signal) => {
      if (isLate)
        resolve({ code: code || 1, why: `it had not ended after ${timeoutMs / 1000} s and was stopped` });
      else if (signal !== null) resolve({ code: 1, why: `it was ended by ${signal}` });
      else resolve({ code: code ?? 1 });
    });
  }).finally(() => {
    clearTimeout(term);
    clearTimeout(kill);
    running.delete(child);
    if (running.size === 0) process.off("exit", endGit);
  });
}

/** This also ends its children. Usually the remote helper hangs, and it would keep git's output open. */
function stopGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function decoded(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("utf8");
}

/** Longest time for an answer about a checkout, in ms. */
const ANSWER_MS = 30_000;

/** Asks about the files of a repository. Undefined if git is not installed. */
export function askGit(
  args: readonly string[],
  folder: string,
  { root, gitFolder }: Repository,
): Promise<GitResult | undefined> {
  const place = [`--git-dir=${gitFolder}`, `--work-tree=${root}`];
  return runGit([...place, ...args], { folder, env: gitEnvironment(), timeoutMs: ANSWER_MS });
}

/** The texts of a file between which git found a conflict. */
export interface ConflictingTexts {
  /** Blank if both sides added the file. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * The versions of a file in a merge, rebase or cherry-pick that stopped. Undefined if git knows no conflict in the file,
 * or if one side removed it.
 * @param root of the project, with links resolved
 * @param file relative to it
 */
export async function conflictingTexts(root: string, file: string): Promise<ConflictingTexts | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) return undefined;
  const [base, ours, theirs] = await Promise.all(
    [1, 2, 3].map(async (stage) => {
      const ran = await askGit(["cat-file", "blob", `:${stage}:./${file}`], root, repository);
      return ran?.code === 0 ? ran.stdout : undefined;
    }),
  );
  return ours === undefined || theirs === undefined ? undefined : { base: base ?? "", ours, theirs };
}

/** The id that git gives to this content. @param like another id, made with the same hash */
export function blobId(bytes: Uint8Array, like = ""): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Puts git's conflict markers into the first of three files, as git does without a merge driver. */
export async function markConflict(ours: string, base: string, theirs: string): Promise<void> {
  await runGit(["merge-file", "-L", "ours", "-L", "base", "-L", "theirs", "--", ours, base, theirs], {
    folder: dirname(ours),
    env: gitEnvironment(),
    timeoutMs: ANSWER_MS,
  });
}

/** Removes variables that make git use another repository or run other programs. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  // Where objects are missing, some versions would fetch them, with the program that the repository names.
  const local = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  return { ...Object.fromEntries(kept), ...local };
}
