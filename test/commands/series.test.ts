/** Rows that repeat, from the calendar to the service: which posts they make, and that edits change only later ones. */
import { expect, test } from "vitest";
import { z } from "zod";
import { planSchema } from "../../src/report/documents/runs.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "date", "time", "repeat", "except", "platforms", "content"];
const DAY_MS = 86_400_000;
// A Tuesday.
const NOW = Date.parse("2030-01-01T12:00:00Z");

async function startProject(rows: readonly string[][], config: Readonly<Record<string, unknown>> = {}) {
  const clock = new TestClock(() => false, NOW);
  const project = await makeProject({
    config: {
      timezone: "Europe/Paris",
      service: { url: "embedded" },
      series: { ahead: "30d" },
      ...config,
    },
    files: { [FILE]: csv(HEADER, ...rows) },
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
  const write = (...given: string[][]) => project.write(FILE, csv(HEADER, ...given));
  const plan = async (...args: string[]) =>
    planSchema.parse(JSON.parse((await run("plan", ...args, "--format", "json")).stdout));
  /** `create news/2030-01-07 2030-01-07T08:30` */
  const changes = async (...args: string[]) =>
    (await plan(...args)).changes.map(({ action, key, post }) =>
      `${action} ${key} ${post?.scheduled_at.slice(0, 16) ?? ""}`.trim(),
    );
  const apply = async () => expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  return { project, clock, run, write, plan, changes, apply };
}

const NEWS = ["news", "2029-10-01", "09:30", "weekly", "", "linkedin", "News {n} of {date}"];
const edited = (row: readonly string[], cells: Readonly<Record<string, string>>): string[] =>
  row.map((cell, index) => cells[HEADER[index] ?? ""] ?? cell);

test("a row that repeats becomes a post for each day up to the horizon, with its own text", async () => {
  const { run, plan, changes } = await startProject([
    NEWS,
    ["one", "2030-01-09", "10:00", "", "", "linkedin", "{n}"],
  ]);
  expect(await changes()).toEqual([
    "create news/2030-01-07 2030-01-07T08:30",
    "create one 2030-01-09T09:00",
    "create news/2030-01-14 2030-01-14T08:30",
    "create news/2030-01-21 2030-01-21T08:30",
    "create news/2030-01-28 2030-01-28T08:30",
  ]);
  const texts = (await plan()).changes.map(({ post }) => post?.content);
  expect(texts.slice(0, 3)).toEqual(["News 15 of 7 January 2030", "{n}", "News 16 of 14 January 2030"]);
  const { stdout, stderr } = await run("plan");
  expect(stdout).toContain("weekly: 4 posts, the last on Mon 28 January 2030");
  expect(stdout).toContain("1 row repeats: plancast plans its posts until 2030-01-31.");
  expect(stdout).toContain("Plan: 5 to create");
  expect(stderr).not.toContain("schedule/past");
  expect((await run("plan", "--format", "markdown")).stdout).toContain("<small>weekly: 4 posts");
  expect((await run("validate")).stdout).toMatch(/plancast\s+plans\s+its\s+posts\s+until\s+2030-01-31\./);
});

test("a series ends with its last post; a time that the clocks skip moves to later, and of two equal times the first counts", async () => {
  const { changes } = await startProject(
    [
      ["spring", "2030-03-24", "02:30", "weekly until 2030-04-07", "", "linkedin", "Spring {n}"],
      ["autumn", "2030-10-20", "02:30", "weekly, 3 times", "", "linkedin", "Autumn {n}"],
      // The end of a rule of iCalendar is its last post.
      ["exact", "2030-11-05", "09:30", "FREQ=WEEKLY;UNTIL=20301112T083000Z", "", "linkedin", "Exact {n}"],
    ],
    { series: { ahead: "330d" } },
  );
  expect(await changes()).toEqual([
    "create spring/2030-03-24 2030-03-24T01:30",
    "create spring/2030-03-31 2030-03-31T01:30",
    "create spring/2030-04-07 2030-04-07T00:30",
    "create autumn/2030-10-20 2030-10-20T00:30",
    "create autumn/2030-10-27 2030-10-27T00:30",
    "create autumn/2030-11-03 2030-11-03T01:30",
    "create exact/2030-11-05 2030-11-05T08:30",
    "create exact/2030-11-12 2030-11-12T08:30",
  ]);
});

test("the next plan is empty, even when other rows change, until the horizon moves on", async () => {
  const { apply, changes, write, clock } = await startProject([NEWS]);
  await apply();
  expect(await changes()).toEqual([]);
  await write(["new", "2030-01-05", "10:00", "", "", "linkedin", "Above"], NEWS);
  expect(await changes()).toEqual(["create new 2030-01-05T09:00"]);
  await write(NEWS);
  clock.advance(7 * DAY_MS);
  expect(await changes()).toEqual(["create news/2030-02-04 2030-02-04T08:30"]);
});

test("an edit changes only later posts, and never publishes a day again", async () => {
  const { apply, changes, write, clock } = await startProject([NEWS]);
  await apply();
  // Monday at noon: the post of 9:30 is published.
  clock.advance(6 * DAY_MS);
  await write(edited(NEWS, { time: "17:00", content: "News" }));
  expect(await changes()).toEqual([
    "replace news/2030-01-14 2030-01-14T16:00",
    "replace news/2030-01-21 2030-01-21T16:00",
    "replace news/2030-01-28 2030-01-28T16:00",
    "create news/2030-02-04 2030-02-04T16:00",
  ]);
  await write(edited(NEWS, { repeat: "weekly on tue until 2030-01-22", content: "News" }));
  expect(await changes()).toEqual([
    "create news/2030-01-08 2030-01-08T08:30",
    "cancel news/2030-01-14 2030-01-14T08:30",
    "create news/2030-01-15 2030-01-15T08:30",
    "cancel news/2030-01-21 2030-01-21T08:30",
    "create news/2030-01-22 2030-01-22T08:30",
    "cancel news/2030-01-28 2030-01-28T08:30",
  ]);
});

test("without its row, only later posts are cancelled, and a draft keeps no post", async () => {
  const { apply, plan, write, clock } = await startProject([NEWS]);
  await apply();
  clock.advance(7 * DAY_MS);
  await write(["other", "2030-03-01", "10:00", "", "", "linkedin", "Other"]);
  const gone = await plan();
  expect(gone.summary).toMatchObject({ cancel: 3 });
  await write(["other", "2030-03-01", "10:00", "", "", "linkedin", "Other"], NEWS);
  expect((await plan()).summary).toMatchObject({ cancel: 0 });
});

test("a shorter horizon cancels nothing", async () => {
  const { apply, changes, project } = await startProject([NEWS]);
  await apply();
  const file = await project.read("plancast.yaml");
  await project.write("plancast.yaml", file.replace("30d", "3d"));
  expect(await changes()).toEqual([]);
});

test("single days can be left out or moved", async () => {
  const except = "2030-01-14, 2030-01-21 -> 2030-01-22 11:00, 2030-02-04 -> 2030-01-30";
  const { changes, apply, write } = await startProject([edited(NEWS, { except })]);
  expect(await changes()).toEqual([
    "create news/2030-01-07 2030-01-07T08:30",
    "create news/2030-01-21 2030-01-22T10:00",
    "create news/2030-01-28 2030-01-28T08:30",
    "create news/2030-02-04 2030-01-30T08:30",
  ]);
  await apply();
  expect(await changes()).toEqual([]);
  await write(edited(NEWS, { except: "2030-01-07 -> 2030-01-08 10:00" }));
  expect(await changes()).toEqual([
    "replace news/2030-01-07 2030-01-08T09:00",
    "create news/2030-01-14 2030-01-14T08:30",
    "replace news/2030-01-21 2030-01-21T08:30",
    "replace news/2030-02-04 2030-02-04T08:30",
  ]);
});

test("--only date=… plans only some posts of a series, and cancels none", async () => {
  const { changes, apply, write, plan } = await startProject([NEWS]);
  expect(await changes("--only", "date=2030-01-14..2030-01-21")).toEqual([
    "create news/2030-01-14 2030-01-14T08:30",
    "create news/2030-01-21 2030-01-21T08:30",
  ]);
  await apply();
  await write(edited(NEWS, { content: "New text" }));
  expect(await changes("--only", "date=2030-01-14")).toEqual(["replace news/2030-01-14 2030-01-14T08:30"]);
  expect((await plan("--only", "platform=bluesky")).changes).toEqual([]);
});

test.each([
  ["no id", { id: "" }, "schedule/repeat"],
  ["no time", { time: "" }, "row/missing-field"],
  ["an offset", { date: "", time: "2030-01-07T09:30+01:00" }, "schedule/repeat"],
  ["a strange rule", { repeat: "now and then" }, "schedule/repeat"],
  ["a day that not every month has", { date: "2029-10-31", repeat: "monthly" }, "schedule/repeat"],
  ["an end before its beginning", { repeat: "weekly until 2029-01-01" }, "schedule/repeat"],
  ["a rule that never happens", { repeat: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" }, "schedule/repeat"],
  ["an exception on another day", { except: "2030-01-15" }, "schedule/except"],
  ["a faulty exception", { except: "soon" }, "schedule/except"],
  ["an unknown variable", { content: "News {nr}" }, "row/unknown-variable"],
])("refuses a row that repeats with %s", async (_what, cells, code) => {
  const { run } = await startProject([edited(NEWS, cells)]);
  const { code: exit, stdout } = await run("validate", "--format", "json");
  const { problems } = z
    .object({ problems: z.array(z.object({ code: z.string() })) })
    .parse(JSON.parse(stdout));
  // One problem, although the row is many posts.
  expect(problems.map((each) => each.code)).toEqual([code]);
  expect(exit).toBe(1);
});

test("the message about an exception names the nearest days", async () => {
  const { run } = await startProject([edited(NEWS, { except: "2030-01-15" })]);
  expect((await run("validate")).stdout.replaceAll(/\s+/g, " ")).toContain(
    "The nearest days are 2030-01-14 and 2030-01-21.",
  );
});

test("rows with slots do not repeat", async () => {
  const { run } = await startProject([edited(NEWS, { time: "next" })], {
    slots: { default: ["daily 10:00"] },
  });
  expect((await run("validate")).stdout).toContain("schedule/repeat");
});

test("a series that other rows collide with is an error", async () => {
  const { run } = await startProject([
    NEWS,
    ["news/2030-01-14", "2030-02-01", "10:00", "", "", "linkedin", "Other"],
  ]);
  expect((await run("validate")).stdout).toContain("row/duplicate-id");
});

test("--only-valid keeps the posts of a series with an error", async () => {
  const { run, apply, write, plan } = await startProject([NEWS]);
  await apply();
  await write(edited(NEWS, { repeat: "sometimes" }), [
    "one",
    "2030-01-09",
    "10:00",
    "",
    "",
    "linkedin",
    "One",
  ]);
  expect((await plan("--only-valid")).changes).toMatchObject([{ action: "create", key: "one" }]);
  expect((await run("plan")).code).toBe(1);
});

test("each platform can have its own time and text", async () => {
  const { project, changes } = await startProject([NEWS]);
  const header = ["id", "date", "time", "time:bluesky", "content:bluesky", "repeat", "platforms", "content"];
  const row = [
    "news",
    "2029-10-01",
    "09:30",
    "18:00",
    "Short {n}",
    "every 2 weeks",
    "linkedin,bluesky",
    "Long {n}",
  ];
  await project.write(FILE, csv(header, row));
  expect(await changes()).toEqual([
    "create news/2030-01-07 2030-01-07T08:30",
    "create news/2030-01-07@bluesky 2030-01-07T17:00",
    "create news/2030-01-21 2030-01-21T08:30",
    "create news/2030-01-21@bluesky 2030-01-21T17:00",
  ]);
});

test("dates in texts have the language of the project", async () => {
  const { plan } = await startProject([NEWS], { series: { ahead: "10d", language: "fr" } });
  expect((await plan()).changes.map(({ post }) => post?.content)).toEqual(["News 15 of 7 janvier 2030"]);
});

test("status, calendar and preview show the posts of a series", async () => {
  const { run, apply, clock } = await startProject([NEWS]);
  await apply();
  clock.advance(7 * DAY_MS);
  const { stdout } = await run("status", "--format", "json");
  const { rows } = z
    .object({ rows: z.array(z.object({ key: z.string(), status: z.string() })) })
    .parse(JSON.parse(stdout));
  expect(rows.map(({ key, status }) => `${key} ${status}`)).toEqual([
    "news/2030-01-07 published",
    "news/2030-01-14 scheduled",
    "news/2030-01-21 scheduled",
    "news/2030-01-28 scheduled",
    "news/2030-02-04 not_applied",
  ]);
  expect((await run("calendar", "--month", "2030-01")).stdout.replaceAll(/\s+/g, " ")).toContain(
    "News 16 of 14 January",
  );
});

test("a conversion keeps the rule", async () => {
  const { run, project } = await startProject([
    edited(NEWS, { repeat: "weekly until 30 June 2030", except: "14 Jan 2030 -> 15 Jan 2030" }),
  ]);
  expect(await run("convert", FILE, "--out", "calendars/a.yaml")).toMatchObject({ code: 0 });
  const yaml = await project.read("calendars/a.yaml");
  expect(yaml).toContain("repeat: weekly until 2030-06-30");
  expect(yaml).toContain("except: 2030-01-14 -> 2030-01-15");
});

test("the lockfile records which rule and text people applied, and only an apply of the post changes that", async () => {
  const { apply, write, project, clock, run } = await startProject([NEWS]);
  const read = async () => {
    const { posts } = z
      .object({ posts: z.record(z.string(), z.object({ series: z.string() })) })
      .parse(JSON.parse(await project.read("plancast.lock.json")));
    return Object.fromEntries(Object.entries(posts).map(([key, { series }]) => [key, series]));
  };
  await apply();
  const first = await read();
  expect(new Set(Object.values(first)).size).toBe(1);
  // A later end changes no post that is scheduled.
  await write(edited(NEWS, { repeat: "weekly until 2031-01-01" }), [
    "one",
    "2030-01-09",
    "10:00",
    "",
    "",
    "linkedin",
    "One",
  ]);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const after = z
    .object({ posts: z.record(z.string(), z.object({ series: z.string().optional() })) })
    .parse(JSON.parse(await project.read("plancast.lock.json"))).posts;
  expect(after["news/2030-01-28"]?.series).toBe(first["news/2030-01-28"]);
  clock.advance(7 * DAY_MS);
  await write(edited(NEWS, { repeat: "weekly until 2031-01-01" }));
  await apply();
  const later = await read();
  expect(later["news/2030-01-28"]).toBe(first["news/2030-01-28"]);
  expect(later["news/2030-02-04"]).not.toBe(first["news/2030-01-28"]);
});

test("a duration in `expires` counts for each post, and a date ends the series", async () => {
  const { project, run, changes, plan } = await startProject([]);
  const write = (expires: string) =>
    project.write(FILE, csv([...HEADER, "expires"], [...edited(NEWS, {}), expires]));
  await write("2d");
  const { stdout } = await run("calendar", "--format", "json");
  expect(JSON.parse(stdout).problems).toEqual([]);
  expect((await run("plan", "--verbose")).stdout.match(/expires: \w+/g)).toEqual([
    "expires: Wed",
    "expires: Wed",
    "expires: Wed",
    "expires: Wed",
  ]);
  await write("2030-01-14");
  expect(await changes()).toEqual([
    "create news/2030-01-07 2030-01-07T08:30",
    "create news/2030-01-14 2030-01-14T08:30",
  ]);
  // A post that would be due at that moment would be too late.
  await write("2030-01-14 09:30");
  expect(await changes()).toEqual(["create news/2030-01-07 2030-01-07T08:30"]);
  await write("2029-12-31");
  expect((await plan()).changes).toEqual([]);
  await write("2029-09-30");
  const { code, stdout: said } = await run("validate");
  expect([code, said.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining(
      "A date in `expires` ends the series: correct one of the two. Or write a duration",
    ),
  ]);
});

const POOL_HEADER = ["id", "date", "time", "repeat", "except", "platforms", "pool", "spacing"];
const TIPS = [
  "tips",
  "2030-01-07",
  "09:30",
  "weekly",
  "",
  "linkedin",
  "One {n}\n---\nTwo {n}\n---\nThree {n}",
  "21 days",
];

test("posts take the texts of a pool in turn, and a new text changes no scheduled post", async () => {
  const { project, plan, apply, clock, run } = await startProject([]);
  const write = (cells: Readonly<Record<string, string>>) =>
    project.write(
      FILE,
      csv(
        POOL_HEADER,
        TIPS.map((cell, index) => cells[POOL_HEADER[index] ?? ""] ?? cell),
      ),
    );
  const texts = async () =>
    (await plan()).changes.map(({ action, post }) => `${action} ${post?.content ?? ""}`);
  await write({});
  expect(await texts()).toEqual(["create One 1", "create Two 2", "create Three 3", "create One 4"]);
  const shown = (await run("plan")).stdout;
  for (const text of ["One 1", "Two 2", "Three 3"]) expect(shown).toContain(text);
  await apply();
  expect(await texts()).toEqual([]);
  const pool = "New {n}\n---\nOne {n}\n---\nTwo {n}\n---\nThree {n}";
  await write({ pool });
  expect(await texts()).toEqual([]);
  clock.advance(14 * DAY_MS);
  expect(await texts()).toEqual(["create New 5", "create Two 6"]);
  await write({ pool, except: "2030-01-28 -> 2030-01-29" });
  expect(await texts()).toEqual(["replace One 4", "create New 5", "create Two 6"]);
  await apply();
  await write({ pool, except: "2030-01-28 -> 2030-01-29", spacing: "29d" });
  const { stdout, code } = await run("validate");
  expect(code).toBe(1);
  expect(stdout).toContain("No text of the pool is left for 2030-01-29");
});

test("a lost lockfile finds the texts of a pool again", async () => {
  const { project, plan, apply, clock } = await startProject([]);
  await project.write(FILE, csv(POOL_HEADER, TIPS));
  await apply();
  clock.advance(10 * DAY_MS);
  await apply();
  await project.remove("plancast.lock.json");
  expect((await plan()).summary).toMatchObject({ create: 0, replace: 0, cancel: 0 });
});

test.each([
  ["without a rule", { repeat: "" }, "Only a row that repeats"],
  ["with a strange spacing", { spacing: "often" }, "a number of days"],
  ["with a spacing of 0 days", { spacing: "0d" }, "a number of days"],
  ["with no text", { pool: "---\n\n---" }, "The pool has no text"],
  ["with a text twice", { pool: "One\n---\nTwo\n---\nOne " }, "Texts 1 and 3 of the pool are the same"],
  ["without texts", { pool: "" }, "a spacing but no pool"],
  ["that is too small", { spacing: "22" }, "No text of the pool is left for 2030-01-28"],
])("a pool %s is an error", async (_name, cells: Readonly<Record<string, string>>, message) => {
  const { project, run } = await startProject([]);
  await project.write(
    FILE,
    csv(
      POOL_HEADER,
      TIPS.map((cell, index) => cells[POOL_HEADER[index] ?? ""] ?? cell),
    ),
  );
  const { stdout, code } = await run("validate");
  expect(code).toBe(1);
  expect(stdout).toContain(message);
});

test("words that a column adds to the text are added to each text of the pool", async () => {
  const { project, plan } = await startProject([], { columns: { Tags: "content+" } });
  const texts = async () => (await plan()).changes.map(({ post }) => post?.content);
  await project.write(FILE, csv([...POOL_HEADER, "Tags"], [...TIPS, "#tips"]));
  expect((await texts()).slice(0, 2)).toEqual(["One 1\n\n#tips", "Two 2\n\n#tips"]);
  await project.remove(FILE);
  const post = `- id: tips
  scheduled_at: 2030-01-07 10:00
  repeat: weekly
  platforms: linkedin
  tags: "#tips"
`;
  await project.write("calendars/b.yaml", `${post}  pool: [One, Two]\n`);
  expect((await texts()).slice(0, 2)).toEqual(["One\n\n#tips", "Two\n\n#tips"]);
  await project.write("calendars/b.yaml", `${post}  pool: |\n    One\n    ---\n    Two\n`);
  expect((await texts()).slice(0, 2)).toEqual(["One\n\n#tips", "Two\n\n#tips"]);
});

const closed = (start: string) =>
  `BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${start}\r\nSUMMARY:Closed\r\nEND:VEVENT\r\n`;

test("reports each fault of a row that repeats once, and each holiday with its day", async () => {
  const { project, run, write, plan } = await startProject([NEWS], { holidays: "holidays.ics" });
  await project.write(
    "holidays.ics",
    `BEGIN:VCALENDAR\r\n${closed("20300107")}${closed("20300121")}END:VCALENDAR\r\n`,
  );
  const said = (await run("validate")).stdout.replaceAll(/\s+/g, " ");
  for (const each of ["2030-01-07", "2030-01-21"])
    expect(said).toContain(
      `The post of ${each} is on a holiday: Closed. Leave out or move this day in \`except\`.`,
    );
  await write(edited(NEWS, { platforms: "reddit" }));
  const { problems } = await plan();
  expect(problems.filter(({ code }) => code === "platform/unknown")).toHaveLength(1);
});

test("a pool is a list in YAML, and a conversion keeps it", async () => {
  const { project, run } = await startProject([]);
  await project.write(FILE, csv(POOL_HEADER, TIPS));
  const { stdout: yaml } = await run("convert", FILE, "--to", "yaml");
  expect(yaml).toContain('pool: ["One {n}", "Two {n}", "Three {n}"]');
  expect((await run("convert", FILE, "--out", "b.yaml")).stdout).not.toContain("has an error");
  await project.write(FILE, csv([...POOL_HEADER, "status"], [...TIPS, "draft"]));
  expect((await run("convert", FILE, "--to", "yaml")).stderr).not.toContain("error");
  expect((await run("calendar", "--format", "json")).stdout).toContain("One {n}");
  await project.write(
    "calendars/b.yaml",
    `- id: more
  scheduled_at: 2030-01-07 10:00
  repeat: weekly
  platforms: linkedin
  content: Own text
  pool:
    - One
    - Two
`,
  );
  const { stdout } = await run("validate");
  expect(stdout).toContain("calendars/b.yaml:5");
  expect(stdout).toContain("a text and a pool");
});
