import { durationMs } from "../calendar/duration.ts";
import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** Encoders round a video up to whole frames and sound packets. */
const TOLERANCE_MS = 500;

/** media/too-long */
export const videoTooLong: PlatformRule = (post, { title, limits: { video_length } }) => {
  if (video_length === undefined) return NO_FINDINGS;
  const limit = durationMs(video_length);
  return mediaFiles(post).flatMap(({ file, item }) => {
    const length = file.facts?.lengthMs;
    if (length === undefined || length <= limit + TOLERANCE_MS) return [];
    const message = `"${file.path}" lasts ${clockText(length)}, and ${title} takes videos of at most ${clockText(limit)}. Cut it.`;
    return [{ message, field: "media", item } as const];
  });
};

/** `2:20`, or `1:02:20`; parts of a second count as one. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const end = `${String(seconds % 60).padStart(2, "0")} min`;
  return hours === 0
    ? `${minutes}:${end}`
    : `${hours}:${String(minutes).padStart(2, "0")}:${end.replace("min", "h")}`;
}
