/** The status of rows with services of different shapes: it takes few requests and claims nothing unproved. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SHAPES } from "../../support/foreign/shapes.ts";
import type { Shape } from "../../support/foreign/shape.ts";
import type { StoredPost } from "../../support/foreign/post-book.ts";
import { tinyPng } from "../../support/tiny-media.ts";
import { runCommand } from "../../support/run-command.ts";
import { csv, startScenario, type Scenario, type ScenarioOptions } from "../../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content", "status"];
const ROWS = [
  ["launch", "2036-03-01 10:00", "linkedin, twitter", "Launch 🚀", ""],
  ["broken", "2036-03-02 10:00", "instagram", "Broken", ""],
  ["gone", "2036-03-03 10:00", "twitter", "Gone", ""],
  ["coming", "2036-03-04 10:00", "twitter", "Coming", ""],
  ["", "2036-03-05 10:00", "twitter", "Without an id", ""],
  ["draft", "2036-03-06 10:00", "twitter", "Draft", "draft"],
];
const URL = "https://linkedin.example/1";

async function applied(options: Partial<ScenarioOptions> = {}): Promise<Scenario> {
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEADER, ...ROWS) }, ...options });
  await scenario.apply();
  return scenario;
}

function postOf({ service }: Scenario, text: string): StoredPost {
  const post = [...service.posts.values()].find(({ content }) => content.startsWith(text));
  if (post === undefined) throw new Error(`There is no post ${text}.`);
  return post;
}

/** Publishes one, fails one, and cancels one by hand. */
function night(scenario: Scenario): void {
  const { service } = scenario;
  service.edit(postOf(scenario, "Launch").id, {
    status: "published",
    results: [{ platform: "linkedin", url: URL }, { platform: "twitter" }],
  });
  service.edit(postOf(scenario, "Broken").id, {
    status: "failed",
    results: [{ platform: "instagram", error: "No picture." }],
  });
  service.cancelByHand(postOf(scenario, "Gone").id);
}

interface Row {
  readonly key: string;
  readonly source: { readonly file: string; readonly line?: number };
  readonly status: string;
  readonly platforms: readonly string[];
  readonly row?: string;
  readonly reason?: string;
  readonly results: readonly { platform: string; url?: string; reason?: string }[];
}

