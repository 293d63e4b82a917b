import { parse, stringify } from "yaml";
import { expect, test } from "vitest";
import { unzipSync, strFromU8 } from "fflate";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand, type CommandResult } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyPng } from "../support/tiny-media.ts";

const HEADER = ["id", "date", "time", "timezone", "platforms", "content", "media", "status"];
const FILES = {
  "calendars/a.csv": csv(
    HEADER,
    [
      "launch",
      "2036-03-01",
      "9:30",
      "",
      "X, linkedin",
      "=1+1 is two\r\nand @home too  ",
      "a.png | calendars/b.png",
      "",
    ],
    ["'=id", "2036-03-02", "", "America/New_York", "", "'=not a formula", "", ""],
    ["", "2036-3-3", "08:00", "", "twitter", 'No id, "quotes" and 🎉 שלום', "", "ready"],
    ["007", "2036-03-04", "08:00", "", "x", "Not yet", "missing.png", "draft"],
  ),
  "calendars/b.yaml": [
    "timezone: Australia/Sydney",
    "defaults: { platforms: [instagram], time: '18:00', media: [a.png] }",
    "posts:",
    "  - { date: 2036-04-01, content: 'Defaults of the file' }",
    '  - { scheduled_at: "2036-04-06T02:30:00+11:00", content: "1.10", platforms: [facebook, x] }',
    "  - { scheduled_at: 2036-04-07 02:30, id: 0010, content: '12e3', media: [calendars/a.png, b.png] }",
    "",
  ].join("\n"),
  "calendars/a.png": tinyPng(1),
  "calendars/b.png": tinyPng(2),
};
const CONFIG = {
  service: { url: "embedded" },
  timezone: "Europe/Paris",
  // Some of the texts begin with an apostrophe.
  rules: { "content/guard": "off" },
  platforms: { x: "twitter" },
  defaults: { platforms: ["linkedin"], time: "10:00" },
};

interface World {
  readonly project: TestProject;
  readonly run: (...args: string[]) => Promise<CommandResult>;
  /** Runs convert. The test fails if it fails. */
  readonly convert: (...args: string[]) => Promise<string>;
  readonly hash: () => Promise<string>;
}

