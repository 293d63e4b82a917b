import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProjectProblems } from "../../src/model/failure.ts";
import { findProjectFile, parseProject, readProject } from "../../src/calendars/project.ts";
import type { Project } from "../../src/settings/config.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { codes, underlined } from "./places.ts";

function refusal(text: string): ProjectProblems {
  try {
    parseProject("plancast.yaml", text);
  } catch (error) {
    if (error instanceof ProjectProblems) return error;
    throw error;
  }
  throw new Error("The project file was accepted.");
}

/** The excerpt of a problem, for a line that occurs twice in plancast.yaml. */
function shownTwice(line: string): string | undefined {
  const refused = refusal(`service:\n  url: a\n  ${line}\n  ${line}\n`);
  return refused.sourceLine("plancast.yaml", refused.problems[0]?.line ?? 0)?.trim();
}

const message = (text: string): string | undefined => refusal(text).problems[0]?.message;

const parse = (text: string): Project["config"] => parseProject("plancast.yaml", text);

describe("findProject", () => {
  test("finds plancast.yaml in the folder or in the nearest above", async () => {
    const root = await tempFolder({ "plancast.yaml": "", "a/b/c/.keep": "", "a/plancast.yaml": "" });
    expect(await findProjectFile(root)).toBe(join(root, "plancast.yaml"));
    expect(await findProjectFile(join(root, "a/b/c"))).toBe(join(root, "a/plancast.yaml"));
  });

  test("ignores a folder of that name", async () => {
    const root = await tempFolder({ "plancast.yaml": "" });
    await mkdir(join(root, "a/plancast.yaml"), { recursive: true });
    expect(await findProjectFile(join(root, "a"))).toBe(join(root, "plancast.yaml"));
  });

  test("finds nothing without plancast.yaml", async () => {
    expect(await findProjectFile(await tempFolder())).toBeUndefined();
  });
});

describe("readProject", () => {
  test("reads the root, the name and the settings", async () => {
    const root = await tempFolder({ "sub/team.yaml": "timezone: Europe/Paris\n" });
    const project = await readProject(join(root, "sub/team.yaml"));
    expect(project).toMatchObject({
      root: join(root, "sub"),
      file: "team.yaml",
      config: { timezone: "Europe/Paris" },
    });
  });

  test("reads every setting of the format", () => {
    expect(
      parse(`# yaml-language-server: $schema=./schemas/config.schema.json
service:
  url: https://api.example.com/v1
  list_limit: 500
calendars: ["calendars/**/*.{csv,tsv,yaml,yml}", "!calendars/drafts/**"]
timezone: Europe/Paris
lockfile: state/plancast.lock.json
platforms: { x: twitter }
defaults: { platforms: [linkedin], time: "09:00", timezone: UTC }
columns: { Caption: content, Publish on: Scheduled At }
safety: { max_cancels: 10, max_cancel_percent: 30, lead_time: 2m, settle: 2m }
`),
    ).toMatchObject({
      service: { url: "https://api.example.com/v1", list_limit: 500, timeout: "60s" },
      lockfile: "state/plancast.lock.json",
      platforms: { x: "twitter" },
      defaults: { platforms: ["linkedin"], time: "09:00" },
      columns: { Caption: "content" },
      safety: { max_cancels: 10, max_cancel_percent: 30 },
    });
  });

  test.each([
    [""],
    ["# all defaults\n"],
    ["service:\nsafety:\n  # max_cancels: 3\ndefaults: ~\ntimezone:\n"],
  ])("fills in defaults for %j", (text) => {
    expect(parse(text)).toMatchObject({
      lockfile: "plancast.lock.json",
      safety: { max_cancels: 10 },
      columns: {},
    });
  });

  test("reads calendars with own settings and ignored columns", () => {
    const { calendars, columns } = parse(
      "calendars: [a.csv, {files: b.csv, header_row: none, columns: {1: date, B: Content}}]\ncolumns: {Notes: Ignore}\n",
    );
    expect(columns).toEqual({ Notes: "Ignore" });
    expect(calendars).toMatchObject([
      "a.csv",
      { files: "b.csv", header_row: "none", columns: { 1: "date", B: "Content" } },
    ]);
  });

  test("reads aliases and merge keys", () => {
    expect(parse("defaults: &d {time: 09:00}\nplatforms: {<<: {x: twitter}, li: linkedin}\n")).toMatchObject({
      defaults: { time: "09:00" },
      platforms: { x: "twitter", li: "linkedin" },
    });
  });

  test("reports a file that cannot be read", async () => {
    const root = await tempFolder({ "latin1.yaml": Buffer.from("# caf\u00e9\n", "latin1") });
    await expect(readProject(join(root, "none.yaml"))).rejects.toMatchObject({
      problems: [{ code: "disk/unreadable", file: "none.yaml" }],
    });
    await expect(readProject(root)).rejects.toMatchObject({ problems: [{ code: "disk/unreadable" }] });
    await expect(readProject(join(root, "latin1.yaml"))).rejects.toMatchObject({
      problems: [{ code: "disk/unreadable", line: 1, column: 6 }],
    });
  });
});

