/**
 * --all: runs a command for every project below a folder, one after the other. Each run reads its own project, key and
 * lockfile, and takes its own lock, as if somebody had started it in the project's folder. A failed project does not
 * stop the others. The Action runs several projects in the same way.
 */

import { dirname, relative, resolve, sep } from "node:path";
import { type SharedCalendar, findProjects, findSharedCalendars } from "../../calendars/find-projects.ts";
import { readProject, readUsableLockfile } from "../../calendars/project.ts";
import { stat } from "../../disk/machine.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Lockfile, ownersIn } from "../../model/lockfile.ts";
import { clipped } from "../../model/text.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import {
  type ProjectResult,
  projectHeading,
  projectHeadingMarkdown,
  projectsCsv,
  projectsDocument,
  projectsSummary,
} from "../../report/several-projects.ts";
import { SharedLists } from "../../service/connect/reused-answers.ts";
import type { AnyFlags, Command, GlobalFlags, Run } from "./command.ts";
import { type Console, openConsole } from "./console.ts";
import { reportError } from "./report-problems.ts";
import type { ExitCode, Shell, TextStream } from "./shell.ts";

type AllFlags = GlobalFlags & AnyFlags;

/** The turn of one project in a run for several. */
interface ProjectTurn {
  /** Its folder, relative to the working folder, with `/`. */
  readonly project: string;
  /** Absolute path of its plancast.yaml. */
  readonly file: string;
  /** Its output, below its name. */
  readonly console: Console;
  readonly lists: SharedLists;
  /**
   * Throws a Failure if another project has one of its calendars, or one of its posts: both would publish or cancel the
   * same posts.
   */
  readonly checkShared: () => void;
}

/** Runs the command once, and reports what ends it. */
type RunOne = (given: Command, run: Run<AnyFlags>) => Promise<ExitCode>;

/** The exit codes, the worst first. */
const WORST_FIRST: readonly ExitCode[] = [130, 3, 1, 2, 0];

/** @param all values of --all: folders, relative to the working folder; none for that folder */
export async function runForAll(
  given: Command,
  all: readonly string[],
  { flags, shell, console }: Run<AnyFlags>,
  runOne: RunOne,
): Promise<ExitCode> {
  try {
    refuseOneProjectsSettings(given, flags, shell);
    const files = await projectFiles(all, shell);
    const results = await runInTurn(files, files, { flags, shell }, (turn) => {
      const { project, file, checkShared, ...run } = turn;
      const own = { ...flags, config: file, ...given.forAll?.flagsFor?.(project, flags) };
      const command: Command = {
        ...given,
        run: async (started) => {
          checkShared();
          return given.run(started);
        },
      };
      return runOne(command, { flags: own, shell, ...run });
    });
    if (flags.format === "json") console.json(projectsDocument(results));
    else if (isCsv(flags)) console.result(projectsCsv(results));
    else console.note(projectsSummary(results, console.errorStyle));
    return worst(results);
  } catch (error) {
    const problems = reportError(error, console);
    if (flags.format === "json")
      console.json({ version: 1, projects: [], problems: problems.map(problemDocument) });
    return shell.stop.aborted ? 130 : 1;
  }
}

/**
 * Gives each project its turn. After the run was stopped, the others get none.
 * @param files absolute paths of each plancast.yaml to run
 * @param all those of all projects, which may have the same calendars
 * @param work never throws
 */
export async function runInTurn(
  files: readonly string[],
  all: readonly string[],
  { flags, shell }: { readonly flags: AllFlags; readonly shell: Shell },
  work: (turn: ProjectTurn) => Promise<ExitCode>,
): Promise<readonly ProjectResult[]> {
  const [calendars, posts] = [await findSharedCalendars(all), await findSharedPosts(all)];
  const results: ProjectResult[] = [];
  const lists = new SharedLists(shell.clock);
  for (const file of files) {
    const project = nameIn(shell.cwd, dirname(file));
    const output = new ProjectOutput(project, flags, shell, results.length === 0);
    const checkShared = (): void => {
      refuseSharedCalendar(calendars.get(file), shell.cwd);
      refuseSharedPost(posts.get(file), shell.cwd);
    };
    const exitCode = shell.stop.aborted
      ? undefined
      : await work({ project, file, console: output.open(), lists, checkShared });
    results.push({ project, exitCode, document: output.document, csv: output.csv });
  }
  return results;
}