async function status(
  scenario: Scenario,
  ...args: string[]
): Promise<{ code: number | null; summary: Record<string, number>; rows: readonly Row[]; requests: number }> {
  const { code, stdout, stderr } = await scenario.run("status", "--format", "json", ...args);
  if (stdout === "") throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

const SERVICES: readonly [string, Partial<Shape>][] = [
  ["documented, results as a list", { results: "list" }],
  ["bare arrays, no results", SHAPES["bare arrays"]],
  ["numbers and capitals, results as a list", { ...SHAPES["numbers and capitals"], results: "list" }],
  ["the status filter ignored, no results", SHAPES["rewritten text"]],
];

test.each(SERVICES)("shows the status of each row, and repeats few requests: %s", async (_name, shape) => {
  const scenario = await applied({ service: { shape } });
  const before = await status(scenario);
  expect([before.code, before.requests]).toEqual([0, 1]);
  expect(before.summary).toMatchObject({ scheduled: 5, draft: 1 });

  night(scenario);
  const { code, summary, rows, requests } = await status(scenario);
  expect([code, summary]).toEqual([
    1,
    {
      scheduled: 2,
      published: 1,
      failed: 1,
      expired: 0,
      cancelled: 0,
      missing: 1,
      held: 0,
      unknown: 0,
      not_applied: 0,
      draft: 1,
      skipped: 0,
    },
  ]);
  const states = rows.map(({ key, status: state }) => [key.replace(/^row:.*/, "row"), state]);
  expect(states).toEqual([
    ["launch", "published"],
    ["broken", "failed"],
    ["gone", "missing"],
    ["coming", "scheduled"],
    ["row", "scheduled"],
  ]);
  if (shape.results === "list") {
    expect(rows[0]?.results[0]).toMatchObject({ platform: "linkedin", url: URL });
    expect(rows[1]?.results[0]).toMatchObject({ platform: "instagram", reason: "No picture." });
  }
  expect(requests).toBeLessThanOrEqual(5);
  // One list contains future posts, another one the failed post. The rest is remembered, unless a service forgets it.
  const again = await status(scenario);
  expect(again.rows).toEqual(rows.map((row) => ({ ...row, reason: row.reason })));
  // A missing post also costs a request for the accounts, because the key may be another customer's.
  expect(again.requests).toBeLessThanOrEqual(shape.cancelled === "not-found" ? 4 : 2);
});

test("shows a failed post as published after another attempt published it", async () => {
  const scenario = await applied();
  night(scenario);
  const failed = await status(scenario);
  expect([failed.code, failed.summary]).toMatchObject([1, { failed: 1 }]);
  scenario.service.edit(postOf(scenario, "Broken").id, { status: "published", results: [] });
  const retried = await status(scenario);
  expect([retried.code, retried.summary]).toMatchObject([0, { published: 2, failed: 0 }]);
});

test("writes only its record, and works without it", async () => {
  const scenario = await applied();
  night(scenario);
  const before = await scenario.project.tree();
  await status(scenario);
  const after = await scenario.project.tree();
  const record = ".plancast/plancast.lock.json.outcomes";
  expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual([record]);
  await scenario.project.write(record, '{"torn');
  expect((await status(scenario)).summary).toMatchObject({ published: 1, failed: 1, missing: 1 });
  await scenario.project.write(record, '{"of": "another program"}\n');
  const { code, stderr } = await scenario.run("status");
  expect([code, stderr]).toEqual([1, expect.stringContaining("disk/state-invalid")]);
});

test("shows the status although its record cannot be written", async () => {
  const scenario = await applied();
  night(scenario);
  await mkdir(join(scenario.project.root, ".plancast", "plancast.lock.json.outcomes.lock"));
  const { code, stdout, stderr } = await scenario.run("status");
  expect([code, stdout]).toEqual([1, expect.stringContaining("1 published, 1 failed, 1 missing")]);
  expect(stderr).toContain("does not save its record");
});

test("text of the service cannot control a terminal, or a log", async () => {
  const scenario = await applied({ service: { shape: { results: "list" } } });
  const hostile = "\u001b[31m](x) <b>\u202e|\n::error::";
  scenario.service.edit(postOf(scenario, "Broken").id, {
    status: "failed",
    results: [{ platform: "instagram", error: hostile }],
  });
  scenario.service.edit(postOf(scenario, "Launch").id, {
    status: "published",
    results: [{ platform: "linkedin", url: "https://x.example/)|<script>" }],
  });
  const text = await scenario.run("status");
  expect([text.code, text.stdout]).toEqual([
    1,
    expect.stringMatching(/^2036-03-01 10:00 +published +LinkedIn, X +launch +Launch 🚀$/m),
  ]);
  expect(text.stdout).toContain("\n    LinkedIn: https://x.example/)|<script>\n");
  expect(text.stdout).toContain("Status: 3 scheduled, 1 published, 1 failed, 1 draft");
  // oxlint-disable-next-line no-control-regex
  expect(text.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::/m);
});

test("shows rows that are not applied, removed, edited, wrong or filtered", async () => {
  const scenario = await applied();
  await scenario.project.write(
    "calendars/a.csv",
    csv(
      HEADER,
      ["launch", "2037-01-01 10:00", "linkedin", "Another text", ""],
      ["new", "2036-04-01 10:00", "twitter", "New", ""],
      ["wrong", "no time", "twitter", "Wrong", ""],
    ),
  );
  const { code, summary, rows } = await status(scenario);
  expect([code, summary]).toMatchObject([0, { scheduled: 5, not_applied: 1 }]);
  expect(rows[0]).toMatchObject({
    key: "launch",
    scheduled_at: "2036-03-01T09:00:00Z",
    platforms: ["linkedin", "twitter"],
    row: "edited",
  });
  // The row with an error might be any of them.
  expect(rows[1]).toMatchObject({ key: "broken", platforms: ["instagram"], row: "unreadable" });
  const only = await status(scenario, "--only", "platform=linkedin");
  expect(only.rows.map(({ key }) => key)).toEqual(["launch"]);
  const text = (await scenario.run("status")).stdout;
  expect(text).toContain("1 error in the calendars");
  expect(text).toMatch(
    /^2036-03-01 10:00 +scheduled +LinkedIn, X +launch +Launch 🚀\n {4}The row was edited/m,
  );
  expect(text).not.toContain("Another text");
  const nowhere = await scenario.run("status", "calendars/nowhere.csv", "--format", "json");
  expect([nowhere.code, JSON.parse(nowhere.stdout)]).toMatchObject([
    1,
    { problems: [{ code: "calendar/not-in-project" }] },
  ]);
});

test("shows the post as the service has it if the row was edited, even from the record", async () => {
  const scenario = await applied({ service: { shape: { results: "list" } } });
  night(scenario);
  const before = await status(scenario);
  expect(before.rows.map(({ row }) => row)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  await scenario.project.write(
    "calendars/a.csv",
    csv(
      HEADER,
      ["launch", "2036-03-01 10:00", "linkedin, twitter, mastodon", "Launch of another thing", ""],
      ["gone", "2036-03-03 10:00", "twitter", "Gone", ""],
      ["coming", "2036-03-04 10:00", "twitter", "", "draft"],
      ["", "2036-03-05 10:30", "twitter", "Without an id, and edited", ""],
    ),
  );
  const { rows, requests } = await status(scenario);
  expect(rows.map(({ key, row, source }) => [key.replace(/^row:.*/, "row"), row, source.line])).toEqual([
    ["launch", "edited", 2],
    ["broken", "gone", undefined],
    ["gone", undefined, 3],
    ["coming", "set_aside", 4],
    ["row", "gone", undefined],
    ["row", undefined, 5],
  ]);
  expect(rows[0]?.platforms).toEqual(["linkedin", "twitter"]);
  expect(requests).toBeLessThanOrEqual(2);
  // An incomplete draft without an id may be any post of a row without an id, but no post of a row with one.
  const calendar = await scenario.project.read("calendars/a.csv");
  await scenario.project.write("calendars/a.csv", `${calendar},,twitter,,draft\n`);
  expect((await status(scenario)).rows.map(({ row }) => row)).toEqual([
    "edited",
    "gone",
    undefined,
    "set_aside",
    "unreadable",
    undefined,
  ]);
  await scenario.project.write("calendars/a.csv", calendar);
  const { stdout } = await scenario.run("status");
  expect(stdout).toContain("Launch 🚀");
  for (const now of ["mastodon", "another thing"]) expect(stdout).not.toContain(now);
  const told = stdout.replaceAll(/\n {4}/g, " ");
  expect(told).toMatch(/Instagram +broken +Broken .*Its row is gone from calendars\/a\.csv\. plancast plan/);
  expect(told).toContain("Its row, calendars/a.csv:4, is now a draft or skipped.");
  expect(told).toMatch(
    /calendars\/a\.csv +Without an id Its row is gone from calendars\/a\.csv, or was edited\./,
  );
  expect(told).toContain("The row was edited after this post was applied");
});

const row = (media: string): string[] => ["a", "2036-03-01 10:00", "twitter", "A", media];

test("recognises an edit of media that the lockfile knows", async () => {
  const header = ["id", "scheduled_at", "platforms", "content", "media"];
  const scenario = await startScenario({
    files: {
      "calendars/a.csv": csv(header, row("one.png"), ["b", "2036-03-02 10:00", "twitter", "B", "../two.png"]),
      "one.png": tinyPng(1),
      "two.png": tinyPng(2),
      // The same bytes under a second name, which the lockfile does not keep.
      "three.png": tinyPng(1),
    },
  });
  await scenario.apply();
  const since = async (media: string): Promise<string | undefined> => {
    await scenario.project.write("calendars/a.csv", csv(header, row(media)));
    return (await status(scenario)).rows[0]?.row;
  };
  expect(await since("../one.png")).toBeUndefined();
  expect(await since("three.png")).toBeUndefined();
  expect(await since("two.png")).toBe("edited");
  expect(await since("one.png|two.png")).toBe("edited");
  expect(await since("")).toBe("edited");
});

test("does not report a text that the service rewrote as an edit", async () => {
  const scenario = await applied({ service: { shape: SHAPES["rewritten text"] } });
  expect((await status(scenario)).rows.map(({ row }) => row)).toEqual(Array(5).fill(undefined));
});

test("shows unknown if the service has no status, and for a pending create", async () => {
  const files = { "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 10:00", "twitter", "A", ""]) };
  const scenario = await applied({ service: { shape: { omit: ["status"] } }, files });
  const mute = await status(scenario);
  expect([mute.code, mute.rows[0]]).toMatchObject([
    3,
    { status: "unknown", reason: expect.stringContaining("status") },
  ]);
  await scenario.project.write("calendars/b.csv", csv(HEADER, ["b", "2036-03-09 10:00", "twitter", "B", ""]));
  scenario.service.faults.plan(({ method }) => (method === "POST" ? "drop-before" : undefined));
  await scenario.apply({ exit: 3 });
  const doubtful = await status(scenario, "calendars/b.csv");
  expect([doubtful.code, doubtful.rows]).toMatchObject([
    3,
    [{ key: "b", status: "unknown", reason: expect.stringContaining("plancast apply") }],
  ]);
});

