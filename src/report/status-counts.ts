import { ROW_STATES, type RowState, type RowStatus } from "../calendar/row-status.ts";
import { counted } from "./plural.ts";

/** What `status` found. */
export interface StatusReport {
  /** In the order in which they are due. */
  readonly rows: readonly RowStatus[];
  /** Draft and skipped rows. */
  readonly drafts: number;
  /** Rows with errors: what they ask for is not known. */
  readonly broken: number;
  /** Requests that were sent for it. */
  readonly requests: number;
}

export type StatusSummary = Readonly<Record<RowState | "draft", number>>;

export function statusSummary({ rows, drafts }: StatusReport): StatusSummary {
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
    [summary.draft, "draft"],
  ]);
}
