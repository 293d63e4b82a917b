/** `plancast hold`: the flags. run.ts does the work and is loaded on demand. */

import {
  FORMAT_OPTION,
  ONLY_OPTION,
  YES_OPTION,
  defineCommand,
  switchOption,
  textOption,
} from "../shell/command.ts";

export const command = defineCommand({
  flags: {
    only: { ...ONLY_OPTION, describe: "Hold only matching rows, such as client=acme or campaign=spring" },
    until: textOption("Hold until this time, such as 2027-03-01 or 2027-03-01 18:00", "TIME"),
    reason: textOption("Why the posts must not go out", "TEXT"),
    later: switchOption("Only note the hold; the next apply cancels the posts"),
    yes: YES_OPTION,
    format: FORMAT_OPTION,
  },
  examples: [
    ['hold --reason "Server down"', "Stop everything of this project, until plancast release"],
    ["hold --only campaign=spring --until 2037-03-01 --reason Recall", "Stop a campaign for some time"],
    ['hold --all --reason "Day of mourning"', "Stop all projects here and below"],
  ],
  run: async (run) => (await import("./run.ts")).runHold(run),
  forAll: { single: [] },
});
