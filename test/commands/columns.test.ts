import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { csv } from "../support/scenario.ts";
import { makeProject, type ProjectOptions, type TestProject } from "../support/project.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";
import { xlsx } from "../support/workbook-files.ts";

const FRENCH = `Plan éditorial;;;;;;;;
;;;;;;;;
Date de publication;Heure;Légende;Texte court:x;Réseaux sociaux;Plattforms;Notes;;Facebook
13/01/2036;10:00;"Bonjour
à tous";;x;oups;une note;perdu;oui
14/1/2036;11:00;Salut;;linkedin;;;;
`;
const ENGLISH = "id,scheduled_at,content,platforms\nhello,2036-03-01 10:00,Hello,linkedin\n";
const CONFIG = `service: { url: embedded } # ours
timezone: Europe/Paris
calendars: ["calendars/*"]
platforms: { x: twitter }
columns: { Facebook: "platforms:facebook" }
`;

const document = z.object({
  version: z.literal(1),
  calendars: z.array(
    z.looseObject({
      file: z.string(),
      columns: z
        .array(z.looseObject({ letter: z.string(), kind: z.string(), stands_for: z.string().optional() }))
        .optional(),
    }),
  ),
  written: z.looseObject({ changed: z.boolean() }).optional(),
  problems: z.array(z.looseObject({ code: z.string(), file: z.string().optional() })),
});

interface World {
  readonly project: TestProject;
  readonly run: (...args: string[]) => Promise<CommandResult>;
  readonly json: (...args: string[]) => Promise<z.infer<typeof document>>;
}

async function start(options: ProjectOptions): Promise<World> {
  const project = await makeProject({ config: CONFIG, ...options });
  const run = (...args: string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, clock: new TestClock() });
  const json = async (...args: string[]) =>
    document.parse(JSON.parse((await run("columns", "--format", "json", ...args)).stdout));
  return { project, run, json };
}

const FILES = { "calendars/fr.csv": FRENCH, "calendars/en.csv": ENGLISH };

test("reads a column of approvals as a question, and shows what a yes means", async () => {
  const rows = csv(["content", "date", "Client approval"], ["Hello", "2036-03-01", "yes"]);
  const { run } = await start({ files: { "calendars/a.csv": rows } });
  const columns = (await run("columns", "calendars/a.csv")).stdout.replaceAll(/\s+/g, " ");
  expect(columns).toContain("Client approval status:ready synonym, English yes");
});

test("shows each column with its field, the reason, and samples", async () => {
  const { run, json } = await start({ files: FILES });
  const { calendars, problems } = await json("calendars/fr.csv");
  expect(problems).toEqual([]);
  expect(calendars).toMatchObject([
    {
      file: "calendars/fr.csv",
      encoding: { value: "utf-8", by: "unicode" },
      delimiter: { value: ";", said: false },
      header_row: { value: 3, said: false },
      date_order: { value: "dmy", said: false },
      columns: [
        { column: 1, letter: "A", stands_for: "date", known_by: "synonym", languages: ["fr"], filled: 2 },
        { letter: "B", stands_for: "time", samples: ["10:00", "11:00"] },
        { letter: "C", header: "Légende", stands_for: "content", samples: ["Bonjour\nà tous", "Salut"] },
        { letter: "D", kind: "unknown" },
        { letter: "E", stands_for: "platforms" },
        { letter: "F", kind: "unknown", filled: 1 },
        { letter: "G", kind: "unknown", key: "Notes" },
        { letter: "H", header: "", kind: "unnamed", samples: ["perdu"] },
        { letter: "I", stands_for: "platforms:facebook", known_by: "project" },
      ],
    },
  ]);
  const { code, stdout, stderr } = await run("columns", "calendars/fr.csv");
  expect(code).toBe(0);
  expect(stdout).toContain("header     row 3, detected\n");
  expect(stdout).toMatch(/^ {2}C {2}Légende +content +synonym, French +Bonjour ⏎ à tous · Salut$/m);
  expect(stdout).toContain("plancast ignores 4 columns.");
  expect(stderr).toContain("plancast columns --write calendars/fr.csv saves this in");
});

