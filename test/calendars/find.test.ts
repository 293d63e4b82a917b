import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findCalendars, readingsOf, matchesFile, patternFor } from "../../src/calendars/find.ts";
import type { CalendarEntry } from "../../src/settings/calendar-settings.ts";
import { machineOf, mountMachine } from "../../src/disk/machine.ts";
import { afterThisTest } from "../support/after-test.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { codes } from "./places.ts";

const ALL = ["**/*.{csv,tsv,yaml,yml}"];

test("finds calendars sorted, with relative paths and slashes", async () => {
  const root = await tempFolder({
    "calendars/b.csv": "",
    "calendars/a/z.yaml": "",
    "calendars/B.yml": "",
    "calendars/notes.txt": "",
    "other.csv": "",
  });
  expect(await findCalendars(root, ["calendars/**/*.{csv,yaml,yml}", "calendars/b.csv"])).toMatchObject({
    files: ["calendars/B.yml", "calendars/a/z.yaml", "calendars/b.csv"],
    problems: [],
  });
});

test("skips folders, project files and folders of tools", async () => {
  const root = await tempFolder({
    "a.csv": "",
    "plancast.yaml": "",
    "deep/plancast.yaml": "",
    "node_modules/x/b.csv": "",
    "deep/node_modules/b.csv": "",
    ".git/b.yaml": "",
    ".plancast/b.yaml": "",
    ".hidden.csv": "",
    ".github/workflow.yml": "",
    "~$a.csv": "",
    "deep/~$b.csv": "",
    ".~lock.a.csv#": "",
  });
  await mkdir(join(root, "folder.csv"));
  expect((await findCalendars(root, ALL)).files).toEqual(["a.csv"]);
});

test("leaves out files of a negated pattern", async () => {
  const root = await tempFolder({ "c/a.csv": "", "c/drafts/b.csv": "" });
  expect((await findCalendars(root, ["c/**/*.csv", "!c/drafts/**"])).files).toEqual(["c/a.csv"]);
});

test("warns about a pattern without matches", async () => {
  const root = await tempFolder({ "a.txt": "" });
  const { files, problems } = await findCalendars(root, ALL);
  expect(files).toEqual([]);
  expect(problems).toMatchObject([{ code: "calendar/none-found", severity: "warning" }]);
  expect(problems[0]?.message).toContain(ALL[0]);
});

test("warns of settings for a file that does not exist, but not of patterns", async () => {
  const root = await tempFolder({ "c/a (1).csv": "", "c/b.csv": "" });
  const { files, problems } = await findCalendars(root, [
    "c/*.csv",
    "c/none.csv",
    { files: patternFor("c/a (1).csv"), columns: {}, status_values: {} },
    { files: ["c/gone.csv", "c/b.csv", "!c/x.csv"], columns: {}, status_values: {} },
    { files: "later/*.csv", columns: {}, status_values: {} },
  ]);
  expect(files).toEqual(["c/a (1).csv", "c/b.csv"]);
  expect(problems).toMatchObject([{ code: "calendar/none-found", severity: "warning" }]);
  expect(problems[0]?.message).toContain("`c/gone.csv`");
});

test("refuses a link that leads out of the project", async () => {
  const outside = await tempFolder({ "a.csv": "", "deep/b.csv": "" });
  const root = await tempFolder({ "c/own.csv": "" });
  await symlink(join(outside, "a.csv"), join(root, "c/file.csv"));
  await symlink(join(outside, "deep"), join(root, "c/folder"));
  const { files, problems } = await findCalendars(root, ALL);
  expect(files).toEqual(["c/own.csv"]);
  expect(codes(problems)).toEqual(["disk/outside", "disk/outside"]);
  expect(problems.map((each) => each.file)).toEqual(["c/file.csv", "c/folder"]);
});

test("refuses a folder outside the project whose name starts like the project's", async () => {
  const parent = await tempFolder({ "team/a.csv": "", "team-private/b.csv": "" });
  await symlink("../team-private/b.csv", join(parent, "team/b.csv"));
  const { files, problems } = await findCalendars(join(parent, "team"), ALL);
  expect([files, codes(problems)]).toEqual([["a.csv"], ["disk/outside"]]);
});

