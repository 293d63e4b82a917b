import type { Network } from "../../calendar/limits.ts";

export const pinterest: Network = {
  title: "Pinterest",
  names: ["pinterest"],
  checked: "2026-11",
  sources: [
    "https://www.ayrshare.com/docs/help-center/technical-support/character-limits",
    "https://www.ayrshare.com/docs/media-guidelines/pinterest",
  ],
  limits: {
    text: 500,
    media_required: "any",
    images: 5,
    videos: 1,
    mixed: false,
    image_types: ["image/jpeg", "image/png", "image/gif", "image/webp", "image/bmp", "image/tiff"],
    video_types: ["video/mp4", "video/quicktime", "video/x-m4v"],
    image_size: "20MiB",
  },
};
