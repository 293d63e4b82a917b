import type { Network } from "../../calendar/limits.ts";

export const threads: Network = {
  title: "Threads",
  names: ["threads"],
  checked: "2026-11",
  sources: [
    "https://developers.facebook.com/documentation/threads/posts",
    "https://developers.facebook.com/documentation/threads/overview",
  ],
  limits: {
    text: 500,
    count: "threads",
    links: 5,
    media: 20,
    image_types: ["image/jpeg", "image/png"],
    video_types: ["video/mp4", "video/quicktime", "video/x-m4v"],
    image_size: "8MiB",
    video_size: "1GiB",
    video_length: "5m",
  },
};