test("names file and line of a row in YAML", async () => {
  const yaml = "- { id: one, scheduled_at: 2036-03-01T10:00, platforms: [twitter], content: One }\n";
  const scenario = await startScenario({ files: { "calendars/a.yaml": `# Mine\n${yaml}` } });
  const { stdout } = await scenario.run("status", "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    rows: [{ key: "one", source: { file: "calendars/a.yaml", line: 2 } }],
  });
});

test("shows a row without an id that was edited after its post was published, for a month", async () => {
  const scenario = await applied();
  const { clock, project } = scenario;
  clock.advance(Date.parse("2036-03-05T12:00:00Z") - clock.now());
  for (const post of scenario.service.posts.values()) scenario.service.edit(post.id, { status: "published" });
  const edited = ROWS.map((row) => row.map((cell) => cell.replace("Without an id", "Edited, without an id")));
  await project.write("calendars/a.csv", csv(HEADER, ...edited));
  await scenario.apply();
  const text = async (): Promise<string> => (await scenario.run("status")).stdout;
  expect(await text()).toMatch(
    /^2036-03-05 10:00 +not applied +X +calendars\/a.csv:6 +Edited, without an id\n {4}Its time passed before/m,
  );
  clock.advance(31 * 24 * 3_600_000);
  expect(await text()).not.toContain("Edited, without an id");
});

