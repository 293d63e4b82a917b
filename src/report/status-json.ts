/** `status --format json`: the contract with scripts. Names and meanings here are never changed, only added to. */
import type { PlatformResult } from "../calendar/fate.ts";
import type { Problem } from "../calendar/problem.ts";
import type { RowSince, RowState, RowStatus } from "../calendar/row-status.ts";
import { problemDocument, type ProblemDocument } from "./problem-document.ts";
import { statusSummary, type StatusReport, type StatusSummary } from "./status-counts.ts";

interface ResultDocument {
  readonly platform: string;
  readonly status: PlatformResult["state"];
  /** On the platform; only when published, and told. */
  readonly url?: string;
  /** Only when failed, and told. */
  readonly reason?: string;
}

interface RowDocument {
  readonly key: string;
  /** Without a line where no row stands for the post any more. */
  readonly source: { readonly file: string; readonly line?: number };
  /** UTC; of the post, where there is one. */
  readonly scheduled_at: string;
  readonly platforms: readonly string[];
  readonly status: RowState;
  readonly post_id?: string;
  /** As far as the service, or its events, told. */
  readonly results: readonly ResultDocument[];
  readonly reason?: string;
  /** What became of the row since; absent where it is as it was applied. */
  readonly row?: RowSince;
}

export interface StatusDocument {
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

function rowDocument({
  key,
  file,
  line,
  scheduledAt,
  platforms,
  state,
  postId,
  results,
  reason,
  since,
}: RowStatus): RowDocument {
  return {
    key,
    source: { file, ...(line !== undefined && { line }) },
    scheduled_at: scheduledAt,
    platforms,
    status: state,
    ...(postId !== undefined && { post_id: postId }),
    results: results.map(resultDocument),
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { row: since }),
  };
}

function resultDocument({ platform, state, url, reason }: PlatformResult): ResultDocument {
  return {
    platform,
    status: state,
    ...(url !== undefined && { url }),
    ...(reason !== undefined && { reason }),
  };
}
