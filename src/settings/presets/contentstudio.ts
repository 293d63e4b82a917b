import type { Preset } from "./preset.ts";

export const contentstudio: Preset = {
  title: "ContentStudio",
  header: ["Date and Time", "Message", "Image URL", "Link"],
  marks: { names: ["Date and Time", "Message", "Image URL", "Link"] },
  settings: {
    // The only order that its importer accepts.
    date_order: "dmy",
    columns: {
      "Date and Time": "scheduled_at",
      Message: "content",
      "Image URL": "media",
      "Video URL": "media",
      Link: "not_carried",
    },
  },
  times: { form: "`01/03/2027 09:30`, with the day first", zone: "account" },
  notes: [],
  sources: ["Its sample file, and files in public repositories"],
  checked: "2026-11",
};
