/** `plancast doctor`: its findings about projects, keys, services and saved state, and that it changes nothing. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Clock } from "../../src/model/clock.ts";
import { valueAtPath } from "../../src/settings/response-mapping.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { FAR_SHAPES } from "../support/far-shapes.ts";
import type { ForeignOptions } from "../support/foreign-service.ts";
import { makeProject } from "../support/project.ts";
import { startRedis } from "../support/redis-server.ts";
import { runCommand } from "../support/run-command.ts";
import { startProcess } from "../support/run-process.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];
const FILES = { "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 09:30", "twitter", "Hello there"]) };
const HOSTILE = "\u001b[31mred\u202e\n::set-output name=a::b\n##[error]x";

const document = z.object({
  version: z.literal(1),
  summary: z.record(z.string(), z.number()),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(["ok", "warning", "problem", "skipped"]),
      message: z.string(),
      advice: z.string().optional(),
      snippet: z.string().optional(),
    }),
  ),
  requests: z.number(),
});

type Checks = Record<string, z.infer<typeof document>["checks"][number]>;

interface Examined {
  readonly code: number | null;
  readonly checks: Checks;
  readonly requests: number;
}

async function examine(
  cwd: string,
  env: Readonly<Record<string, string>>,
  clock: Clock = new TestClock(),
): Promise<Examined> {
  const { code, stdout, stderr } = await runCommand(["doctor", "--format", "json"], { cwd, env, clock });
  if (stdout === "") throw new Error(`no document; exit ${code}\n${stderr}`);
  const { checks, requests } = document.parse(JSON.parse(stdout));
  return { code, checks: Object.fromEntries(checks.map((each) => [each.name, each])), requests };
}

function doctor(
  { project, env, clock }: Scenario,
  more: Readonly<Record<string, string>> = {},
): Promise<Examined> {
  return examine(project.root, { ...env, ...more }, clock);
}

function start(service?: ForeignOptions, config?: Readonly<Record<string, unknown>>): Promise<Scenario> {
  return startScenario({ files: FILES, ...(service && { service }), ...(config && { config }) });
}

/** Names of the checks in a state. */
function inState({ checks }: Examined, state: string): string[] {
  return Object.values(checks).flatMap((each) => (each.state === state ? [each.name] : []));
}

/** Any answer instead of the service's own. */
function answering(body: string, type = "application/json") {
  return { kind: "answer-before", answer: { status: 200, body, type } } as const;
}

const NEEDS_SERVICE = ["clock", "limit", "lists", "records", "platforms"];

test("reports a healthy project with exit 0, three requests and no writes", async () => {
  const scenario = await start();
  await scenario.apply();
  const before = await scenario.project.tree();
  const [requests, counters] = [scenario.service.requests.length, { ...scenario.service.counters }];
  const examined = await doctor(scenario);
  expect([examined.code, inState(examined, "ok").length, Object.keys(examined.checks).length]).toEqual([
    0, 15, 15,
  ]);
  expect(examined.requests).toBe(3);
  expect(scenario.service.requests.length - requests).toBe(3);
  expect(scenario.service.requests.slice(-3).map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  expect(scenario.service.counters).toMatchObject({ creates: counters.creates, cancels: 0 });
  expect(await scenario.project.tree()).toEqual(before);
  expect(examined.checks["records"]?.message).toContain("status, scheduled_at, platforms, content, media");
  expect(examined.checks["lockfile"]?.message).toContain("1 post");
  const { code, stdout } = await scenario.run("doctor");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^ok {7}node {7}Node .*\n[^]*\nNo problems found\.\n$/),
  ]);
});

test("reports a healthy project on the embedded service, and writes nothing", async () => {
  const project = await makeProject({
    config: { timezone: "UTC", service: { url: "embedded" } },
    files: FILES,
  });
  const before = await project.tree();
  const examined = await examine(project.root, {});
  expect([examined.code, inState(examined, "problem")]).toEqual([0, []]);
  expect(await project.tree()).toEqual(before);
});

test("gives advice outside a project, and still checks a configured service", async () => {
  const project = await makeProject({ config: false });
  const examined = await examine(project.root, {});
  expect([examined.code, inState(examined, "problem"), inState(examined, "ok")]).toEqual([
    1,
    ["project"],
    ["node"],
  ]);
  expect(await project.tree()).toEqual({});
  const scenario = await start();
  const asked = await examine(project.root, scenario.env);
  expect(inState(asked, "ok")).toEqual(expect.arrayContaining(["service", "key", "reach", "limit", "lists"]));
});

