/** What slots depend on besides the rows: the lockfile on disk, quiet hours and holidays. Needs no service. */

import { aliasesOf } from "../checks/platforms.ts";
import type { SlotState } from "../checks/slots/choose-slots.ts";
import { ClosedTimes } from "../checks/slots/closed-times.ts";
import { readRegular } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { durationMs } from "../model/clock.ts";
import { checkLockfile, takenSlots } from "../model/lockfile.ts";
import type { TakenSlots } from "../model/post.ts";
import type { Problem } from "../model/problem.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";
import { readHolidays } from "./read-holidays.ts";

/** How far yearly holidays are repeated, ms: longer than plancast looks for a free slot. */
const HOLIDAY_SPAN_MS = 5 * 366 * 86_400_000;

export interface ReadSlotState {
  readonly slots: SlotState;
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
  const slots = {
    taken: await readTakenSlots(project, calendars),
    now,
    leadTimeMs: durationMs(config.safety.lead_time),
    isClosed: closed.isClosed.bind(closed),
  };
  return { slots, closed, problems };
}

/**
 * Reads the lockfile only if a calendar has slots. An unusable lockfile gives none: code that needs all of it reports
 * the reason.
 */
async function readTakenSlots(
  { root, config }: Pick<Project, "root" | "config">,
  calendars: readonly Calendar[],
): Promise<TakenSlots> {
  if (calendars.every(({ settings }) => settings.slots === undefined)) return new Map();
  try {
    const bytes = await readRegular(await placeInProject(root, config.lockfile));
    const { data } = checkLockfile(JSON.parse(bytes.toString("utf8")));
    return data === undefined ? new Map() : takenSlots(data);
  } catch {
    return new Map();
  }
}
