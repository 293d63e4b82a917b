/** Presets as data, what they make of headers, and that no row is lost with one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema, settingsOf } from "../../src/calendar/config.ts";
import { PRESETS } from "../../src/calendar/presets.ts";
import type { RawCalendar } from "../../src/calendar/row.ts";
import { columnTarget, WILDCARD } from "../../src/calendar/column-target.ts";
import { readCsv } from "../../src/read/csv.ts";
import { parseProject } from "../../src/read/project.ts";
import { presetHint } from "../../src/read/suggest-preset.ts";
import { exampleProject } from "../../src/report/preset-example.ts";
import { PRESET_FILES } from "../support/preset-files.ts";
import { csv } from "../support/scenario.ts";

const ALL = Object.entries(PRESETS);

function read(text: string, given: Readonly<Record<string, unknown>>): RawCalendar {
  const config = configSchema.parse({ calendars: [{ files: "*", ...given }] });
  return readCsv("a.csv", text, settingsOf(config, config.calendars));
}

const codesOf = ({ problems }: RawCalendar): string[] => problems.map(({ code }) => code);

describe.each(ALL)("%s", (name, preset) => {
  test("is well-formed", () => {
    for (const [column, target] of Object.entries(preset.settings.columns)) {
      const example = column.includes(WILDCARD) ? target.replace(WILDCARD, "x") : target;
      expect(columnTarget(example), `${column}: ${target}`).toBeDefined();
    }
    expect(preset.checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(preset.sources.length).toBeGreaterThan(0);
  });

  test("the project file of its documentation is one", () => {
    const config = parseProject("plancast.yaml", exampleProject(name, preset));
    expect(settingsOf(config, config.calendars)).toMatchObject({ preset: name, ...preset.settings });
  });

  test("understands every column of its own header", () => {
    if (preset.settings.header_row === "none") return;
    const { problems } = read(csv(preset.header, []), { preset: name });
    expect(problems.map(({ code }) => code)).toEqual(["calendar/empty"]);
  });

  test("is suggested for its own files, and for no others", () => {
    const isNamed = preset.settings.header_row !== "none";
    const [first = ""] = isNamed ? [csv(preset.header)] : [(PRESET_FILES[name]?.text ?? "")];
    const row = { cells: cellsOf(first), isNamed };
    expect(presetHint(row, undefined)).toContain(`preset: ${name}\``);
    expect(presetHint(row, name)).not.toContain("looks like");
  });
});

/** The first row of a file, as the reader has it. */
function cellsOf(text: string): string[] {
  const [row] = read(text, { header_row: "none", columns: { 1: "content", 2: "date", ...numbered() } }).rows;
  return Array.from({ length: 60 }, (_none, column) => row?.others?.[String(column)] ?? "").concat();
}

function numbered(): Record<string, string> {
  return {};
}
