/**
 * The facts besides the rows on which slots and series depend: what counts of the lockfile, quiet hours and holidays. Needs
 * no service.
 */

import { aliasesOf } from "../checks/platforms.ts";
import { type SeriesState, loadDaysOfRule } from "../checks/series/occurrences.ts";
import type { SlotState } from "../checks/slots/choose-slots.ts";
import { ClosedTimes } from "../checks/slots/closed-times.ts";
import { durationMs } from "../model/clock.ts";
import { type Lockfile, takenSlots } from "../model/lockfile.ts";
import { occurrencesIn } from "../model/post.ts";
import type { Problem } from "../model/problem.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { readHolidays } from "./read-holidays.ts";
import { readCountedLockfile } from "./project.ts";

/** How far yearly holidays are repeated, in ms: longer than plancast looks for a free slot. */
const HOLIDAY_SPAN_MS = 5 * 366 * 86_400_000;

export interface ReadSlotState {
  readonly slots: SlotState;
  /** Undefined if no row repeats. */
  readonly series: SeriesState | undefined;
  readonly closed: ClosedTimes;
  readonly problems: readonly Problem[];
}

/** @param now ms since the epoch */
export async function readSlotState(
  project: Project,
  calendars: readonly Calendar[],
  now: number,
): Promise<ReadSlotState> {
  const { config } = project;
  const { holidays, problems } = await readHolidays(project, now + HOLIDAY_SPAN_MS);
  const closed = new ClosedTimes(config, aliasesOf(config), holidays);
  const hasSlots = calendars.some(({ settings }) => settings.slots !== undefined);
  const hasSeries = calendars.some(({ rows }) => rows.some(({ cells }) => cells.repeat !== undefined));
  const lockfile = hasSlots || hasSeries ? await readCountedLockfile(project) : undefined;
  const slots = {
    taken: hasSlots && lockfile !== undefined ? takenSlots(lockfile) : new Map(),
    now,
    leadTimeMs: durationMs(config.safety.lead_time),
    whyClosed: closed.whyClosed.bind(closed),
  };
  const series = hasSeries
    ? {
        now,
        aheadMs: durationMs(config.series.ahead),
        owned: ownedDays(lockfile),
        daysOfRule: await loadDaysOfRule(),
        languageTag: config.series.language,
        total: { posts: 0 },
      }
    : undefined;
  return { slots, series, closed, problems };
}

/** The days of posts of rows that repeat, by the ids of the rows. Posts with a pending create count, too. */
function ownedDays(lockfile: Lockfile | undefined): SeriesState["owned"] {
  const found = new Map<string, Map<string, string | undefined>>();
  for (const [key, { pool_text: text }] of Object.entries({ ...lockfile?.posts, ...lockfile?.unknown })) {
    for (const { row, day } of occurrencesIn(key)) {
      const days = found.get(row) ?? new Map<string, string | undefined>();
      found.set(row, days.set(day, text ?? days.get(day)));
    }
  }
  return found;
}
