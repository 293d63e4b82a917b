/** `plancast plan --watch`: plans again as files are saved. What cannot be planned is told, and ends nothing. */
import { Failure } from "../calendar/failure.ts";
import { projectFolders, usedFiles } from "../live/project-folders.ts";
import { repeatOnSave } from "../live/repeat-on-save.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { explain } from "./explain.ts";
import { projectFolder } from "./load-project.ts";
import { planOnce, type PlanFlags } from "./plan.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** Clears a terminal and what it scrolled away; ECMA-48 and xterm. */
const CLEAR = "\u001B[2J\u001B[3J\u001B[H";

export async function watchPlan(
  flags: GlobalFlags & PlanFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  if (flags.out !== undefined || flags.format !== "text" || flags["detailed-exitcode"]) {
    throw new Failure(
      "usage/arguments",
      "--watch is for people: it goes with no --out, --format or --detailed-exitcode.",
      "Leave out --watch, or the others.",
    );
  }
  const root = await projectFolder(flags, shell);
  let folders: Iterable<string> = [root];
  const work = async (): Promise<Iterable<string>> => {
    // In a log each plan stays.
    if (shell.stdout.isTerminal) shell.stdout.write(CLEAR);
    try {
      const { project, checked } = await planOnce(flags, shell, console);
      folders = await projectFolders(project, usedFiles(checked));
    } catch (error) {
      if (shell.stop.aborted) return folders;
      explain(error, console);
    }
    console.note("\nPlans again when a file is saved; Ctrl-C ends that.\n");
    return folders;
  };
  await repeatOnSave([root], work, shell.stop);
  return 0;
}
