/** Calendars with very many faults: no crash, and no time that grows faster than they do. */
import { expect, test } from "vitest";
import { readYaml } from "../../src/calendars/formats/yaml/read-yaml.ts";
import { validate } from "../../src/checks/validate.ts";
import { settingsOf } from "../../src/settings/calendar-settings.ts";
import { calendar, config, row } from "../support/rows.ts";
import { GROWS_TOO_FAST, growth } from "../support/growth.ts";

test("130,000 rows with the same id are 129,999 errors", () => {
  const cells = { id: "a", scheduled_at: "2036-03-01 09:00", platforms: "linkedin" };
  const rows = Array.from({ length: 130_000 }, (_, index) =>
    row({ ...cells, content: `Text ${index}` }, index),
  );
  const { problems } = validate([calendar(rows)], config());
  expect(problems.filter(({ code }) => code === "row/duplicate-id")).toHaveLength(129_999);
});

test("the lines of faulty YAML rows are found once", () => {
  expect(growth(sumOfLines, 500)).toBeLessThan(GROWS_TOO_FAST);
});

/** Asks for the line of each row many times, as a report of problems does. */
function sumOfLines(size: number): number {
  const text = "- { scheduled_at: never, platforms: linkedin, content: Text }\n".repeat(size);
  const { rows } = readYaml("a.yaml", text, settingsOf(config(), []));
  let sum = 0;
  for (let times = 0; times < 50; times += 1) for (const { line } of rows) sum += line;
  return sum;
}
