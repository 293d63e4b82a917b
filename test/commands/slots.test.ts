/** Rows without a time, from the calendar to the service: which slot they take, and that they keep it. */
import { expect, test } from "vitest";
import { z } from "zod";
import { planSchema } from "../../src/report/documents/runs.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "date", "time", "platforms", "content"];
// A Tuesday.
const NOW = Date.parse("2030-01-01T08:00:00Z");

const lockfileDocument = z.object({
  posts: z.record(z.string(), z.object({ scheduled_at: z.string(), slot: z.array(z.string()).optional() })),
});

async function startProject(rows: readonly string[][], config: Readonly<Record<string, unknown>> = {}) {
  const clock = new TestClock(() => false, NOW);
  const project = await makeProject({
    config: {
      timezone: "Europe/Paris",
      service: { url: "embedded" },
      slots: { linkedin: ["mon,wed 09:30"], default: ["weekdays 10:00"] },
      ...config,
    },
    files: { [FILE]: csv(HEADER, ...rows) },
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
  const write = (...given: string[][]) => project.write(FILE, csv(HEADER, ...given));
  const plan = async () =>
    planSchema.parse(JSON.parse((await run("plan", "--verbose", "--format", "json")).stdout));
  const times = async () =>
    Object.fromEntries((await plan()).changes.map(({ key, post }) => [key, post.scheduled_at]));
  const apply = async () => expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const lockfile = async () => lockfileDocument.parse(JSON.parse(await project.read("plancast.lock.json")));
  return { project, clock, run, write, plan, times, apply, lockfile };
}

test("a row without a time takes the next free slot of its networks", async () => {
  const { run, times } = await startProject([
    ["a", "", "", "linkedin", "First"],
    ["b", "", "next", "linkedin", "Second"],
    ["fixed", "2030-01-04", "10:00", "bluesky", "Fixed"],
    ["c", "Next", "", "bluesky, mastodon", "Third"],
    ["d", "2030-01-04", "", "mastodon", "On Friday"],
    ["both", "", "", "linkedin, bluesky", "Two lists"],
  ]);
  expect(await times()).toEqual({
    a: "2030-01-02T08:30:00Z",
    b: "2030-01-07T08:30:00Z",
    fixed: "2030-01-04T09:00:00Z",
    c: "2030-01-01T09:00:00Z",
    d: "2030-01-04T09:00:00Z",
    both: "2030-01-02T09:00:00Z",
    "both@linkedin": "2030-01-09T08:30:00Z",
  });
  expect((await run("plan")).stdout).toContain("+ 09:30  next free slot · LinkedIn · a · calendars/a.csv:2");
  expect((await run("plan", "--short")).stdout).toContain("(next free slot) First");
  expect((await run("plan", "--format", "markdown")).stdout).toContain("<small>next free slot</small>");
});

test("rows keep their slots after apply, and the next plan is empty", async () => {
  const { write, clock, plan, times, apply, lockfile } = await startProject([
    ["a", "", "", "linkedin", "First"],
    ["", "", "", "bluesky", "Without an id"],
    ["b", "", "", "linkedin", "Second"],
  ]);
  const before = await times();
  await apply();
  expect((await plan()).changes.map(({ action, slot }) => `${action} ${slot}`)).toEqual([
    "keep kept",
    "keep kept",
    "keep kept",
  ]);
  expect((await lockfile()).posts["a"]).toMatchObject({ slot: ["linkedin"] });
  await write(
    ["new", "", "", "linkedin", "New at the top"],
    ["b", "", "", "linkedin", "Second, edited"],
    ["", "", "", "bluesky", "Without an id"],
    ["a", "", "", "linkedin", "First"],
  );
  clock.advance(1_800_000);
  expect(await times()).toEqual({ ...before, new: "2030-01-09T08:30:00Z" });
  await apply();
  // Other slots and another zone of the project concern only new rows.
  await write(["a", "", "", "linkedin", "First"], ["b", "", "", "linkedin, bluesky", "Second, edited"]);
  expect(await times()).toMatchObject({ a: before["a"], b: before["b"] });
});

test("a published row stays published", async () => {
  const { clock, plan, apply } = await startProject([["a", "", "", "linkedin", "First"]]);
  await apply();
  clock.advance(3 * 86_400_000);
  expect(await plan()).toMatchObject({ summary: { create: 0, past: 1 } });
});

test("if the lockfile is lost, a row gets the slot of the scheduled post with the same content", async () => {
  const { project, times, apply, plan, write, run } = await startProject([
    ["a", "", "", "linkedin", "First"],
    ["b", "", "", "linkedin", "Second"],
  ]);
  const before = await times();
  await apply();
  await project.remove("plancast.lock.json");
  await write(
    ["new", "", "", "linkedin", "New"],
    ["b", "", "", "linkedin", "Second"],
    ["a", "", "", "linkedin", "First"],
  );
  expect(await times()).toEqual({ ...before, new: "2030-01-09T08:30:00Z" });
  expect((await run("plan")).stderr).toContain("warning lockfile/missing");
  await apply();
  expect(await plan()).toMatchObject({ summary: { create: 0, adopt: 0, keep: 3 } });
});

test("apply refuses a saved plan if a slot of it was taken, and names the slot", async () => {
  const { write, run } = await startProject([["a", "", "", "linkedin", "First"]]);
  expect(await run("plan", "--out", "plan.json")).toMatchObject({ code: 0 });
  await write(["fixed", "2030-01-02", "09:30", "linkedin", "Merged"], ["a", "", "", "linkedin", "First"]);
  const applied = await run("apply", "--plan", "plan.json", "--yes");
  expect(applied.code).toBe(1);
  expect(applied.stderr).toContain("create a (its reviewed slot 2030-01-02T08:30:00Z is no longer free)");
});

test("apply refuses two rows that have the same slot after a merge, and names the slot", async () => {
  const { project, write, run, apply, lockfile } = await startProject([["a", "", "", "linkedin", "First"]]);
  await apply();
  const merged = z
    .looseObject({ posts: z.record(z.string(), z.looseObject({})) })
    .parse(JSON.parse(await project.read("plancast.lock.json")));
  merged.posts["b"] = { ...merged.posts["a"], post_id: "post_of_other_branch" };
  await project.write("plancast.lock.json", JSON.stringify(merged));
  await write(["a", "", "", "linkedin", "First"], ["b", "", "", "linkedin", "Second"]);
  const applied = await run("apply", "--yes");
  expect(applied.code).toBe(1);
  expect(applied.stderr).toContain("schedule/slot-taken");
  expect(applied.stderr.replaceAll(/\s+/g, " ")).toContain(
    "Two rows have the slot 2030-01-02 09:30 (Europe/Paris) of LinkedIn: this one and calendars/a.csv:2",
  );
  expect(Object.keys((await lockfile()).posts)).toEqual(["a", "b"]);
});

test.each([
  [["a", "2030-01-05", "", "linkedin", "On Saturday"], "LinkedIn has no slot on Saturday 2030-01-05"],
  [["a", "next", "09:00", "linkedin", "Both"], "row/value-twice"],
])("it is an error if no slot is free for a row: %s", async (cells, message) => {
  const { run } = await startProject([cells]);
  const found = await run("validate");
  expect(found.code).toBe(1);
  expect(found.stdout.replaceAll(/\s+/g, " ")).toContain(message);
});

test("a full calendar says until when all slots are taken", async () => {
  const rows = Array.from({ length: 108 }, (_, index) => [`r${index}`, "", "", "linkedin", `Text ${index}`]);
  const { run } = await startProject(rows, { slots: { linkedin: ["mon 09:30"] } });
  const found = await run("validate");
  expect(found.stdout.replaceAll(/\s+/g, " ")).toContain(
    "No slot of LinkedIn is free until 2032-01-02. Add times under `slots:` in plancast.yaml, or write a date and a time. 3 more rows have the same problem.",
  );
});

test("`next` without slots is an error, and blank rows stay as they were", async () => {
  const { run } = await startProject([["a", "next", "", "linkedin", "First"]], { slots: undefined });
  expect((await run("validate")).stdout).toContain("schedule/no-free-slot");
});

test("slots have priority over defaults.time and blank_time, which are for networks without slots", async () => {
  const { times, plan } = await startProject(
    [
      ["a", "2030-01-02", "", "linkedin", "Slot on that day"],
      ["b", "2030-01-02", "", "bluesky", "Default time"],
      ["c", "", "", "bluesky", "A draft"],
    ],
    { slots: { linkedin: ["mon,wed 09:30"] }, defaults: { time: "18:00" }, blank_time: "draft" },
  );
  expect(await times()).toEqual({ a: "2030-01-02T08:30:00Z", b: "2030-01-02T17:00:00Z" });
  expect(await plan()).toMatchObject({ summary: { draft: 1 } });
});

test("a row that a filter leaves out keeps its slot", async () => {
  const { run, write, apply } = await startProject([["a", "", "", "linkedin", "First"]]);
  await apply();
  await write(["new", "", "", "linkedin", "New"], ["a", "", "", "linkedin", "First"]);
  const { stdout } = await run("plan", "--only", "id=new", "--format", "json");
  expect(planSchema.parse(JSON.parse(stdout)).changes).toMatchObject([
    { key: "new", post: { scheduled_at: "2030-01-07T08:30:00Z" } },
  ]);
});

test("status, calendar and convert show a row with its slot", async () => {
  const { run, apply } = await startProject([
    ["a", "", "", "linkedin", "First"],
    ["b", "", "next", "linkedin", "Second"],
  ]);
  await apply();
  const status = await run("status");
  expect(status.stdout).toContain("2030-01-02 09:30  scheduled  LinkedIn  a    First");
  expect(status.stdout).not.toContain("edited");
  expect((await run("calendar", "--month", "2030-01")).stdout).toContain("09:30");
  expect((await run("calendar", "--format", "ics")).stdout).toContain("DTSTART:20300102T083000Z");
  const converted = await run("convert", FILE, "--to", "yaml");
  expect(converted).toMatchObject({ code: 0 });
});

test("slots skip quiet hours and holidays, and rules report other posts there", async () => {
  const { project, run, times, write } = await startProject(
    [
      ["a", "", "", "linkedin", "First"],
      ["b", "", "", "bluesky", "Second"],
      ["night", "2030-01-03", "23:00", "linkedin", "At night"],
    ],
    { quiet_hours: { from: "22:00", to: "09:45" }, slots: { default: ["daily 09:30", "daily 10:00"] } },
  );
  expect((await run("validate")).stdout).toContain("row/quiet-hours");
  expect(await times()).toMatchObject({ a: "2030-01-01T09:00:00Z", b: "2030-01-01T09:00:00Z" });
  const settings = await project.read("plancast.yaml");
  await project.write("plancast.yaml", `${settings}holidays: free.ics\nrules: { row/quiet-hours: error }\n`);
  expect((await run("validate")).stdout).toContain("project/holidays");
  await project.write(
    "free.ics",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20300101\nSUMMARY:New Year\nEND:VEVENT\nEND:VCALENDAR\n",
  );
  expect((await run("validate")).stdout).toContain("error row/quiet-hours");
  await project.write("plancast.yaml", `${settings}holidays: free.ics\n`);
  expect(await times()).toMatchObject({ a: "2030-01-02T09:00:00Z", b: "2030-01-02T09:00:00Z" });

  await write(
    ["c", "2030-01-01", "", "linkedin", "On a holiday"],
    ["d", "2030-01-02", "", "linkedin", "Takes the only slot"],
    ["e", "2030-01-02", "", "linkedin", "Gets none"],
  );
  const said = (await run("validate")).stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "is free on Tuesday 2030-01-01, because of a holiday (New Year). Choose another day",
  );
  expect(said).toMatch(
    /is free on Wednesday 2030-01-02, because of quiet hours \(.*09:45\) and other posts\./,
  );
});

test("a mistyped network in slots is an error", async () => {
  const { run } = await startProject([["a", "", "", "linkedin", "First"]], {
    slots: { Linkedn: ["mon 10:00"] },
  });
  expect((await run("validate")).stderr).toContain("Did you mean `linkedin`?");
});

test("--only-valid gives nobody the slot of a row with an error", async () => {
  const { run, write, apply } = await startProject([["a", "", "", "linkedin", "First"]]);
  await apply();
  await write(["new", "", "", "linkedin", "New"], ["a", "", "", "linkedin", ""]);
  const { stdout } = await run("plan", "--only-valid", "--format", "json");
  expect(planSchema.parse(JSON.parse(stdout)).changes).toMatchObject([
    { action: "create", key: "new", post: { scheduled_at: "2030-01-07T08:30:00Z" } },
  ]);
});

test("a post of somebody else occupies its slot", async () => {
  const { run, write, project, times } = await startProject([
    ["theirs", "2030-01-02", "09:30", "linkedin", "By hand"],
  ]);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  // Without its row and the lockfile, nobody knows the post.
  await project.remove("plancast.lock.json");
  await write(["a", "", "", "linkedin", "First"]);
  expect(await times()).toEqual({ a: "2030-01-07T08:30:00Z" });
});

test("a row that was cancelled as a draft gets a new slot when it is ready again", async () => {
  const { project, times, apply } = await startProject([["a", "", "", "linkedin", "First"]]);
  const write = (...rows: string[][]) => project.write(FILE, csv([...HEADER, "status"], ...rows));
  await apply();
  await write(["a", "", "", "linkedin", "First", "draft"], ["b", "", "", "linkedin", "Second", ""]);
  expect(await times()).toMatchObject({ b: "2030-01-02T08:30:00Z" });
  await apply();
  await write(["a", "", "", "linkedin", "First", ""], ["b", "", "", "linkedin", "Second", ""]);
  expect(await times()).toEqual({ a: "2030-01-07T08:30:00Z", b: "2030-01-02T08:30:00Z" });
});
