import { utcTime } from "../calendar/canonical.ts";
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import type { ListedPost } from "../calendar/listed-post.ts";
import { hasErrors } from "../calendar/problem.ts";
import { firstMonth } from "../calendar/row-filter.ts";
import { checkCalendars } from "../check-calendars.ts";
import { listPosts } from "../list-posts.ts";
import { openAddresses } from "../open-addresses.ts";
import { hashCacheOf } from "../open-hash-cache.ts";
import { calendarIcs } from "../report/calendar-ics.ts";
import { shortTime } from "../report/local-time.ts";
import { monthText, defaultMonth } from "../report/month-text.ts";
import { problemsText } from "../report/problems-text.ts";
import { createStyle } from "../report/style.ts";
import { limitsOfProject } from "../rules/platform-limits.ts";
import { selectCalendars } from "../select-calendars.ts";
import type { CalendarFlags } from "./calendar.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { loadProject } from "./load-project.ts";
import { parseOnly } from "./only-flag.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { sourceLines } from "./source-lines.ts";
import { writeGenerated } from "./write-output.ts";

/** Shows a month of posts, or writes them all as a feed. */
export async function showCalendar(
  flags: GlobalFlags & CalendarFlags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
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