test("shows the fault in a broken plancast.yaml, and still checks the service", async () => {
  const scenario = await start();
  await scenario.project.write("plancast.yaml", "service:\n  ulr: https://x.example\n");
  const examined = await doctor(scenario);
  expect(examined.checks["project"]).toMatchObject({
    state: "problem",
    message: expect.stringContaining("plancast.yaml:2:3"),
  });
  expect(examined.checks["calendars"]?.state).toBe("skipped");
  expect(examined.checks["key"]?.state).toBe("ok");
});

test.each([
  ["no key", { PLANCAST_API_KEY: "" }, ["reach", ...NEEDS_SERVICE]],
  ["a wrong key", { PLANCAST_API_KEY: "sk_not_this_one" }, ["lists", "records", "platforms"]],
])("with %s, reports a problem with the key and never prints it", async (_name, env, unseen) => {
  const scenario = await start();
  const examined = await doctor(scenario, env);
  expect([examined.code, inState(examined, "problem")]).toEqual([1, ["key"]]);
  expect(inState(examined, "skipped")).toEqual(unseen);
  const shown = await runCommand(["doctor", "--verbose"], {
    cwd: scenario.project.root,
    env: { ...scenario.env, ...env },
  });
  expect(shown.stdout + shown.stderr).not.toContain("sk_not_this_one");
});

test.each([
  ["lookup", { PLANCAST_BASE_URL: "https://nowhere.invalid/v1" }, /DNS/],
  ["refused", { PLANCAST_BASE_URL: "http://127.0.0.1:9/v1" }, /No program listens/],
  [
    "proxy",
    { PLANCAST_BASE_URL: "https://api.example.com/v1", HTTPS_PROXY: "http://user:secret@127.0.0.1:9" },
    /The proxy 127\.0\.0\.1:9/,
  ],
])("explains why the service cannot be reached: %s", async (_name, env, message) => {
  const project = await makeProject({ files: FILES, config: { timezone: "UTC" } });
  const examined = await examine(project.root, { PLANCAST_API_KEY: "sk_1", ...env });
  expect([examined.code, inState(examined, "problem")]).toEqual([1, ["reach"]]);
  expect(examined.checks["reach"]?.message).toMatch(message);
  expect(JSON.stringify(examined)).not.toContain("secret");
  expect(inState(examined, "skipped")).toEqual(expect.arrayContaining(NEEDS_SERVICE));
});

test.each([
  ["no answer", "hang-before", /in time/],
  ["a closed connection", "drop-before", /closed/],
  ["a gateway's page", "html-502-before", /HTTP 502/],
  ["something other than JSON", "not-json", /something else/],
  ["a redirect", { kind: "redirect", to: "https://elsewhere.example" }, /elsewhere\.example/],
] as const)("explains an answer that is not the service's: %s", async (_name, fault, message) => {
  const scenario = await start({}, { service: { timeout: "2s" } });
  scenario.service.faults.plan(() => fault);
  const examined = await doctor(scenario);
  expect([examined.code, inState(examined, "problem")]).toEqual([1, ["reach"]]);
  expect(examined.checks["reach"]?.message).toMatch(message);
});

test("recognises a web page at the service's address", async () => {
  const scenario = await start();
  scenario.service.faults.plan(() => answering("<html><title>Sign in</title>", "text/html"));
  const examined = await doctor(scenario);
  expect(inState(examined, "problem")).toEqual(["reach"]);
  expect(examined.checks["reach"]?.message).toContain("a web page");
});

