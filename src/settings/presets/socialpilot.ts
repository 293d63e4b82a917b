import type { Preset } from "./preset.ts";

export const socialpilot: Preset = {
  title: "SocialPilot",
  header: ["content", "image URL", "date and time", "account id", "first comment", "tags", "link"],
  marks: { cells: { 1: /\S/, 3: /^\p{L}{3,9}\.? \d{1,2}, \d{4} \d/u }, width: [3, 7] },
  settings: {
    header_row: "none",
    columns: {
      1: "content",
      2: "media",
      3: "scheduled_at",
      4: "accounts",
      5: "first_comment",
      6: "not_carried",
      7: "not_carried",
    },
  },
  times: { form: "`Mar 01, 2027 9:30 AM`", zone: "account" },
  notes: [],
  sources: ["Its sample file, and files in public repositories"],
  checked: "2026-11",
};
