/** `plancast ci`: what the GitHub Action runs. The steps are in run.ts and lockfile.ts. */

import type { Argv } from "yargs";
import { type FlagsOf, defineCommand } from "../common/command.ts";
import type { GlobalFlags } from "../common/flags.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("step", {
      choices: ["run", "lockfile"] as const,
      demandOption: true,
      describe: "What to do. run validates, plans or applies, lockfile commits the lockfile",
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
    const { ciRun } = await import("./run.ts");
    return ciRun(flags, shell, console);
  },
});
