import type { Network } from "../../calendar/limits.ts";

/** A free account; with Premium a text may have 25,000 characters, and videos are longer. */
export const twitter: Network = {
  title: "X",
  names: ["twitter", "x"],
  checked: "2026-11",
  sources: [
    "https://docs.x.com/fundamentals/counting-characters",
    "https://docs.x.com/x-api/media/quickstart/best-practices",
    "https://www.ayrshare.com/docs/media-guidelines/x-twitter",
  ],
  limits: {
    text: 280,
    count: "twitter",
    images: 4,
    gifs: 1,
    videos: 1,
    mixed: false,
    image_types: ["image/jpeg", "image/png", "image/gif", "image/webp"],
    video_types: ["video/mp4", "video/quicktime", "video/x-m4v"],
    image_size: "5MiB",
    gif_size: "15MiB",
    video_size: "512MiB",
    image_pixels_min: "4x4",
    image_pixels_max: "8192x8192",
    video_length: "140s",
  },
};
