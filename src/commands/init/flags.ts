/** The arguments of `plancast init`. */

import type { Argv } from "yargs";
import type { FlagsOf } from "../shell/command.ts";
import { type GlobalFlags, YES_OPTION, namePositional, switchOption, textOption } from "../shell/flags.ts";

export const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("path", namePositional("A calendar that you already have, or a folder for the project"))
    .option(
      "timezone",
      textOption("Time zone of the team, such as Europe/Paris (default: this machine's)", "ZONE"),
    )
    .option("template", {
      choices: ["csv", "xlsx"] as const,
      default: "csv" as const,
      requiresArg: true,
      describe: "Format of the sample calendar",
    })
    .option("sample", {
      type: "boolean",
      default: true,
      describe: "Write a sample calendar; --no-sample for none",
    })
    .option("publish", switchOption("Publish on your own accounts from GitHub, without a service"))
    .option("yes", {
      ...YES_OPTION,
      alias: "y",
      describe: "Ask no questions: write what is certain, and list the rest",
    })
    .example("$0 init", "Write plancast.yaml, a sample calendar and a workflow")
    .example("$0 init content-plan.xlsx", "Start with your own calendar")
    .example("$0 init --publish", "Publish from GitHub, without a service");

export type InitFlags = FlagsOf<typeof defineFlags>;
