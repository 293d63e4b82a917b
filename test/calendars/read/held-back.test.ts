import { describe, expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import type { ReadOptions } from "../../../src/calendars/read/format.ts";
import type { RawCalendar } from "../../../src/model/row.ts";
import { codes } from "../places.ts";

const read = (lines: readonly string[], options: Partial<ReadOptions> = {}): RawCalendar =>
  readCsv("a.csv", `${lines.join("\n")}\n`, { columns: {}, ...options });

/** The doubts of all rows. */
function doubts({ rows }: RawCalendar): string[] {
  return codes(rows.flatMap((row) => row.doubts ?? []));
}

const POST = "2036-03-01 09:00,linkedin";

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
    expect(codes(calendar.problems)).toContain("row/not-a-post@2:1");
  });

  test("and a note in another column does not end it", () => {
    const calendar = read([`${header},Notes`, "On hold,,,", ",,,Ana is away", `${POST},a,`]);
    expect(doubts(calendar)).toEqual(["row/held-back@4:1"]);
  });
});
