/** The additions of --write to plancast.yaml change nothing else: neither the plan, nor the existing text. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { checkCalendars } from "../../../src/calendars/check.ts";
import { addColumnSettings } from "../../../src/calendars/edit/project-settings.ts";
import { readProject } from "../../../src/calendars/project.ts";
import { SELECT_ALL, selectCalendars } from "../../../src/calendars/select.ts";
import { calendarsOf, understandColumns } from "../../../src/calendars/understand-columns.ts";
import type { ProjectFileEdit } from "../../../src/model/columns.ts";
import type { Project } from "../../../src/settings/config.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { xlsx } from "../../support/workbook-files.ts";

const CLOCK = { now: () => Date.UTC(2030, 0, 1), sleep: () => Promise.resolve() };

/** Headers, each with a cell. A field may have several columns. plancast takes the clearest. */
const TEXTS = [
  "content",
  "Légende",
  "Caption",
  "Post",
  "Beitrags-Text",
  "Texto",
  "'content",
  "TESTO ",
  "Post  Copy",
];
const DATES = ["date", "Datum", "Date de publication", "📅 Publish Date", "Fecha", "Data", "Post_Date"];
const TIMES = ["time", "Heure", "Uhrzeit (24h)", "Hora", "Orario"];
const OTHERS: readonly (readonly [string, string])[] = [
  ["Réseaux sociaux", "linkedin"],
  ["Image 1", "img_1x"],
  ["Image 2", ""],
  ["Caption:twitter", "short"],
  ["Légende:facebook", ""],
  ["Notes", "note: a"],
  ["status", ""],
  ["Entwurf", "no"],
  ["a: b # c", "x"],
  ["", ""],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["post id", ""],
];

const table = fc
  .record({
    text: fc.constantFrom(...TEXTS),
    date: fc.constantFrom(...DATES),
    time: fc.constantFrom(...TIMES),
    others: fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 6, selector: ([name]) => name }),
    titles: fc.integer({ min: 0, max: 3 }),
    groups: fc.boolean(),
    order: fc.constantFrom("iso", "dmy", "mdy"),
    rows: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom("csv", "ssv", "tsv", "xlsx", "latin"),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map((given) => ({ ...given, cells: cellsOf(given) }));

interface Given {
  readonly text: string;
  readonly date: string;
  readonly time: string;
  readonly others: readonly (readonly [string, string])[];
  readonly titles: number;
  readonly groups: boolean;
  readonly order: string;
  readonly rows: number;
  readonly seed: number;
}

function cellsOf({ text, date, time, others, titles, groups, order, rows, seed }: Given): string[][] {
  const header = [date, time, text, ...others.map(([name]) => name)];
  const row = (index: number): string[] => {
    const day = String(13 + index);
    const dates: Record<string, string> = {
      iso: `2036-01-${day}`,
      dmy: `${day}/1/2036`,
      mdy: `1/${day}/2036`,
    };
    return [dates[order] ?? "", "10:00", `Post ${seed} ${index} é`, ...others.map(([, cell]) => cell)];
  };
  return [
    ...Array.from({ length: titles }, (_, index) => [index === 0 ? "Plan 2036" : ""]),
    ...(groups ? [header.map((_, column) => (column % 3 === 0 ? `Group ${column}` : ""))] : []),
    header,
    ...Array.from({ length: rows }, (_, index) => row(index)),
  ];
}

function fileOf(
  index: number,
  { kind, cells }: { kind: string; cells: string[][] },
): [string, string | Uint8Array] {
  const name = index === 0 ? "a (1) [x]" : `c${index}`;
  if (kind === "xlsx") {
    return [
      `calendars/${name}.xlsx`,
      xlsx([
        { name: "Notes", rows: [["x"]] },
        { name: "Plan: 2", rows: cells },
      ]),
    ];
  }
  const delimiter = kind === "ssv" ? ";" : kind === "tsv" ? "\t" : ",";
  const text = cells
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
    .join("\r\n");
  const bytes = kind === "latin" ? Buffer.from(text.replaceAll("📅", ""), "latin1") : text;
  return [`calendars/${name}.${kind === "tsv" ? "tsv" : "csv"}`, bytes];
}