/** Relative to the working folder, with `/`. */
function nameIn(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join("/") || ".";
}

function refuseSharedCalendar(twice: SharedCalendar | undefined, cwd: string): void {
  if (twice === undefined) return;
  const { calendar, other } = twice;
  throw new Failure(
    "project/shared-calendar",
    `${nameIn(cwd, calendar)} is also a calendar of the project ${nameIn(cwd, other)}, so its posts would be published twice.`,
    "Leave it out of one project, for example with `!clients/**` under `calendars:`.",
  );
}

function refuseSharedPost(twice: SharedPost | undefined, cwd: string): void {
  if (twice === undefined) return;
  const { postId, other } = twice;
  throw new Failure(
    "lockfile/shared-post",
    `The lockfile of the project ${nameIn(cwd, dirname(other))} also names the post ${clipped(postId)}. Each of the two projects could cancel it.`,
    "Remove the entry from the lockfile of the project that did not make the post. If you copied a project, run `plancast lockfile forget` in the copy.",
  );
}

/** A project that was not started counts as interrupted. */
export function worst(results: readonly Pick<ProjectResult, "exitCode">[]): ExitCode {
  return WORST_FIRST.find((code) => results.some(({ exitCode = 130 }) => exitCode === code)) ?? 0;
}

/** Throws a Failure for what names one project, one service or one key: no project may get what belongs to another. */
function refuseOneProjectsSettings({ forAll }: Command, flags: AllFlags, shell: Shell): void {
  const single = ["config", "api-key-file", ...(forAll?.single ?? [])];
  const name = single.find((each) => isGiven(flags[each]));
  if (name !== undefined)
    throw new Failure(
      "usage/arguments",
      name === "calendar"
        ? "You cannot name calendars with --all: each belongs to one project."
        : `You cannot combine --all and --${name}, which is for one project.`,
      name === "calendar"
        ? "To name the folder with the projects, write it after --all, as in `--all clients`."
        : "Run the command in the folder of the project, without --all.",
    );
  refuseOneAddress(shell, "--all runs");
}

