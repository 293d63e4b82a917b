import type { Command, GlobalFlags } from "./command.ts";
import { openConsole } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { unlessStalled } from "./stalled.ts";

/** Runs a command; what it throws is told, and ends it with 1. */
export async function runCommand<Flags>(
  given: Command<Flags>,
  flags: GlobalFlags & Flags & { readonly format?: string | undefined },
  shell: Shell,
): Promise<ExitCode> {
  const console = openConsole(shell, flags);
  try {
    return await unlessStalled(given.run(flags, shell, console));
  } catch (error) {
    if (shell.stop.aborted) {
      console.alert("Interrupted.\n");
      await given.printFailed?.([], flags.format, console);
      return 130;
    }
    const { reportError: explain } = await import("./explain.ts");
    const problems = explain(error, console);
    await given.printFailed?.(problems, flags.format, console);
    return 1;
  }
}