async function start(
  config: object = {},
  files: Record<string, string | Uint8Array> = FILES,
): Promise<World> {
  const project = await makeProject({ files, config: { ...CONFIG, ...config } });
  const run = (...args: string[]): Promise<CommandResult> =>
    runCommand(args, { cwd: project.root, clock: new TestClock() });
  const convert = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run("convert", ...args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const hash = async (): Promise<string> => {
    const { code, stdout } = await run("plan", "--format", "json");
    expect(code).toBe(0);
    return String(JSON.parse(stdout).hash);
  };
  return { project, run, convert, hash };
}

test("converting through all formats and back leaves the plan unchanged", { timeout: 120_000 }, async () => {
  const { project, convert, hash } = await start();
  const before = await hash();
  let [a, b] = ["calendars/a.csv", "calendars/b.yaml"];
  for (const format of ["xlsx", "yaml", "csv"]) {
    const [nextA, nextB] = [`calendars/new-a.${format}`, `calendars/new-b.${format}`];
    await Promise.all([convert(a, "--out", nextA), convert(b, "--out", nextB)]);
    await project.remove(a);
    await project.remove(b);
    [a, b] = [nextA, nextB];
    expect(await hash()).toBe(before);
  }
  expect(await project.read("calendars/new-a.csv")).toBe(
    [
      "'id,date,time,timezone,platforms,'content,media,status",
      `launch,2036-03-01,09:30,,"X, linkedin","'=1+1 is two\nand @home too  ","a.png, calendars/b.png",`,
      `''=id,2036-03-02,,America/New_York,,''=not a formula,,`,
      `,2036-03-03,08:00,,twitter,"No id, ""quotes"" and 🎉 שלום",,ready`,
      "007,2036-03-04,08:00,,x,Not yet,missing.png,draft",
      "",
    ].join("\n"),
  );
  expect(parse(await convert(b, "--to", "yaml"))).toEqual([
    {
      date: "2036-04-01",
      time: "18:00",
      timezone: "Australia/Sydney",
      platforms: ["instagram"],
      content: "Defaults of the file",
      media: ["a.png"],
    },
    {
      scheduled_at: "2036-04-06T02:30:00+11:00",
      platforms: ["facebook", "x"],
      content: "1.10",
      media: ["a.png"],
    },
    {
      id: "0010",
      scheduled_at: "2036-04-07 02:30",
      timezone: "Australia/Sydney",
      platforms: ["instagram"],
      content: "12e3",
      media: ["calendars/a.png", "b.png"],
    },
  ]);
});

test("converting into another folder still finds the media, and leaves the plan unchanged", async () => {
  const { project, convert, hash } = await start({
    calendars: ["{calendars,spring}/**/*.{csv,yaml,xlsx}", "*.csv"],
  });
  const before = await hash();
  await Promise.all([
    convert("calendars/a.csv", "--out", "spring/plans/a.xlsx"),
    convert("calendars/b.yaml", "--out", "b.csv"),
  ]);
  await project.remove("calendars/a.csv");
  await project.remove("calendars/b.yaml");
  expect(await hash()).toBe(before);
  expect(await project.read("b.csv")).toContain('"calendars/a.png, calendars/b.png"');
});

test("a row keeps its type, so a Story is refused in the new file too", async () => {
  const { run, project } = await start(
    {},
    {
      "calendars/a.csv": csv(
        ["content", "date", "type"],
        ["One", "2036-03-01", "IG Story"],
        ["Two", "2036-03-02", ""],
        ["Three", "2036-03-03", "Post"],
      ),
    },
  );
  for (const [from, to] of [
    ["a.csv", "b.xlsx"],
    ["b.xlsx", "c.yaml"],
    ["c.yaml", "d.csv"],
  ] as const) {
    expect((await run("convert", `calendars/${from}`, "--out", `calendars/${to}`)).code).toBe(0);
    await project.remove(`calendars/${from}`);
    const { problems } = JSON.parse((await run("validate", "--format", "json")).stdout);
    expect(problems).toMatchObject([{ code: "row/type", file: `calendars/${to}` }]);
  }
});

test("a workbook has a fixed header, drop-downs and real dates", async () => {
  const { project, convert } = await start();
  await convert("calendars/a.csv", "--out", "a.xlsx");
  const parts = unzipSync(new Uint8Array(await project.bytes("a.xlsx")));
  const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  expect(Object.keys(parts)[0]).toBe("[Content_Types].xml");
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain("<formula1>&quot;ready,draft,skip&quot;</formula1>".replaceAll("&quot;", '"'));
  expect(sheet).toContain('<formula1>"linkedin,x,twitter"</formula1>');
  expect(sheet).toMatch(/<c r="B2" s="\d+"><v>49735<\/v><\/c>/);
  expect(sheet).toMatch(/<c r="C2" s="\d+"><v>0\.3958333333333333<\/v><\/c>/);
});

test("refuses a calendar with broken syntax; keeps a row with a mistake as it is", async () => {
  const {
    project,
    run,
    hash: _hash,
  } = await start(
    { status_values: { maybe: "ready", "": "ready" } },
    {
      "calendars/broken.csv": 'id,content,date\n1,"open,2036-03-01\n',
      "calendars/mistakes.csv": "content,scheduled_at,status\nWhen?,soon,\n,2036-02-30 09:00,maybe\n",
    },
  );
  const broken = await run(
    "convert",
    "calendars/broken.csv",
    "--out",
    "calendars/broken.yaml",
    "--format",
    "json",
  );
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    problems: [{ code: "csv/syntax", line: 2 }],
  });
  expect(Object.keys(await project.tree())).not.toContain("calendars/broken.yaml");
  const mistakes = await run("convert", "calendars/mistakes.csv", "--out", "m.yaml", "--format", "json");
  expect(JSON.parse(mistakes.stdout)).toMatchObject({
    out: "m.yaml",
    to: "yaml",
    rows: 2,
    faulty: 2,
    problems: [],
  });
  expect(parse(await project.read("m.yaml"))).toEqual([
    { scheduled_at: "soon", content: "When?" },
    { scheduled_at: "2036-02-30 09:00", status: "ready" },
  ]);
});

test("overwrites a file only with --force", async () => {
  const { project, run, convert } = await start();
  const before = await project.tree();
  const refused = await run("convert", "calendars/a.csv", "--out", "calendars/b.yaml");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("write/exists")]);
  expect(await project.tree()).toEqual(before);
  await convert("calendars/a.csv", "--out", "calendars/b.yaml", "--force");
  expect(await project.read("calendars/b.yaml")).toContain("launch");
  await convert("calendars/a.csv", "--out", "calendars/a.csv", "--force");
  expect(Object.keys(await project.tree())).toEqual(Object.keys(before));
});

test.each([
  { args: [], says: "--to" },
  { args: ["--to", "xlsx"], says: "--out" },
  { args: ["--to", "csv", "--out", "a.yaml"], says: ".csv" },
  { args: ["--out", "a.ods"], says: "--to" },
  { args: ["--to", "csv", "--format", "json"], says: "--out" },
])("refuses the arguments $args", async ({ args, says }) => {
  const { run } = await start();
  const { code, stderr } = await run("convert", "calendars/a.csv", ...args);
  expect(code).toBe(1);
  expect(stderr).toContain("usage/arguments");
  expect(stderr).toContain(says);
});