/** Throws a Failure if the environment names one address for all. @param who runs several projects */
export function refuseOneAddress({ env }: Pick<Shell, "env">, who: string): void {
  if (env["PLANCAST_BASE_URL"])
    throw new Failure(
      "service/one-address",
      `PLANCAST_BASE_URL is the address of one service, but ${who} several projects. Nothing was sent.`,
      "Unset it, and set service.url in each plancast.yaml. To confirm the addresses, set PLANCAST_TRUSTED_ORIGINS to pairs such as https://api.example.com=ACME_KEY.",
    );
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** Each once. A shell that expands `clients/*` also names the files there. */
async function projectFiles(all: readonly string[], shell: Shell): Promise<readonly string[]> {
  const files: string[] = [];
  for (const folder of all.length === 0 ? [""] : all)
    files.push(...(await projectFilesIn(folder, all.length > 1, shell)));
  return [...new Set(files)];
}

async function projectFilesIn(
  all: string,
  isOneOfSeveral: boolean,
  { cwd }: Shell,
): Promise<readonly string[]> {
  const folder = resolve(cwd, all);
  const found = await stat(folder).catch(() => undefined);
  if (isOneOfSeveral && found?.isFile() === true) return [];
  if (found?.isDirectory() !== true)
    throw new Failure("usage/arguments", `${all} is not a folder.`, "Name a folder after --all.");
  const files = await findProjects(folder);
  if (files.length > 0) return files;
  throw new Failure(
    "project/not-found",
    `There is no plancast.yaml in ${all === "" ? "this folder" : all}, or in any folder below.`,
    "Name the folder with your projects after --all, or start a project with plancast init FOLDER.",
  );
}

/**
 * The output of one project, below its name. With JSON, keeps the document. On a terminal, the name is shown once. In
 * two files, it is in both, because each must be readable without the other.
 */
class ProjectOutput {
  readonly #project: string;
  readonly #flags: AllFlags;
  readonly #shell: Shell;
  readonly #isFirst: boolean;
  document: object | undefined;
  /** What it printed with `--format csv`. */
  csv = "";

  constructor(project: string, flags: AllFlags, shell: Shell, isFirst: boolean) {
    this.#project = project;
    this.#flags = flags;
    this.#shell = shell;
    this.#isFirst = isFirst;
  }

  open(): Console {
    const { stdout, stderr, isInteractive } = this.#shell;
    const isJson = this.#flags.format === "json";
    const isOneScreen = stdout.isTerminal && stderr.isTerminal && !isJson;
    const plain = openConsole(this.#shell, this.#flags);
    const heading = projectHeading(this.#project, plain.errorStyle);
    const errors = isOneScreen ? stderr : withHeading(stderr, heading, this.#isFirst);
    const isTable = isCsv(this.#flags);
    const keep = { ...stdout, write: (text: string) => void (this.csv += text) };
    if (!isJson && !isTable) plain.result(this.#resultHeading(plain));
    // A question must say which project it is about.
    if (isInteractive) errors.write("");
    const output = isTable ? keep : stdout;
    return openConsole({ ...this.#shell, stdout: output, stderr: errors }, this.#flags, (document) => {
      this.document = document;
    });
  }

  #resultHeading({ style }: Console): string {
    const blank = this.#isFirst ? "" : "\n";
    return this.#flags.format === "markdown"
      ? blank + projectHeadingMarkdown(this.#project)
      : blank + projectHeading(this.#project, style);
  }
}

/** The tables of all projects become one. */
function isCsv({ format }: AllFlags): boolean {
  return format === "csv" || format === "csv-posts";
}

/** The stream with a heading before its first text. */
function withHeading(stream: TextStream, heading: string, isFirst: boolean): TextStream {
  let left = isFirst ? heading : `\n${heading}`;
  return {
    write: (text) => {
      stream.write(left + text);
      left = "";
    },
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
  };
}

/** A post that two projects name. */
interface SharedPost {
  readonly postId: string;
  /** Absolute path of the other project's plancast.yaml. */
  readonly other: string;
}

/**
 * For each plancast.yaml: a post of its lockfile that another project has, too, if there is one.
 * @param files absolute paths of every plancast.yaml
 */
async function findSharedPosts(files: readonly string[]): Promise<ReadonlyMap<string, SharedPost>> {
  const shared = new Map<string, SharedPost>();
  const first = new Map<string, string>();
  for (const file of files) {
    for (const [postId, mark] of await postsOf(file)) {
      const other = first.get(mark);
      if (other === undefined) first.set(mark, file);
      else if (other !== file) {
        if (!shared.has(other)) shared.set(other, { postId, other: file });
        if (!shared.has(file)) shared.set(file, { postId, other });
      }
    }
  }
  return shared;
}

/** Ids, each with a mark that is equal for the same post. Empty if the project is broken: its own run says why. */
async function postsOf(file: string): Promise<readonly (readonly [id: string, mark: string])[]> {
  const lockfile = await lockfileOf(file);
  // Only a server has the posts of several projects. Each project has its own embedded service and its own schedule.
  if (lockfile === undefined || !/^https?:/.test(lockfile.origin)) return [];
  return [...ownersIn(lockfile).keys()].map((id) => [id, JSON.stringify([lockfile.origin, id])] as const);
}

async function lockfileOf(file: string): Promise<Lockfile | undefined> {
  try {
    return await readUsableLockfile(await readProject(file));
  } catch (error) {
    if (error instanceof Failure || error instanceof ProjectProblems) return undefined;
    throw error;
  }
}
