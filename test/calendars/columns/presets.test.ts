/** Presets: their data, how they read headers, and that no row gets lost. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMappingLookup } from "../../../src/calendars/columns/columns.ts";
import { parseProject } from "../../../src/calendars/project.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { presetHint } from "../../../src/calendars/read/header-problems.ts";
import { yesOrNo } from "../../../src/settings/languages/languages.ts";
import { WILDCARD, columnTarget } from "../../../src/model/columns.ts";
import type { RawCalendar } from "../../../src/model/row.ts";
import { exampleProject } from "../../../src/report/reference/pages.ts";
import { type CalendarSettings, settingsOf } from "../../../src/settings/calendar-settings.ts";
import { configSchema } from "../../../src/calendars/check-project.ts";
import type { Preset } from "../../../src/settings/presets/preset.ts";
import { PRESETS } from "../../../src/settings/presets/presets.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { PRESET_FILES } from "../../support/preset-files.ts";
import { csv } from "../../support/scenario.ts";

const ALL = Object.entries(PRESETS);

function read(text: string, given: Readonly<Record<string, unknown>>): RawCalendar {
  const config = configSchema.parse({ calendars: [{ files: "*", ...given }] });
  return readCsv("a.csv", text, settingsOf(config, config.calendars));
}

describe.each(ALL)("the preset %s", (name, preset) => {
  test("is well-formed", () => {
    for (const [column, target] of Object.entries(preset.settings.columns)) {
      const example = column.includes(WILDCARD) ? target.replace(WILDCARD, "x") : target;
      expect(columnTarget(example), `${column}: ${target}`).toBeDefined();
    }
    expect(preset.checked).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(preset.sources.length).toBeGreaterThan(0);
  });

  test("has a documented plancast.yaml that works", () => {
    const config = parseProject("plancast.yaml", exampleProject(name, preset));
    expect(settingsOf(config, config.calendars)).toMatchObject({ preset: name, ...preset.settings });
  });

  test("understands every column of its own header", () => {
    if (preset.settings.header_row === "none") return;
    const { problems } = read(csv(preset.header, []), { preset: name });
    expect(problems.map(({ code }) => code)).toEqual(["calendar/empty"]);
  });

  test("is suggested for its header, and never twice", () => {
    if (preset.settings.header_row === "none") return;
    expect(presetHint(preset.header, undefined)).toContain(`preset: ${name}\``);
    expect(presetHint(preset.header, name)).not.toContain("looks like");
  });

  test("is the only one suggested for its files", () => {
    const text = (PRESET_FILES[name]?.text ?? "").replace(/^\uFEFF/, "");
    const named = codesAndHints(read(text, {}));
    // Headers with known names have no faults, so no preset is suggested.
    const isRead = PRESET_FILES[name]?.isReadWithoutPreset === true;
    expect(named.codes.length === 0).toBe(isRead);
    expect(new Set(named.hints)).toEqual(new Set(isRead ? [] : [name]));
  });

  test("loses no row and no cell without a warning", () => {
    const cell = fc.oneof(fc.constantFrom("", "TRUE", "no", "x, y", "now"), fc.string({ maxLength: 12 }));
    const record = fc.array(cell, { minLength: preset.header.length, maxLength: preset.header.length });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), (records) => {
        const isNamed = preset.settings.header_row !== "none";
        const targets = targetsOf(preset);
        const rows = records.map((cells, index) =>
          cells.map((text, column) =>
            targets[column] === "content" ? `${index} ${text}` : valid(targets[column], text),
          ),
        );
        const text = csv(isNamed ? preset.header : (rows[0] ?? []), ...(isNamed ? rows : rows.slice(1)));
        const calendar = read(text, { preset: name });
        const captions = rows.map((cells) => cells[targets.indexOf("content")]);
        expect(calendar.rows.map((row) => row.cells.content)).toEqual(captions);
        const used = preset.header.flatMap((label, column) => {
          const count = rows.filter(
            (cells) => targets[column] === "not_carried" && isUsed(cells[column] ?? ""),
          ).length;
          return count === 0 ? [] : `\`${label}\` (${count} row${count === 1 ? "" : "s"})`;
        });
        const told = calendar.problems.find(({ code }) => code === "service/not-stored")?.message ?? "";
        for (const each of used) expect(told).toContain(each);
      }),
      { numRuns: 40 },
    );
  });
});

test("a preset is suggested even if plancast knows none of its column names", () => {
  const [known] = ALL.flatMap(([, preset]) => ("names" in preset.marks ? [preset] : []));
  Object.assign(PRESETS, { postbox: { ...known, title: "Postbox", marks: { names: ["Zig", "Zag"] } } });
  afterThisTest(() => void Reflect.deleteProperty(PRESETS, "postbox"));
  const { codes, hints } = codesAndHints(read("Zig,Zag,Zog\na,b,c\n", {}));
  expect({ codes, hints }).toEqual({ codes: ["columns/unknown"], hints: ["postbox"] });
});

function codesAndHints({ problems }: RawCalendar): { codes: string[]; hints: string[] } {
  return {
    codes: problems.map(({ code }) => code),
    hints: problems.flatMap(({ message }) =>
      [...message.matchAll(/--preset ([\w-]+)/g)].map(([, found]) => found ?? ""),
    ),
  };
}

/** What each column of a preset's header becomes. */
function targetsOf({ header, settings }: Preset): (string | undefined)[] {
  const named = createMappingLookup(settings.columns);
  return header.map((label, column) => {
    if (settings.header_row === "none") return settings.columns[column + 1];
    const target = named(label)?.target;
    if (typeof target === "string") return target;
    return target?.kind === "field" ? target.field : undefined;
  });
}