describe("plancast.yaml", () => {
  test.each([
    ["- a\n", ["project/invalid@1:1"]],
    ["hello\n", ["project/invalid@1:1"]],
    ["timezoen: UTC\n", ["project/unknown-key@1:1"]],
    ["Timezone: UTC\n", ["project/unknown-key@1:1"]],
    ["safety:\n  max_cancel: 1\n  lead_time: 5\n", ["project/unknown-key@2:3", "project/invalid@3:14"]],
    [
      "service: {url: 5, plan: gold, timeout: 5 min}\n",
      ["project/invalid@1:16", "project/invalid@1:25", "project/invalid@1:40"],
    ],
    ["defaults: {platforms: [a, {b: c}]}\n", ["project/invalid@1:27"]],
    [
      "safety: {max_cancels: 1.5, max_cancel_percent: 101}\n",
      ["project/invalid@1:23", "project/invalid@1:48"],
    ],
    ["calendars: []\n", ["project/invalid@1:12"]],
    ["calendars: a.csv\n", ["project/invalid@1:12"]],
    ["calendars: [5]\n", ["project/invalid@1:13"]],
    ["calendars: [{files: a, date_ordr: dmy}]\n", ["project/unknown-key@1:24"]],
    ["calendars:\n- files: [a]\n  header_row: 0\n", ["project/invalid@3:15"]],
    [
      "calendars:\n- files: [../a]\n  timezone: Nowhere\n  columns: {a: b}\n",
      ["project/invalid@2:3", "schedule/unknown-timezone@3:13", "project/invalid@4:16"],
    ],
    ["calendars: [{date_order: dmy}]\n", ["project/invalid@1:13"]],
    ["date_order: american\n", ["project/invalid@1:13"]],
    ["only: {date: march}\n", ["project/invalid@1:14"]],
    ["calendars: [{files: a, only: {Client: []}}]\n", ["project/invalid@1:39"]],
    ["header_row: [1]\n", ["project/invalid@1:13"]],
    ["status_values: {posted: done, Idea: draft, idea: skip}\n", ["project/invalid@1:25"]],
    ["status_values: {Idea: draft, idea: skip}\n", ["project/invalid@1:30"]],
    ["platforms: {x: [y]}\n", ["project/invalid@1:16"]],
    ["a: 1\na: 2\n", ["row/value-twice@2:1"]],
    ["timezone: [\n", ["yaml/syntax@1:11"]],
    ["timezone: !!str UTC\n", ["yaml/unsupported@1:11"]],
    ["timezone: UTC\n---\ntimezone: UTC\n", ["yaml/unsupported@2:1"]],
    ["columns: &a {x: *a}\n", ["yaml/unsupported@1:17"]],
    ["__proto__: {url: x}\n", ["project/unknown-key@1:1"]],
  ])("%j is refused with %j", (text, expected) => {
    expect(codes(refusal(text).problems)).toEqual(expected);
  });

  test("shows the name of a key's variable, and hides anything that may be a key", () => {
    expect(shownTwice("key_env: ACME_KEY")).toBe("key_env: ACME_KEY");
    expect(shownTwice("key_env: sk_live_s3cr3t")).toBe("key_env: ••••");
    expect(shownTwice("api_key: ACME_KEY")).toBe("api_key: ••••");
  });

  test("with an unknown key names the nearest key of the same level", () => {
    expect(refusal("safety: {max_cancel: 1}\n").problems[0]?.message).toContain("`max_cancels`");
    expect(refusal("timezoen: UTC\n").problems[0]?.message).toContain("`timezone`");
    expect(refusal("service: {uri: x}\n").problems[0]?.message).toContain("`url`");
    expect(refusal("bogus: x\n").problems[0]?.message).toContain("calendars");
  });

  test.each([
    ["timezone: Europe/Pariss", "Europe/Paris"],
    ["timezone: Paris", "Europe/Paris"],
    ["timezone: new york", "America/New_York"],
    ["defaults: {timezone: Asia/Tokio}", "Asia/Tokyo"],
    ["timezone: '+02:00'", "Europe/Paris"],
    ["timezone: 'Mars/Olympus Mons'", "Europe/Paris"],
  ])("with the unknown zone %s is refused", (text, suggestion) => {
    const { problems, sourceLine } = refusal(text);
    expect(problems.map((each) => each.code)).toEqual(["schedule/unknown-timezone"]);
    expect(problems[0]?.message).toContain(`\`${suggestion}\``);
    const plain = (line: number): string | undefined => sourceLine("plancast.yaml", line);
    expect(underlined({ sourceLine: plain }, problems[0] ?? {})).toBe(
      /'.*'|[A-Z][^}]*|new york/.exec(text)?.[0],
    );
  });

  test.each([["UTC"], ["Europe/Paris"], ["america/new_york"], ["Asia/Kolkata"], ["Asia/Calcutta"]])(
    "with the zone %s is accepted",
    (zone) => {
      expect(parse(`timezone: ${zone}`).timezone).toBe(zone);
    },
  );

  test.each([
    ["../a.json"],
    ["a/../../b.json"],
    ["/a.json"],
    ["C:/a.json"],
    ["'C:\\a.json'"],
    ["..\\a.json"],
    ["."],
    ["a/.."],
    ["a/"],
  ])("with the lockfile %s outside the project is refused", (path) => {
    expect(codes(refusal(`lockfile: ${path}\n`).problems)).toEqual(["project/invalid@1:11"]);
  });

  test.each([["a.lock.json"], ["a/../b.lock.json"], ["./a..b.lock.json"], ["deep/er/a.lock.json"]])(
    "with the lockfile %s is accepted",
    (path) => {
      expect(parse(`lockfile: ${path}\n`).lockfile).toBe(path);
    },
  );

  test.each([
    ["../*.csv"],
    ["a/../../*.csv"],
    ["/a/*.csv"],
    ["C:/*.csv"],
    ["{a,../b}/*.csv"],
    ["!../a.csv"],
    ["(a|..)/b.csv"],
  ])("with the pattern %s, which leaves the project, is refused", (pattern) => {
    expect(codes(refusal(`calendars:\n- a.csv\n- "${pattern}"\n`).problems)).toEqual(["project/invalid@3:3"]);
  });

  test("must map every header once, to a known field", () => {
    const { problems } = refusal("columns:\n  Légende: contnet\n  Quand: when\n  a-b: id\n  A b: media\n");
    expect(codes(problems)).toEqual(["project/invalid@2:12", "project/invalid@3:10", "project/invalid@5:3"]);
    expect(problems[0]?.message).toContain("`content`");
    expect(problems[1]?.message).toContain("scheduled_at");
  });

  test("with a wrong value names the allowed kinds", () => {
    expect(message("calendars: [5]\n")).toMatch(
      /`calendars.0` must be text .* or a mapping, but it is a number/,
    );
    expect(message("calendars: [{files: a, date_ordr: dmy}]\n")).toContain("`date_order`");
    expect(message("header_row: x\n")).toContain("a number, a list or `none`");
  });

  test("with a word or number out of range names the allowed ones", () => {
    expect(message("merged_cells: cary\n")).toContain("must be one of refuse, carry. Did you mean `carry`?");
    expect(message("safety: {max_cancel_percent: 120}\n")).toContain("must be 100 or less.");
    expect(message("calendars: []\n")).toContain("must not be empty.");
    expect(message("defaults: {time: '25:00'}\n")).toContain("must be a time in the 24-hour clock");
  });

  test.each([
    "README.md",
    "plancast.json",
    ".lock.json",
    "locks/",
    "../a.lock.json",
    "C:a.lock.json",
    ".github/a.lock.json",
    "a/.g\u200cit/a.lock.json",
    "git~1/a.lock.json",
    "NODE_M~1/a.lock.json",
    ".plancast /a.lock.json",
    " .vscode/a.lock.json",
    "\u200b.claude/a.lock.json",
    ".mcp.json",
    ".gemini/settings.json",
    ".zed/settings.json",
    ".idea/a.lock.json",
    ".codex/config.lock.json",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "a\u0000.lock.json",
    "a\u001b[2J.lock.json",
    ".plancast",
  ])("refuses the lockfile %j", (lockfile) => {
    expect(message(`lockfile: ${JSON.stringify(lockfile)}\n`)).toContain("ends in `.lock.json`");
  });

  test.each(["plancast.lock.json", "state/a.LOCK.JSON", "clients/Café Ü/a.lock.json", "東京.lock.json"])(
    "takes the lockfile %s",
    (lockfile) => {
      expect(parse(`lockfile: ${JSON.stringify(lockfile)}\n`)).toMatchObject({ lockfile });
    },
  );

  test("reports all problems at once, in file order", () => {
    const { problems } = refusal("timezone: Nowhere\nlockfile: /x\ncalendars: [../a]\ncolumns: {a: b}\n");
    expect(codes(problems)).toEqual([
      "schedule/unknown-timezone@1:11",
      "project/invalid@2:11",
      "project/invalid@3:13",
      "project/invalid@4:14",
    ]);
  });

  test("shows its lines", () => {
    expect(refusal("# a\nfoo: 1\n").sourceLine("plancast.yaml", 2)).toBe("foo: 1");
  });
});
