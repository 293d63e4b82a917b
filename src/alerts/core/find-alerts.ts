/** Finds alerts in the statuses of rows, and in what stopped a look. Pure. */

import { networkTitle, networkTitles } from "../../checks/networks/network-names.ts";
import { utcMs } from "../../model/canonical.ts";
import { groupBy } from "../../model/data.ts";
import type { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import type { RowStatus } from "../../model/publication.ts";
import { statusRow } from "../../report/status/status-data.ts";
import { shortTime } from "../../report/text/local-time.ts";
import { plural } from "../../report/text/numbers.ts";
import { clipText } from "../../report/text/wrap.ts";
import { ALERT_KIND_NAMES, type Alert, type AlertKind, kindFacts } from "./alert.ts";

/** Older posts are history, in ms. */
const RECENT_MS = 7 * 24 * 3_600_000;

/** Longest excerpt of a post, in UTF-16 units. */
const MAX_EXCERPT = 60;

/** Longest reason, in UTF-16 units: a service may answer with a page. */
const MAX_REASON = 300;

/** What a look at the posts found. */
export interface SeenPosts {
  readonly rows: readonly RowStatus[];
  /** Ids of the posts that differ from what plancast sent. */
  readonly changed: ReadonlySet<string>;
  /** Unix time, in ms. */
  readonly now: number;
  /** For rows that name no zone, IANA. */
  readonly timezone: string;
}

/** Alerts about recent and coming posts, in the order of their times. */
export function alertsOfPosts({ rows, changed, now, timezone }: SeenPosts): readonly Alert[] {
  return rows.flatMap((row) => {
    const until = utcMs(row.scheduledAt) + RECENT_MS;
    const isChanged = row.postId !== undefined && changed.has(row.postId);
    const kind = ALERT_KIND_NAMES.find((name) => kindFacts(name).finds?.(row, isChanged));
    if (kind === undefined || until < now) return [];
    return { kind, key: keyOf(kind, row), text: textOf(row, timezone), reason: reasonOf(row), until };
  });
}

/** A row that is applied again is another problem. */
function keyOf(kind: AlertKind, { key, postId, scheduledAt }: RowStatus): string {
  return JSON.stringify([kind, key, kind === "held" ? scheduledAt : (postId ?? scheduledAt)]);
}

function textOf(row: RowStatus, timezone: string): string {
  const excerpt = clipText(row.content.replaceAll(/\s+/g, " "), MAX_EXCERPT);
  const networks = networkTitles(row.platforms);
  return [shortTime(row.scheduledAt, row.timezone ?? timezone), networks, row.place, excerpt]
    .filter((part) => part !== "")
    .join(", ");
}

function reasonOf(row: RowStatus): string | undefined {
  const { reason, results } = statusRow(row);
  const networks = results.flatMap((each) =>
    each.status === "published"
      ? `${networkTitle(each.platform)}: published`
      : each.reason === undefined
        ? []
        : `${networkTitle(each.platform)}: ${each.reason}`,
  );
  const all = [reason, ...networks].flatMap((each) => each ?? []).join(" · ");
  return all === "" ? undefined : clipText(all.replaceAll(/\s+/g, " "), MAX_REASON);
}

/** One alert for each file with errors. */
export function alertsOfProblems(problems: readonly Problem[]): readonly Alert[] {
  const files = groupBy(
    problems.filter(({ severity }) => severity === "error"),
    ({ file = "" }) => file,
  );
  return [...files].map(([file, those]) => {
    const text = `${file === "" ? "" : `${file}: `}${plural(those.length, "error")}`;
    const reason = clipText(those[0]?.message ?? "", MAX_REASON);
    return { kind: "calendars", key: JSON.stringify(["calendars", file]), text, reason };
  });
}

/** Codes of failures that have a kind of their own. */
const KINDS_OF_FAILURES: ReadonlyMap<string, AlertKind> = new Map([
  ["service/unauthorized", "credentials"],
  ["service/forbidden", "credentials"],
  ["service/no-key", "credentials"],
  ["service/unreachable", "unreachable"],
  ["service/rate-limited", "unreachable"],
]);

/** What stopped a look. */
export function alertOfFailure({ code, message, hint }: Failure): Alert {
  const kind = KINDS_OF_FAILURES.get(code) ?? "stopped";
  return { kind, key: JSON.stringify([kind, code]), text: message, repair: hint };
}

/** @param name of the account, as rows name it @param why undefined if the service does not say it */
export function alertOfAccount(name: string, why: string | undefined): Alert {
  const reason = why === undefined ? undefined : clipText(why, MAX_REASON);
  const repair = why === undefined ? undefined : "Make a new secret, and put it where plancast runs.";
  return { kind: "account", key: JSON.stringify(["account", name]), text: name, reason, repair };
}