/** A file without a header is recognised by its times, and a link by its type. This test covers neither. */
function valid(target: string | undefined, text: string): string {
  if (target === "scheduled_at") return "2036-03-01 09:30";
  return target === "ignore" ? "image" : text;
}

function isUsed(text: string): boolean {
  return !/^[\s\u00a0]*$/.test(text) && yesOrNo(text) !== false;
}

test("reads every picture of a carousel in order", () => {
  const row = fc.record({ text: fc.constantFrom("One", "Two"), hour: fc.constantFrom("09", "10") });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const records = rows.map(({ text, hour }, index) => [
        text,
        "image",
        `${index}.png`,
        `2036-03-01 ${hour}:00`,
      ]);
      const calendar = read(csv(["message", "type", "link", " time"], ...records), { preset: "vista" });
      const media = calendar.rows.flatMap(({ cells }) => cells.media ?? []);
      expect(media).toEqual(rows.map((_row, index) => `${index}.png`));
      for (const each of calendar.rows) {
        const items = [each.cells.media ?? []].flat();
        // Each picture is on the line of its own row; the header is the first.
        expect(items.map((_text, item) => each.at("media", item).line)).toEqual(
          items.map((name) => Number.parseInt(name, 10) + 2),
        );
      }
    }),
  );
});

function settings(
  given: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
): CalendarSettings {
  const config = configSchema.parse({ ...given, calendars: [{ files: "*", ...entry }] });
  return settingsOf(config, config.calendars);
}

