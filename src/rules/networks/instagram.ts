import type { Network } from "../../calendar/limits.ts";

/** Since the end of 2025 a post takes 5 hashtags; before, it was 30. */
export const instagram: Network = {
  title: "Instagram",
  names: ["instagram", "insta", "ig"],
  checked: "2026-11",
  sources: [
    "https://developers.facebook.com/docs/instagram-platform/content-publishing",
    "https://www.ayrshare.com/docs/media-guidelines/instagram",
    "https://routenote.com/blog/Instagram-hashtags",
  ],
  limits: {
    text: 2200,
    hashtags: 5,
    media_required: "any",
    media: 10,
    image_types: ["image/jpeg", "image/png", "image/gif"],
    video_types: ["video/mp4", "video/quicktime", "video/x-m4v"],
    image_size: "8MiB",
    image_ratio_min: "4:5",
    image_ratio_max: "1.91:1",
  },
};
