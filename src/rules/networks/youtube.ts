import type { Network } from "../../calendar/limits.ts";

/** The content of a row is the description of the video. */
export const youtube: Network = {
  title: "YouTube",
  names: ["youtube", "yt"],
  checked: "2026-11",
  sources: ["https://developers.google.com/youtube/v3/docs/videos"],
  limits: {
    text: 5000,
    count: "bytes",
    media_required: "video",
    images: 0,
    videos: 1,
  },
};
