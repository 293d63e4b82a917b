import type { Network } from "../../calendar/limits.ts";

export const facebook: Network = {
  title: "Facebook",
  names: ["facebook", "fb", "facebookpage"],
  checked: "2026-11",
  sources: [
    "https://www.ayrshare.com/docs/help-center/technical-support/character-limits",
    "https://www.ayrshare.com/docs/media-guidelines/facebook",
  ],
  limits: {
    text: 63_206,
    images: 10,
  },
};
