import type { Network } from "../../settings/limits.ts";

const bluesky: Network = {
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

const facebook: Network = {
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

const googleBusiness: Network = {
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

/** Since the end of 2025 a post takes 5 hashtags; before, it was 30. */
const instagram: Network = {
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

const linkedin: Network = {
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

/** The defaults of the software; each server may set its own. */
const mastodon: Network = {
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

const pinterest: Network = {
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

const threads: Network = {
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

const tiktok: Network = {
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

/** A free account; with Premium a text may have 25,000 characters, and videos are longer. */
const twitter: Network = {
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

/** The content of a row is the description of the video. */
const youtube: Network = {
  title: "YouTube",
  names: ["youtube", "yt"],
  checked: "2026-11",
  sources: ["https://developers.google.com/youtube/v3/docs/videos"],
  limits: {
    text: 5000,
    count: "bytes",
    media_required: "video",
    images: 0,
    videos: 1,
  },
};

/** The networks whose limits are known. A new one is a file in networks/ and a line here. */

export const NETWORKS: readonly Network[] = [
  bluesky,
  facebook,
  googleBusiness,
  instagram,
  linkedin,
  mastodon,
  pinterest,
  threads,
  tiktok,
  twitter,
  youtube,
];
