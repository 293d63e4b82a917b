/** Lines during a run: how far it is, what it waits for, what publishes the posts, and what was published. */

import type { AccountNews } from "../../model/publication.ts";
import { utcTime } from "../../model/canonical.ts";
import type { Wait } from "../../model/clock.ts";
import { escapeTerminal } from "../text/escape.ts";
import { localTime } from "../text/local-time.ts";
import { counted, formatDuration, plural, roughDuration } from "../text/numbers.ts";

/**
 * @param isCi whether the machine is discarded after the run
 * @param accounts names of the accounts in plancast.yaml
 */
export function embeddedNote(isCi: boolean, accounts: readonly string[] = []): string {
  const gone = isCi ? " Its posts disappear with this machine: set PLANCAST_BASE_URL to your service." : "";
  if (accounts.length > 0)
    return `\`plancast serve\` publishes these posts on ${accounts.join(", ")}, as long as it runs.${gone}`;
  return `This is the embedded service, which publishes nothing.${gone}`;
}

/** Which program publishes, and from which file. */
export const REPOSITORY_NOTE =
  "The schedule is plancast.schedule.json. Commit and push it with the lockfile: `plancast publish` publishes only what is pushed.";

/** One line about the result of a post on an account, without a full stop. */
function publishedLine({ account, postId, state, url = "", reason = "" }: AccountNews): string {
  switch (state) {
    case "published":
      return `Published ${postId} on ${account}${url === "" ? "" : `: ${url}`}${reason === "" ? "" : ` (${reason})`}`;
    case "failed":
      return `Failed to publish ${postId} on ${account}: ${reason}`;
    case "expired":
      return `Did not publish ${postId} on ${account}: ${reason}`;
    case "waiting":
      return `${postId} is still scheduled on ${account}: ${reason}`;
    case "unknown":
      return `It is unknown whether ${postId} is on ${account}: ${reason}`;
    case "lost":
      return `Another process took over ${postId} on ${account}`;
  }
}

/** A log of results that does not repeat itself: each attempt at a post may end like the one before. */
export function publishedLog(print: (text: string) => void): (news: AccountNews) => void {
  const last = new Map<string, string>();
  return (news) => {
    const about = `${news.postId} ${news.account}`;
    const line = publishedLine(news);
    if (last.get(about) !== line) print(`${escapeTerminal(line)}\n`);
    // Nothing follows the other states.
    if (news.state === "waiting" || news.state === "unknown") last.set(about, line);
    else last.delete(about);
  };
}

interface ApplyProgress {
  /** Changes so far. */
  readonly done: number;
  readonly total: number;
  /** How long the other changes wait for the rate limit. */
  readonly leftMs: number;
  /** Requests. */
  readonly perMinute: number;
}

/** `4 of 40 changes handled · about 6 minutes left, 4 requests a minute`. */
export function progressText({ done, total, leftMs, perMinute }: ApplyProgress): string {
  const left = leftMs === 0 ? "" : `about ${roughDuration(leftMs)} left`;
  const rate = counted([[perMinute, perMinute === 1 ? "request a minute" : "requests a minute"]]);
  const pace = [left, rate].filter(Boolean).join(", ");
  return `${done} of ${plural(total, "change")} handled${pace === "" ? "" : ` · ${pace}`}`;
}

export const WAITING_FOR_RUN = "Another run is in progress in this project. Waiting until it ends.\n";

const MINUTE_MS = 60_000;

/**
 * What the run waits for, and until when. One line without a full stop.
 * @param server who is asked, if it is not the service
 */
export function waitText(wait: Wait, timezone: string, server?: string): string {
  const until = localTime(utcTime(wait.until), timezone).clock;
  const clock = wait.ms < MINUTE_MS && /^\d\d:\d\d$/.test(until) ? `${until}:00` : until;
  return `Waiting until ${clock} (${formatDuration(wait.ms)}): ${plural(wait.requests, "request")}, ${reasonOf(wait, server)}`;
}

function reasonOf(wait: Wait, server: string | undefined): string {
  const limit =
    server === undefined ? "the service's rate limit" : `the rate limit of ${escapeTerminal(server)}`;
  switch (wait.why) {
    case "limit":
      return `for ${limit}`;
    case "others":
      return "for other users of the same key";
    case "told":
      return `as ${escapeTerminal(server ?? "the service")} asked`;
    case "refused":
      return `because ${limit} refused one`;
    case "trouble":
      return `to be sent again; ${escapeTerminal(wait.reason)}`;
  }
}
