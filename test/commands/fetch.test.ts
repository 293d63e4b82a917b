/** Sheets of Google, copied into the project when somebody has edited them. A stand-in answers for Google. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Clock } from "../../src/model/clock.ts";
import { type GoogleStandIn, type TestGoogleSheet, startGoogle } from "../support/google-sheets.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";
import { type TestCell, xlsx } from "../support/workbook-files.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz";
const ADDRESS = `https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`;
const COPY = "calendars/plan.xlsx";
const HEADER = ["id", "date", "time", "platforms", "content"];
const ROW_A = ["a", "2036-03-01", "09:00", "linkedin", "Open house"];
const ROW_B = ["b", "2036-03-02", "09:00", "mastodon", "Tomatoes are back"];

interface World {
  readonly google: GoogleStandIn;
  readonly project: TestProject;
  readonly sheet: TestGoogleSheet;
  /** Replaces the rows below the header. */
  readonly edit: (...rows: readonly (readonly TestCell[])[]) => void;
  readonly fetch: (...args: string[]) => Promise<CommandResult>;
}

interface Given {
  readonly file?: string;
  readonly env?: (google: GoogleStandIn) => Record<string, string>;
  readonly files?: Record<string, string | Uint8Array>;
  readonly clock?: Clock;
}

async function start({ file = COPY, env = () => ({}), files = {}, clock }: Given = {}): Promise<World> {
  const google = await startGoogle();
  const sheet: TestGoogleSheet = {
    sheets: [{ name: "Plan", rows: [HEADER, ROW_A, ROW_B] }],
    isShared: true,
    viewers: new Set(),
  };
  google.sheets.set(ID, sheet);
  const project = await makeProject({
    config: { timezone: "Europe/Paris", calendars: [{ file, from: ADDRESS }] },
    files,
  });
  const given = env(google);
  const edit: World["edit"] = (...rows) => {
    sheet.sheets = [{ name: "Plan", rows: [HEADER, ...rows] }];
  };
  const fetch: World["fetch"] = (...args) =>
    runCommand(["fetch", ...args], {
      cwd: project.root,
      env: { PLANCAST_GOOGLE_ENDPOINT: google.endpoint, ...given },
      ...(clock === undefined ? {} : { clock }),
    });
  return { google, project, sheet, edit, fetch };
}

