import type { Network } from "../../calendar/limits.ts";

export const linkedin: Network = {
  title: "LinkedIn",
  names: ["linkedin", "linkedinpage", "linkedincompany"],
  checked: "2026-11",
  sources: [
    "https://www.ayrshare.com/docs/help-center/technical-support/character-limits",
    "https://www.ayrshare.com/docs/media-guidelines/linkedin",
  ],
  limits: {
    text: 3000,
    images: 9,
    videos: 1,
    mixed: false,
  },
};
