import type { Network } from "../../calendar/limits.ts";

/** The defaults of the software; each server may set its own. */
export const mastodon: Network = {
  title: "Mastodon",
  names: ["mastodon"],
  checked: "2026-11",
  sources: ["https://docs.joinmastodon.org/user/posting/"],
  limits: {
    text: 500,
    count: "mastodon",
    media: 4,
    videos: 1,
    mixed: false,
    image_size: "16MiB",
    video_size: "99MiB",
  },
};
