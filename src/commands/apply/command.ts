import type { LockOptions } from "../../sync/state/run-lock.ts";
import { command } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import {
  type GlobalFlags,
  type OnlyFlag,
  type RefreshFlag,
  ONLY_OPTION,
  REFRESH_OPTION,
  calendarsPositional,
  formatOption,
  wholeNumber,
} from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { ReportApply } from "./report.ts";

/** What is applied, and how it is told. */
export interface ApplyOptions extends OnlyFlag, RefreshFlag {
  readonly calendar: string[];
  readonly plan: string | undefined;
  readonly yes: boolean;
  readonly format: "text" | "json" | "markdown";
  readonly "allow-cancels": number | undefined;
}

interface ApplyFlags extends ApplyOptions {
  readonly "lock-timeout": string;
}

/** What a run of apply has around it. */
export interface ApplyContext {
  readonly shell: Shell;
  readonly console: Console;
  readonly lockOptions: LockOptions;
  /** Says what became of the plan, and what the run ends with; the usual report unless given. */
  readonly report: ReportApply | undefined;
}

export const applyCommand = command<ApplyFlags>({
  command: "apply [calendar..]",
  describe: "Upload, create and cancel until the service matches the calendars",
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("apply"))
      .option("only", ONLY_OPTION)
      .option("refresh-media", REFRESH_OPTION)
      .option("plan", {
        type: "string",
        requiresArg: true,
        describe: "Apply just the plan that plan --out saved",
      })
      .option("yes", {
        alias: ["y", "auto-approve"],
        type: "boolean",
        default: false,
        describe: "Do not ask",
      })
      .option("format", formatOption("json", "markdown"))
      .option("allow-cancels", {
        type: "string",
        requiresArg: true,
        describe: "Allow exactly so many cancels",
        coerce: wholeNumber,
      })
      .option("lock-timeout", {
        type: "string",
        default: "0s",
        requiresArg: true,
        describe: "Wait so long for another run, e.g. 5m",
      })
      .example("$0 apply", "Shows the plan, asks, then applies it")
      .example("$0 apply --yes", "Applies without asking, as in CI")
      .example("$0 apply --plan plan.json --yes", "Applies what was reviewed, or refuses"),
  run: (flags, shell, console) => apply(flags, shell, console),
  printFailed: async (_problems, format, console) => {
    await printNothingDone(format, console);
  },
});

async function apply(flags: GlobalFlags & ApplyFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { lockDeadline } = await import("../../sync/state/run-lock.ts");
  const { clock, stop } = shell;
  const until = lockDeadline(flags["lock-timeout"], clock);
  const note = (text: string): void => console.note(text);
  const patience = { command: "apply", canWait: true, until, clock, stop, note };
  return applyLocked(flags, { shell, console, lockOptions: patience, report: undefined });
}

/** Applies as whoever asks for it: a command of its own, or a step of another. */
export async function applyLocked(
  flags: GlobalFlags & ApplyOptions,
  surroundings: ApplyContext,
): Promise<ExitCode> {
  const { shell, console, lockOptions: patience } = surroundings;
  const { acquireRunLock } = await import("../../sync/state/run-lock.ts");
  const { applyPlanned } = await import("./run.ts");
  const { loadProject } = await import("../shared/project.ts");
  const project = await loadProject(flags, shell);
  const lock = await acquireRunLock(project.root, patience);
  try {
    const exit = await applyPlanned(project, flags, surroundings);
    if (exit === "nothing-done") await printNothingDone(flags.format, console);
    return exit === "nothing-done" ? 1 : exit;
  } finally {
    await lock.release();
  }
}

async function printNothingDone(format: string | undefined, console: Console): Promise<void> {
  if (format === "json") {
    const { applyDocument } = await import("../../report/outcomes/apply-summary.ts");
    console.json(applyDocument(undefined));
  }
  if (format === "markdown") {
    const { NOTHING_APPLIED } = await import("../../report/outcomes/apply-markdown.ts");
    console.result(NOTHING_APPLIED);
  }
}
