/** `plancast listen`: which events it accepts, refuses and confirms. */

import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Clock } from "../../src/model/clock.ts";
import { type RunningCommand, startCommand } from "../support/run-command.ts";
import { startProcess } from "../support/run-process.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";

/** Longer than `listen` collects events, but shorter than its pause between requests, in ms. */
const SHORT_MS = 1_000;
/** Short waits end immediately. Long ones last until they are stopped. */
const CLOCK: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms < SHORT_MS || signal?.aborted === true) resolve();
      else signal?.addEventListener("abort", () => resolve(), { once: true });
    }),
};
/** Even on the slowest machine, background work ends within this time. */
const SOON = { timeout: 20_000 };
const FILES = {
  "calendars/a.csv": csv(
    ["id", "scheduled_at", "platforms", "content"],
    ["a", "2036-03-01 10:00", "twitter", "A"],
    ["b", "2036-03-01 10:00", "linkedin", "B"],
  ),
};

type Running = Pick<RunningCommand, "stdout" | "stderr" | "waitFor">;

interface Listening extends Scenario {
  readonly ids: readonly string[];
  readonly url: string;
  readonly send: (body: unknown, init?: RequestInit, url?: string) => Promise<number>;
  /** Lines of its record that contain this. */
  readonly recorded: (what: string) => Promise<number>;
}

/** A project with two posts, and a receiver for their events: in this process unless said. */
async function listening(): Promise<Listening & { readonly listen: RunningCommand }>;
async function listening<Receiver extends Running>(
  start: (scenario: Scenario) => Receiver,
): Promise<Listening & { readonly listen: Receiver }>;
async function listening(
  start: (scenario: Scenario) => Running = startListen,
): Promise<Listening & { readonly listen: Running }> {
  const scenario = await startScenario({ files: FILES, service: { shape: { results: "list" } } });
  await scenario.apply();
  const listen = start(scenario);
  await listen.waitFor("\n");
  const { url }: { url: string } = JSON.parse(listen.stdout());
  const send: Listening["send"] = async (body, init = {}, to = url) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return (await fetch(to, { method: "POST", body: text, ...init })).status;
  };
  const recorded = async (what: string): Promise<number> => {
    const text = await scenario.project.read(".plancast/plancast.lock.json.events");
    return text.split("\n").filter((line) => line.includes(what)).length;
  };
  return { ...scenario, ids: [...scenario.service.posts.keys()], listen, url, send, recorded };
}

function startListen({ project, env }: Pick<Scenario, "project" | "env">, port = "0"): RunningCommand {
  return startCommand(["listen", "--port", port], { cwd: project.root, env, clock: CLOCK });
}

function published(id = "", over: object = {}): object {
  const data = { post_id: id, platform: "twitter", url: `https://x.example/${id}` };
  return { event: "post.published", timestamp: "2036-03-01T09:00:00Z", data, ...over };
}

test("stores each event immediately and only once, and reports it after the service confirms it", async () => {
  const { service, ids, send, recorded, run, listen } = await listening();
  const [id = ""] = ids;
  service.edit(id, { status: "published" });
  expect([await send(published(id)), await send(published(id))]).toEqual([204, 204]);
  expect(await recorded('"received"')).toBe(1);
  await listen.waitFor(`published ${id} (calendars/a.csv: a) twitter https://x.example/${id}`);
  expect(await recorded('"told"')).toBe(1);
  const before = service.counters.requests;
  const { rows } = JSON.parse((await run("status", "--format", "json")).stdout);
  expect(rows).toMatchObject([
    { key: "a", status: "published", results: [{ platform: "twitter", url: `https://x.example/${id}` }] },
    { key: "b", status: "scheduled" },
  ]);
  // This event is about the other row only.
  expect(service.counters.requests - before).toBe(1);
});

test("ignores an event if the service contradicts it, or if its post belongs to somebody else", async () => {
  const { service, ids, send, recorded, run, listen } = await listening();
  const other = service.addForeignPost();
  service.edit(other.id, { status: "published" });
  expect(await send(published(ids[0]))).toBe(204);
  expect(await send(published(other.id))).toBe(204);
  const asked = (id: string): boolean => service.requests.some(({ path }) => path === `/v1/posts/${id}`);
  await expect.poll(() => asked(ids[0] ?? ""), SOON).toBe(true);
  expect([asked(other.id), await recorded('"told"')]).toEqual([false, 0]);
  expect((await run("status")).stdout).toContain("Status: 2 scheduled");
  listen.stop();
  expect((await listen.ended).code).toBe(0);
});

