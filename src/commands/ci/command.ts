/** `plancast ci`: what the GitHub Action runs. The steps are in run.ts, comment.ts and lockfile.ts. */

import type { Argv } from "yargs";
import { type FlagsOf, type GlobalFlags, defineCommand } from "../shell/command.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("step", {
      choices: ["run", "comment", "lockfile"] as const,
      demandOption: true,
      describe:
        "run: validate, plan or apply. comment: show the result on the pull request. lockfile: commit the lockfile",
    })
    .example("$0 ci run", "In a job, with inputs as INPUT_… variables");

type CiFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<CiFlags>({
  flags: defineFlags,
  run: async ({ flags, shell, console }) => {
    if (flags.step === "lockfile") {
      const { ciLockfile } = await import("./lockfile.ts");
      return ciLockfile(flags, shell, console);
    }
    if (flags.step === "comment") {
      const { ciComment } = await import("./comment.ts");
      return ciComment(shell, console);
    }
    const { ciRun } = await import("./run.ts");
    return ciRun(flags, shell, console);
  },
});
