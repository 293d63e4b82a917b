/** `plancast calendar`: shows a month of posts in the terminal, or writes all posts as an iCalendar feed. */

import { checkCalendars } from "../calendars/check.ts";
import { listPosts } from "../calendars/list-posts.ts";
import { selectCalendars } from "../calendars/select.ts";
import { limitsOfProject } from "../checks/networks/platform-limits.ts";
import { utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import type { ListedPost } from "../model/post.ts";
import { hasErrors } from "../model/problem.ts";
import { firstMonth } from "../model/row-filter.ts";
import { calendarIcs } from "../report/calendar/ics.ts";
import { defaultMonth, monthText } from "../report/calendar/month.ts";
import { problemsText } from "../report/problems/problems-text.ts";
import { shortTime } from "../report/text/local-time.ts";
import { createStyle } from "../report/text/style.ts";
import type { Project } from "../settings/config.ts";
import { hashCacheOf, openAddresses } from "../sync/state/media-caches.ts";
import { type Run, defineCommand } from "./shared/command.ts";
import type { Console } from "./shared/console.ts";
import { type OnlyFlag, ONLY_OPTION, calendarsPositional, parseOnly } from "./shared/flags.ts";
import { writeGenerated } from "./shared/output-file.ts";
import { sourceLines } from "./shared/print-problems.ts";
import { loadProject } from "./shared/project.ts";
import type { ExitCode, Shell } from "./shared/shell.ts";

interface CalendarFlags extends OnlyFlag {
  readonly calendar: string[];
  readonly month: string | undefined;
  readonly format: "text" | "ics";
  readonly out: string | undefined;
}

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

async function showCalendar(run: Run<CalendarFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  if (flags.month !== undefined && flags.format === "ics") {
    throw new Failure(
      "usage/arguments",
      "A feed holds every month.",
      "Leave out --month; --only date=2027-03 narrows a feed.",
    );
  }
  const project = await loadProject(flags, shell);
  const narrowing = { calendars: flags.calendar, only: parseOnly(flags.only) };
  const selection = await selectCalendars(project, narrowing, shell.cwd);
  const media = { addresses: openAddresses(project, shell.clock), hashes: hashCacheOf(project, shell.clock) };
  const checked = await checkCalendars(project, selection, shell.clock, media);
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  // What has an error is not in it; who reads the feed elsewhere would not see that.
  if (errors.length > 0)
    console.alert(`${problemsText(errors, sourceLines(checked.calendars), console.errorStyle)}\n`);
  if (flags.format === "ics" && hasErrors(checked.problems)) return 1;
  const posts = await listPosts(project.root, checked, media);
  // A month without posts is shown as such, not another.
  const asked = posts.length === 0 && narrowing.only !== undefined ? firstMonth(narrowing.only) : undefined;
  const month = flags.month ?? asked;
  const text = await rendered(posts, project, { ...flags, month }, shell, console);
  if (flags.out === undefined) console.result(text);
  else await writeGenerated(flags.out, text, flags.format === "ics" ? "feed" : "month", shell);
  return hasErrors(checked.problems) ? 1 : 0;
}

async function rendered(
  posts: readonly ListedPost[],
  project: Project,
  { format, month, out }: CalendarFlags,
  { clock }: Shell,
  { style }: Console,
): Promise<string> {
  const limitsOf = limitsOfProject(project.config);
  const titleOf = (platform: string): string => limitsOf(platform)?.title ?? platform;
  const timezone = project.config.timezone ?? "UTC";
  if (format === "ics") {
    return calendarIcs(posts, {
      // Not the folder's: the feed is the same from each checkout.
      name: project.config.project ?? "Content calendar",
      project: project.config.project ?? "",
      timezone,
      titleOf,
    });
  }
  const now = utcTime(clock.now());
  const options = {
    month: month ?? defaultMonth(posts, now, timezone),
    today: shortTime(now, timezone).slice(0, 10),
    timezone,
    titleOf,
  };
  return monthText(posts, options, out === undefined ? style : createStyle({ ...style, color: false }));
}