test("refuses a filter by a column that does not exist", async () => {
  const scenario = await applied();
  const { code, stderr } = await scenario.run("status", "--only", "bogus=1");
  expect([code, stderr]).toEqual([1, expect.stringContaining("columns/not-found")]);
});

test("shows the time in the row's zone first if it differs from the project's", async () => {
  const rows = csv(
    ["id", "scheduled_at", "timezone", "platforms", "content"],
    ["swap", "2036-03-01 10:00", "America/New_York", "linkedin", "Swap"],
    ["open", "2036-03-02 10:00", "Europe/Paris", "linkedin", "Open"],
  );
  const scenario = await startScenario({ files: { "calendars/a.csv": rows } });
  await scenario.apply();
  const { stdout } = await scenario.run("status");
  expect(stdout).toMatch(/^2036-03-01 10:00 New York \(16:00\) {2}/m);
  expect(stdout).toMatch(/^2036-03-02 10:00 {11}/m);
  expect(stdout).toContain("Times are in Europe/Paris. If a row has another time zone, its own time is");
});

test("lists each post with its address for a report, and joins the tables of several projects", async () => {
  const scenario = await applied({ service: { shape: { results: "list" } } });
  night(scenario);
  const { stdout } = await scenario.run("status", "--format", "csv-posts");
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("date,time,network,status,url,published_at,key,campaign,row,text,reason");
  expect(lines).toContainEqual(expect.stringContaining(`linkedin,published,${URL},`));
  expect(lines).toContainEqual(expect.stringMatching(/instagram,failed,.*No picture\./));
  expect(lines).toHaveLength(7);
  const { PLANCAST_API_KEY = "", PLANCAST_BASE_URL = "" } = scenario.env;
  const yaml = await scenario.project.read("plancast.yaml");
  await scenario.project.write("plancast.yaml", `${yaml}\nservice: { url: "${PLANCAST_BASE_URL}" }\n`);
  const origin = new globalThis.URL(PLANCAST_BASE_URL).origin;
  const env = { PLANCAST_API_KEY, PLANCAST_TRUSTED_ORIGINS: `${origin}=PLANCAST_API_KEY` };
  const options = { cwd: scenario.project.root, env, clock: scenario.clock };
  const all = await runCommand(["status", "--all", "--format", "csv-posts"], options);
  expect(all.stdout.split("\n").slice(0, 2)).toEqual([`project,${lines[0]}`, `.,${lines[1]}`]);
});
