import { Failure } from "../../model/failure.ts";
import { defineCommand } from "../shared/command.ts";
import { ONLY_OPTION, calendarsPositional } from "../shared/flags.ts";
import type { CalendarFlags } from "./run.ts";

export const command = defineCommand<CalendarFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("show"))
      .option("only", ONLY_OPTION)
      .option("month", {
        type: "string",
        requiresArg: true,
        coerce: monthOf,
        describe: "Month to show, such as 2027-03; that of the next post if none",
      })
      .option("format", {
        choices: ["text", "ics"] as const,
        default: "text" as const,
        requiresArg: true,
        describe: "A month for the terminal, or all posts as iCalendar",
      })
      .option("out", { type: "string", requiresArg: true, describe: "Write it to a file" })
      .example("$0 calendar --month 2027-03", "Shows March 2027, in the project's time zone")
      .example(
        "$0 calendar --format ics --out posts.ics",
        "Writes a feed that calendar programs subscribe to",
      ),
  run: async (flags, shell, console) => {
    const { showCalendar } = await import("./run.ts");
    return showCalendar(flags, shell, console);
  },
});

function monthOf(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new Failure(
    "usage/arguments",
    `--month ${JSON.stringify(text)} is no month.`,
    "Write year and month, such as 2027-03.",
  );
}
