import type { Preset } from "../preset.ts";

export const buffer: Preset = {
  title: "Buffer",
  header: ["Text", "Image URL", "Tags", "Posting Time", "Board Name"],
  marks: { names: ["Text", "Image URL", "Tags", "Posting Time"] },
  settings: {
    columns: {
      Text: "content",
      "Image URL": "media",
      "Posting Time": "scheduled_at",
      Tags: "not_carried",
      "Board Name": "not_carried",
    },
  },
  notes: [
    "A file is for one channel, which it does not name: say it in the entry of `calendars:` that names the file.",
    "A row without a time would go into Buffer's queue. Here it is an error: a post needs a time.",
  ],
  sources: ["https://support.buffer.com/article/926-how-to-upload-posts-in-bulk-to-buffer"],
  checked: "2026-11",
};
