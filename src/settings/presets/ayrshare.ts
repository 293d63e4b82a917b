import type { Preset } from "./preset.ts";

export const ayrshare: Preset = {
  title: "Ayrshare",
  header: ["post", "platforms", "mediaUrls", "scheduleDate"],
  marks: { names: ["post", "platforms", "mediaUrls", "scheduleDate"] },
  settings: {
    columns: { post: "content", platforms: "platforms", mediaUrls: "media", scheduleDate: "scheduled_at" },
  },
  times: { form: "`2027-03-01T08:30:00Z`", zone: "date" },
  notes: [],
  sources: ["https://www.ayrshare.com/docs/apis/post/bulk-post"],
  checked: "2026-11",
};