describe("settings", () => {
  test("come from the entry, its preset, the project and its preset, in that order", () => {
    const own = { date_order: "mdy", columns: { MESSAGE: "ignore" } };
    expect(settings({ preset: "contentstudio", ...own }, {})).toMatchObject({ date_order: "mdy" });
    expect(settings({ preset: "contentstudio", ...own }, {}).columns).toMatchObject({ MESSAGE: "ignore" });
    const over = settings({ ...own }, { preset: "contentstudio" });
    expect(over).toMatchObject({ date_order: "dmy", columns: { Message: "content" } });
    expect(over.columns).not.toHaveProperty("MESSAGE");
    expect(settings(own, { preset: "contentstudio", date_order: "ymd" }).date_order).toBe("ymd");
    expect(settings({}, { preset: "highlevel" }).blank_time).toBe("draft");
  });

  test("come only from the preset of the entry, even if the project has a preset too", () => {
    const found = settings({ preset: "hootsuite" }, { preset: "vista" });
    expect(found.preset).toBe("vista");
    expect(found.header_row).toBeUndefined();
    expect(found.columns).not.toHaveProperty("2");
  });

  test("each default of an entry replaces only the same default of the project", () => {
    const project = { defaults: { platforms: ["linkedin"], time: "10:00" } };
    expect(settings(project, { defaults: { platforms: "x" } }).defaults).toEqual({
      platforms: "x",
      time: "10:00",
    });
  });
});

describe("a column name with *", () => {
  test("matches every name with any text at this place, and maps it to the matching field", () => {
    const mapping = {
      "Slide *": "media",
      "custom_*_for_x": "content:*",
      "* notes": "ignore",
      "Slide 2": "ignore",
    };
    const named = createMappingLookup(mapping);
    const target = (name: string): unknown => named(name)?.target;
    expect(["slide 1", "SLIDE_2", "Slide", "Team notes"].map(target)).toEqual([
      { kind: "field", field: "media" },
      "ignore",
      undefined,
      "ignore",
    ]);
    expect(target("custom_Twitter_for_x")).toEqual({
      kind: "variant",
      field: "content",
      platform: "twitter",
    });
    expect(target("custom_a b!_for_x")).toBeUndefined();
  });

  test("matches a header of that exact name", () => {
    expect(createMappingLookup({ "Caption*": "content" })("caption*")).toEqual({
      target: { kind: "field", field: "content" },
      key: "Caption*",
    });
  });

  test.each(["content:*", "medi*"])("mapped to %s is checked", (target) => {
    const text = `columns: { "own_*": "${target}" }`;
    const parse = (): unknown => parseProject("plancast.yaml", text);
    if (target === "content:*") expect(parse).not.toThrow();
    else expect(parse).toThrow("is no field");
  });
});

describe("files without a header", () => {
  test.each([
    ["hootsuite", '2036-03-01 09:30,"a; b; c; d; e",\n2036-03-02 09:30,x,\n'],
    ["hootsuite", "01/03/2036 09:30;a, b, c, d, e;\n"],
    ["socialpilot", 'a; b; c; d; e; f; g,,"Mar 01, 2036 9:30 AM",1,,,\n'],
  ])("%s: the form of the time shows the delimiter", (preset, text) => {
    const { rows } = read(text, { preset });
    expect(rows[0]?.cells.content).toMatch(/^a.*e/);
    expect(rows[0]?.cells.scheduled_at).toContain("2036");
  });
});

test.each([
  ["publer", ["Date", "Text", "Post subtype"], ["2036/03/01 09:30", "Hi", "story"]],
  [
    "metricool",
    ["Text", "Date", "Time", "Facebook Type", "Instagram Post Type"],
    ["Hi", "2036-03-01", "09:30:00", "POST", "STORY"],
  ],
  [
    "highlevel",
    ["postAtSpecificTime", "content", "type (post/story/reel)"],
    ["2036-03-01 09:30:00", "Hi", "story"],
  ],
  [
    "postfast",
    ["scheduled_at", "account_id", "content", "fb_content_type", "ig_publish_type"],
    ["2036-03-01T09:30:00Z", "1", "Hi", "REEL", "STORY"],
  ],
])("the preset %s never takes a Story for a post", (preset, header, row) => {
  const { rows, problems } = read(csv(header, row), { preset });
  expect(problems).toEqual([]);
  expect(rows.map(({ cells }) => String(cells.type).toLowerCase())).toEqual(["story"]);
});