test("refuses a linked calendar, even if the link stays within the project or leads nowhere", async () => {
  const root = await tempFolder({ "archive/old.csv": "", "c/z.csv": "" });
  await symlink("../archive/old.csv", join(root, "c/linked.csv"));
  await symlink("z.csv", join(root, "c/a.csv"));
  await symlink("nowhere.csv", join(root, "c/gone.csv"));
  const { files, problems } = await findCalendars(root, ["c/*.csv"]);
  expect(files).toEqual(["c/z.csv"]);
  expect(problems).toMatchObject(
    ["c/a.csv", "c/gone.csv", "c/linked.csv"].map((file) => ({ code: "disk/linked", file })),
  );
});

test.each([
  ["c/**/*.csv", "c/deep", "../archive"],
  ["c/*/*.csv", "c/deep", "../archive"],
  ["c/*.csv", "c", "archive"],
  ["c/a.csv", "c", "archive"],
  ["{c,d}/*.csv", "d", "archive"],
  ["{c/deep,d}/*.csv", "c/deep", "../archive"],
  ["c/**/*.csv", "c/deep", "nowhere"],
  ["**/*.csv", "c/loop", ".."],
])("for the pattern %s, refuses the folder %s that is a link to %s", async (pattern, link, target) => {
  const root = await tempFolder({ "archive/a.csv": "", "other/.keep": "" });
  await mkdir(dirname(join(root, link)), { recursive: true });
  await symlink(target, join(root, link));
  const { files, problems } = await findCalendars(root, [pattern]);
  expect(files).toEqual(pattern.startsWith("**") ? ["archive/a.csv"] : []);
  expect(problems).toMatchObject([{ code: "disk/linked", severity: "error", file: link }]);
});

test("accepts links that do not lead to a calendar", async () => {
  const root = await tempFolder({ "c/a.csv": "", "pictures/a.png": "", "archive/a.csv": "" });
  const outside = await tempFolder({ "b.png": "" });
  await symlink("../pictures", join(root, "c/media"));
  await symlink(join(outside, "b.png"), join(root, "c/b.png"));
  await symlink("archive", join(root, "elsewhere"));
  expect(await findCalendars(root, ["c/**/*.csv"])).toMatchObject({ files: ["c/a.csv"], problems: [] });
});

test("a README is not a calendar, and a linked folder of notes counts only where Markdown does", async () => {
  const root = await tempFolder({
    "calendars/README.md": "",
    "calendars/Readme.md": "",
    "calendars/a.md": "",
    "docs/notes.md": "",
    "media/README.md": "",
  });
  await symlink(join(root, "docs"), join(root, "calendars/docs"));
  await symlink(join(root, "media"), join(root, "calendars/media"));
  expect(await findCalendars(root, ["calendars/**/*.{md,csv}"])).toMatchObject({
    files: ["calendars/a.md"],
    problems: [{ code: "disk/linked", file: "calendars/docs" }],
  });
  const { problems } = await findCalendars(root, ["calendars/**/*.csv"]);
  expect(problems.map(({ code }) => code)).toEqual(["calendar/none-found"]);
});

test.runIf(process.platform !== "win32")(
  "lists a pipe, too, so that plancast does not skip it silently",
  async () => {
    const root = await tempFolder({ "c/a.csv": "" });
    execFileSync("mkfifo", [join(root, "c/pipe.csv")]);
    expect((await findCalendars(root, ["c/*.csv"])).files).toEqual(["c/a.csv", "c/pipe.csv"]);
  },
);

test("finds calendars of a project behind a link", async () => {
  const root = await tempFolder({ "real/c/a.csv": "" });
  await symlink("real", join(root, "link"));
  expect(await findCalendars(join(root, "link"), ALL)).toMatchObject({ files: ["c/a.csv"], problems: [] });
});

