import type { Preset } from "./preset.ts";

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
  times: { form: "`2027-03-01 09:30`. Some files have `3/1/27 9:30`", zone: "account", isOrderOpen: true },
  notes: [
    "A file is for one channel but does not name it, so set the platform next to `preset:`.",
    "Buffer puts a row without a time into its queue. In plancast it is an error: write the day and the time.",
  ],
  sources: ["Its template, and files in public repositories"],
  checked: "2026-11",
};