const documentSchema = z.object({
  calendars: z.array(
    z.object({
      file: z.string(),
      state: z.string(),
      changes: z.array(z.object({ kind: z.string(), line: z.number() })),
    }),
  ),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

async function fetchedJson({ fetch }: World, ...args: string[]) {
  const { stdout } = await fetch("--format", "json", ...args);
  const document = documentSchema.parse(JSON.parse(stdout));
  return { state: document.calendars[0]?.state, ...document };
}

test("copies a sheet once, and then only if its cells change, although each export has other bytes", async () => {
  const world = await start();
  const first = await world.fetch();
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("calendars/plan.xlsx: copied from Google Sheets.");
  const tree = await world.project.tree();
  expect(await world.fetch()).toMatchObject({ code: 0, stdout: "calendars/plan.xlsx: nothing new.\n" });
  expect(await world.project.tree()).toEqual(tree);
  const validated = await runCommand(["validate"], { cwd: world.project.root });
  expect(validated).toMatchObject({ code: 0 });
});

test("says in words what changed, by the names of the columns", async () => {
  const world = await start();
  await world.fetch();
  world.edit(["c", "2036-03-03", "10:00", "x", "New here"], [...ROW_A.slice(0, 4), "Open house, with cake"]);
  const { stdout } = await world.fetch();
  expect(stdout).toContain("fetched from Google Sheets: 1 row added, 1 row changed, 1 row gone.");
  expect(stdout).toContain("changed  row 3  content: “Open house” → “Open house, with cake”");
  expect(stdout).toContain("added    row 2  c · 2036-03-03 · 10:00 · x · New here");
  expect(stdout).toContain("gone     row 3  b · 2036-03-02");
});

test("moved rows and a note beside a cell are news too", async () => {
  const world = await start();
  await world.fetch();
  world.edit(ROW_B, ROW_A);
  expect(await fetchedJson(world)).toMatchObject({ state: "changed", calendars: [{ changes: [] }] });
});

test("--check writes nothing, and exits with 2 if a sheet is newer", async () => {
  const world = await start();
  expect(await world.fetch("--check")).toMatchObject({ code: 2 });
  expect(Object.keys(await world.project.tree())).toEqual(["plancast.yaml"]);
  await world.fetch();
  expect(await world.fetch("--check")).toMatchObject({ code: 0 });
  world.edit(ROW_A);
  const tree = await world.project.tree();
  expect(await world.fetch("--check")).toMatchObject({ code: 2 });
  expect(await world.project.tree()).toEqual(tree);
});

const OTHER_FILE = xlsx([{ name: "Plan", rows: [HEADER, ROW_A, [...ROW_B.slice(0, 4), "Edited in git"]] }]);

test("refuses if the sheet and its copy were both edited, until somebody takes a side", async () => {
  const world = await start();
  await world.fetch();
  await world.project.write(COPY, OTHER_FILE);
  expect(await fetchedJson(world)).toMatchObject({ state: "edited", problems: [] });
  world.edit([...ROW_A.slice(0, 4), "Edited in the sheet"], ROW_B);
  const refused = await world.fetch();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("fetch/conflict");
  expect(refused.stdout).toContain("content: “Edited in git” → “Tomatoes are back”");
  expect(await world.project.bytes(COPY)).toEqual(Buffer.from(OTHER_FILE));
  expect(await world.fetch("--check")).toMatchObject({ code: 1 });

  expect(await fetchedJson(world, "--take", "file")).toMatchObject({ state: "kept", problems: [] });
  expect(await fetchedJson(world)).toMatchObject({ state: "edited", problems: [] });
  world.edit(ROW_A);
  expect(await fetchedJson(world)).toMatchObject({ state: "conflict" });
  expect(await fetchedJson(world, "--take", "sheet")).toMatchObject({ state: "changed" });
  expect(await fetchedJson(world)).toMatchObject({ state: "same" });
});

test("a file of that name that no fetch wrote is a conflict, and so is a sheet with another address", async () => {
  const world = await start({ files: { [COPY]: OTHER_FILE } });
  expect(await fetchedJson(world)).toMatchObject({ state: "conflict" });
  await world.fetch("--take", "sheet");
  world.google.sheets.set("2OtherSheetOfSomebodyElse", {
    ...world.sheet,
    sheets: [{ name: "Plan", rows: [HEADER] }],
  });
  const config = await world.project.read("plancast.yaml");
  await world.project.write("plancast.yaml", config.replace(ID, "2OtherSheetOfSomebodyElse"));
  expect(await fetchedJson(world)).toMatchObject({ state: "conflict" });
});

test("a sheet that is shared with nobody is an error, and its copy stays", async () => {
  const world = await start();
  await world.fetch();
  const tree = await world.project.tree();
  world.sheet.isShared = false;
  const { code, stderr } = await world.fetch();
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("only after signing in. In the sheet, choose Share");
  expect(await world.project.tree()).toEqual(tree);
});

const EMAIL = "plancast@calendar.iam.gserviceaccount.com";

test("a service account reads a private sheet that is shared with it, and its key goes nowhere else", async () => {
  const world = await start({
    env: (google) => ({ GOOGLE_SERVICE_ACCOUNT_JSON: google.account(EMAIL).json }),
  });
  world.sheet.isShared = false;
  const refused = await world.fetch();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(
    `does not show "https://docs.google.com/spreadsheets/d/${ID}/edit" to ${EMAIL}.`,
  );
  world.sheet.viewers.add(EMAIL);
  expect(await world.fetch()).toMatchObject({ code: 0 });
  expect(world.google.asked).toContain("POST /token");
  for (const { stdout, stderr } of [refused, await world.fetch()]) {
    expect(stdout + stderr).not.toMatch(/ya29|PRIVATE KEY|eyJ/);
  }
});

test("a key that Google has deleted, and a file without a key, are errors that show no part of them", async () => {
  const world = await start({
    env: (google) => {
      const old = google.account(EMAIL).json;
      google.account(EMAIL);
      return { GOOGLE_SERVICE_ACCOUNT_JSON: old };
    },
  });
  const { code, stderr } = await world.fetch();
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(`gives no token to ${EMAIL} (status 400)`);
  expect(stderr).not.toMatch(/eyJ|PRIVATE/);
  const noKey = await start({ env: () => ({ GOOGLE_SERVICE_ACCOUNT_JSON: '{ "private_key": "s3cret"' }) });
  const wrong = await noKey.fetch();
  expect(wrong.stderr).toContain("GOOGLE_SERVICE_ACCOUNT_JSON does not have the key of a service account");
  expect(wrong.stderr).not.toContain("s3cret");
});

test("a token that has expired is an error", async () => {
  let token = "";
  const world = await start({
    env: (google) => {
      token = google.token("ana@team.example");
      return { GOOGLE_OAUTH_ACCESS_TOKEN: token };
    },
  });
  world.sheet.isShared = false;
  world.sheet.viewers.add("ana@team.example");
  expect(await world.fetch()).toMatchObject({ code: 0 });
  expect(world.google.credentials).toEqual([`Bearer ${token}`]);
  world.google.expireTokens();
  const expired = await world.fetch();
  expect(expired.stderr.replaceAll(/\s+/g, " ")).toContain(
    "Google does not accept the token. It may have expired",
  );
  expect(expired.stderr).not.toContain(token);
});

test("a quota is waited for, but not for long", async () => {
  const world = await start({
    env: (google) => ({ GOOGLE_OAUTH_ACCESS_TOKEN: google.token("ana@team.example") }),
    clock: new TestClock(),
  });
  world.google.busy = { times: 2, seconds: 20 };
  const waited = await world.fetch();
  expect(waited).toMatchObject({ code: 0 });
  expect(waited.stderr).toContain("asks for a pause of");
  world.google.busy = { times: 1, seconds: 3_600 };
  const refused = await world.fetch();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("Run again in some minutes.");
});

test("a sheet above Google's limit of 10 MB is an error", async () => {
  const world = await start({
    env: (google) => ({ GOOGLE_OAUTH_ACCESS_TOKEN: google.token("ana@team.example") }),
  });
  world.sheet.extraBytes = 10_000_000;
  const { stderr } = await world.fetch();
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("Google exports at most 10 MB");
});

test("the tab of the address is the one in a copy that is CSV", async () => {
  const world = await start({ file: "calendars/plan.csv" });
  expect(await world.fetch()).toMatchObject({ code: 0 });
  expect(await world.project.read("calendars/plan.csv")).toContain('"Tomatoes are back"');
});

test("a copy in a format that Google does not have is refused before a request", async () => {
  const world = await start({ file: "calendars/plan.yaml" });
  const { code, stderr } = await world.fetch();
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("Let `file:` end in .xlsx or .ods or .csv.");
  expect(world.google.asked).toEqual([]);
});

test("an endpoint for tests that is not an address is an error: the credentials would go to Google", async () => {
  const world = await start({ env: () => ({ PLANCAST_GOOGLE_ENDPOINT: "localhost" }) });
  const { code, stderr } = await world.fetch();
  expect([code, stderr.includes("PLANCAST_GOOGLE_ENDPOINT is not an address.")]).toEqual([1, true]);
});

test("plan and validate never ask for the sheet", async () => {
  const world = await start();
  await world.fetch();
  world.google.asked.length = 0;
  for (const args of [["validate"], ["preview", "--out", "page.html"]])
    await runCommand(args, {
      cwd: world.project.root,
      env: { PLANCAST_GOOGLE_ENDPOINT: world.google.endpoint },
    });
  expect(world.google.asked).toEqual([]);
});

test.each([
  [
    "an address among the patterns",
    { calendars: ["https://docs.google.com/x"] },
    "{ file: calendars/plan.xlsx, from: https://… }",
  ],
  [
    "a copy without an address",
    { calendars: [{ file: "a.xlsx" }] },
    "either `files:`, or `file:` together with `from:`",
  ],
  [
    "plain http",
    { calendars: [{ file: "a.xlsx", from: "http://a.example/x" }] },
    "an address that begins with https://",
  ],
  [
    "an address that no browser reads",
    { calendars: [{ file: "a.xlsx", from: "https://a b/x" }] },
    "an address that begins with https://",
  ],
  [
    "a pattern for a copy",
    { calendars: [{ file: "*.xlsx", from: "https://a.example/x" }] },
    "the name of one file",
  ],
])("%s is refused with the way on", async (_what, config, says) => {
  const project = await makeProject({ config });
  const { code, stderr } = await runCommand(["fetch"], { cwd: project.root });
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(says);
});

test("init with the address of a sheet starts a project that fetches it", async () => {
  const google = await startGoogle();
  const sheet: TestGoogleSheet = {
    sheets: [{ name: "Plan", rows: [HEADER, ROW_A, ROW_B] }],
    isShared: true,
    viewers: new Set(),
  };
  google.sheets.set(ID, sheet);
  const project = await makeProject({ config: false });
  const run = (...args: string[]) =>
    runCommand(args, { cwd: project.root, env: { PLANCAST_GOOGLE_ENDPOINT: google.endpoint } });
  google.sheets.set("2SecondSheetOfTheTeam", {
    ...sheet,
    sheets: [{ name: "Plan", rows: [HEADER, [...ROW_A.slice(0, 4), "C"].with(0, "c")] }],
  });
  const second = ADDRESS.replace(ID, "2SecondSheetOfTheTeam");
  const init = await run("init", ADDRESS, second, "--timezone", "Europe/Paris", "--yes");
  expect(init).toMatchObject({ code: 0 });
  expect(await project.read("plancast.yaml")).toContain(`file: calendars/plan-2.xlsx\n    from: ${second}`);
  expect(init.stderr).toContain("copied the calendar to calendars/plan.xlsx");
  expect(await project.read("plancast.yaml")).toContain(`from: ${ADDRESS}`);
  sheet.sheets = [{ name: "Plan", rows: [HEADER, ROW_A, [...ROW_B.slice(0, 4), "Edited right after init"]] }];
  expect((await run("fetch")).stdout).toContain("1 row changed");
  expect(await run("validate")).toMatchObject({ code: 0 });
});

test("init with an address that gives no sheet writes nothing", async () => {
  const google = await startGoogle();
  const project = await makeProject({ config: false });
  const { code, stderr } = await runCommand(["init", ADDRESS], {
    cwd: project.root,
    env: { PLANCAST_GOOGLE_ENDPOINT: google.endpoint },
  });
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("the file does not exist. Check the address");
  expect(await project.tree()).toEqual({});
});
