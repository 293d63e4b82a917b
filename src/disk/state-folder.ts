/**
 * The folder for the state of this machine: journal, locks, caches, the embedded service's store. All code that uses it
 * needs a StateFolder, and the only way to get one checks that nothing in the folder comes from a checkout. State that
 * comes with a checkout was written by others, even if git ignores the folder.
 */

import type { Dirent } from "node:fs";
import { join, relative } from "node:path";
import { Failure, errorCode } from "../model/failure.ts";
import { readdir, realpath } from "./machine.ts";
import { Place, statsOf, isSpellingOf } from "./place.ts";
import { type GitResult, type Repository, askGit, findRepository, readIfFile, textOf } from "./git.ts";

/** Its name in the project; never committed. */
export const STATE_FOLDER = ".plancast";

/** The state folder of a project, which need not exist yet. */
export class StateFolder extends Place {
  /** Only for `openStateFolder`. */
  static at(root: string): StateFolder {
    return new StateFolder(join(root, STATE_FOLDER));
  }

  /** How messages name a file in it, such as `.plancast/run.lock`. */
  nameOf({ path }: Place): string {
    return `${STATE_FOLDER}/${relative(this.path, path)}`;
  }
}

/**
 * The state folder of the project in this folder. Throws a Failure if git tracks something in it, or if it holds
 * anything but real files and folders.
 */
export async function openStateFolder(root: string): Promise<StateFolder> {
  const real = await realpath(root);
  const folder = StateFolder.at(real);
  const found = await statsOf(folder.path);
  if (found === undefined) return folder;
  if (!found.isDirectory() && !found.isFile()) throw notOurs(STATE_FOLDER, found.isSymbolicLink());
  if (!(await readdir(real)).includes(STATE_FOLDER)) throw otherCase();
  await refuseTracked(real, STATE_FOLDER);
  if (found.isFile()) throw notAFolder();
  await refuseStrange(folder.path, folder);
  return folder;
}

/** Checks a folder. Throws for the first entry that is neither a file nor a folder. */
async function refuseStrange(path: string, top: StateFolder): Promise<void> {
  for (const entry of await entriesOf(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await refuseStrange(inner, top);
    else if (!entry.isFile()) throw notOurs(top.nameOf(Place.checked(inner)), entry.isSymbolicLink());
  }
}

/** Another process may have just removed a folder. */
async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function notOurs(name: string, isLink: boolean): Failure {
  return new Failure(
    "disk/state-unsafe",
    `${name} is ${isLink ? "a symbolic link" : "not a file or a folder"}. plancast did not make it, and does not use it.`,
    `Remove ${name}, then run again.`,
  );
}

function notAFolder(): Failure {
  return new Failure(
    "disk/state-unsafe",
    `${STATE_FOLDER} is a file. plancast keeps its state in a folder with this name.`,
    `Remove ${STATE_FOLDER}, then run again.`,
  );
}

function otherCase(): Failure {
  return new Failure(
    "disk/state-unsafe",
    `The name of the folder ${STATE_FOLDER} differs in upper and lower case. plancast did not make it, and does not use it.`,
    "Remove that folder, then run again.",
  );
}

// Whether git tracks the folder. The bytes of git's index nearly always show that it does not. Otherwise, git is asked.

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
async function refuseTracked(root: string, name: string): Promise<void> {
  const repository = await findRepository(root);
  if (repository === undefined || (await isSurelyUntracked(repository.gitFolder))) return;
  const tracked = await listTracked(root, repository);
  if (tracked.some((path) => isSpellingOf(name, firstName(path)))) throw stateTracked(name);
}

/** Source: git's documentation, gitformat-index. */
const SIGNATURE = "DIRC";
const VERSION_AT = 4;
/** These versions store whole names. Later versions leave out the part that a name shares with the previous name. */
const PLAIN_VERSIONS = [2, 3];
/** Signs that an index keeps some names in another index, or lists only folders. */
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
async function listTracked(root: string, repository: Repository): Promise<readonly string[]> {
  const ran = await askGit(["ls-files", "--cached", "-z"], root, repository);
  // If the index names a folder without its files, and its list of files is missing, git leaves the folder out and
  // only prints a message.
  if (ran?.code !== 0 || /^(?:error|fatal): /m.test(ran.stderr)) throw unanswered(ran);
  return ran.stdout.split("\0");
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
