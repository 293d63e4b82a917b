/** What is wrong with a calendar's file: its encoding, its syntax. */
import { csv, row } from "./csv.js";

const yaml = (text) => ({ files: { "calendars/march.yaml": text } });
const inCsv = (text) => ({ files: { "calendars/march.csv": text } });

/** @type {Readonly<Record<string, import("../problem-examples.js").Case>>} */
export const CALENDAR_CASES = {
  "calendar/encoding": inCsv(Buffer.from(csv(row({ content: "Caf\x81 \x8d" })), "latin1")),
  "calendar/conflict": inCsv(
    csv(row({ content: "Hello" })) +
      "<<<<<<< HEAD\n2036-03-04 09:00,linkedin,From one branch\n=======\n2036-03-05 09:00,linkedin,From another\n>>>>>>> spring\n",
  ),
  "calendar/empty": inCsv("scheduled_at,platforms,content\n"),
  "calendar/shape": yaml("Our posts\n"),
  "csv/syntax": inCsv(csv(row({ content: 'The "best" bread' }), row({ content: 'A 5" screen, new' }))),
  "yaml/syntax": yaml("- scheduled_at: 2036-03-03 09:00\n  content: Note: read this\n"),
  "yaml/lost-hashtag": yaml(
    "- scheduled_at: 2036-03-03 09:00\n  platforms: [linkedin]\n  content: Good morning #bread\n",
  ),
  "yaml/unsupported": yaml("%YAML 1.1\n---\n- content: Hello\n"),
};
