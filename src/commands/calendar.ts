import { ONLY_OPTION, type OnlyFlag } from "./only-flag.ts";
import { command, calendarsPositional } from "./command.ts";
import { Failure } from "../calendar/failure.ts";

export interface CalendarFlags extends OnlyFlag {
  readonly calendar: string[];
  readonly month: string | undefined;
  readonly format: "text" | "ics";
  readonly out: string | undefined;
}

export const calendarCommand = command<CalendarFlags>({
  command: "calendar [calendar..]",
  describe: "Show a month of posts, or write them as a feed to subscribe to",
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
    const { showCalendar } = await import("./show-calendar.ts");
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