test("a kill loses no event; status or the next start confirms it", async () => {
  const world = await listening((scenario) =>
    startProcess(["listen", "--port", "0"], { cwd: scenario.project.root, env: scenario.env }),
  );
  const { service, ids, send, recorded, listen, url, project, env, run } = world;
  service.faults.plan(({ method }) => (method === "GET" ? "status-500-before" : undefined));
  for (const id of ids) {
    service.edit(id, { status: "published" });
    expect(await send(published(id))).toBe(204);
  }
  listen.kill("SIGKILL");
  await listen.ended;
  expect([await recorded('"received"'), await recorded('"told"')]).toEqual([2, 0]);
  service.faults.clear();
  expect((await run("status")).stdout).toContain("Status: 2 published");
  const again = startListen({ project, env }, new URL(url).port);
  await again.waitFor("\n");
  // The secret path is the same, and there is nothing left to confirm.
  expect(JSON.parse(again.stdout())).toEqual({ url });
  expect(await send(published(ids[0]))).toBe(204);
  expect(await recorded('"received"')).toBe(2);
});

test("refuses and does not store invalid events, and requests to another path", async () => {
  const { url, send, project, listen, recorded, service } = await listening();
  const { origin, pathname } = new URL(url);
  const before = await project.tree();
  const asked = service.counters.requests;
  expect(await send(published("p"), {}, `${origin}/`)).toBe(404);
  expect(await send(published("p"), {}, `${origin}${pathname}x`)).toBe(404);
  expect(await send(published("p"), {}, `${origin}${pathname.slice(0, -1)}`)).toBe(404);
  expect((await fetch(url)).status).toBe(405);
  for (const body of [
    "",
    "{",
    "[]",
    "null",
    { event: "post.published", data: {} },
    { event: "x".repeat(200), timestamp: "2036-03-01T09:00:00Z", data: {} },
    { event: "post.published", timestamp: "yesterday", data: {} },
    `{"event":"post.published","timestamp":"2036-03-01T09:00:00Z","data":{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}}`,
    { event: "post.published", timestamp: "2036-03-01T09:00:00Z", data: [] },
  ]) {
    expect(await send(body)).toBe(400);
  }
  expect(await send(published("p".repeat(70_000)))).toBe(413);
  expect(
    await send("x".repeat(70_000), { headers: { "transfer-encoding": "chunked" } }).catch(() => 413),
  ).toBe(413);
  expect(await project.tree()).toEqual(before);
  // An event of another kind, or with other words, is accepted too, because the sender did nothing wrong.
  expect(
    await send(published("p", { event: "account.expired", timestamp: "2036-03-01T09:00:00+00:00" })),
  ).toBe(204);
  expect(await send(published("__proto__", { id: 7 }))).toBe(204);
  expect(await recorded('"received"')).toBe(2);
  expect(service.counters.requests).toBe(asked);
  expect(listen.stderr()).toContain("plancast refused an event");
  expect((await stat(`${project.root}/.plancast/listen.json`)).mode & 0o777).toBe(0o600);
});

test("takes events while another sender stops in the middle", async () => {
  const { url, send, ids } = await listening();
  const { port, pathname } = new URL(url);
  const slow = connect(Number(port), "127.0.0.1");
  slow.on("error", () => undefined);
  slow.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
  expect(await send(published(ids[0]))).toBe(204);
  slow.destroy();
  expect(await send(published(ids[1]))).toBe(204);
});

test("refuses to start if another receiver runs, the port is in use, or there is no service", async () => {
  const { url, project, env } = await listening();
  const second = await startListen({ project, env }).ended;
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("run/locked")]);
  const other = await startScenario({ files: FILES });
  const taken = await startListen(other, new URL(url).port).ended;
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("run/port")]);
  const nowhere = await startListen({ project: other.project, env: {} }).ended;
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("service/not-configured")]);
});