test("shows a column with a similar name, a column for which there is a better one, and a field that occurs twice", async () => {
  const { run, json } = await start({
    files: {
      "calendars/a.csv": "Post,content,dat,scheduled_at,Notes\na,b,c,d,e\n",
      "calendars/b.csv": "date,Date,text\na,b,c\n",
    },
  });
  const { calendars, problems } = await json("calendars/a.csv", "calendars/b.csv");
  expect(calendars).toMatchObject([
    { columns: [{ kind: "outdone", surer: 2 }, {}, { suggestion: "date" }, {}, { kind: "unknown" }] },
    { columns: [{}, { kind: "duplicate", first: 1, stands_for: "date" }, {}] },
  ]);
  expect(problems).toMatchObject([{ code: "columns/unknown", file: "calendars/b.csv" }]);
  const { code, stdout, stderr } = await run("columns", "--write", "calendars/b.csv");
  expect(code).toBe(1);
  expect(stdout).toContain("date, twice");
  expect(stderr).toContain("Nothing was written");
  expect((await run("columns", "calendars/a.csv")).stdout.replaceAll(/\s+/g, " ")).toContain(
    "`dat: date`, `Post: ignore`, `Notes: ignore`",
  );
});

test("works outside of a project, and explains that YAML has fixed keys", async () => {
  const { run, project } = await start({
    config: false,
    files: { "fr.csv": FRENCH, "y.yaml": "- { id: a, content: x, variants: { x: { content: y } } }\n" },
  });
  const { code, stdout } = await run("columns", "fr.csv", join(project.root, "y.yaml"));
  expect(code).toBe(0);
  expect(stdout).toMatch(/I {2}Facebook +not understood/);
  expect(stdout).toContain("its keys have fixed names");
  expect(stdout).toContain("content:x (1)");
  const refused = await run("columns", "--write", "fr.csv", "--format", "json");
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    calendars: [],
    problems: [{ code: "project/not-found" }],
  });
});

test("shows lines that can be added to existing `columns:`, and commands with quoted names", async () => {
  const { run, project } = await start({
    files: {
      "calendars/Plan Mai.csv": "Titel,Légende,Notizen,date\nx,Hallo,y,2036-03-01 10:00\n",
      "calendars/b.csv": "content\n",
    },
    config: CONFIG,
  });
  const { stdout, stderr } = await run("columns", "calendars/Plan Mai.csv");
  expect(stderr).toContain('plancast columns --write "calendars/Plan Mai.csv" saves this in');
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "Under `columns:` in plancast.yaml, add a line for each one, with its field or `ignore`: `Titel: ignore`, `Notizen: ignore`.",
  );
  await run("columns", "--write", "calendars/Plan Mai.csv");
  const text = await project.read("plancast.yaml");
  await project.write(
    "plancast.yaml",
    text.replace(/( +)Légende: content\n/, "$&$1Titel: ignore\n$1Notizen: ignore\n"),
  );
  const again = await run("columns", "calendars/Plan Mai.csv");
  expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining("plancast ignores")]);
});

test("reports each file that is not a calendar", async () => {
  const expected = {
    "none.csv": "calendar/unreadable",
    "text.csv": "csv/no-header",
    "half.csv": "csv/missing-header",
    "above.csv": "csv/row-above-header",
    "fake.xlsx": "workbook/kind",
    "broken.yaml": "yaml/syntax",
    "note.txt": "calendar/unknown-format",
  };
  const { run } = await start({
    files: {
      "text.csv": "just,some\nmore,words\n",
      "half.csv": "Caption,Notes\na,b\n",
      "above.csv": "2036-01-01,Hello\ndate,content\n2036-01-02,There\n",
      "fake.xlsx": "date,content\n",
      "broken.yaml": "posts: [\n",
      "note.txt": "x",
    },
  });
  const { code, stdout } = await run("columns", "--format", "json", ...Object.keys(expected));
  expect(code).toBe(1);
  const { problems } = document.parse(JSON.parse(stdout));
  expect(Object.fromEntries(problems.map((each) => [each.file, each.code]))).toEqual(expected);
});