test("refuses to write a file that the project would read differently", async () => {
  const { project, run } = await start({
    calendars: [{ files: "calendars/*.csv" }, { files: "out/*.csv", columns: { content: "ignore" } }],
  });
  const { code, stdout } = await run("convert", "calendars/a.csv", "--out", "out/a.csv", "--format", "json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: "write/unwritable" }] });
  expect(Object.keys(await project.tree())).not.toContain("out/a.csv");
});

test.each([{ header_row: 3 }, { header_row: "none" }, { preset: "socialpilot" }, { sheet: "March" }])(
  "reads the file in spite of $0, which are for files with another layout",
  async (settings) => {
    const { project, hash, convert } = await start({
      calendars: [{ files: "calendars/*.csv" }, { files: "out/*", ...settings }],
    });
    await project.remove("calendars/b.yaml");
    const before = await hash();
    let last = "calendars/a.csv";
    for (const out of ["out/a.csv", "out/a.xlsx"]) {
      await convert(last, "--out", out);
      await project.remove(last);
      expect(await hash()).toBe(before);
      last = out;
    }
  },
);

test("keeps the column of a filter, and asks for the same filter", async () => {
  const only = { Client: "=Acme" };
  const { project, run } = await start(
    { calendars: [{ files: ["calendars/*", "out/*"], only }] },
    {
      "calendars/a.csv": csv(
        ["content", "scheduled_at", "'Client"],
        ["One", "2036-03-01 09:30", "'=Acme"],
        ["Two", "2036-03-01 09:30", "Bo"],
      ),
    },
  );
  for (const out of ["out/a.xlsx", "out/a.yaml", "out/a.csv"]) {
    const { code } = await run("convert", "calendars/a.csv", "--out", out);
    expect(code).toBe(0);
  }
  expect(await project.read("out/a.csv")).toContain("'=Acme");
  await project.write("plancast.yaml", stringify({ calendars: [{ files: "calendars/*", only }] }));
  const { code, stderr } = await run("convert", "calendars/a.csv", "--out", "out/b.csv");
  expect(code).toBe(1);
  expect(stderr).toContain("only");
});

test("keeps the posts if the settings of the two files differ", async () => {
  const { project, convert, hash } = await start(
    {
      calendars: [
        {
          files: "calendars/*.csv",
          timezone: "America/New_York",
          status_values: { go: "ready", "": "draft" },
        },
        { files: "out/*.csv", timezone: "Asia/Tokyo", status_values: { ready: "draft", ok: "ready" } },
      ],
    },
    {
      "calendars/a.csv": csv(
        ["content", "scheduled_at", "status"],
        ["One", "2036-03-01 09:30", "Go"],
        ["Two", "2036-03-02 09:30", ""],
        ["Three", "2036-11-02T01:30-04:00", "go"],
      ),
    },
  );
  const before = await hash();
  await convert("calendars/a.csv", "--out", "out/a.csv");
  await project.remove("calendars/a.csv");
  expect(await hash()).toBe(before);
  expect(await project.read("out/a.csv")).toBe(
    [
      "id,scheduled_at,timezone,platforms,content,media,status",
      ",2036-03-01 09:30,America/New_York,,One,,ok",
      ",2036-03-02 09:30,America/New_York,,Two,,draft",
      ",2036-11-02T01:30-04:00,,,Three,,ok",
      "",
    ].join("\n"),
  );
});

test("converts one row for several networks, and dates as people type them", async () => {
  const { project, convert, hash } = await start(
    { date_order: "dmy", columns: { Facebook: "platforms:facebook", LinkedIn: "platforms:linkedin" } },
    {
      "calendars/a.csv": csv(
        ["id", "date", "time", "Facebook", "LinkedIn", "content", "content:facebook", "time:facebook"],
        ["both", "1/3/2036", "8.30 pm", "yes", "TRUE", "For all", "@friends only", "9 pm"],
        ["one", "4 mars 2036", "20h30", "no", "x", "For LinkedIn", "", ""],
      ),
    },
  );
  const before = await hash();
  await convert("calendars/a.csv", "--out", "calendars/b.yaml");
  await project.remove("calendars/a.csv");
  expect(await hash()).toBe(before);
  expect(parse(await project.read("calendars/b.yaml"))).toEqual([
    {
      id: "both",
      date: "2036-03-01",
      time: "20:30",
      platforms: ["facebook", "linkedin"],
      content: "For all",
      variants: { facebook: { content: "@friends only", date: "2036-03-01", time: "21:00" } },
    },
    { id: "one", date: "2036-03-04", time: "20:30", platforms: ["linkedin"], content: "For LinkedIn" },
  ]);
  await convert("calendars/b.yaml", "--out", "calendars/c.xlsx");
  await project.remove("calendars/b.yaml");
  expect(await hash()).toBe(before);
  expect((await convert("calendars/c.xlsx", "--to", "csv")).split("\n")[0]).toBe(
    "id,date,time,platforms,content,media,status,date:facebook,time:facebook,'content:facebook",
  );
});

test("converts texts for a network to which the project gives its own name", async () => {
  const { project, convert, hash } = await start(
    { platforms: { birdsite: "twitter" } },
    {
      "calendars/a.yaml": `- id: a
  scheduled_at: 2036-03-01 10:00
  platforms: [linkedin, x, birdsite]
  content: Hello
  variants: { X: { content: Short } }
`,
    },
  );
  const before = await hash();
  let from = "calendars/a.yaml";
  for (const to of ["calendars/b.csv", "calendars/c.xlsx", "calendars/d.yaml"]) {
    await convert(from, "--out", to);
    await project.remove(from);
    expect(await hash()).toBe(before);
    from = to;
  }
});

function unwritableAt(...lines: readonly number[]): unknown {
  return lines.map((line) => ["write/unwritable", line]);
}

test("names the rows that do not fit into a format", async () => {
  const { run } = await start(
    {},
    {
      "calendars/a.yaml": [
        `- { date: 2036-03-01, content: "${"x".repeat(32_768)}" }`,
        '- { date: 2036-03-02, content: "nul \\0" }',
        '- { date: 2036-03-03, content: "half \\ud83c" }',
        "- { date: 2036-03-04, content: list, media: ['a, b.png'] }",
        "- {}",
        "",
      ].join("\n"),
    },
  );
  const lines = async (to: string): Promise<unknown> => {
    const { stdout } = await run("convert", "calendars/a.yaml", "--out", `a.${to}`, "--format", "json");
    const { problems }: { problems: { code: string; line: number; severity: string }[] } = JSON.parse(stdout);
    return problems.filter(({ severity }) => severity === "error").map(({ code, line }) => [code, line]);
  };
  expect(await lines("xlsx")).toEqual(unwritableAt(3, 5, 4, 1));
  expect(await lines("csv")).toEqual(unwritableAt(3, 5, 4, 2));
  expect(await lines("yaml")).toEqual(unwritableAt(3));
});

test("keeps an apostrophe that is part of the text", async () => {
  const { project, convert, hash } = await start(
    {},
    {
      "calendars/a.csv": csv(
        ["content", "date"],
        ["'=SUM(A1) is a quotation", "2036-03-01"],
        ["'@home'", "2036-03-02"],
      ),
    },
  );
  const before = await hash();
  expect(parse(await convert("calendars/a.csv", "--to", "yaml"))).toMatchObject([
    { content: "'=SUM(A1) is a quotation" },
    { content: "'@home'" },
  ]);
  await convert("calendars/a.csv", "--out", "calendars/b.csv");
  await project.remove("calendars/a.csv");
  expect(await project.read("calendars/b.csv")).toContain("''@home'");
  expect(await hash()).toBe(before);
});

test("keeps columns that plancast ignores, and names those that would get a meaning, with their filled cells", async () => {
  const { project, run } = await start(
    {
      columns: { Pillar: "ignore", "Client owner": "ignore" },
      calendars: [
        { files: "calendars/*.csv" },
        { files: "calendars/n.csv", columns: { Approved: "ignore", G: "ignore" } },
      ],
    },
    {
      "calendars/n.csv": csv(
        ["date", "platforms", "content", "Pillar", "Client owner", "Approved", ""],
        ["2036-03-01", "x", "Hello", "News", "", "yes", "seen"],
        ["2036-03-02", "x", "Hi", "", "Ann", "", ""],
      ),
    },
  );
  const done = await run("convert", "calendars/n.csv", "--out", "calendars/o.csv");
  expect(done.code).toBe(0);
  expect((done.stdout + done.stderr).replaceAll(/\s+/g, " ")).toContain(
    "`Approved` (1 filled cell), `G` (1 filled cell)",
  );
  const written = await project.read("calendars/o.csv");
  expect(written.split("\n")[0]).toContain("Pillar,Client owner");
  expect(written).toContain("News");
  expect(written).toContain("Ann");
  expect(written).not.toContain("Approved");
});
