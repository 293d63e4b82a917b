/** What is wrong with a calendar's file: its encoding, its syntax. */
import { csv, row } from "./csv.js";

const yaml = (text) => ({ files: { "calendars/march.yaml": text } });
const inCsv = (text) => ({ files: { "calendars/march.csv": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const CALENDAR_CASES = {
  "calendar/encoding": inCsv(Buffer.from(csv(row({ content: "Caf\x81 \x8d" })), "latin1")),
  "calendar/conflict-markers": inCsv(
    csv(row({ content: "Hello" })) +
      "<<<<<<< HEAD\n2036-03-04 09:00,linkedin,From one branch\n=======\n2036-03-05 09:00,linkedin,From another\n>>>>>>> spring\n",
  ),
  "calendar/empty": inCsv("scheduled_at,platforms,content\n"),
  "calendar/unknown-key": yaml(
    "timezon: Europe/Paris\nposts:\n  - scheduled_at: 2036-03-03 09:00\n    platforms: [linkedin]\n    content: Hello\n",
  ),
  "calendar/shape": yaml("Our posts\n"),
  "csv/syntax": inCsv(csv(row({ content: 'The "best" bread' }), row({ content: 'A 5" screen, new' }))),
  "csv/ragged-row": inCsv(csv(row({ content: "Hello, world" }))),
  "yaml/syntax": yaml("- scheduled_at: 2036-03-03 09:00\n  content: Note: read this\n"),
  "yaml/several-documents": yaml(
    "- scheduled_at: 2036-03-03 09:00\n  platforms: [linkedin]\n  content: Hello\n---\n- content: Bye\n",
  ),
  "yaml/too-deep": yaml(`${"[".repeat(200)}\n`),
  "yaml/lost-hashtag": yaml(
    "- scheduled_at: 2036-03-03 09:00\n  platforms: [linkedin]\n  content: Good morning #bread\n",
  ),
  "yaml/unsupported": yaml("%YAML 1.1\n---\n- content: Hello\n"),
  "workbook/unreadable": { files: { "calendars/march.xlsx": csv(row({})) } },
};
