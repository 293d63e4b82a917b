/** `expires` from the calendar to the service and back. */
import { expect, test } from "vitest";
import { planSchema } from "../../src/report/documents/runs.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const FILE = "calendars/a.csv";
const HEADER = ["id", "date", "time", "Expires at", "platforms", "content"];
// A Tuesday.
const NOW = Date.parse("2030-01-01T08:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function startProject(rows: readonly string[][], config: Readonly<Record<string, unknown>> = {}) {
  const clock = new TestClock(() => false, NOW);
  const project = await makeProject({
    config: { timezone: "Europe/Paris", service: { url: "embedded" }, ...config },
    files: { [FILE]: csv(HEADER, ...rows) },
  });
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, clock });
  const write = (...given: string[][]) => project.write(FILE, csv(HEADER, ...given));
  const plan = async () => planSchema.parse(JSON.parse((await run("plan", "--format", "json")).stdout));
  const apply = async () => expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  return { project, clock, run, write, plan, apply };
}

const SALE = ["sale", "2030-03-01", "09:00", "2030-03-02", "linkedin", "Sale"];

test("the embedded service stores `expires`, and an edit of it replaces the post", async () => {
  const { run, write, plan, apply } = await startProject([SALE]);
  expect((await plan()).changes).toMatchObject([
    { action: "create", post: { expires: "2030-03-02T23:00:00Z" } },
  ]);
  expect((await run("plan")).stdout).toContain("expires: end of Sat 2 March 2030");
  await apply();
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 1 }, problems: [] });
  // The same moment in other words is no change.
  await write(SALE.with(3, "2030-03-03 00:00"));
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 1 } });
  await write(SALE.with(3, "+6h"));
  expect((await plan()).changes).toMatchObject([{ action: "replace", fields: ["expires"] }]);
  await apply();
  await write(SALE.with(3, ""));
  expect((await run("plan")).stdout).toMatch(/expires: Fri 1 March 2030 15:00 \S+ never/);
});

test("a row that has expired is counted as expired, and is neither a warning nor a cancel", async () => {
  const { clock, run, plan, apply } = await startProject([
    ["out", "2030-01-02", "09:00", "2030-01-02 12:00", "linkedin", "Published"],
    SALE,
  ]);
  await apply();
  clock.advance(2 * DAY_MS);
  expect(await plan()).toMatchObject({
    changes: [],
    summary: { past: 1, expired: 1, keep: 1 },
    problems: [],
  });
  const { project } = await startProject([]);
  await project.write(FILE, csv(HEADER, ["new", "2029-12-01", "09:00", "2029-12-02", "linkedin", "Never"]));
  const never = await runCommand(["plan"], { cwd: project.root, clock });
  expect([never.code, never.stdout]).toEqual([0, expect.stringContaining("1 expired")]);
  expect(never.stdout + never.stderr).not.toContain("schedule/past");
  const { stdout } = await runCommand(["status"], { cwd: project.root, clock });
  expect(stdout).not.toContain("Its time passed before an apply");
  expect((await run("status")).stdout).toContain("1 published");
});

test("status says why a row was never applied", async () => {
  const { clock, run } = await startProject([
    ["a", "2030-01-02", "09:00", "2030-01-02", "linkedin", "Expired"],
    ["b", "2030-01-02", "10:00", "2030-02-02", "linkedin", "Missed"],
  ]);
  clock.advance(3 * DAY_MS);
  const { stdout } = await run("status");
  expect(stdout).toMatch(/Expired\s+It expired before an apply scheduled it\./);
  expect(stdout).toMatch(/Missed\s+Its time passed before an apply scheduled it\./);
});

test("a service that does not store `expires` gets posts without it, and a warning counts them", async () => {
  const rows = [SALE, ["b", "2030-03-02", "09:00", "+2h", "linkedin", "B"]];
  const without = csv(HEADER, ...rows.map((cells) => cells.with(3, "")));
  const scenario = await startScenario({ files: { [FILE]: without } });
  await scenario.apply();
  await scenario.project.write(FILE, csv(HEADER, ...rows));
  const { summary, problems } = await scenario.plan();
  expect(summary).toMatchObject({ keep: 2, replace: 0 });
  expect(problems).toMatchObject([
    { code: "service/not-stored", file: FILE, line: 2, message: expect.stringContaining("2 posts") },
  ]);
  // It still knows that the rows have expired.
  scenario.clock.advance(Date.parse("2031-01-01") - scenario.clock.now());
  expect(await scenario.summary()).toEqual({ past: 2, expired: 2 });
});

