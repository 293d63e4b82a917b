import type { Network } from "../../calendar/limits.ts";

export const googleBusiness: Network = {
  title: "Google Business",
  names: ["googlebusiness", "googlebusinessprofile", "googlemybusiness", "gbp", "gmb"],
  checked: "2026-11",
  sources: [
    "https://www.ayrshare.com/docs/help-center/technical-support/character-limits",
    "https://www.ayrshare.com/docs/media-guidelines/google-business-profile",
  ],
  limits: {
    text: 1500,
    images: 1,
    image_types: ["image/jpeg", "image/png"],
    image_size: "5MiB",
    image_size_min: "10kB",
    image_pixels_min: "250x250",
  },
};
