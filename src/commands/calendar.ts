import { onlyFlag, ONLY_OPTION, type OnlyFlag } from "./only-flag.ts";
import { command, NO_NAMES, type GlobalFlags } from "./command.ts";
import { Failure } from "../calendar/failure.ts";
import type { Project } from "../calendar/config.ts";
import type { ListedPost } from "../calendar/listed-post.ts";
import type { Console } from "./console.ts";
import type { ExitCode, Shell } from "./shell.ts";

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
      .positional("calendar", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "Calendars to show; all if none",
      })
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
  run: showCalendar,
});

function monthOf(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new Failure(
    "usage/arguments",
    `--month ${JSON.stringify(text)} is no month.`,
    "Write year and month, such as 2027-03.",
  );
}

async function showCalendar(
  flags: GlobalFlags & CalendarFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { check } = await import("../check-calendars.ts");
  const { selectCalendars } = await import("../select-calendars.ts");
  const { listPosts } = await import("../list-posts.ts");
  const { openAddresses } = await import("../open-addresses.ts");
  const { hashCacheOf } = await import("../open-hash-cache.ts");
  const { loadProject } = await import("./load-project.ts");
  const { hasErrors } = await import("../calendar/problem.ts");
  const { problemsText } = await import("../report/problems-text.ts");
  const { sourceLines } = await import("./source-lines.ts");
  if (flags.month !== undefined && flags.format === "ics") {
    throw new Failure(
      "usage/arguments",
      "A feed holds every month.",
      "Leave out --month; --only date=2027-03 narrows a feed.",
    );
  }
  const project = await loadProject(flags, shell);
  const narrowing = { calendars: flags.calendar, only: onlyFlag(flags.only) };
  const selection = await selectCalendars(project, narrowing, shell.cwd);
  const media = { addresses: openAddresses(project, shell.clock), hashes: hashCacheOf(project, shell.clock) };
  const checked = await check(project, selection, shell.clock, media);
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  // What has an error is not in it; who reads the feed elsewhere would not see that.
  if (errors.length > 0)
    console.alert(`${problemsText(errors, sourceLines(checked.calendars), console.errorStyle)}\n`);
  if (flags.format === "ics" && hasErrors(checked.problems)) return 1;
  const posts = await listPosts(project.root, checked, media);
  const text = await rendered(posts, project, flags, shell, console);
  if (flags.out === undefined) console.result(text);
  else {
    const { writeOutput } = await import("./write-output.ts");
    await writeOutput(flags.out, text, shell);
  }
  return hasErrors(checked.problems) ? 1 : 0;
}

async function rendered(
  posts: readonly ListedPost[],
  project: Project,
  { format, month, out }: CalendarFlags,
  { clock }: Shell,
  { style }: Console,
): Promise<string> {
  const { limitsOfProject } = await import("../rules/platform-limits.ts");
  const limitsOf = limitsOfProject(project.config);
  const titleOf = (platform: string): string => limitsOf(platform)?.title ?? platform;
  const timezone = project.config.timezone ?? "UTC";
  if (format === "ics") {
    const { calendarIcs } = await import("../report/calendar-ics.ts");
    return calendarIcs(posts, {
      // Not the folder's: the feed is the same from each checkout.
      name: project.config.project ?? "Content calendar",
      project: project.config.project ?? "",
      timezone,
      titleOf,
    });
  }
  const { utcTime } = await import("../calendar/canonical.ts");
  const { shortTime } = await import("../report/local-time.ts");
  const { monthText, monthToShow } = await import("../report/month-text.ts");
  const { createStyle } = await import("../report/style.ts");
  const now = utcTime(clock.now());
  const options = {
    month: month ?? monthToShow(posts, now, timezone),
    today: shortTime(now, timezone).slice(0, 10),
    timezone,
    titleOf,
  };
  return monthText(posts, options, out === undefined ? style : createStyle({ ...style, color: false }));
}
