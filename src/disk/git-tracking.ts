/**
 * Whether git tracks the state folder of a project. State that comes with a checkout was written by others, even if the
 * folder is ignored. The bytes of git's index nearly always show that the folder is not tracked; otherwise plancast
 * asks git.
 */

import { join } from "node:path";
import { Failure, errorCode } from "../model/failure.ts";
import { type Repository, findRepository, readIfFile, textOf } from "./find-repository.ts";
import { isSpellingOf } from "./folder-names.ts";
import { type GitResult, runGit } from "./run-git.ts";

/** Longest time for git's answer, ms. */
const TIMEOUT_MS = 30_000;

/**
 * Matches an index that may contain a spelling of `.plancast`: the letters with invisible characters between
 * them, a ligature at the end, or a short name of Windows. Each byte of UTF-8 is one character.
 */
const INVISIBLE = String.raw`(?:\xc2\xad|\xcd\x8f|\xd8\x9c|[\xe1-\xe3\xef][\x80-\xbf]{2}|[\xf0\xf3][\x80-\xbf]{3})*`;
const LETTERS = [".", "p", "l", "a", "n", "c", "a"].map((letter) => letter.replace(".", String.raw`\.`));
const END = String.raw`(?:(?:s|\xc5\xbf)${INVISIBLE}t|\xef\xac[\x85\x86])`;
const MAY_BE_IN_INDEX = new RegExp(`${[...LETTERS, END].join(INVISIBLE)}|pl[a-f0-9]{4}~|planca~`, "i");

/**
 * Throws a Failure if git tracks something in the project's state folder, or if that is unknown.
 * @param root of the project, with links resolved
 */
export async function refuseTracked(root: string, name: string): Promise<void> {
  const repository = await findRepository(root);
  if (repository === undefined || (await isSurelyUntracked(repository.gitFolder))) return;
  const tracked = await listTracked(root, repository);
  if (tracked.some((path) => isSpellingOf(name, firstName(path)))) throw stateTracked(name);
}

/** Source: git's documentation, gitformat-index. */
const SIGNATURE = "DIRC";
const VERSION_AT = 4;
/** These versions have whole names. Later ones leave out what a name shares with the previous one. */
const PLAIN_VERSIONS = [2, 3];
/** Marks of an index that keeps some names elsewhere (in another index), or only the names of folders. */
const PARTIAL_INDEX = /link\0|sdir\0/;

/** Reads only the index. Returns false if only git can answer. */
async function isSurelyUntracked(gitFolder: string): Promise<boolean> {
  let bytes: Buffer;
  try {
    bytes = await readIfFile(join(gitFolder, "index"));
  } catch (error) {
    // A repository without commits and added files has no index.
    return errorCode(error) === "ENOENT" && (await textOf(join(gitFolder, "HEAD"))) !== undefined;
  }
  if (bytes.length < VERSION_AT + 4 || bytes.toString("latin1", 0, VERSION_AT) !== SIGNATURE) return false;
  if (!PLAIN_VERSIONS.includes(bytes.readUInt32BE(VERSION_AT))) return false;
  const text = bytes.toString("latin1");
  return !PARTIAL_INDEX.test(text) && !MAY_BE_IN_INDEX.test(text);
}

/** The first name of a path as git writes it. Windows splits at a backslash too. */
function firstName(path: string): string {
  return path.split(/[/\\]/, 1)[0] ?? "";
}

/** The tracked paths below a folder, relative to it. Throws a Failure if git does not answer. */
async function listTracked(root: string, { root: top, gitFolder }: Repository): Promise<readonly string[]> {
  const place = [`--git-dir=${gitFolder}`, `--work-tree=${top}`];
  const ran = await runGit([...place, "ls-files", "--cached", "-z"], {
    folder: root,
    env: gitEnvironment(),
    timeoutMs: TIMEOUT_MS,
  });
  // A folder that the index names without its files, and whose list of files is missing, is left out with a mere message.
  if (ran?.code !== 0 || /^(?:error|fatal): /m.test(ran.stderr)) throw unanswered(ran);
  return ran.stdout.split("\0");
}

/** Removes variables that make git use another repository or run other programs. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  // Where objects are missing, some versions would fetch them, with the program that the repository names.
  const local = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  return { ...Object.fromEntries(kept), ...local };
}

function stateTracked(name: string): Failure {
  return new Failure(
    "disk/state-tracked",
    `git tracks files in ${name}, which holds only this machine's state. plancast does not trust state that comes with a checkout.`,
    `If you did not make these files, delete the folder. Then run \`git rm -r --cached ${name}\`, and add \`${name}/\` to .gitignore.`,
  );
}

function unanswered(ran: GitResult | undefined): Failure {
  const why = ran === undefined ? "git cannot be run here" : ran.stderr.trim().split("\n", 1)[0];
  return new Failure(
    "disk/git-unreadable",
    `Cannot find out whether git tracks the project's state folder: ${why}.`,
    "Install git, and make the repository readable. If this is a copied submodule or worktree, its file .git points to a missing repository: delete that file.",
  );
}
