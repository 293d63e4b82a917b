/**
 * The commands as an assistant runs them: one after the other, always for the project in which the server was started,
 * and with nobody to ask. Their output goes into the answer, because stdout belongs to the protocol.
 */

import { basename, join } from "node:path";
import { PROJECT_FILE } from "../../calendars/project.ts";
import { realpath } from "../../disk/machine.ts";
import { Failure } from "../../model/failure.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import { loadProject, projectFolder } from "../project/project.ts";
import type { Run } from "../shell/command.ts";
import { openConsole } from "../shell/console.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode, Shell, TextStream } from "../shell/shell.ts";

/** The result of a command. */
export interface Ran {
  readonly exit: ExitCode;
  /** Code of the error that ended it. */
  readonly error: string | undefined;
  /** Its JSON document, or its text. */
  readonly document: object;
}

export class Session {
  /** Folder of the project, absolute, with links resolved. It never changes. */
  readonly root: string;
  /** Name of plancast.yaml. */
  readonly projectFile: string;
  readonly #run: Run;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(run: Run, root: string, projectFile: string) {
    this.#run = run;
    this.root = root;
    this.projectFile = projectFile;
  }

  /** Throws a Failure if there is no project. A mistake in plancast.yaml is an answer of the tools: it can be fixed. */
  static async open(run: Run): Promise<Session> {
    const { flags, shell } = run;
    const folder = await projectFolder(flags, shell);
    // Without the folder, reading the project says what is wrong.
    const root = await realpath(folder).catch(async () => (await loadProject(flags, shell)).root);
    return new Session(run, root, basename(flags.config ?? PROJECT_FILE));
  }

  /** Does work after all earlier work has ended, so that two tools never mix. @param stop aborts the work */
  run(stop: AbortSignal, work: (run: Run) => Promise<ExitCode>): Promise<Ran> {
    const ran = this.#last.then(() => this.#runNow(stop, work));
    this.#last = ran.catch(() => undefined);
    return ran;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    await this.#last;
  }

  /** A new random mark for texts that are data. */
  mark(): string {
    return Buffer.from(this.#run.shell.randomBytes(12)).toString("hex");
  }

  async #runNow(stop: AbortSignal, work: (run: Run) => Promise<ExitCode>): Promise<Ran> {
    const { flags: given, shell: outer, ...rest } = this.#run;
    const flags = {
      ...given,
      config: join(this.root, this.projectFile),
      color: false,
      quiet: false,
      verbose: false,
    };
    const [stdout, stderr] = [new TextBuffer(), new TextBuffer()];
    const shell: Shell = {
      ...outer,
      stdout,
      stderr,
      cwd: this.root,
      stop: AbortSignal.any([outer.stop, stop]),
      isInteractive: false,
      answered: new Map(),
      confirm: async () => false,
      ask: async () => undefined,
    };
    let document: object | undefined;
    const console = openConsole(shell, flags, (made) => (document = made));
    try {
      await this.#checkFolder();
      const exit = await work({ ...rest, flags, shell, console });
      const text = stdout.text + stderr.text;
      const hasProblems = document !== undefined && "problems" in document;
      const messages = hasProblems || text === "" ? {} : { messages: text };
      return { exit, error: undefined, document: { ...document, ...messages } };
    } catch (error) {
      const problems = shell.stop.aborted ? [] : reportError(error, console).map(problemDocument);
      const code = problems[0]?.code ?? "interrupted";
      return { exit: shell.stop.aborted ? 130 : 1, error: code, document: { ...document, problems } };
    }
  }

  /** A link in the place of the folder could lead into another project. */
  async #checkFolder(): Promise<void> {
    const now = await realpath(this.root).catch(() => undefined);
    if (now === this.root) return;
    throw new Failure(
      "mcp/moved",
      "The folder of the project was moved or replaced while `plancast mcp` ran.",
      "Start `plancast mcp` again in the folder of the project.",
    );
  }
}

/** Not a terminal: its text is for a program. */
class TextBuffer implements TextStream {
  text = "";
  readonly isTerminal = false;
  readonly columns = 100;

  write(text: string): void {
    this.text += text;
  }
}