/** Ways to write one plancast.yaml. */
const layouts = fc.constantFrom(
  "# none\n",
  "timezone: Europe/Paris # zone\r\ndefaults: { platforms: [linkedin] }\r\n",
  'calendars: ["calendars/**/*"] # all\n\ndefaults:\n  platforms: linkedin\n\n# names\ncolumns:\n  Caption: content # c\n  Notes: ignore\n',
  "calendars:\n- calendars/*\n- files: calendars/c1.csv\n  timezone: Asia/Tokyo # far\ncolumns: {}\n",
  "{ calendars: [ { files: 'calendars/*', columns: { Notes: ignore } } ] }",
  'calendars:\n  - files: "calendars/*.csv"\n    columns: &c { Fecha: date }\n  - files: "calendars/*.{tsv,xlsx}"\n    columns: *c\n',
);

async function postsOf(project: Project): Promise<unknown> {
  const checked = await checkCalendars(
    project,
    await selectCalendars(project, SELECT_ALL, project.root),
    CLOCK,
  );
  const errors = checked.problems.filter(({ severity }) => severity === "error");
  const found = { posts: checked.posts, errors: errors.map(({ code, file, line }) => [code, file, line]) };
  // As data, without the function that returns a post's place.
  return JSON.parse(JSON.stringify(found));
}

async function writeAll(world: TestProject): Promise<ProjectFileEdit> {
  const project = await readProject(`${world.root}/plancast.yaml`);
  const found = await calendarsOf(project);
  const all = await Promise.all(found.files.map((file) => understandColumns(project, file, found)));
  const sound = all.filter(({ problems }) => problems.length === 0);
  const edit = await addColumnSettings(project, await world.read("plancast.yaml"), sound);
  await world.write("plancast.yaml", edit.after);
  return edit;
}

test("adding columns keeps all posts and lines, and adding them again changes nothing", async () => {
  let added = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(table, { minLength: 1, maxLength: 3 }), layouts, async (tables, layout) => {
      const files = Object.fromEntries(tables.map((each, index) => fileOf(index, each)));
      const world = await makeProject({ config: layout, files });
      const before = await postsOf(await readProject(`${world.root}/plancast.yaml`));
      const edit = await writeAll(world);
      const after = await postsOf(await readProject(`${world.root}/plancast.yaml`));
      expect(after).toEqual(before);
      expectKept(layout, edit.after);
      expect((await writeAll(world)).after).toBe(edit.after);
      added += edit.added.length;
      await world.dispose();
    }),
    { numRuns: 12 },
  );
  expect(added).toBeGreaterThan(3);
});

/** Every line is there; of a list that became one of lines, every word. */
function expectKept(before: string, after: string): void {
  const lines = after.split(/\r?\n/);
  for (const line of before.split(/\r?\n/)) {
    if (lines.includes(line)) continue;
    for (const word of line.match(/[#\w*]+/g) ?? []) expect(after).toContain(word);
  }
}

test("dates get the order that plancast writes into plancast.yaml", async () => {
  const text = "Fecha;Texto\n3/4/2036;uno\n13/4/2036;dos\n";
  const config = { timezone: "UTC", defaults: { time: "10:00", platforms: ["x"] } };
  const world = await makeProject({ config: stringify(config), files: { "calendars/a.csv": text } });
  await writeAll(world);
  expect(await world.read("plancast.yaml")).toContain(
    "columns:\n  Fecha: date\n  Texto: content\ndate_order: dmy\n",
  );
  const { posts } = Object(await postsOf(await readProject(`${world.root}/plancast.yaml`)));
  expect(posts).toMatchObject([
    { scheduledAt: "2036-04-03T10:00:00Z" },
    { scheduledAt: "2036-04-13T10:00:00Z" },
  ]);
});
