import { utcTime } from "../calendar/canonical.ts";
import type { Wait } from "../calendar/wait.ts";
import { escapeTerminal } from "./escape-terminal.ts";
import { formatDuration } from "./format-duration.ts";
import { localTime } from "./local-time.ts";
import { plural } from "./plural.ts";

const MINUTE_MS = 60_000;

/** Who waits, for what, until when; on one line, which ends without a stop. */
export function waitText(wait: Wait, timezone: string): string {
  const told = localTime(utcTime(wait.until), timezone).clock;
  const clock = wait.ms < MINUTE_MS && /^\d\d:\d\d$/.test(told) ? `${told}:00` : told;
  return `Waiting until ${clock} (${formatDuration(wait.ms)}): ${plural(wait.requests, "request")}, ${reasonOf(wait)}`;
}

function reasonOf(wait: Wait): string {
  switch (wait.why) {
    case "limit":
      return "for the service's rate limit";
    case "others":
      return "for others who use the same key";
    case "told":
      return "as the service asked";
    case "refused":
      return "since the service's rate limit refused one";
    case "trouble":
      return `to be sent again; ${escapeTerminal(wait.reason)}`;
  }
}
