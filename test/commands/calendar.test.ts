/** `plancast calendar`, and which flags are valid with a port or a month. */
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

const HEAD = "id,scheduled_at,platforms,content,status\n";
const CONFIG = { service: { url: "embedded" }, timezone: "Europe/Paris", platforms: { x: "twitter" } };

test("shows a month, and writes the same feed each time, without a service", async () => {
  const project = await makeProject({
    config: { ...CONFIG, service: {} },
    files: { "calendars/a.csv": `${HEAD}a,2036-03-03 09:00,x,Hello,\nb,2036-04-01 10:00,x,Later,draft\n` },
  });
  const month = await runCommand(["calendar"], { cwd: project.root });
  expect([month.code, month.stderr]).toEqual([0, ""]);
  expect(month.stdout).toContain("March 2036");
  expect(month.stdout).toMatch(/^09:00 X\nHello$/m);
  expect((await runCommand(["calendar", "--month", "2036-04"], { cwd: project.root })).stdout).toContain(
    "(draft)",
  );
  const feed = await runCommand(["calendar", "--format", "ics"], { cwd: project.root });
  expect(feed.stdout.match(/^SUMMARY:.*/gm)).toEqual(
    ["SUMMARY:X: Hello\r", "SUMMARY:Draft: X: Later\r"].map((line) => line.trimEnd()),
  );
  await runCommand(["calendar", "--format", "ics", "--out", "posts.ics"], { cwd: project.root });
  expect(await project.read("posts.ics")).toBe(feed.stdout);
  expect(Object.keys(await project.tree())).toEqual(["calendars/a.csv", "plancast.yaml", "posts.ics"]);
});

test("prints the posts as JSON: all of them, or those of one month in the project's zone", async () => {
  const rows = [
    "a,2036-03-31 23:30,x,Hello,",
    'b,2036-04-01 00:30,"linkedin,x",Later,draft',
    "c,2036-13-01,x,Never,",
  ];
  const project = await makeProject({
    config: { ...CONFIG, service: {} },
    files: { "calendars/a.csv": `${HEAD}${rows.join("\n")}\n` },
  });
  const all = await runCommand(["calendar", "--format", "json"], { cwd: project.root });
  expect(all.code).toBe(1);
  expect(JSON.parse(all.stdout)).toEqual({
    version: 1,
    timezone: "Europe/Paris",
    posts: [
      {
        key: "a",
        status: "ready",
        source: { file: "calendars/a.csv", line: 2 },
        post: { content: "Hello", platforms: ["twitter"], scheduled_at: "2036-03-31T21:30:00Z", media: [] },
      },
      {
        key: "b",
        status: "draft",
        source: { file: "calendars/a.csv", line: 3 },
        post: {
          content: "Later",
          platforms: ["linkedin", "twitter"],
          scheduled_at: "2036-03-31T22:30:00Z",
          media: [],
        },
      },
    ],
    problems: [expect.objectContaining({ severity: "error", file: "calendars/a.csv", line: 4 })],
  });
  const april = ["calendar", "--format", "json", "--month", "2036-04"];
  const { stdout } = await runCommand(april, { cwd: project.root });
  expect(JSON.parse(stdout)).toMatchObject({ posts: [{ key: "b" }] });
  const broken = await runCommand(["calendar", "--format", "json"], { cwd: `${project.root}/..` });
  expect(JSON.parse(broken.stdout)).toEqual({
    version: 1,
    problems: [expect.objectContaining({ code: "project/not-found" })],
  });
});

test.each(["2027-03", "2027-03-05..2027-04-02", "..2027-03-31"])(
  "shows an empty month where no row has the dates %s",
  async (date) => {
    const files = { "calendars/a.csv": `${HEAD}a,2036-03-03 09:00,x,Hello,\n` };
    const { root } = await makeProject({ config: CONFIG, files });
    const { stdout } = await runCommand(["calendar", "--only", `date=${date}`], { cwd: root });
    expect(stdout).toContain("0 posts in March 2027");
  },
);

test("refuses to write a feed of calendars with errors", async () => {
  const project = await makeProject({
    config: CONFIG,
    files: { "calendars/a.csv": `${HEAD}a,2036-03-03 09:00,x,Hello,\nb,2036-13-01,x,Never,\n` },
  });
  const feed = await runCommand(["calendar", "--format", "ics", "--out", "posts.ics"], { cwd: project.root });
  expect([feed.code, feed.stdout, feed.stderr]).toEqual([1, "", expect.stringContaining("schedule/")]);
  expect(Object.keys(await project.tree())).not.toContain("posts.ics");
  const month = await runCommand(["calendar"], { cwd: project.root });
  expect([month.code, month.stdout]).toEqual([1, expect.stringContaining("09:00 X")]);
});

test.each([
  [["calendar", "--month", "March"]],
  [["calendar", "--month", "2036-03", "--format", "ics"]],
  [["calendar", "--format", "json", "--out", "posts.json"]],
  [["preview", "--serve", "--out", "a.html"]],
  [["preview", "--port", "1"]],
  [["preview", "--serve", "--port", "99999"]],
  [["listen", "--port", "65536"]],
  [["serve", "--memory", "--port", "99999"]],
  [["plan", "--watch", "--format", "json"]],
])("refuses %j, and changes no file", async (args) => {
  const project = await makeProject({ config: CONFIG });
  const before = await project.tree();
  const { code, stderr } = await runCommand(args, { cwd: project.root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("usage/arguments")]);
  expect(await project.tree()).toEqual(before);
});

test.each([
  ["Dezember", "Write 2036-12."],
  ["février", "Write 2037-02."],
  ["soon", "Write year and month, such as 2027-03."],
])("--month %s: %s", async (month, hint) => {
  const project = await makeProject({ config: CONFIG });
  const clock = new TestClock(() => false, Date.parse("2036-03-15T12:00:00Z"));
  const { stderr } = await runCommand(["calendar", "--month", month], { cwd: project.root, clock });
  expect(stderr).toContain(hint);
});

test("for an unknown calendar, the message names the existing calendars", async () => {
  const row = `${HEAD}a,2036-03-03 09:00,x,Hello,\n`;
  const files = { "calendars/Plan Dezember.csv": row, "calendars/april.csv": row.replace("a,", "b,") };
  const project = await makeProject({ config: CONFIG, files });
  const messageFor = async (name: string): Promise<string> =>
    (await runCommand(["plan", name], { cwd: project.root })).stderr.replaceAll(/\s+/g, " ");
  expect(await messageFor("Dezember")).toContain(
    "The project's calendars are `calendars/Plan Dezember.csv`, `calendars/april.csv`.",
  );
  expect(await messageFor("aprli.csv")).toContain("Did you mean `calendars/april.csv`?");
});

test.each([["preview", "--offline"], ["calendar"], ["calendar", "--format", "ics"], ["plan"]])(
  "%s %s --out replaces only a file that it wrote itself",
  async (...args) => {
    const files = { "calendars/a.csv": `${HEAD}a,2036-03-03 09:00,x,Hello,\n` };
    const project = await makeProject({ config: CONFIG, files });
    const write = async (out: string) =>
      (await runCommand([...args.filter(Boolean), "--out", out], { cwd: project.root })).code;
    await runCommand(["apply", "--yes"], { cwd: project.root });
    expect([await write("new"), await write("new")]).toEqual([0, 0]);
    const before = await project.tree();
    for (const file of ["calendars/a.csv", "plancast.yaml", "plancast.lock.json"])
      expect(await write(file)).toBe(1);
    expect(await project.tree()).toEqual(before);
  },
);
