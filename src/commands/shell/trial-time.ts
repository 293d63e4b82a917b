/** --now: a run as if it were another time, to try calendars of the past. It changes nothing on the service. */

import { wallMs } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { findZone, localInstant } from "../../checks/when/local-time.ts";
import { readWhen } from "../../checks/when/read-when.ts";
import type { Project } from "../../settings/config.ts";

export interface NowFlag {
  readonly now: string | undefined;
}

/**
 * A clock that shows the given time now and continues from there. Times without an offset are in the project's zone; a
 * day starts at midnight. Throws a Failure for anything else.
 */
export function trialClock(text: string, { config }: Pick<Project, "config">, clock: Clock): Clock {
  const aheadMs = instantOf("--now", text, config.timezone ?? "UTC") - clock.now();
  return { now: () => clock.now() + aheadMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
}

/** Reads the value of a flag: a time, or a day from its start. Throws a Failure for anything else. @param timezone IANA */
export function instantOf(flag: string, text: string, timezone: string): number {
  const when = readWhen(text, undefined);
  const zone = findZone(timezone);
  if ("code" in when || when.day === undefined || zone === undefined) throw notATime(flag, text);
  const { year, month, day } = when.day;
  const { hour = 0, minute = 0, second = 0, offsetMs } = when.time ?? {};
  const wall = wallMs([year, month, day, hour, minute, second]);
  if (wall === undefined) throw notATime(flag, text);
  if (offsetMs !== undefined) return wall - offsetMs;
  const found = localInstant(zone, wall);
  if (found.kind !== "instant") throw notATime(flag, text);
  return found.ms;
}

function notATime(flag: string, text: string): Failure {
  return new Failure(
    "usage/arguments",
    `${flag} cannot be "${text}".`,
    "Write a day or a time, such as 2036-03-01, 2036-03-01 09:00 or 2036-03-01T08:00:00Z.",
  );
}
