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
    "If your file has a header, set `header_row: 1` next to `preset:`, and map unknown names under `columns:`.",
    "Hootsuite asks for the order of dates when you upload a file. In plancast, set `date_order:`.",
  ],
  sources: [
    "https://kim-iverson-headlee.blogspot.com/2016/08/the-business-of-writing-using-hootsuite.html",
    "Files in public repositories",
  ],
  checked: "2026-11",
};