const entry = (files: string | string[]): CalendarEntry => ({ files, columns: {}, status_values: {} });

const sheet = (files: string, name: string | string[]): CalendarEntry => ({
  files,
  columns: {},
  status_values: {},
  sheet: name,
});

test("several entries may read different sheets of one file, but not the same one", async () => {
  const root = await tempFolder({ "c/a.xlsx": "", "c/b.xlsx": "" });
  const entries = [sheet("c/*.xlsx", "Mars"), sheet("c/a.xlsx", "Avril"), sheet("c/b.xlsx", "Mars")];
  const { problems, entriesOf } = await findCalendars(root, entries);
  expect(problems).toEqual([]);
  expect(readingsOf(entriesOf("c/a.xlsx")).map((each) => each.length)).toEqual([1, 1]);
  expect(readingsOf(entriesOf("c/b.xlsx")).map((each) => each.length)).toEqual([2]);
  const twice = [sheet("c/a.xlsx", "Mars"), sheet("c/a.xlsx", ["Avril", "Mars"])];
  expect((await findCalendars(root, twice)).problems).toMatchObject([
    { code: "sheet/unclear", severity: "error", file: "c/a.xlsx" },
  ]);
});

test("gives a file its entries in order", async () => {
  const root = await tempFolder({ "c/a.csv": "", "c/b.csv": "" });
  const entries = ["c/*.csv", entry("**/a.csv"), entry("c/b.*"), entry("c/*")];
  const { files, entriesOf } = await findCalendars(root, entries);
  const indexes = (file: string): number[] => entriesOf(file).map((each) => entries.indexOf(each));
  expect(files).toEqual(["c/a.csv", "c/b.csv"]);
  expect(files.map(indexes)).toEqual([
    [0, 1, 3],
    [0, 2, 3],
  ]);
  expect(entriesOf("c/none.csv")).toEqual([]);
});

test.each([
  ["calendars/**/*.csv", "calendars/2027/march.csv"],
  ["calendars/**/*.csv", "calendars/march.csv"],
  ["calendars/*.csv", "calendars/2027/march.csv"],
  ["calendars/*.{csv,yaml}", "calendars/march.yaml"],
  ["./calendars/*.csv", "calendars/march.csv"],
  ["calendars/[2027] plan.csv", "calendars/[2027] plan.csv"],
  [patternFor("calendars/[2027] plan.csv"), "calendars/[2027] plan.csv"],
  ["**/*.csv", "node_modules/a.csv"],
  ["**/*.csv", ".hidden/a.csv"],
  ["*.csv", "~$a.csv"],
  ["a.csv", "a.csv"],
  ["a.csv/b.csv", "a.csv"],
])(
  "a file that does not exist yet matches the same patterns as an existing file: %s, %s",
  async (pattern, file) => {
    const root = await tempFolder({ [file]: "" });
    const { files } = await findCalendars(root, [pattern]);
    expect(matchesFile([pattern], file)).toBe(files.includes(file));
  },
);

test("a pattern also excludes a file that does not exist yet", () => {
  expect(matchesFile(["c/**/*.csv", "!c/drafts/**"], "c/a.csv")).toBe(true);
  expect(matchesFile(["c/**/*.csv", "!c/drafts/**"], "c/drafts/a.csv")).toBe(false);
});

test("a folder that cannot be read stops the run: the posts of its calendars would be cancelled", async () => {
  const root = await tempFolder({ "calendars/a.csv": "", "calendars/closed/b.csv": "" });
  const real = machineOf(root);
  const closed = {
    ...real,
    readdir: (path: unknown, ...rest: unknown[]) =>
      String(path).includes("closed")
        ? Promise.reject(Object.assign(new Error("permission denied"), { code: "EACCES" }))
        : Reflect.apply(real.readdir, undefined, [path, ...rest]),
  };
  afterThisTest(mountMachine(root, closed));
  await expect(findCalendars(root, ["calendars/**/*.csv"])).rejects.toMatchObject({
    code: "disk/unreadable",
    message: expect.stringContaining("permission denied"),
  });
});
