/**
 * The kinds of alerts as data: what each is about, which rows it finds, and how to repair it. To add a kind, add an
 * entry. Pure.
 */

import type { RowStatus } from "../../model/publication.ts";
import { NO_STATUS } from "../../service/answers/post.ts";

/**
 * How bad it is. `problem`: somebody must do something. `unknown`: nobody knows yet. `note`: somebody should know.
 */
type Level = "problem" | "unknown" | "note";

interface KindFacts {
  /** Heads the alerts of this kind. */
  readonly title: string;
  readonly level: Level;
  /** What to do. An alert may have its own. */
  readonly repair: string;
  /** For kinds about rows. A row belongs to the first kind that finds it. */
  readonly finds?: (row: RowStatus, isChanged: boolean) => boolean;
  /** It often ends before anybody can act, so it waits until the next look finds it, too. */
  readonly isPatient?: true;
}

const isPublishedSomewhere = ({ results }: RowStatus): boolean =>
  results.some(({ state }) => state === "published");

const hasReason = ({ reason }: RowStatus, ...kinds: readonly string[]): boolean =>
  reason !== undefined && kinds.includes(reason.kind);

/** Rows are tried in this order, and messages have it, too. */
const ALERT_KINDS = {
  partly: {
    title: "Published only on some networks",
    level: "problem",
    repair: "Add a row with a new time and only the networks that failed. Then run `plancast apply`.",
    finds: (row) => row.state === "failed" && isPublishedSomewhere(row),
  },
  failed: {
    title: "Not published",
    level: "problem",
    repair: "Correct what the reason names, give the post a new time in a new row, and run `plancast apply`.",
    finds: ({ state }) => state === "failed",
  },
  expired: {
    title: "Not published in time",
    level: "problem",
    repair: "If it still makes sense, give its row a new time and a new `expires`, and run `plancast apply`.",
    finds: ({ state }) => state === "expired",
  },
  overdue: {
    title: "Overdue",
    level: "problem",
    repair:
      "Look at the page of the service. If plancast publishes, check that `plancast publish` or `plancast serve` runs, and that its accounts work: `plancast accounts check`.",
    finds: (row) => row.state === "scheduled" && hasReason(row, "late"),
  },
  missed: {
    title: "Never scheduled, and its time has passed",
    level: "problem",
    repair: "Give the row a new time and run `plancast apply`, or set its status to skip.",
    finds: (row) => row.state === "not_applied" && hasReason(row, "missed", "expired"),
  },
  unknown: {
    title: "Unknown",
    level: "unknown",
    repair: "Run `plancast apply`. If it is still unknown, look for the post and use `plancast resolve`.",
    // Otherwise, every post of a service without statuses would be an alert.
    finds: ({ state, reason }) =>
      state === "unknown" && !(reason?.kind === "said" && reason.text === NO_STATUS),
  },
  removed: {
    title: "Removed on the service",
    level: "problem",
    repair:
      "If it must not go out, delete the row or set its status to skip. To create it again, run `plancast apply --allow-recreates 1`.",
    finds: ({ state, since }) => state === "missing" || (state === "cancelled" && since === undefined),
  },
  changed: {
    title: "Changed on the service",
    level: "problem",
    repair:
      "If the change is right, write it into the row. Otherwise run `plancast apply`, which restores what the row says.",
    finds: ({ state, since }, isChanged) => isChanged && state === "scheduled" && since === undefined,
  },
  held: {
    title: "Held",
    level: "note",
    repair: "When it may go out, run `plancast release`.",
    finds: ({ state }) => state === "held",
  },
  calendars: {
    title: "Errors in the calendars",
    level: "problem",
    repair: "Until they are fixed, apply changes nothing. `plancast validate` shows them.",
  },
  credentials: {
    title: "The key does not work",
    level: "problem",
    repair: "Make a new key, and put it where plancast runs.",
  },
  account: {
    title: "An account does not work",
    level: "problem",
    repair: "Connect the account again on the page of the service.",
  },
  unreachable: {
    title: "The service does not answer",
    level: "problem",
    repair: "`plancast doctor` finds the cause.",
    isPatient: true,
  },
  stopped: {
    title: "plancast cannot look",
    level: "problem",
    repair: "`plancast doctor` finds the cause.",
  },
  stale: {
    title: "The plan of a pull request is out of date",
    level: "note",
    repair: "Run its job again, or push a commit. Review the new plan before the merge.",
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS).filter(isKind);

function isKind(name: string): name is AlertKind {
  return Object.hasOwn(ALERT_KINDS, name);
}

export function kindFacts(kind: AlertKind): KindFacts {
  return ALERT_KINDS[kind];
}

/** Something that somebody should know. */
export interface Alert {
  readonly kind: AlertKind;
  /** The same as long as it is the same problem. */
  readonly key: string;
  /** Where it is, in one line. */
  readonly text: string;
  readonly reason?: string | undefined;
  /** Instead of the kind's. */
  readonly repair?: string | undefined;
  /** When it is too old to say that it ended, in ms. Default: never. */
  readonly until?: number | undefined;
}
