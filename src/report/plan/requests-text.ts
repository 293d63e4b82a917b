/** What an apply will cost: its requests, its uploads and its time. */

import { formatBytes, plural, roughDuration } from "../text/numbers.ts";
import type { PlanView } from "./plan-view.ts";

/** The requests of apply: `Apply will send 6 requests (2 files to upload, 1.2 MB), in about 3 minutes.` */
export function requestsSentence({
  uploads,
  requests,
  isLeast,
  expectedMs,
}: Pick<PlanView, "uploads" | "requests" | "isLeast" | "expectedMs">): string {
  if (requests === undefined) return "Apply will only write files of this repository.";
  if (requests === 0) return "Apply will send no requests. It only updates the lockfile.";
  const upload = `${plural(uploads.files, "file")} to upload, ${formatBytes(uploads.bytes)}`;
  const time =
    expectedMs === 0 ? "" : `. The service's rate limit makes this take about ${roughDuration(expectedMs)}`;
  return `Apply will send ${isLeast ? "at least " : ""}${plural(requests, "request")}${uploads.files === 0 ? "" : ` (${upload})`}${time}.`;
}
