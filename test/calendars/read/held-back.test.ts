import { describe, expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/read/csv/read-csv.ts";
import type { ReadOptions } from "../../../src/calendars/read/format.ts";
import { readMarkdown } from "../../../src/calendars/read/yaml/read-post-file.ts";
import { readYaml } from "../../../src/calendars/read/yaml/read-yaml.ts";
import type { RawCalendar } from "../../../src/model/row.ts";
import { validate } from "../../../src/checks/validate.ts";
import { settingsOf } from "../../../src/settings/calendar-settings.ts";
import { config } from "../../support/rows.ts";
import { codes } from "../places.ts";

const read = (lines: readonly string[], options: Partial<ReadOptions> = {}): RawCalendar =>
  readCsv("a.csv", `${lines.join("\n")}\n`, { columns: {}, ...options });

/** The doubts of all rows. */
function doubts({ rows }: RawCalendar): string[] {
  return codes(rows.flatMap((row) => row.doubts ?? []));
}

const POST = "2036-03-01 09:00,linkedin";

describe("a note that says not to publish keeps its row back", () => {
  const header = "scheduled_at,platforms,content,status";

  test.each([
    ["Client comments", "Please do not publish this one"],
    ["Remarques", "Ne pas publier avant lundi"],
    ["", "on hold"],
    ["Ann", "DON'T POST!"],
  ])("in the column %j: %j", (name, note) => {
    const calendar = read([`${header},${name}`, `${POST},a,,${note}`, `${POST},b,,Love it`]);
    expect(doubts(calendar)).toEqual(["row/held-back@2:30"]);
  });

  test.each([
    ["Topic", "Do not publish your boarding pass"],
    ["Caption FR", "Ne pas publier vos photos de vacances, jamais de la vie"],
    ["Hashtags", "on hold"],
  ])("but not in %j, which is about something else", (name, note) => {
    expect(doubts(read([`${header},${name}`, `${POST},a,,${note}`]))).toEqual([]);
  });

  test("until the column is ignored", () => {
    const lines = [`${header},Notes`, `${POST},a,,do not publish`];
    expect(doubts(read(lines))).toHaveLength(1);
    expect(doubts(read(lines, { columns: { notes: "ignore" } }))).toEqual([]);
  });

  test("if it would be planned", () => {
    const project = config({ timezone: "UTC" });
    const calendar = read([`${header},Notes`, `${POST},a,draft,do not post`, `${POST},b,,do not post`]);
    const checked = validate([{ ...calendar, settings: settingsOf(project, []) }], project);
    expect(codes(checked.problems)).toEqual(["row/held-back@3:30"]);
    expect(checked.posts).toEqual([]);
  });

  test("in YAML too", () => {
    const post = "scheduled_at: 2036-03-01 09:00, platforms: [x]";
    const yaml = `- {${post}, content: a, remarks: do not publish}\n- {${post}, content: b, remarks: fine}\n`;
    expect(doubts(readYaml("a.yaml", yaml))).toEqual(["row/held-back@1:73"]);
    expect(doubts(readYaml("a.yaml", yaml, { columns: { remarks: "ignore" } }))).toEqual([]);
  });

  test("and in a file with one post", () => {
    const text = "---\nscheduled_at: 2036-03-01 09:00\nremarks: do not publish\n---\nHi\n";
    expect(doubts(readMarkdown("a.md", text, { columns: {} }))).toEqual(["row/held-back@3:10"]);
  });
});

describe("a title keeps back the rows below it", () => {
  const header = "scheduled_at,platforms,content";

  test.each(["BACKLOG", "Backlog - do not schedule", "On hold:", "Ideas", "Drafts", "Not approved yet"])(
    "%j",
    (title) => {
      const calendar = read([header, `${POST},a`, `${title},,`, `${POST},b`, `${POST},c`]);
      expect(doubts(calendar)).toEqual(["row/held-back@4:1", "row/held-back@5:1"]);
    },
  );

  test.each(["Approved", "Week 2: July 15–21", "Ready to post"])("up to the title %j", (title) => {
    const calendar = read([header, "On hold,,", `${POST},a`, `${title},,`, `${POST},b`]);
    expect(doubts(calendar)).toEqual(["row/held-back@3:1"]);
    expect(codes(calendar.problems)).toEqual(["row/not-a-post@2:1"]);
  });

  test("and a note in another column does not end it", () => {
    const calendar = read([`${header},Notes`, "On hold,,,", ",,,Ana is away", `${POST},a,`]);
    expect(doubts(calendar)).toEqual(["row/held-back@4:1"]);
  });
});