test("explains a certificate that no authority signed", async () => {
  const tls = new URL("../support/tls/", import.meta.url);
  const server = createServer({
    key: readFileSync(new URL("key.pem", tls)),
    cert: readFileSync(new URL("cert.pem", tls)),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(async () => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const project = await makeProject();
  const env = { PLANCAST_BASE_URL: `https://127.0.0.1:${port}`, PLANCAST_API_KEY: "sk_1" };
  const { checks } = await examine(project.root, env);
  expect(checks["reach"]).toMatchObject({
    state: "problem",
    message: expect.stringMatching(/TLS.*SELF_SIGNED/),
    advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
});

test.each([
  [3 * 86_400_000, "problem", /72 hours behind/],
  [-3 * 86_400_000, "problem", /72 hours ahead/],
  [20_000, "warning", /behind/],
])("reports a service clock that is off by %d ms", async (off, state, message) => {
  const scenario = await startScenario({ files: FILES, serviceAheadMs: off });
  const { checks } = await doctor(scenario);
  expect(checks["clock"]).toMatchObject({ state, message: expect.stringMatching(message) });
});

test.each(["seconds", "epoch", "epoch-ms"] as const)(
  "reports the rate limit, its plan and the unit of its reset: %s",
  async (resetUnit) => {
    const scenario = await start({ limit: { perWindow: 120, windowMs: 60_000, resetUnit } });
    const { checks } = await doctor(scenario);
    const unit = {
      seconds: "seconds from now",
      epoch: "seconds since 1970",
      "epoch-ms": "milliseconds since 1970",
    };
    expect(checks["limit"]).toMatchObject({ state: "ok", message: expect.stringContaining(unit[resetUnit]) });
    expect(checks["limit"]?.message).toMatch(/120 requests a window \(the rate plan pro\), 11\d left/);
  },
);

test("suggests a fix for platforms that are missing, misspelt or named differently", async () => {
  const scenario = await startScenario({
    service: { platforms: ["x", "linkedin"] },
    config: { platforms: { us: "linkedln" } },
    files: {
      "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 09:30", "twitter, us, tiktok", "Hello"]),
    },
  });
  const { checks, code } = await doctor(scenario);
  expect([code, checks["platforms"]?.state]).toEqual([1, "problem"]);
  expect(checks["platforms"]?.advice).toContain("platforms: { twitter: x }");
  expect(checks["platforms"]?.advice).toContain("linkedln may be mistyped: did you mean linkedin");
  expect(checks["platforms"]?.advice).toContain("Connect tiktok");
});

test("reports an account whose connection is down", async () => {
  const scenario = await start();
  const body = JSON.stringify({ data: [{ id: "acc_1", platform: "twitter", status: "expired" }] });
  scenario.service.faults.plan(({ path }) => (path === "/v1/platforms" ? answering(body) : undefined));
  expect((await doctor(scenario)).checks["platforms"]).toMatchObject({
    state: "problem",
    message: expect.stringContaining("twitter is down"),
  });
});

test("warns about a list that may be truncated, and reports a problem if it cannot follow the pages", async () => {
  const capped = await start({ paging: "cap", cap: 20 });
  for (let count = 0; count < 25; count += 1) capped.service.addForeignPost({ content: `Post ${count}` });
  const warned = await doctor(capped);
  expect([warned.code, warned.checks["lists"]?.state]).toEqual([0, "warning"]);
  expect(warned.checks["lists"]?.advice).toContain("list_limit");

  const token = await start({ paging: "none", shape: { listExtras: { meta: { next_page_token: "abc" } } } });
  token.service.addForeignPost();
  const afterwards = await doctor(token);
  expect(afterwards.checks["lists"]).toMatchObject({
    state: "problem",
    snippet: expect.stringContaining("next: meta.next_page_token\n    next_as: fill in..."),
  });
});

test("never calls a list with unknown paging complete, and reads all of it after plancast.yaml names the fields", async () => {
  const scenario = await start({
    shape: { cursorKey: "meta.position.cursor" },
    paging: "next-cursor",
    pageSize: 4,
  });
  for (let count = 0; count < 11; count += 1) scenario.service.addForeignPost({ content: `Post ${count}` });
  const examined = await doctor(scenario);
  expect([examined.code, examined.checks["lists"]]).toMatchObject([
    1,
    {
      state: "problem",
      message: expect.stringContaining("meta.position.cursor says"),
      advice: expect.stringMatching(/Replace each `fill in\.\.\.`.*under `service` in plancast\.yaml/s),
      snippet: expect.stringContaining("next: meta.position.cursor"),
    },
  ]);
  const refused = await scenario.run("apply", "--yes");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("meta.position.cursor")]);
  expect(scenario.service.counters.creates).toBe(0);
  expect((await scenario.run("posts", "list")).stdout).toContain("The list may be incomplete");

  const config = await scenario.project.read("plancast.yaml");
  await scenario.project.write(
    "plancast.yaml",
    `${config}\n${filledIn(examined.checks["lists"]?.snippet, { next_as: "cursor" })}`,
  );
  const afterwards = await doctor(scenario);
  expect([afterwards.code, afterwards.checks["lists"]?.message]).toEqual([
    0,
    "11 scheduled posts; the list is complete. The service gives a cursor for the next page.",
  ]);
  await scenario.project.write("plancast.yaml", `${config}\nservice: { list_limit: 1000 }\n`);
  expect((await doctor(scenario)).checks["lists"]?.state).toBe("ok");
});

test("reports a cursor that brings the same page again", async () => {
  const scenario = await start(
    { shape: { cursorKey: "meta.nextToken" }, paging: "next-cursor", pageSize: 4 },
    { service: { shape: { next: "meta.nextToken", next_as: "token" } } },
  );
  for (let count = 0; count < 11; count += 1) scenario.service.addForeignPost({ content: `Post ${count}` });
  expect((await doctor(scenario)).checks["lists"]).toMatchObject({
    state: "problem",
    message: expect.stringContaining("the same page again"),
    advice: expect.stringContaining("query parameter token"),
  });
});

/** 4 pages of accounts, and 10 of posts. */
test("reads only some pages of a long list", async () => {
  const scenario = await start({ paging: "link", pageSize: 2 });
  for (let count = 0; count < 60; count += 1) scenario.service.addForeignPost({ content: `Post ${count}` });
  const examined = await doctor(scenario);
  expect([examined.code, inState(examined, "problem")]).toEqual([0, []]);
  expect(examined.requests).toBe(14);
  expect(examined.checks["records"]?.state).toBe("ok");
});

test("refuses records that leave out a field, unless service.shape says where it is", async () => {
  const scenario = await start({ shape: { omit: ["content"] } });
  scenario.service.addForeignPost();
  const { checks, code } = await doctor(scenario);
  const message = expect.stringContaining("does not show content");
  expect([code, checks["records"]]).toMatchObject([1, { state: "problem", message }]);
  expect(checks["records"]?.advice).toContain("(content: content)");
  await scenario.project.write(
    "plancast.yaml",
    "timezone: Europe/Paris\nservice: { shape: { post: { content: content } } }\n",
  );
  const accepted = await doctor(scenario);
  expect([accepted.code, accepted.checks["records"]]).toMatchObject([0, { state: "warning", message }]);
});

test("reports a broken lockfile and a broken calendar", async () => {
  const scenario = await start();
  await scenario.apply();
  await scenario.project.write("plancast.lock.json", "<<<<<<< ours\n{}\n");
  await scenario.project.write("calendars/a.csv", csv(HEADER, ["a", "tomorrow", "twitter", HOSTILE]));
  const examined = await doctor(scenario);
  expect([examined.code, inState(examined, "problem")]).toEqual([1, ["calendars", "lockfile"]]);
  expect(examined.checks["lockfile"]?.message).toContain("conflict markers");
});

test("warns that apply creates no post again if the service lists none of many owned posts", async () => {
  const rows = [1, 2, 3, 4, 5].map((day) => [`r${day}`, `2036-03-0${day} 09:30`, "twitter", `Post ${day}`]);
  const scenario = await startScenario({ files: { "calendars/a.csv": csv(HEADER, ...rows) } });
  await scenario.apply();
  expect((await doctor(scenario)).checks["lockfile"]?.state).toBe("ok");
  for (const { id } of scenario.service.scheduled()) scenario.service.cancelByHand(id);
  const { code, checks } = await doctor(scenario);
  expect([code, checks["lockfile"]]).toMatchObject([
    0,
    {
      state: "warning",
      message: expect.stringMatching(/5 posts.* does not contain any of them/),
      advice: expect.stringContaining("apply/missing"),
    },
  ]);
  expect((await scenario.run("apply", "--yes")).stderr).toContain("apply/missing");
});

test("says that posts of another machine's embedded service are not here, as plan does", async () => {
  const rows = [1, 2, 3, 4, 5, 6].map((day) => [
    `r${day}`,
    `2036-03-0${day} 09:30`,
    "twitter",
    `Post ${day}`,
  ]);
  const config = { timezone: "UTC", service: { url: "embedded" } };
  const files = { "calendars/a.csv": csv(HEADER, ...rows) };
  const [mine, colleagues] = [await makeProject({ config, files }), await makeProject({ config, files })];
  const clock = new TestClock();
  await runCommand(["apply", "--yes"], { cwd: mine.root, clock });
  await colleagues.write("plancast.lock.json", await mine.read("plancast.lock.json"));
  const advice =
    "These posts are in the embedded service of another machine. Run `plancast lockfile forget`.";
  const { checks } = await examine(colleagues.root, {}, clock);
  expect(checks["lockfile"]).toMatchObject({ state: "warning", advice });
  const plan = await runCommand(["plan"], { cwd: colleagues.root, clock });
  expect(plan.stdout.replaceAll(/\s+/g, " ")).toContain(advice);
});

test("if this folder applied before, says that the lockfile is missing, until it is forgotten or restored", async () => {
  const scenario = await start();
  expect((await doctor(scenario)).checks["lockfile"]).toMatchObject({
    state: "ok",
    message: expect.stringContaining("does not exist yet"),
  });
  await scenario.apply();
  const text = await scenario.project.read("plancast.lock.json");
  await rm(join(scenario.project.root, "plancast.lock.json"));
  const lost = await doctor(scenario);
  expect([lost.code, lost.checks["lockfile"]]).toMatchObject([
    1,
    {
      state: "problem",
      message: "plancast.lock.json is missing, although this folder applied before.",
      advice: expect.stringContaining("`git checkout plancast.lock.json`"),
    },
  ]);
  await scenario.project.write("plancast.lock.json", text);
  expect((await doctor(scenario)).checks["lockfile"]?.state).toBe("ok");
  await scenario.run("lockfile", "forget", "--yes");
  expect((await doctor(scenario)).checks["lockfile"]?.state).toBe("ok");
});

test("does not check the key if the lockfile belongs to another service", async () => {
  const project = await makeProject({
    config: { timezone: "UTC", service: { url: "embedded" } },
    files: FILES,
  });
  const clock = new TestClock();
  await runCommand(["apply", "--yes"], { cwd: project.root, env: {}, clock });
  const { code, checks } = await examine(
    project.root,
    { PLANCAST_BASE_URL: "https://service.example/v1" },
    clock,
  );
  expect([code, checks["lockfile"]?.state, checks["key"]?.state]).toEqual([1, "problem", "skipped"]);
  expect(checks["key"]?.message).toContain("not checked");
});

test("distinguishes a running apply from a killed apply, and names the post with a pending create", async () => {
  const scenario = await start();
  let during: Examined | undefined;
  const run = async (): Promise<void> => {
    during = await doctor(scenario);
  };
  scenario.service.faults.at(1, { kind: "run-before", run }, { method: "POST" });
  await scenario.apply();
  expect([during?.code, during?.checks["lock"]?.state, during?.checks["journal"]?.state]).toEqual([
    0,
    "warning",
    "ok",
  ]);

  await scenario.project.write(
    "calendars/b.csv",
    csv(HEADER, ["b", "2036-03-02 09:30", "twitter", "Second"]),
  );
  const apply = startProcess(["apply", "--yes"], { cwd: scenario.project.root, env: scenario.env });
  const kill = (): void => void apply.kill("SIGKILL");
  scenario.service.faults.at(1, { kind: "run-before", run: kill }, { method: "POST" });
  expect((await apply.ended).signal).toBe("SIGKILL");
  scenario.service.faults.clear();
  const before = await scenario.project.tree();
  const after = await doctor(scenario);
  expect([after.code, inState(after, "problem")]).toEqual([1, ["journal"]]);
  expect(after.checks["journal"]).toMatchObject({
    message: expect.stringMatching(/may or may not.*b/),
    advice: expect.stringContaining("plancast resolve"),
  });
  expect(after.checks["lock"]).toMatchObject({ state: "ok", message: expect.stringContaining("died") });
  expect(await scenario.project.tree()).toEqual(before);
  await scenario.project.write(".plancast/run.lock", "not a lock");
  expect((await doctor(scenario)).checks["lock"]?.state).toBe("problem");
});

test("reports a Redis that is not there, and sends no request", async () => {
  const scenario = await start();
  const examined = await doctor(scenario, { PLANCAST_REDIS_URL: "redis://user:secret@127.0.0.1:9" });
  expect([examined.code, inState(examined, "problem"), examined.requests]).toEqual([1, ["redis"], 0]);
  expect(JSON.stringify(examined)).not.toContain("secret");
});

test("accepts a Redis that answers", async () => {
  const redis = await startRedis();
  const { project, env } = await start();
  // The real clock, because a Redis must answer in time.
  const shared = { ...env, PLANCAST_REDIS_URL: redis.url };
  const { code, checks } = await examine(project.root, shared, systemClock);
  expect([code, checks["redis"]?.state]).toEqual([0, "ok"]);
});

/** The lines, filled in by a person: with the service's names, and without fields that the service lacks. */
function filledIn(snippet: string | undefined, names: object): string {
  const parents: string[] = [];
  const lines = (snippet ?? "").split("\n").flatMap((line) => {
    const [, indent = "", key, value] = /^( *)([^ #][^:]*):(.*)$/.exec(line) ?? [];
    if (key === undefined) return [line];
    parents.length = indent.length / 2;
    parents.push(key);
    if (!value?.startsWith(" fill in...")) return [line];
    const own = valueAtPath(names, parents.slice(parents.indexOf("shape") + 1));
    return typeof own === "string" ? [`${indent}${key}: ${own}`] : [];
  });
  return lines.join("\n");
}

function snippetIn({ checks }: Examined): string | undefined {
  return Object.values(checks).find(({ snippet }) => snippet !== undefined)?.snippet;
}

test.each(Object.entries(FAR_SHAPES))(
  "shows masked paths of unreadable answers, and lines that make them readable once they are filled in: %s",
  { timeout: 120_000 },
  async (_name, { service: shape, shape: names }) => {
    const scenario = await start({ shape });
    scenario.service.addForeignPost({
      content: `Spring is here ${HOSTILE}`,
      platforms: ["twitter", "linkedin"],
    });
    scenario.service.addForeignPost({ content: "Summer comes at last" });
    const examined = await doctor(scenario);
    expect([examined.code, inState(examined, "problem"), examined.requests]).toEqual([1, ["records"], 2]);
    const { stdout } = await scenario.run("doctor");
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##\[/m);
    expect(stdout).toMatch(/^# .*cop[^ ]*: "S…" \(\d+ characters\)$/m);
    expect(stdout).not.toContain("Spring");

    await scenario.project.write("plancast.yaml", snippetIn(examined) ?? "");
    expect((await doctor(scenario)).checks["project"]).toMatchObject({
      state: "problem",
      message: expect.stringContaining("plancast.yaml:"),
    });

    await scenario.project.write("plancast.yaml", "timezone: Europe/Paris\n");
    // First the list, then what doctor finds when it can read the records.
    for (let round = 0; round < 3; round += 1) {
      const snippet = snippetIn(await doctor(scenario));
      if (snippet === undefined) break;
      const lines = filledIn(snippet, names);
      await scenario.project.write("plancast.yaml", `timezone: Europe/Paris\n${lines}`);
    }
    const afterwards = await doctor(scenario);
    expect([afterwards.code, inState(afterwards, "problem"), inState(afterwards, "warning")]).toEqual([
      0,
      [],
      [],
    ]);
    expect((await scenario.apply()).summary).toMatchObject({ created: 1, failed: 0, unknown: 0 });
    expect(await scenario.summary()).toEqual({ keep: 1, unmanaged: 2 });
    await scenario.project.remove("plancast.lock.json");
    expect(await scenario.summary()).toEqual({ adopt: 1, unmanaged: 2 });
  },
);

const WORDS = { scheduled: "waiting", published: "out", cancelled: "gone", failed: "stuck" };

test("warns about a status that it does not know, and asks for its meaning", async () => {
  const scenario = await start({ shape: { statusWords: WORDS } });
  scenario.service.addForeignPost();
  const examined = await doctor(scenario);
  expect([examined.code, examined.checks["records"]]).toMatchObject([
    0,
    { state: "warning", message: expect.stringContaining('"waiting"') },
  ]);
  const lines = filledIn(snippetIn(examined), { status: { waiting: "scheduled" } });
  await scenario.project.write("plancast.yaml", `timezone: Europe/Paris\n${lines}`);
  expect((await doctor(scenario)).checks["records"]?.state).toBe("ok");
});

test("shows no lines if the answer contains no record", async () => {
  const scenario = await start();
  const body = JSON.stringify({ a: { b: { c: { rows: [] } } } });
  scenario.service.faults.plan(({ path }) => (path === "/v1/posts" ? answering(body) : undefined));
  const { checks } = await doctor(scenario);
  expect(checks["records"]).toMatchObject({ state: "problem" });
  expect(checks["records"]?.snippet).toBeUndefined();
});

test("prints only a few short lines for deep, wide or hostile answers", async () => {
  const scenario = await start();
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
  const body = `{"a":${"[".repeat(3_000)}1${"]".repeat(3_000)},"x":[],"b":{"c":[${JSON.stringify({ [HOSTILE]: HOSTILE, ...wide })}]}}`;
  scenario.service.faults.plan(({ path }) => (path === "/v1/posts" ? answering(body) : undefined));
  const { stdout } = await scenario.run("doctor");
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##\[/m);
  expect(stdout.match(/^#   /gm)).toHaveLength(81);
});
