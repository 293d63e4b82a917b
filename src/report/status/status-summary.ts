/**
 * What became of the posts, in counts and short phrases, and `status --format json`: a contract with scripts, whose names
 * and meanings are never changed, only added to.
 */

import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import {
  type PlatformResult,
  type RowReason,
  type RowSince,
  type RowState,
  type RowStatus,
  ROW_STATES,
} from "../../model/publication.ts";
import { type ProblemDocument, problemDocument } from "../problems/problems-json.ts";
import { counted, unplannedCounts } from "../text/numbers.ts";

/** What `status` found. */
export interface StatusReport {
  /** In the order in which they are due. */
  readonly rows: readonly RowStatus[];
  /** Draft and skipped rows. */
  readonly drafts: number;
  /** How many of these are skipped. */
  readonly skipped: number;
  /** Rows with errors: what they ask for is not known. */
  readonly broken: number;
  /** Requests that were sent for it. */
  readonly requests: number;
}

type StatusSummary = Readonly<Record<RowState | "draft", number>>;

function statusSummary({ rows, drafts }: StatusReport): StatusSummary {
  const count = (state: RowState): number => rows.filter((row) => row.state === state).length;
  return {
    scheduled: count("scheduled"),
    published: count("published"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    unknown: count("unknown"),
    not_applied: count("not_applied"),
    draft: drafts,
  };
}

/** The states in the words that people use. */
export function stateName(state: RowState): string {
  return state === "not_applied" ? "not applied" : state;
}

/** `12 published, 1 failed`; empty where there is no row. */
export function summaryText(report: StatusReport): string {
  const summary = statusSummary(report);
  return counted([
    ...ROW_STATES.map((state) => [summary[state], stateName(state)] as const),
    ...unplannedCounts(report),
  ]);
}

/** What is to be known of a post whose row is another now, and what to do; undefined where the row is as it was. */
export function rowChangeText({ since, key, file, place }: RowStatus): string | undefined {
  switch (since) {
    case undefined:
      return undefined;
    case "edited":
      return `The row was edited after this post was applied. ${SEE_PLAN}`;
    case "set_aside":
      return `Its row, ${place}, is now a draft or skipped. ${SEE_PLAN}`;
    case "gone": {
      // Without an id, an edited row cannot be told from a new one.
      const other = key.startsWith(DERIVED_KEY_PREFIX) ? ", or was edited" : "";
      return `Its row is gone from ${file}${other}. ${SEE_PLAN}`;
    }
    case "unreadable":
      return `Its row is gone from ${file}, or plancast cannot read it there.`;
    default:
      return since satisfies never;
  }
}

const SEE_PLAN = "plancast plan shows what apply would do.";

interface ResultDocument {
  readonly platform: string;
  readonly status: PlatformResult["state"];
  /** On the platform; only when published, and told. */
  readonly url?: string | undefined;
  /** Only when failed, and told. */
  readonly reason?: string | undefined;
}

interface RowDocument {
  readonly key: string;
  /** Without a line where no row stands for the post any more. */
  readonly source: { readonly file: string; readonly line?: number | undefined };
  /** UTC; of the post, where there is one. */
  readonly scheduled_at: string;
  readonly platforms: readonly string[];
  readonly status: RowState;
  readonly post_id?: string | undefined;
  /** As far as the service, or its events, told. */
  readonly results: readonly ResultDocument[];
  readonly reason?: string | undefined;
  /** What became of the row since; absent where it is as it was applied. */
  readonly row?: RowSince | undefined;
}

const REASONS: Readonly<Record<Exclude<RowReason["kind"], "said">, string>> = {
  late: "Its time has passed, but the service still shows it as scheduled.",
  gone: "The service no longer has it.",
  "gone-when-due": "The service no longer has it. It was due, so it may or may not have been published.",
  "unknown-create":
    "An apply ended before it knew whether this post was scheduled. Run plancast apply again.",
};

/** What there is to say about a row's state; raw. */
export function reasonText({ reason }: RowStatus): string | undefined {
  return reason?.kind === "said" ? reason.text : reason && REASONS[reason.kind];
}

interface StatusDocument {
  readonly version: 1;
  readonly summary: StatusSummary;
  readonly rows: readonly RowDocument[];
  readonly requests: number;
  readonly problems: readonly ProblemDocument[];
}

export function statusDocument(report: StatusReport, problems: readonly Problem[]): StatusDocument {
  return {
    version: 1,
    summary: statusSummary(report),
    rows: report.rows.map(rowDocument),
    requests: report.requests,
    problems: problems.map(problemDocument),
  };
}

function rowDocument(row: RowStatus): RowDocument {
  const { key, file, line, platforms } = row;
  return {
    key,
    source: { file, line },
    scheduled_at: row.scheduledAt,
    platforms,
    status: row.state,
    post_id: row.postId,
    results: row.results.map(({ platform, state, url, reason }) => ({
      platform,
      status: state,
      url,
      reason,
    })),
    reason: reasonText(row),
    row: row.since,
  };
}
