import type { Preset } from "./preset.ts";

export const hootsuite: Preset = {
  title: "Hootsuite",
  header: ["date and time", "message", "link"],
  marks: { cells: { 1: /^\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}[ T]+\d{1,2}:\d{2}/, 2: /\S/ }, width: [2, 3] },
  settings: {
    header_row: "none",
    columns: { 1: "scheduled_at", 2: "content", 3: "not_carried" },
  },
  times: { form: "`03/01/2027 09:30`, `2027-03-01 09:30:00`", zone: "account", isOrderOpen: true },
  notes: [
    "A file with a header: say `header_row: 1` beside `preset:`, and under `columns:` what is not understood by its name.",
    "Hootsuite asks for the order of the dates when a file is uploaded. Here `plancast.yaml` says it.",
  ],
  sources: [
    "https://kim-iverson-headlee.blogspot.com/2016/08/the-business-of-writing-using-hootsuite.html",
    "Files in public repositories",
  ],
  checked: "2026-11",
};
