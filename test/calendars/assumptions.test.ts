import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const ROWS = [
  "date,time,platforms,content",
  "2036-03-01,09:00,,One",
  "2036-03-02,,,Two",
  "2036-03-03,09:00,twitter,Three",
  "2036-03-04,,facebook,Four",
  "",
].join("\n");

test("validate and plan say how many rows take platforms and times from defaults", async () => {
  const project = await makeProject({
    config:
      'service: { url: embedded }\ntimezone: Europe/Paris\ndefaults: { platforms: [linkedin], time: "10:00" }\n',
    files: { "calendars/a.csv": ROWS },
  });
  const run = async (...args: string[]) =>
    (await runCommand(args, { cwd: project.root })).stdout.replaceAll(/\s+/g, " ");
  for (const shown of [await run("validate"), await run("plan"), await run("plan", "--format", "markdown")]) {
    expect(shown).toMatch(/2 rows take their networks from .*defaults:.*linkedin/);
    expect(shown).toMatch(/2 rows take their time from .*defaults:.*10:00/);
  }
});

test("validate says nothing about defaults that no row uses", async () => {
  const project = await makeProject({
    config: "service: { url: embedded }\ntimezone: Europe/Paris\ndefaults: { platforms: [linkedin] }\n",
    files: { "calendars/a.csv": "date,time,platforms,content\n2036-03-01,09:00,twitter,One\n" },
  });
  const { stdout } = await runCommand(["validate"], { cwd: project.root });
  expect(stdout).not.toContain("defaults");
});

test("the last line of validate says how dates and zones were understood, and which rows are left out", async () => {
  const rows = [
    "date,Time (EST),platforms,content,status",
    "3.4.2036,09:00,linkedin,One,",
    "13.4.2036,09:00,linkedin,Two,",
    "5.4.2036,09:00,linkedin,Three,",
    "6.4.2036,,linkedin,Four,draft",
    "7.4.2036,09:00,linkedin,Five,posted",
    "",
  ].join("\n");
  const { last } = await validated(rows.replace("EST", "UTC"));
  expect(last).toContain("3 upcoming posts, 1 draft, 1 skipped. Times are in Europe/Paris, unless");
  expect(last).toContain(
    "plancast reads 2 dates as day, month, year, because the numbers have dots between them.",
  );
  expect(last).toContain("3 times are in UTC, as the header `Time (UTC)` says.");
});

test("the order of dates comes from a header or a preset", async () => {
  const header = await validated(
    "DATE (MONTH/DAY/YEAR),time,platforms,content\n3/4/2036,9:00,linkedin,One\n",
  );
  expect(header.last).toMatch(/reads 1 date as month, day, year, as the header .*MONTH/);
  const preset = await validated(
    "Date,Text\n2036/04/03 09:00,One\n",
    "preset: publer\ndefaults: { platforms: [x] }\n",
  );
  expect(preset.last).not.toContain("dates as");
});

test("says nothing about dates whose order plancast.yaml sets, or about networks that columns of texts name", async () => {
  const own = await validated(
    "date,time,platforms,content\n3/4/2036,9:00,linkedin,One\n",
    "date_order: dmy\n",
  );
  const texts = await validated("date,time,content:linkedin,content:x\n2036-04-03,9:00,One,Two\n");
  for (const { stdout } of [own, texts]) {
    expect(stdout).toContain("1 calendar without problems");
    expect(stdout.trim().split("\n")).toHaveLength(2);
  }
});

/** What validate prints about one calendar; `last` without line ends. */
async function validated(
  rows: string,
  settings = "",
): Promise<{ readonly stdout: string; readonly last: string }> {
  const project = await makeProject({
    config: `service: { url: embedded }\ntimezone: Europe/Paris\n${settings}`,
    files: { "calendars/a.csv": rows },
  });
  const { stdout } = await runCommand(["validate"], { cwd: project.root });
  const last = stdout.replaceAll(/\s+/g, " ");
  return { stdout, last };
}

test("init sets no default platform", async () => {
  const project = await makeProject({ config: false });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root });
  expect((await run("init", "--timezone", "Europe/Paris")).code).toBe(0);
  expect(await project.read("plancast.yaml")).not.toMatch(/^ +platforms: \[/m);
  expect((await run("validate")).code).toBe(0);
});
