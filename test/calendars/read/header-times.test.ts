import { expect, test } from "vitest";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { TestClock } from "../../support/test-clock.ts";

/** The codes that `validate` reports, and the times that `preview` lists, for rows of date and time. */
async function read(header: string, cells: string, settings: string) {
  const project = await makeProject({
    config: `service: { url: embedded }\n${settings}`,
    files: { "calendars/a.csv": `${header},platforms,content\n${cells},linkedin,Hello\n` },
  });
  const run = (args: string[]) => runCommand(args, { cwd: project.root, clock: new TestClock() });
  const { stdout } = await run(["validate", "--format", "json"]);
  const { problems } = JSON.parse(stdout);
  const plan = await run(["plan", "--format", "json"]);
  const planned: string[] = [...plan.stdout.matchAll(/"scheduled_at": ?"([^"]*)"/g)].map(
    ([, at]) => at ?? "",
  );
  return {
    codes: problems.map(({ code }: { code: string }) => code),
    message: problems.map(({ message }: { message: string }) => message).join("\n"),
    times: [...new Set(planned)],
  };
}

test("an exact zone in a header counts, with a warning if timezone: names another zone", async () => {
  const paris = await read("Scheduled for (UTC)", "2036-07-01 09:00", "timezone: Europe/Paris\n");
  expect(paris).toMatchObject({ codes: ["csv/zone-in-header"], times: ["2036-07-01T09:00:00Z"] });
  const none = await read("date,Time (UTC+2)", "2036-07-01,09:00", "");
  expect(none).toMatchObject({ codes: [], times: ["2036-07-01T07:00:00Z"] });
  const same = await read("datetime (UTC)", "2036-07-01 09:00", "timezone: UTC\n");
  expect(same).toMatchObject({ codes: [], times: ["2036-07-01T09:00:00Z"] });
});

test("a row's own zone has priority over the header's", async () => {
  const { times } = await read("datetime (UTC),timezone", "2036-07-01 09:00,Asia/Tokyo", "");
  expect(times).toEqual(["2036-07-01T00:00:00Z"]);
});

test("an abbreviation counts only with a timezone that uses it", async () => {
  const york = await read("date,Time (EST)", "2036-07-01,09:00", "timezone: America/New_York\n");
  expect(york).toMatchObject({ codes: [], times: ["2036-07-01T13:00:00Z"] });
  const fixed = await read("date,Time (EST)", "2036-07-01,09:00", "timezone: Etc/GMT+5\n");
  expect(fixed).toMatchObject({ codes: [], times: ["2036-07-01T14:00:00Z"] });
  const paris = await read("date,Time (EST)", "2036-07-01,09:00", "timezone: Europe/Paris\n");
  expect(paris).toMatchObject({ codes: ["csv/header-zone"], times: [] });
  expect(paris.message).toContain("`timezone: America/New_York`");
  expect(paris.message).toContain("`timezone: Etc/GMT+5`");
});

test("a country with several zones counts only if timezone: names one of them", async () => {
  const mexico = await read("date,Hora (México)", "2036-07-01,09:00", "timezone: America/Mexico_City\n");
  expect(mexico).toMatchObject({ codes: [], times: ["2036-07-01T15:00:00Z"] });
  const paris = await read("date,Hora (México)", "2036-07-01,09:00", "timezone: Europe/Paris\n");
  expect(paris).toMatchObject({ codes: ["csv/header-zone"], times: [] });
  expect(paris.message).toContain("`timezone: America/Cancun`");
});

test.each(["Time (HQ)", "Time (ET/PT)"])("%s is used only if columns: confirms it", async (header) => {
  const asked = await read(`date,${header}`, "2036-07-01,09:00", "timezone: America/New_York\n");
  expect(asked).toMatchObject({ codes: ["csv/header-zone"], times: [] });
  const line = `columns: { "${header}": time }`;
  expect(asked.message).toContain(`\`${line}\``);
  const confirmed = await read(`date,${header}`, "2036-07-01,09:00", `timezone: America/New_York\n${line}\n`);
  expect(confirmed).toMatchObject({ codes: [], times: ["2036-07-01T13:00:00Z"] });
});

test("shows a fixed offset as people write it, and accepts another name of the same zone", async () => {
  const plus = await read("date,Time (UTC+2)", "2036-07-01,09:00", "timezone: Europe/London\n");
  expect(plus.message).toContain("in UTC+2, not in Europe/London");
  expect(plus.message).toContain("`timezone: Etc/GMT-2` (UTC+2)");
  const kolkata = await read("date,Time (India)", "2036-07-01,09:00", "timezone: Asia/Kolkata\n");
  expect(kolkata).toMatchObject({ codes: [], times: ["2036-07-01T03:30:00Z"] });
});

test("stops at a format of dates that nobody can read, until date_order: says the order", async () => {
  const header = "Date (YYYY/DD/MM),time";
  const asked = await read(header, "2036/03/04,09:00", "timezone: UTC\n");
  expect(asked.codes).toEqual(["schedule/date-order"]);
  const said = await read(header, "2036/03/04,09:00", "timezone: UTC\ndate_order: ymd\n");
  expect(said).toMatchObject({ codes: [], times: ["2036-03-04T09:00:00Z"] });
  const short = await read("Date (dd/mm),time", "3/4/2036,09:00", "timezone: UTC\n");
  expect(short).toMatchObject({ codes: [], times: ["2036-04-03T09:00:00Z"] });
});

test("a time before noon under a header that says pm is an error", async () => {
  const { codes, message, times } = await read("date,Time (PM)", "2036-07-01,7:30", "timezone: UTC\n");
  expect([codes, times]).toEqual([["schedule/format"], []]);
  expect(message).toContain("as in 7:30 pm");
  for (const [header, time] of [
    ["Time (PM)", "7:30 pm"],
    ["Time (PM)", "19:30"],
    ["Time (AM/PM)", "7:30 pm"],
  ])
    expect(await read(`date,${header}`, `2036-07-01,${time}`, "timezone: UTC\n")).toMatchObject({
      codes: [],
      times: ["2036-07-01T19:30:00Z"],
    });
});

test("two zones in one header are an error", async () => {
  const { codes } = await read("Date (UTC),Time (Paris)", "2036-07-01,09:00", "timezone: UTC\n");
  expect(codes).toEqual(["csv/header-zone"]);
});

test("the header's order of dates counts, and a different date_order is an error", async () => {
  const header = "DATE (MONTH/DAY/YEAR),time";
  const alone = await read(header, "3/4/2036,09:00", "timezone: UTC\n");
  expect(alone).toMatchObject({ codes: [], times: ["2036-03-04T09:00:00Z"] });
  const other = await read(header, "19/9/2036,09:00", "timezone: UTC\n");
  expect(other.codes).toEqual(["schedule/date-order"]);
  expect(other.message).toContain("The header `DATE (MONTH/DAY/YEAR)` gives this order.");
  const said = await read(header, "3/4/2036,09:00", "timezone: UTC\ndate_order: dmy\n");
  expect(said.codes).toEqual(["schedule/date-order"]);
});

test("the preset highlevel asks for the order of dates, and the message names a preset that sets it", async () => {
  const highlevel = "preset: highlevel\ntimezone: UTC\n";
  expect((await read("postAtSpecificTime", "3/4/2036 9:30", highlevel)).codes).toEqual([
    "schedule/ambiguous-date",
  ]);
  const contentstudio = await read(
    "Date and Time",
    "3/31/2036 9:30",
    "preset: contentstudio\ntimezone: UTC\n",
  );
  expect(contentstudio.message).toContain("The preset contentstudio sets this order.");
});
