import type { Preset } from "./preset.ts";

export const postfast: Preset = {
  title: "PostFast",
  header: [
    "scheduled_at",
    "account_id",
    "content",
    "media_urls",
    "first_comment",
    "fb_content_type",
    "ig_publish_type",
    "yt_is_short",
    "pinterest_board_id",
  ],
  marks: { names: ["scheduled_at", "account_id", "content"] },
  settings: {
    columns: {
      scheduled_at: "scheduled_at",
      account_id: "accounts",
      content: "content",
      media_urls: "media",
      first_comment: "first_comment",
      fb_content_type: "type",
      ig_publish_type: "type",
      "fb_*": "not_carried",
      "ig_*": "not_carried",
      "yt_*": "not_carried",
      "pinterest_*": "not_carried",
    },
  },
  times: { form: "`2027-03-01T09:30:00+01:00`", zone: "date" },
  notes: [],
  sources: ["https://help.postfa.st/publishing-scheduling/csv-format-for-bulk-import"],
  checked: "2026-11",
};
