/** The progress of an apply, and its waits for the rate limit. */

import { utcTime } from "../../model/canonical.ts";
import type { Wait } from "../../model/clock.ts";
import { escapeTerminal } from "../text/escape.ts";
import { localTime } from "../text/local-time.ts";
import { formatDuration, plural } from "../text/numbers.ts";
import { clipToWidth } from "../text/wrap.ts";
import type { Style } from "../text/style.ts";

/** The progress of an apply. */
interface ProgressView {
  readonly done: number;
  readonly total: number;
  /** Notes such as the pace and what it waits for; empty ones are left out. */
  readonly notes: readonly string[];
}

/** Width in the terminal's columns; constant, so that the bar does not jump. */
const SHARE_OF_BAR = 1 / 5;
/** Columns of the bar at most. */
const WIDEST_BAR = 30;

/** A bar with numbers and notes on one line that never wraps. `columns`: the terminal's current width. */
export function progressLine({ done, total, notes }: ProgressView, style: Style, columns: number): string {
  const { bar: full, ground } = style.unicode ? { bar: "█", ground: "░" } : { bar: "#", ground: "-" };
  const texts = [`${done}/${total} changes`, ...notes.filter(Boolean)];
  const text = texts.join(` ${style.marks.separator} `);
  // The last column stays free, because a terminal may wrap after it.
  const room = columns - 1;
  const width = Math.min(WIDEST_BAR, Math.floor(columns * SHARE_OF_BAR));
  const filled = Math.floor((total === 0 ? 1 : done / total) * width);
  const bar = full.repeat(filled) + ground.repeat(width - filled);
  return clipToWidth(`${bar} ${text}`, room, style.marks.ellipsis);
}

/** @param isCi whether the machine is discarded after the run */
export function embeddedNote(isCi: boolean): string {
  const gone = isCi ? " Its posts disappear with this machine: set PLANCAST_BASE_URL to your service." : "";
  return `This is the embedded service, which publishes nothing.${gone}`;
}

export const WAITING_FOR_RUN = "Another run is in progress in this project. Waiting until it ends.\n";

const MINUTE_MS = 60_000;

/** Who waits, for what, until when; one line without a full stop. */
export function waitText(wait: Wait, timezone: string): string {
  const until = localTime(utcTime(wait.until), timezone).clock;
  const clock = wait.ms < MINUTE_MS && /^\d\d:\d\d$/.test(until) ? `${until}:00` : until;
  return `Waiting until ${clock} (${formatDuration(wait.ms)}): ${plural(wait.requests, "request")}, ${reasonOf(wait)}`;
}

function reasonOf(wait: Wait): string {
  switch (wait.why) {
    case "limit":
      return "for the service's rate limit";
    case "others":
      return "for other users of the same key";
    case "told":
      return "as the service asked";
    case "refused":
      return "because the service's rate limit refused one";
    case "trouble":
      return `to be sent again; ${escapeTerminal(wait.reason)}`;
  }
}
