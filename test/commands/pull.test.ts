/** Posts that others scheduled become a calendar. A plan then adopts them, or has nothing to do. */
import { parse } from "yaml";
import { expect, test } from "vitest";
import { z } from "zod";
import { StateFolder } from "../../src/disk/state-folder.ts";
import { acquireRunLock, withoutWaiting } from "../../src/sync/state/run-lock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { SPARSE_SHAPES } from "../support/far-shapes.ts";
import { SHAPES } from "../support/foreign/shapes.ts";
import type { ForeignService } from "../support/foreign-service.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario, type Scenario, type ScenarioOptions } from "../support/scenario.ts";

const pulledDocument = z.object({
  out: z.string().optional(),
  summary: z.record(z.string(), z.number()),
  rows: z.array(z.object({ key: z.string(), post_id: z.string() })),
  left_out: z.array(z.object({ post_id: z.string(), reason: z.string() })),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

interface World extends Scenario {
  /** Runs pull and returns its report. The test fails unless it ends with 0. */
  readonly pull: (...args: string[]) => Promise<z.infer<typeof pulledDocument>>;
}

async function start(options: Partial<ScenarioOptions> = {}): Promise<World> {
  const scenario = await startScenario({ files: {}, ...options });
  const pull = async (...args: string[]) => {
    const { code, stdout, stderr } = await scenario.run("pull", "--format", "json", ...args);
    if (code !== 0) throw new Error(`pull ended with ${code}\n${stdout}\n${stderr}`);
    return pulledDocument.parse(JSON.parse(stdout));
  };
  return { ...scenario, pull };
}

/** An account with posts of all kinds that a calendar must be able to contain. */
function fill(service: ForeignService): void {
  const posts = [
    {
      content: "=HYPERLINK(1)\r\nsecond line  \n",
      platforms: ["twitter"],
      scheduled_at: "2036-03-01T08:30:00Z",
    },
    {
      content: "Cafe\u0301 🌱 رمضان # not a comment",
      platforms: ["linkedin", "facebook"],
      scheduled_at: "2036-07-01T00:00:00Z",
    },
    // Twice in Paris, by the clock.
    { content: "First", platforms: ["bluesky"], scheduled_at: "2036-10-26T00:30:00Z" },
    { content: "Second", platforms: ["bluesky"], scheduled_at: "2036-10-26T01:30:07Z" },
    {
      content: "12e3",
      platforms: ["threads"],
      scheduled_at: "2036-12-01T12:00:00Z",
      media_ids: ["media_a", "media_b"],
    },
    { content: "", platforms: ["instagram"], scheduled_at: "2036-12-02T12:00:00Z", media_ids: ["media_c"] },
  ];
  for (const post of posts) service.addForeignPost({ media_ids: [], ...post });
}

test("pull --adopt moves an account into a calendar; plan then keeps every post", async () => {
  const { service, project, pull, summary, run } = await start();
  fill(service);
  const { rows, summary: counts } = await pull("--adopt");
  expect(counts).toMatchObject({ rows: 6, adopted: 6, left_out: 0 });
  expect(rows.map(({ key }) => key)).toEqual(rows.map(({ post_id }) => post_id));
  expect(parse(await project.read("calendars/pulled.yaml"))).toMatchObject([
    {
      id: rows[0]?.key,
      scheduled_at: "2036-03-01 09:30",
      platforms: ["twitter"],
      content: "=HYPERLINK(1)\nsecond line",
    },
    { scheduled_at: "2036-07-01 02:00", platforms: ["facebook", "linkedin"] },
    { scheduled_at: "2036-10-26T02:30+02:00" },
    { scheduled_at: "2036-10-26T02:30:07+01:00" },
    { scheduled_at: "2036-12-01 13:00", content: "12e3", media: ["media_a", "media_b"] },
    { media: ["media_c"] },
  ]);
  expect(await summary()).toEqual({ keep: 6 });
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("an edit of a pulled row replaces its post, and a row that is removed cancels it", async () => {
  const { service, project, pull, apply } = await start({ config: { safety: { max_cancel_percent: 100 } } });
  service.addForeignPost({
    content: "Old words",
    scheduled_at: "2036-03-01T08:30:00Z",
    platforms: ["twitter"],
  });
  service.addForeignPost({
    content: "Not needed",
    scheduled_at: "2036-03-02T08:30:00Z",
    platforms: ["twitter"],
  });
  await pull("--adopt", "--out", "calendars/account.csv");
  const text = await project.read("calendars/account.csv");
  const [header, first] = text.split("\n");
  await project.write("calendars/account.csv", `${header}\n${first?.replace("Old words", "New words")}\n`);
  expect((await apply()).summary).toMatchObject({ replaced: 1, cancelled: 1 });
  expect(service.scheduled().map(({ content }) => content)).toEqual(["New words"]);
});

test("pull without --adopt writes only the calendar; apply then adopts, and sends nothing", async () => {
  const { service, project, pull, summary, apply } = await start();
  fill(service);
  await pull("--to", "csv");
  expect(Object.keys(await project.tree())).toEqual(["calendars/pulled.csv", "plancast.yaml"]);
  expect(await project.read("calendars/pulled.csv")).toContain(`"'=HYPERLINK(1)\nsecond line"`);
  expect(await summary()).toEqual({ adopt: 6 });
  expect((await apply()).summary).toMatchObject({ adopted: 6, created: 0, cancelled: 0 });
  expect(await summary()).toEqual({ keep: 6 });
});

test.each(Object.entries(SHAPES))("pulls every post from a service with %s", async (_name, shape) => {
  const { service, pull, summary } = await start({ service: { shape } });
  fill(service);
  expect((await pull("--adopt", "--out", "calendars/p.xlsx")).summary).toMatchObject({
    adopted: 6,
    left_out: 0,
  });
  expect(await summary()).toEqual({ keep: 6 });
});

test.each([
  ["no content", "text"],
  ["no platforms", "platforms"],
  ["no time", "time"],
  ["ids only", "text"],
] as const)("ignores records with %s", async (name, what) => {
  const { service, project, pull } = await start({
    service: { shape: SPARSE_SHAPES[name].service },
    config: { service: { shape: SPARSE_SHAPES[name].shape } },
  });
  fill(service);
  const { out, left_out, problems } = await pull();
  expect(out).toBeUndefined();
  expect(left_out).toHaveLength(6);
  expect(problems).toMatchObject([
    { code: "pull/left-out", message: expect.stringContaining(`6 scheduled posts`) },
  ]);
  expect(problems[0]?.message).toContain(what);
  expect(Object.keys(await project.tree())).toEqual(["plancast.yaml"]);
});

test("warns when the service does not list media", async () => {
  const { service, pull, summary } = await start({
    service: { shape: SPARSE_SHAPES["no media"].service },
  });
  service.addForeignPost({
    content: "Who knows",
    platforms: ["twitter"],
    scheduled_at: "2036-03-01T08:30:00Z",
  });
  const { problems } = await pull("--adopt");
  expect(problems.map(({ code }) => code)).toEqual(["pull/media-untold"]);
  expect(await summary()).toEqual({ keep: 1 });
});

test("leaves out posts that have a row or that the project owns", async () => {
  const { service, project, pull, apply, summary } = await start({
    files: {
      "calendars/a.csv": csv(
        ["id", "scheduled_at", "platforms", "content"],
        ["mine", "2036-03-01 09:30", "twitter", "Mine"],
      ),
    },
  });
  await apply();
  service.addForeignPost({ content: "Theirs", platforms: ["twitter"], scheduled_at: "2036-03-02T08:30:00Z" });
  const first = await pull("--adopt");
  expect(first.summary).toMatchObject({ rows: 1, adopted: 1, known: 1, rowless: 0 });
  expect((await pull("--out", "calendars/again.yaml")).out).toBeUndefined();
  expect(await summary()).toEqual({ keep: 2 });

  await project.remove("calendars/a.csv");
  const lost = await pull("--out", "calendars/again.yaml");
  expect([lost.out, lost.summary["rowless"]]).toEqual([undefined, 1]);
  const all = await pull("--all", "--out", "calendars/again.yaml");
  expect(all.rows.map(({ key }) => key)).toEqual(["mine"]);
  expect(await summary()).toEqual({ keep: 2 });
});

test("leaves out a post that cannot be a row, with the reason", async () => {
  const { service, project, pull, summary } = await start({
    config: { platforms: { linkedin: "linkedin_page" } },
    files: {
      "calendars/a.yaml":
        "- { id: post_odd, scheduled_at: 2036-09-01 09:30, platforms: x, content: a, status: draft }\n",
    },
  });
  const at = "2036-03-01T08:30:00Z";
  const posts = [
    { content: "Same", platforms: ["twitter"], scheduled_at: at },
    { content: "Same", platforms: ["twitter", "facebook"], scheduled_at: at },
    { content: "Taken name", platforms: ["linkedin"], scheduled_at: at },
    { content: "Strange name", platforms: ["x (twitter)"], scheduled_at: at },
    { content: "No platform", platforms: [], scheduled_at: at },
    { content: "Strange media", platforms: ["twitter"], scheduled_at: at, media_ids: ["../../etc/passwd"] },
    { content: "", platforms: ["threads"], scheduled_at: at },
  ];
  const ids = posts.map((post) => service.addForeignPost({ media_ids: [], ...post }).id);
  const { rows, left_out } = await pull("--adopt");
  expect(rows).toHaveLength(1);
  expect(ids.slice(0, 2)).toContain(rows[0]?.post_id);
  expect([...rows, ...left_out].map(({ post_id }) => post_id).toSorted()).toEqual(ids.toSorted());
  expect(await summary()).toEqual({ keep: 1, draft: 1, unmanaged: 6 });
  expect(parse(await project.read("calendars/pulled.yaml"))).toHaveLength(1);
});

test("refuses to overwrite a file, to adopt posts outside of a calendar, and to pull a truncated list", async () => {
  const { service, project, run } = await start({ service: { paging: "cap", cap: 20 } });
  fill(service);
  await project.write(
    "calendars/pulled.yaml",
    "# mine\n- { content: a, date: 2036-01-01, time: 10:00, platforms: x }\n",
  );
  const before = await project.tree();
  expect((await run("pull")).stderr).toContain("write/exists");
  expect((await run("pull", "--adopt", "--out", "elsewhere/p.yaml")).stderr).toContain(
    "calendar/not-in-project",
  );
  expect((await run("pull", "--out", "calendars/p.ods")).stderr).toContain("usage/arguments");
  for (let count = 0; count < 20; count += 1) service.addForeignPost({ content: `Post ${count}` });
  const cut = await run("pull", "--out", "calendars/p.yaml");
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining("service/list-not-whole")]);
  await project.write("calendars/bad.csv", "content,date\na,tomorrow\n");
  expect((await run("pull", "--out", "calendars/p.yaml")).stderr).toContain("schedule/format");
  await project.remove("calendars/bad.csv");
  expect(await project.tree()).toEqual(before);
});

test("the report says what to do next", async () => {
  const { service, run } = await start();
  expect((await run("pull")).stdout).toContain("Nothing to pull");
  fill(service);
  const outside = await run("pull", "--out", "elsewhere/p.csv");
  expect(outside.stdout).toContain("`calendars:`");
  const plain = await run("pull");
  expect(plain.stdout).toContain("plancast apply: it adopts these posts");
});

test("pull --adopt asks a person first, and writes nothing without a yes", async () => {
  const { service, project, env, clock, summary } = await start();
  fill(service);
  const before = await project.tree();
  for (const answer of [false, true]) {
    let asked = "";
    const terminal = { answer: (question: string) => ((asked = question), answer) };
    const { code } = await runCommand(["pull", "--adopt"], { cwd: project.root, env, clock, terminal });
    expect([code, asked]).toEqual([
      answer ? 0 : 1,
      "Write 6 rows to calendars/pulled.yaml and adopt their posts? If you remove a row later, apply cancels its post. [y/N] ",
    ]);
    if (!answer) expect(await project.tree()).toEqual(before);
  }
  expect(await summary()).toEqual({ keep: 6 });
});

test("during another run, pull still writes a calendar, but adopts nothing", async () => {
  const { service, project, run, clock } = await start();
  fill(service);
  const lock = await acquireRunLock(
    StateFolder.at(project.root),
    withoutWaiting("apply", { clock, stop: new AbortController().signal }),
  );
  afterThisTest(() => lock.release());
  const refused = await run("pull", "--adopt");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/locked")]);
  expect(await run("pull")).toMatchObject({ code: 0 });
});
