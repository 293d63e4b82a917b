import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { csv } from "../support/scenario.ts";
import { makeProject, type ProjectOptions, type TestProject } from "../support/project.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

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
  expect(problems).toMatchObject([{ code: "columns/unknown", line: 3 }]);
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
        { letter: "C", header: "Légende", stands_for: "content", samples: ["Bonjour à tous", "Salut"] },
        { letter: "D", kind: "unknown" },
        { letter: "E", stands_for: "platforms" },
        { letter: "F", kind: "unknown", filled: 1 },
        { letter: "G", kind: "unknown", key: "Notes" },
        { letter: "H", header: "", kind: "unnamed", samples: ["perdu"] },
        { letter: "I", stands_for: "platforms:facebook", known_by: "project" },
      ],
    },
  ]);
  const { code, stdout } = await run("columns", "calendars/fr.csv");
  expect(code).toBe(1);
  expect(stdout).toContain("header     row 3, detected\n");
  expect(stdout).toMatch(/^C {7}Légende +content +synonym, French +Bonjour à tous · Salut$/m);
});

test("shows a column with a similar name, a column for which there is a better one, and a field that occurs twice", async () => {
  const { json } = await start({
    files: {
      "calendars/a.csv": "Post,content,datte,scheduled_at,Notes\na,b,c,d,e\n",
      "calendars/b.csv": "date,Date,text\na,b,c\n",
    },
  });
  const { calendars, problems } = await json("calendars/a.csv", "calendars/b.csv");
  expect(calendars).toMatchObject([
    { columns: [{ kind: "unknown" }, {}, { suggestion: "date" }, {}, { kind: "unknown" }] },
    { columns: [{}, { kind: "rival", first: 1, stands_for: "date" }, {}] },
  ]);
  expect(problems).toMatchObject([
    { code: "columns/unknown", file: "calendars/a.csv" },
    { code: "columns/unknown", file: "calendars/b.csv" },
  ]);
});

test("works outside of a project, and explains that the keys of YAML are its columns", async () => {
  const { run, project } = await start({
    config: false,
    files: { "fr.csv": FRENCH, "y.yaml": "- { id: a, content: x, variants: { x: { content: y } } }\n" },
  });
  const { code, stdout } = await run("columns", "fr.csv", join(project.root, "y.yaml"));
  expect(code).toBe(1);
  expect(stdout).toMatch(/I {7}Facebook +not understood/);
  expect(stdout).toContain("the keys of the posts are the columns");
  expect(stdout).toContain("content:x (1)");
});

test("reports each file that is not a calendar", async () => {
  const expected = {
    "none.csv": "disk/unreadable",
    "text.csv": "columns/unknown",
    "half.csv": "columns/unknown",
    "above.csv": "csv/row-above-header",
    "fake.xlsx": "calendar/unknown-format",
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

test("recognises the columns of a filter", async () => {
  const { json } = await start({
    files: { "calendars/a.csv": "date,content,Client\na,b,Acme\n" },
    config: "only: { Client: Acme }\n",
  });
  const { calendars } = await json("calendars/a.csv");
  expect(calendars[0]?.columns?.[2]).toMatchObject({ kind: "unknown", filter: true });
});

async function ask(project: TestProject, lines: readonly string[]): Promise<CommandResult> {
  const left = [...lines];
  const terminal = { columns: 110, type: () => left.shift() };
  const env = { NO_COLOR: "1" };
  return runCommand(["columns", "--ask"], { cwd: project.root, terminal, env, clock: new TestClock() });
}

describe("columns --ask", () => {
  const ROWS = csv(
    ["date", "time", "platforms", "content", "status", "Owner"],
    ["2036-03-01", "09:00", "linkedin", "One", "Scheduled", "Kim"],
    ["2036-03-02", "09:00", "linkedin", "Two", "With Ana", "Kim"],
    ["2036-03-03", "09:00", "linkedin", "Three", "With Ana", ""],
  );
  const CONFIG_BEFORE = `# ours
timezone: Europe/Paris # the team's
status_values: { Later: draft }
platforms: { x: twitter }
`;

  test("asks about columns and values of the project, and adds the answers to plancast.yaml", async () => {
    const project = await makeProject({ config: CONFIG_BEFORE, files: { "calendars/a.csv": ROWS } });
    const { code, stdout, stderr } = await ask(project, ["", "1 ready, 2 skip", ""]);
    expect(stderr).toMatch(/Scheduled +1 +\?/);
    expect(stderr).toMatch(/With Ana +2 +\?/);
    expect([code, stdout.includes("Wrote plancast.yaml")]).toEqual([0, true]);
    expect(stdout).not.toContain("x: twitter");
    expect(await project.read("plancast.yaml")).toBe(`${CONFIG_BEFORE}columns:
  Owner: ignore
values:
  status:
    Scheduled: ready
    With Ana: skip
`);
    const again = await ask(project, ["", ""]);
    expect([again.code, again.stderr.includes("? ")]).toEqual([0, false]);
    expect((await runCommand(["validate"], { cwd: project.root })).code).toBe(0);
  });

  test("takes the answers from a file, changes an entry of one file, and keeps line ends", async () => {
    const project = await makeProject({
      config: "calendars:\r\n  - calendars/a.csv # the plan\r\ntimezone: Europe/Paris\r\n",
      files: { "calendars/a.csv": ROWS.replaceAll("With Ana", "ready").replace("Scheduled", "draft") },
    });
    await project.write(
      "answers.yaml",
      "columns: { Owner: ignore }\ncalendars: [{ files: calendars/a.csv, sheet: Plan }]\n",
    );
    const args = ["columns", "--answers", "answers.yaml"];
    expect((await runCommand(args, { cwd: project.root })).code).toBe(0);
    const text = await project.read("plancast.yaml");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text.replaceAll("\r", "")).toContain("calendars:\n  - files: calendars/a.csv\n    sheet: Plan\n");
  });

  test("writes nothing without answers, or if the person leaves", async () => {
    const project = await makeProject({ config: CONFIG_BEFORE, files: { "calendars/a.csv": ROWS } });
    expect((await ask(project, [""])).code).toBe(1);
    const { code, stdout } = await runCommand(["columns", "--ask"], { cwd: project.root });
    expect([code, stdout.includes('With Ana: "?"')]).toEqual([1, true]);
    expect(await project.read("plancast.yaml")).toBe(CONFIG_BEFORE);
  });

  test("does not write through a link, even within the project", async () => {
    const project = await makeProject({
      config: false,
      files: {
        "calendars/a.csv": ROWS,
        "agency.yaml": CONFIG_BEFORE,
        "answers.yaml":
          "columns: { Owner: ignore }\nvalues: { status: { Scheduled: skip, With Ana: skip } }\n",
      },
    });
    await symlink("agency.yaml", join(project.root, "plancast.yaml"));
    const { code, stderr } = await runCommand(["columns", "--answers", "answers.yaml"], {
      cwd: project.root,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("disk/linked")]);
    expect(await project.read("agency.yaml")).toBe(CONFIG_BEFORE);
  });
});