describe("--write", () => {
  const HEADER = ["Datum", "Beitragstext", "Kanäle"];
  const WORKBOOK = xlsx([
    { name: "Info", rows: [["nothing"]] },
    { name: "Plan", rows: [["Team"], ["Wann", "Was"], HEADER, ["13.1.2036 9:00", "Hallo", "linkedin"]] },
  ]);

  test("saves what was found for its file, shows it, and leaves the plan unchanged", async () => {
    const { run, project, json } = await start({
      files: {
        ...FILES,
        "calendars/de.xlsx": WORKBOOK,
        "calendars/1252.csv": Buffer.from(
          "Fecha;Hora;Descripción;Redes\n13/02/2036;10:00;Mañana será otro día;x\n",
          "latin1",
        ),
      },
      config: CONFIG,
    });
    const names = ["fr.csv", "de.xlsx", "1252.csv", "en.csv"].map((name) => `calendars/${name}`);
    const hash = async (): Promise<unknown> => JSON.parse((await run("plan", "--format", "json")).stdout);
    const before = await hash();
    expect(before).toMatchObject({ summary: { create: 5 } });
    const { code, stdout } = await run("columns", "--write", ...names);
    expect(code).toBe(0);
    expect(stdout).toContain("-  3  calendars:");
    const text = await project.read("plancast.yaml");
    expect(text).toBe(`service: { url: embedded } # ours
timezone: Europe/Paris
calendars:
  - "calendars/*"
  - files: calendars/fr.csv
    columns:
      Date de publication: date
      Heure: time
      Légende: content
      Réseaux sociaux: platforms
    header_row: 3
    date_order: dmy
  - files: calendars/de.xlsx
    columns:
      Datum: date
      Beitragstext: content
      Kanäle: platforms
    header_row: [2, 3]
    sheet: Plan
    date_order: dmy
  - files: calendars/1252.csv
    columns:
      Fecha: date
      Hora: time
      Descripción: content
      Redes: platforms
    encoding: windows-1252
    date_order: dmy
platforms: { x: twitter }
columns: { Facebook: "platforms:facebook" }
`);
    const after = await hash();
    expect(after).toMatchObject({ hash: Object(before).hash, summary: Object(before).summary });
    const { written, calendars } = await json("--write", ...names);
    expect(written).toEqual({ file: "plancast.yaml", changed: false, added: [] });
    expect(await project.read("plancast.yaml")).toBe(text);
    expect(calendars[0]).toMatchObject({ header_row: { value: 3, said: true } });
    expect(calendars[0]?.columns?.[0]).toMatchObject({ known_by: "project", key: "Date de publication" });
  });

  test("writes into the entry of the file, with its byte order mark", async () => {
    const { run, project } = await start({
      config: false,
      files: {
        ...FILES,
        "plancast.yaml":
          "\uFEFFcalendars:\n  - calendars/en.csv\n  - files: calendars/fr.csv\n    timezone: UTC # there\n",
      },
    });
    expect((await run("columns", "--write", "calendars/fr.csv")).code).toBe(0);
    expect(await project.read("plancast.yaml")).toContain(
      "\uFEFFcalendars:\n  - calendars/en.csv\n  - files: calendars/fr.csv\n    timezone: UTC # there\n    columns:\n      Date",
    );
    expect((await run("columns", "--write", "calendars/fr.csv")).stdout).toContain(
      "plancast.yaml already contains all of this, so nothing was written.",
    );
  });

  test("does not write through a link, even within the project", async () => {
    const files = { ...FILES, "agency.yaml": "calendars: [calendars/*.csv]\n" };
    const { run, project } = await start({ config: false, files });
    await symlink("agency.yaml", join(project.root, "plancast.yaml"));
    const before = await project.tree();
    const { code, stderr } = await run("columns", "--write", "calendars/fr.csv");
    expect([code, stderr]).toEqual([1, expect.stringContaining("disk/linked")]);
    expect(await project.tree()).toEqual(before);
  });

  test.each<[string, string, ProjectOptions["config"], string]>([
    ["a project file that is broken", "calendars/fr.csv", "calendars: [", "yaml/syntax"],
    [
      "a calendar that is none of the project's",
      "calendars/fr.csv",
      "calendars: [calendars/en.csv]\n",
      "calendar/not-in-project",
    ],
    ["a calendar outside of the project", "../x.csv", CONFIG, "calendar/not-in-project"],
    [
      "an entry that is an alias",
      "calendars/fr.csv",
      "calendars: [calendars/en.csv, &a { files: calendars/fr.csv }, *a]\n",
      "project/not-extended",
    ],
  ])("is refused for %s, and changes no file", async (_name, calendar, config, expected) => {
    const { run, project } = await start({ config: config ?? {}, files: FILES });
    const before = await project.tree();
    const { code, stdout, stderr } = await run("columns", "--write", calendar, "--format", "json");
    expect(code).toBe(1);
    expect(stderr).toContain(expected);
    expect(document.parse(JSON.parse(stdout)).problems.length).toBeGreaterThan(0);
    expect(await project.tree()).toEqual(before);
  });

  test("never shows a line that it does not change, because it may contain a password", async () => {
    const { run } = await start({
      files: { "calendars/fr.csv": FRENCH },
      config: "calendars: [calendars/*]\nplatforms: { x: hunter2 }",
    });
    const { code, stdout, stderr } = await run("columns", "--write", "calendars/fr.csv");
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(stdout).toMatch(/^\s*\+ +\d+ +columns:/m);
  });
});

