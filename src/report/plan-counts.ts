import type { Action, Summary } from "../calendar/change.ts";
import { formatBytes } from "./format-bytes.ts";
import { roughDuration } from "./format-duration.ts";
import type { PlanView } from "./plan-view.ts";
import { counted, plural } from "./plural.ts";

/** What a plan would do, in numbers: `2 to create, 1 to replace`. Empty when nothing changes. */
export function changeCounts({ create, replace, cancel, adopt }: Pick<Summary, Action>): string {
  return counted([
    [create, "to create"],
    [replace, "to replace"],
    [cancel, "to cancel"],
    [adopt, "to adopt"],
  ]);
}

/** What a plan leaves alone: `40 unchanged, 3 past, 1 draft, 5 not managed by this project`. */
export function unchangedCounts({ summary, held }: Pick<PlanView, "summary" | "held">): string {
  return counted([
    [held, "on hold"],
    [summary.keep, "unchanged"],
    [summary.past, "past"],
    [summary.draft, summary.draft === 1 ? "draft" : "drafts"],
    [summary.unmanaged, "not managed by this project"],
  ]);
}

/** What apply would send: `Apply will send 6 requests (2 files to upload, 1.2 MB), in about 3 minutes.` */
export function requestsSentence({
  uploads,
  requests,
  expectedMs,
}: Pick<PlanView, "uploads" | "requests" | "expectedMs">): string {
  if (requests === 0) return "Apply will send nothing; it only updates the lockfile.";
  const upload = `${plural(uploads.files, "file")} to upload, ${formatBytes(uploads.bytes)}`;
  const time =
    expectedMs === 0 ? "" : `; the service's rate limit makes that about ${roughDuration(expectedMs)}`;
  return `Apply will send ${plural(requests, "request")}${uploads.files === 0 ? "" : ` (${upload})`}${time}.`;
}
