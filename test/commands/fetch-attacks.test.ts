/** What somebody who can change settings, sheets or the checkout could do with `plancast fetch`. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceOf } from "../../src/sources/all-sources.ts";
import { startGoogle } from "../support/google-sheets.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz";
const SHEET = `https://docs.google.com/spreadsheets/d/${ID}/edit`;
const HEADER = ["id", "date", "time", "platforms", "content"];
const SECRET = "ya29.secret-token-of-google";

async function fetched(
  project: TestProject,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<CommandResult & { readonly said: string }> {
  const result = await runCommand(["fetch", ...args], { cwd: project.root, env });
  return { ...result, said: (result.stdout + result.stderr).replaceAll(/\s+/g, " ") };
}

test.each([
  ["a workflow's folder", [{ file: ".github/workflows/plan.csv", from: SHEET }], "do not begin with a dot"],
  ["a hidden folder", [{ file: "calendars/.vscode/plan.csv", from: SHEET }], "do not begin with a dot"],
  ["a hidden file", [{ file: ".npmrc.csv", from: SHEET }], "do not begin with a dot"],
  ["a folder outside", [{ file: "../plan.csv", from: SHEET }], "do not begin with a dot"],
  ["the root of the machine", [{ file: "/tmp/plan.csv", from: SHEET }], "must stay inside the project"],
  ["a file that git runs", [{ file: "hooks/pre-commit", from: SHEET }], "cannot copy Google Sheets"],
  ["a password", [{ file: "a.csv", from: "https://me:pw@example.com/a.csv" }], "without a user name"],
  [
    "two sheets in one file",
    [
      { file: "calendars/a.csv", from: SHEET },
      { file: "calendars/A.csv", from: `${SHEET}?x` },
    ],
    "one sheet for each",
  ],
])("settings cannot make a fetch write %s", async (_what, calendars, says) => {
  const project = await makeProject({ config: { calendars } });
  const { code, said } = await fetched(project);
  expect([code, said]).toEqual([1, expect.stringContaining(says)]);
});

test.each([
  "https://127.0.0.1/a.csv",
  "https://[::1]/a.csv",
  "https://[::ffff:10.0.0.1]/a.csv",
  "https://0x7f000001/a.csv",
  "https://localhost./a.csv",
  "https://169.254.169.254/latest/meta-data/a.csv",
  "https://10.1.2.3/a.csv",
])("no sheet is fetched from a private address: %s", async (from) => {
  const project = await makeProject({ config: { calendars: [{ file: "a.csv", from }] } });
  const { code, said } = await fetched(project, { GOOGLE_OAUTH_ACCESS_TOKEN: SECRET });
  expect([code, said]).toEqual([1, expect.stringContaining("private")]);
  expect(said).not.toContain(SECRET);
});

test("in CI, a private host that only the checkout allows is refused before a request", async () => {
  const name = "127.0.0.1:9";
  const calendars = [{ file: "a.csv", from: `https://${name}/a.csv` }];
  const project = await makeProject({ config: { calendars, media: { allow_hosts: [name] } } });
  const { code, said } = await fetched(project, { CI: "true" });
  expect([code, said]).toEqual([1, expect.stringContaining("PLANCAST_MEDIA_ALLOW_HOSTS")]);
});

test.each([
  [`https://docs.google.com.evil.example/spreadsheets/d/${ID}`, "a file on the web"],
  [`https://docs.google.com@evil.example/spreadsheets/d/${ID}`, "a file on the web"],
  [`https://evil.example/docs.google.com/spreadsheets/d/${ID}`, "a file on the web"],
  [`https://DOCS.google.com/spreadsheets/d/${ID}`, "Google Sheets"],
])("%s is %s: only a sheet of Google gets Google's key", (address, name) => {
  expect(sourceOf(new URL(address)).name).toBe(name);
});

test("cells of a sheet cannot write commands into a terminal or a log", async () => {
  const google = await startGoogle();
  const rows = [HEADER, ["a", "2036-03-01", "09:00", "linkedin", "Hi"]];
  const sheet = { sheets: [{ name: "Plan", rows }], isShared: true, viewers: new Set<string>() };
  google.sheets.set(ID, sheet);
  const project = await makeProject({ config: { calendars: [{ file: "a.xlsx", from: SHEET }] } });
  const env = { PLANCAST_GOOGLE_ENDPOINT: google.endpoint, CI: "true" };
  await fetched(project, env);
  const hostile = "Hi\u001B[2J\u202E\n::set-env name=PATH::/evil\r\n##vso[task.setvariable]x";
  sheet.sheets = [{ name: "Plan", rows: [HEADER, ["a", "2036-03-01", "09:00", "linkedin", hostile]] }];
  const { stdout, stderr } = await fetched(project, env);
  expect(stdout).toContain("1 row changed");
  // eslint-disable-next-line no-control-regex
  expect(stdout + stderr).not.toMatch(/\u001B\[2J|\u202E|^\s*(?:::|##)/m);
});

test("a copy that is a link is not written through", async () => {
  const google = await startGoogle();
  const rows = [HEADER, ["a", "2036-03-01", "09:00", "linkedin", "Hi"]];
  google.sheets.set(ID, { sheets: [{ name: "Plan", rows }], isShared: true, viewers: new Set() });
  const elsewhere = await makeProject({ files: { "target.xlsx": "untouched" } });
  const project = await makeProject({ config: { calendars: [{ file: "a.xlsx", from: SHEET }] } });
  await symlink(join(elsewhere.root, "target.xlsx"), join(project.root, "a.xlsx"));
  const { code, said } = await fetched(project, { PLANCAST_GOOGLE_ENDPOINT: google.endpoint }, [
    "--take",
    "sheet",
  ]);
  expect([code, said]).toEqual([1, expect.stringContaining("link")]);
  expect(await elsewhere.read("target.xlsx")).toBe("untouched");
});

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["another form", '{"version":1,"calendars":{"a.xlsx":{"from":"x","cells":"y"}}}'],
])("a record of fetches that is %s writes nothing", async (_what, text) => {
  const google = await startGoogle();
  const config = { calendars: [{ file: "a.xlsx", from: SHEET }] };
  const project = await makeProject({ config, files: { "plancast.fetched.json": text } });
  const { code, said } = await fetched(project, { PLANCAST_GOOGLE_ENDPOINT: google.endpoint });
  expect([code, said]).toEqual([1, expect.stringContaining("plancast.fetched.json cannot be read")]);
  expect(google.asked).toEqual([]);
});

test("many sheets of a host that asks for pauses end with the run's time", async () => {
  const google = await startGoogle();
  google.busy = { times: 1_000, seconds: 2 };
  const calendars = Array.from({ length: 20 }, (_none, index) => ({ file: `${index}.xlsx`, from: SHEET }));
  const project = await makeProject({ config: { calendars } });
  const started = performance.now();
  const { code } = await fetched(project, {
    PLANCAST_GOOGLE_ENDPOINT: google.endpoint,
    PLANCAST_MAX_RUN_TIME: "3s",
  });
  expect(code).toBe(1);
  // Each sheet alone waits four seconds.
  expect(performance.now() - started).toBeLessThan(15_000);
});
