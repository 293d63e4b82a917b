/** `plancast ci`: what the GitHub Action runs. The steps are in run.ts, comment.ts and lockfile.ts. */

import { defineCommand } from "../shell/command.ts";

export const command = defineCommand({
  flags: {
    step: {
      isPositional: true,
      choices: ["run", "comment", "lockfile", "merge"],
      demandOption: true,
      describe:
        "run: what the input says. comment: show the result on the pull request. lockfile: commit the lockfile. merge: merge what a fetch brought",
    },
  },
  examples: [["ci run", "In a job, with inputs as INPUT_… variables"]],
  run: async ({ flags, shell, console }) => {
    if (flags.step === "lockfile") {
      const { ciLockfile } = await import("./lockfile.ts");
      return ciLockfile(flags, shell, console);
    }
    if (flags.step === "merge") {
      const { ciMerge } = await import("./merge.ts");
      return ciMerge(shell, console);
    }
    if (flags.step === "comment") {
      const { ciComment } = await import("./comment.ts");
      return ciComment(shell, console);
    }
    const { ciRun } = await import("./run.ts");
    return ciRun(flags, shell, console);
  },
});
