import type { Network } from "../../calendar/limits.ts";

export const bluesky: Network = {
  title: "Bluesky",
  names: ["bluesky", "bsky"],
  checked: "2026-11",
  sources: [
    "https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky",
    "https://www.ayrshare.com/docs/media-guidelines/bluesky",
  ],
  limits: {
    text: 300,
    count: "graphemes",
    text_bytes: 3000,
    images: 4,
    videos: 1,
    mixed: false,
    image_size: "1MB",
    video_types: ["video/mp4"],
    video_size: "100MB",
    video_length: "3m",
  },
};
