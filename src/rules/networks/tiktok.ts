import type { Network } from "../../calendar/limits.ts";

export const tiktok: Network = {
  title: "TikTok",
  names: ["tiktok"],
  checked: "2026-11",
  sources: [
    "https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide",
    "https://www.ayrshare.com/docs/media-guidelines/tiktok",
  ],
  limits: {
    text: 2200,
    text_images: 4000,
    count: "utf16",
    media_required: "any",
    images: 35,
    videos: 1,
    mixed: false,
    image_types: ["image/jpeg", "image/webp"],
    video_types: ["video/mp4", "video/quicktime", "video/x-m4v", "video/webm"],
    image_size: "20MiB",
    video_size: "4GiB",
    video_length: "10m",
  },
};
