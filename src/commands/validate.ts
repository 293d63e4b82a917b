/** `plancast validate`: checks calendars and media on this machine, without the service. */

import { type CheckedCalendars, countFiles, sortByCalendar } from "../calendars/check.ts";
import { countRows, withoutInvalidRows } from "../calendars/row-groups.ts";
import { selectNamed } from "../calendars/select.ts";
import { ambiguousPlatforms } from "../checks/platforms.ts";
import { Failure } from "../model/failure.ts";
import { didYouMean, nearest } from "../model/text.ts";
import { hasErrors } from "../model/problem.ts";
import { validationDocument } from "../report/problems/problems-json.ts";
import { nextAfter, problemsText, validationEnd, validationText } from "../report/problems/problems-text.ts";
import { plural } from "../report/text/numbers.ts";
import { addressIn } from "../service/connect/configured-address.ts";
import { type Project, EMBEDDED, REPOSITORY, withPreset } from "../settings/config.ts";
import { PRESET_NAMES } from "../settings/presets/presets.ts";
import {
  ONLY_OPTION,
  NOW_OPTION,
  ONLY_VALID_OPTION,
  defineCommand,
  namesPositional,
  parseOnly,
  textOption,
  FORMAT_OPTION,
} from "./shell/command.ts";
import type { Console } from "./shell/console.ts";
import { trialClock } from "./shell/trial-time.ts";
import { sourceLines } from "./shell/report-problems.ts";
import { checkOffline } from "./project/media.ts";
import { loadProject } from "./project/project.ts";
import type { Shell } from "./shell/shell.ts";

export const command = defineCommand({
  flags: {
    calendar: namesPositional("Files to check (default: all calendars of the project)"),
    only: ONLY_OPTION,
    "only-valid": ONLY_VALID_OPTION,
    now: NOW_OPTION,
    preset: textOption("Read the files as exports of another scheduler, like `preset:` in plancast.yaml"),
    format: FORMAT_OPTION,
  },
  examples: [
    ["validate", "Check every calendar of the project"],
    ["validate calendars/march.csv", "Check one file"],
  ],
  run: async ({ flags, shell, console }) => {
    const project = await withPresetFlag(await loadProject(flags, shell), flags.preset);
    const narrowing = { calendars: flags.calendar, only: parseOnly(flags.only) };
    const selection = await selectNamed(project, narrowing, shell.cwd);
    const clock = flags.now === undefined ? shell.clock : trialClock(flags.now, project, shell.clock);
    const found = await checkOffline(project, selection, { now: clock, real: shell.clock });
    const checked = withAmbiguous(flags["only-valid"] ? withoutInvalidRows(found) : found, project, shell);
    const rows = countRows(checked);
    const calendars = countFiles(checked.calendars);
    if (checked.uncheckedUrls > 0)
      console.note(
        `${plural(checked.uncheckedUrls, "media address", "media addresses")} not checked; plan downloads the files.\n`,
      );
    if (flags.format === "json") {
      console.json(validationDocument(checked.problems, { calendars, rows, unseen: checked.uncheckedUrls }));
    } else {
      showChecked(checked, project, console);
    }
    return hasErrors(checked.problems) ? 1 : 0;
  },
  printFailed: async (problems, format, console) => {
    if (format !== "json") return;
    console.json(validationDocument(problems, { calendars: 0, rows: undefined }));
  },
  forAll: { single: ["calendar"] },
});

/** With an error for each row that names only a network with several accounts in plancast.yaml, as `plan` reports it. */
function withAmbiguous(checked: CheckedCalendars, { config }: Project, { env }: Shell): CheckedCalendars {
  const address = addressIn({ config }, env);
  if (address !== EMBEDDED && address !== REPOSITORY) return checked;
  const { posts, pastUntil, problems, calendars, inScope } = checked;
  const planned = posts.filter(({ scheduledAt, source }) => scheduledAt >= pastUntil && inScope(source.file));
  const ambiguous = ambiguousPlatforms(planned, config);
  return { ...checked, problems: sortByCalendar([...problems, ...ambiguous], calendars) };
}

/** For people: the problems, what happens to the rows, and what plancast assumed. */
export function showChecked(checked: CheckedCalendars, { config }: Project, console: Console): void {
  const { problems, calendars, assumptions } = checked;
  const isClean = problems.length === 0;
  const rows = countRows(checked);
  if (isClean) {
    console.result(validationText(countFiles(calendars), rows));
  } else {
    console.result(problemsText(problems, sourceLines(calendars), console.style));
  }
  console.result(validationEnd(rows, isClean, { assumptions, timezone: config.timezone }, console.style));
  console.next(nextAfter(problems));
}

/** Throws a Failure for an unknown preset. */
async function withPresetFlag(project: Project, name: string | undefined): Promise<Project> {
  if (name === undefined) return project;
  if (PRESET_NAMES.includes(name)) return withPreset(project, name);
  throw new Failure(
    "usage/arguments",
    `There is no preset \`${name}\`.${didYouMean(nearest(name, PRESET_NAMES))}`,
    `The presets are ${PRESET_NAMES.join(", ")}.`,
  );
}
