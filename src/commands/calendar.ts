/** `plancast calendar`: shows a month of posts in the terminal, or writes all posts as an iCalendar feed. */

import { checkCalendars, listPosts } from "../calendars/check.ts";
import { selectCalendars } from "../calendars/select.ts";
import { limitsOfProject } from "../checks/networks/network-names.ts";
import { monthNamed } from "../checks/when/written-forms.ts";
import { utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import type { ListedPost } from "../model/post.ts";
import { hasErrors } from "../model/problem.ts";
import { firstMonth } from "../model/row-filter.ts";
import { twoDigits } from "../model/text.ts";
import { calendarDocument, calendarIcs } from "../report/calendar/calendar-data.ts";
import { defaultMonth, monthText } from "../report/calendar/month.ts";
import { shortTime } from "../report/text/local-time.ts";
import { createStyle } from "../report/text/style.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  HELP_GROUPS,
  ONLY_OPTION,
  calendarsPositional,
  defineCommand,
  defineFlags,
  outOption,
  parseOnly,
} from "./shell/command.ts";
import { knownMedia } from "./project/media.ts";
import { refuseLog, writeGenerated } from "./project/written-files.ts";
import { loadProject } from "./project/project.ts";
import { alertProblems } from "./shell/report-problems.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  calendar: calendarsPositional("show"),
  only: ONLY_OPTION,
  month: {
    type: "string",
    requiresArg: true,
    describe: "Month to show, such as 2027-03 (default: the month of the next post)",
  },
  format: {
    choices: ["text", "ics", "json"],
    default: "text",
    requiresArg: true,
    describe: "A month for the terminal, or all posts as iCalendar or JSON",
    group: HELP_GROUPS.output,
  },
  out: outOption("File to write, instead of stdout"),
});

type CalendarFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["calendar --month 2027-03", "Show March 2027"],
    ["calendar --format ics --out posts.ics", "Write a feed for calendar programs"],
  ],
  run: showCalendar,
});

/** @param today `YYYY-MM-DD`, to suggest the next month of that name */
function checkMonth(text: string, today: string): void {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return;
  const named = monthNamed(text.trim());
  const month = twoDigits(named ?? 3);
  const year = Number(today.slice(0, 4)) + (month < today.slice(5, 7) ? 1 : 0);
  throw new Failure(
    "usage/arguments",
    `--month ${JSON.stringify(text)} is not a month.`,
    named === undefined ? "Write year and month, such as 2027-03." : `Write ${year}-${month}.`,
  );
}

async function showCalendar(run: Run<CalendarFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  if (flags.month !== undefined) checkMonth(flags.month, utcTime(shell.clock.now()));
  if (flags.month !== undefined && flags.format === "ics") {
    throw new Failure(
      "usage/arguments",
      "A feed contains every month.",
      "Leave out --month. To export only one month, use --only date=2027-03.",
    );
  }
  if (flags.format === "json" && flags.out !== undefined) {
    throw new Failure("usage/arguments", "--out is for text and feeds.", "Leave out --out, and read stdout.");
  }
  if (flags.format === "ics" && flags.out === undefined) refuseLog(shell, "posts.ics");
  const project = await loadProject(flags, shell);
  const narrowing = { calendars: flags.calendar, only: parseOnly(flags.only) };
  const selection = await selectCalendars(project, narrowing, shell.cwd);
  const media = knownMedia(project, shell.clock);
  const checked = await checkCalendars(project, selection, shell.clock, media);
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  // Rows with errors are missing in a feed, and its readers would not notice.
  if (errors.length > 0) alertProblems(errors, checked.calendars, console);
  if (flags.format === "ics" && hasErrors(checked.problems)) return 1;
  const posts = await listPosts(project, checked, media);
  if (flags.format === "json") {
    const timezone = project.config.timezone ?? "UTC";
    const inMonth = ({ scheduledAt }: ListedPost): boolean =>
      shortTime(scheduledAt, timezone).startsWith(flags.month ?? "");
    console.json(calendarDocument(posts.filter(inMonth), checked.problems, timezone));
    return hasErrors(checked.problems) ? 1 : 0;
  }
  // Shows a month without posts as empty, not another month.
  const asked = posts.length === 0 && narrowing.only !== undefined ? firstMonth(narrowing.only) : undefined;
  const month = flags.month ?? asked;
  const text = rendered({ ...run, project }, posts, month);
  if (flags.out === undefined) console.result(text);
  else await writeGenerated(flags.out, text, flags.format === "ics" ? "feed" : "month", { project, shell });
  return hasErrors(checked.problems) ? 1 : 0;
}

function rendered(
  { project, flags: { format, out }, shell, console: { style } }: ProjectRun<CalendarFlags>,
  posts: readonly ListedPost[],
  month: string | undefined,
): string {
  const limitsOf = limitsOfProject(project.config);
  const titleOf = (platform: string): string => limitsOf(platform)?.title ?? platform;
  const timezone = project.config.timezone ?? "UTC";
  if (format === "ics") {
    return calendarIcs(posts, {
      // Not the folder's name, so that the feed is the same from each checkout.
      name: project.config.project ?? "Content calendar",
      project: project.config.project ?? "",
      timezone,
      titleOf,
    });
  }
  const now = utcTime(shell.clock.now());
  const options = {
    month: month ?? defaultMonth(posts, now, timezone),
    today: shortTime(now, timezone).slice(0, 10),
    timezone,
    titleOf,
  };
  return monthText(posts, options, out === undefined ? style : createStyle({ ...style, color: false }));
}