test("recognises the columns of a filter", async () => {
  const { json } = await start({
    files: { "calendars/a.csv": "date,content,Client\na,b,Acme\n" },
    config: "only: { Client: Acme }\n",
  });
  const { calendars } = await json("calendars/a.csv");
  expect(calendars[0]?.columns?.[2]).toMatchObject({ kind: "unknown", filter: true });
});

/** Answers a question about a status with its third answer. At any other question, the person leaves. */
function answerThird(question: string): string | undefined {
  return question.includes("1 to 3") ? "3" : undefined;
}

describe("columns --write at a terminal", () => {
  const rows = csv(
    ["date", "time", "platforms", "content", "status"],
    ["2036-03-01", "09:00", "linkedin", "One", "Scheduled"],
    ["2036-03-02", "09:00", "linkedin", "Two", "With Ana"],
    ["2036-03-03", "09:00", "linkedin", "Three", "With Ana"],
  );
  const config = "timezone: Europe/Paris\nstatus_values: { Later: draft }\n";

  test("asks what status words mean that plancast does not know, and writes the answers", async () => {
    const project = await makeProject({ config, files: { "calendars/a.csv": rows } });
    const run = () =>
      runCommand(["columns", "--write", "calendars/a.csv"], {
        cwd: project.root,
        terminal: { columns: 100, type: answerThird },
      });
    const { code, stderr } = await run();
    expect(stderr).toContain('1 row has the status "Scheduled"');
    expect(stderr).toContain('2 rows have the status "With Ana"');
    expect(code).toBe(0);
    expect(await project.read("plancast.yaml")).toBe(
      "timezone: Europe/Paris\nstatus_values: { Later: draft, Scheduled: skip, With Ana: skip }\n",
    );
    const again = await run();
    expect(again.stderr).not.toContain("has the status");
  });

  test("writes nothing if the person leaves, and asks nothing without a terminal", async () => {
    const project = await makeProject({ config, files: { "calendars/a.csv": rows } });
    const args = ["columns", "--write", "calendars/a.csv"];
    const left = await runCommand(args, { cwd: project.root, terminal: { type: () => undefined } });
    expect(left.code).toBe(1);
    expect(await project.read("plancast.yaml")).toBe(config);
    const piped = await runCommand(args, { cwd: project.root });
    expect(piped.stderr).not.toContain("has the status");
    expect(await project.read("plancast.yaml")).not.toContain("Scheduled");
  });
});
