/** `plancast watch`: the flags. run.ts does the work and is loaded on demand. */

import { FORMAT_OPTION, defineCommand, switchOption, textOption } from "../shell/command.ts";

export const command = defineCommand({
  flags: {
    once: switchOption("Look once and end. This is the default, for cron and systemd timers"),
    every: textOption("Keep running, and look again after this time, such as 15m", "TIME"),
    format: FORMAT_OPTION,
  },
  examples: [
    ["watch", "Look once, and send what is new; exit with 1 if somebody must do something"],
    ["watch --all", "Look at every project here and below"],
  ],
  run: async (run) => (await import("./run.ts")).watch(run),
  forAll: { single: ["every"] },
});
