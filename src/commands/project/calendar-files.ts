/**
 * Calendars of a command: checked without the service, and edited in place. Those are read together with their bytes,
 * and saved if nobody has changed them since.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckedCalendars, checkCalendars } from "../../calendars/check.ts";
import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import { type ReadContents, readContents } from "../../calendars/read-calendar.ts";
import type { Selection } from "../../calendars/select.ts";
import { replaceUnchanged } from "../../disk/files.ts";
import { placeInProject } from "../../disk/place.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { hasErrors } from "../../model/problem.ts";
import { type Only, filterColumns } from "../../model/row-filter.ts";
import type { ProblemCode } from "../../problems/catalogue.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { hashCacheOf, openAddresses } from "../../sync/state/media-caches.ts";

/**
 * Checks without the service and without downloads.
 * @param clocks `now`: what decides which posts are past; `real`: the time for the caches of media
 */
export async function checkOffline(
  project: Project,
  selection: Selection,
  clocks: { readonly now: Clock; readonly real: Clock },
): Promise<CheckedCalendars> {
  const addresses = openAddresses(project, clocks.real);
  const hashes = hashCacheOf(project, clocks.real);
  const checked = await checkCalendars(project, selection, clocks.now, { addresses, hashes });
  await hashes.save();
  return checked;
}

/**
 * Reads selected calendars again, together with their bytes. Throws a Failure if a file cannot be read.
 * @param only limits this run, besides `only:` in plancast.yaml
 * @param how `kept`: further columns whose cells are kept even if they are not fields, by folded name
 */
export async function readCalendarFiles(
  project: Pick<Project, "root">,
  calendars: readonly Pick<Calendar, "file" | "settings">[],
  only: Only | undefined,
  {
    kept = [],
    read = readContents,
  }: { readonly kept?: readonly string[]; readonly read?: ReadContents } = {},
): Promise<CalendarFile[]> {
  const files: CalendarFile[] = [];
  for (const { file, settings } of calendars) {
    const options = { ...settings, keep: [...filterColumns([settings.only ?? {}, only ?? {}]), ...kept] };
    // One after the other, because a calendar may be large.
    const bytes = await bytesOf(project, file);
    const calendar = { ...(await read(file, bytes, options)), settings };
    files.push({ calendar, bytes, options, read });
  }
  return files;
}

async function bytesOf({ root }: Pick<Project, "root">, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, file));
  } catch (error) {
    throw new Failure(
      "calendar/unreadable",
      `${file} cannot be read: ${reasonOf(error)}`,
      "Check its permissions.",
    );
  }
}

/** Faulty cells: only their rows are left out. */
const ROW_ERRORS: ReadonlySet<ProblemCode> = new Set([
  "sheet/error-value",
  "sheet/merged-cells",
  "sheet/no-result",
]);

/** Whether plancast understood the whole file, so that single rows can be edited. */
export function isUnderstood({ calendar: { problems } }: CalendarFile): boolean {
  return !hasErrors(problems.filter(({ code }) => !ROW_ERRORS.has(code)));
}

/**
 * Replaces the file. Returns false if it has changed since it was read. Throws a Failure if it cannot be written.
 * @param whatNow what to do after the cause of the failure is fixed
 */
export async function saveCalendarFile(
  { root, state }: Pick<Project, "root" | "state">,
  { calendar, bytes }: { readonly calendar: Pick<Calendar, "file">; readonly bytes: Uint8Array },
  contents: Uint8Array,
  whatNow: string,
): Promise<boolean> {
  try {
    return await replaceUnchanged(await placeInProject(root, calendar.file), bytes, contents, state);
  } catch (error) {
    throw new Failure(
      "disk/not-writable",
      `${calendar.file} cannot be written: ${reasonOf(error)}`,
      `Fix its permissions or free some space, then ${whatNow}`,
    );
  }
}