test("an apply that is still running when a post expires does not create it", async () => {
  const perMinute = { perWindow: 4, windowMs: MINUTE_MS, resetUnit: "seconds" } as const;
  const scenario = await startScenario({ service: { limit: perMinute }, files: {} });
  const { clock, project, service } = scenario;
  const due = new Date(Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS + 4 * MINUTE_MS).toISOString();
  const rows = Array.from({ length: 24 }, (_, index) => [
    `r${index}`,
    due,
    "+1m",
    "linkedin",
    `Text ${index}`,
  ]);
  await project.write(FILE, csv(["id", "scheduled_at", "expires", "platforms", "content"], ...rows));
  const { outcomes } = await scenario.apply({ exit: 1 });
  const failed = outcomes.filter(({ status }) => status === "failed");
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length + service.counters.creates).toBe(rows.length);
  // The next plan forgets nothing and cancels nothing.
  clock.advance(10 * MINUTE_MS);
  expect(await scenario.summary()).toEqual({ past: rows.length, expired: rows.length });
});

test("pull writes `expires`, and every format keeps it", async () => {
  const { project, run, plan, apply } = await startProject([
    SALE,
    ["span", "2030-03-01", "10:00", "+2h", "linkedin", "Span"],
    ["exact", "2030-03-01", "11:00", "2030-03-01T18:00:00-05:00", "linkedin", "Exact"],
  ]);
  await apply();
  await project.remove("plancast.lock.json");
  for (const format of ["csv", "yaml", "xlsx"]) {
    const out = `calendars/b.${format}`;
    expect(await run("convert", FILE, "--to", format, "--out", out)).toMatchObject({ code: 0 });
    const kept = await project.read(FILE);
    await project.remove(FILE);
    expect(await plan()).toMatchObject({ summary: { adopt: 3, create: 0 } });
    await project.remove(out);
    expect(await run("pull", "--out", out)).toMatchObject({ code: 0 });
    expect(await plan()).toMatchObject({ summary: { adopt: 3, create: 0 } });
    await project.remove(out);
    await project.write(FILE, kept);
  }
});

test("a duration counts from the slot, and moves with it", async () => {
  const { project, write, plan, apply } = await startProject([["b", "", "", "+2h", "linkedin", "B"]], SLOTS);
  const first = { scheduled_at: "2030-01-07T08:30:00Z", expires: "2030-01-07T10:30:00Z" };
  const second = { scheduled_at: "2030-01-14T08:30:00Z", expires: "2030-01-14T10:30:00Z" };
  expect((await plan()).changes).toMatchObject([{ key: "b", post: first }]);
  const rows = [
    ["a", "", "", "+2h", "linkedin", "A"],
    ["b", "", "", "+2h", "linkedin", "B"],
  ];
  await write(...rows);
  expect((await plan()).changes).toMatchObject([
    { key: "a", post: first },
    { key: "b", post: second },
  ]);
  await apply();
  expect(await plan()).toMatchObject({ changes: [], summary: { keep: 2 } });
  await project.remove("plancast.lock.json");
  expect(await plan()).toMatchObject({ summary: { adopt: 2, create: 0 } });
});

const SLOTS = { slots: { linkedin: ["mon 09:30"], default: ["mon 09:30"] } };

test("a row without a time takes a slot only before it expires", async () => {
  const { clock, write, plan, apply } = await startProject(
    [
      ["a", "", "", "2030-01-08", "linkedin", "Monday the 7th"],
      ["b", "", "", "2030-01-08", "linkedin", "No slot is left"],
    ],
    SLOTS,
  );
  expect(await plan()).toMatchObject({
    problems: [{ code: "schedule/no-free-slot", message: expect.stringContaining("2030-01-14 09:30") }],
  });
  await write(["a", "", "", "2030-01-08", "linkedin", "Monday the 7th"]);
  expect((await plan()).changes).toMatchObject([{ post: { scheduled_at: "2030-01-07T08:30:00Z" } }]);
  await apply();
  await write(["a", "", "", "2030-01-05", "linkedin", "Monday the 7th"]);
  expect(await plan()).toMatchObject({ problems: [{ code: "row/expires" }] });
  // A row that nobody applied in time has expired, and takes no later slot.
  await write(
    ["a", "", "", "2030-01-08", "linkedin", "Monday the 7th"],
    ["never", "", "", "2030-01-08", "bluesky", "Never applied"],
  );
  clock.advance(10 * DAY_MS);
  expect(await plan()).toMatchObject({ changes: [], summary: { past: 2, expired: 2 }, problems: [] });
});
