/** Facts about the foreign service that tests of plancast rely on. */
import { EventEmitter, once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { describe, expect, test } from "vitest";
import { afterThisTest } from "./after-test.ts";
import { ask, draft, idIn } from "./foreign/ask.ts";
import type { LimitOptions } from "./foreign/rate-limit.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";

const START = Date.parse("2027-01-01T00:00:00Z");

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  return service;
}

async function refusal(answer: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await answer;
  return `${status} ${Object(Object(body).error).code}`;
}

function idsIn({ body }: { body: unknown }): string[] {
  return Object(body).data.map((item: { id: string }) => item.id);
}

describe("posts", () => {
  test("the service creates, lists, shows and cancels a post as the interface documents", async () => {
    const service = await start();
    const created = await ask(service, "POST", "/posts", { body: draft() });
    const id = idIn(created);
    const record = { ...draft(), id, status: "scheduled" };
    const cancelled = { ...record, status: "cancelled" };
    expect(created).toMatchObject({ status: 201, body: record });
    expect((await ask(service, "GET", "/posts?status=scheduled&limit=10")).body).toEqual({ data: [record] });
    expect((await ask(service, "GET", `/posts/${id}`)).body).toEqual(record);
    expect(await ask(service, "DELETE", `/posts/${id}`)).toMatchObject({ status: 200, body: cancelled });
    expect((await ask(service, "GET", "/posts?status=scheduled")).body).toEqual({ data: [] });
    expect((await ask(service, "GET", "/posts")).body).toEqual({ data: [cancelled] });
    expect(await refusal(ask(service, "DELETE", `/posts/${id}`))).toBe("404 not_found");
    expect(await refusal(ask(service, "GET", "/posts/post_0"))).toBe("404 not_found");
    expect(service.counters).toMatchObject({ requests: 8, lists: 3, creates: 1, cancels: 1 });
    expect(service.posts.get(id)).toMatchObject({ ...cancelled, madeBy: "api" });
  });

  test("the service refuses posts that the interface does not allow", async () => {
    const service = await start();
    const bodies = {
      "no JSON": "{",
      "no object": "[]",
      "no content": draft({ content: undefined }),
      "nothing to show": draft({ content: " \n" }),
      "no platforms": draft({ platforms: [] }),
      "platforms as text": draft({ platforms: "twitter" }),
      "a platform twice": draft({ platforms: ["twitter", "twitter"] }),
      "a platform that is not connected": draft({ platforms: ["myspace"] }),
      "a platform in capitals": draft({ platforms: ["Twitter"] }),
      "no time": draft({ scheduled_at: undefined }),
      milliseconds: draft({ scheduled_at: "2099-03-01T08:00:00.000Z" }),
      "an offset": draft({ scheduled_at: "2099-03-01T08:00:00+00:00" }),
      "30 February": draft({ scheduled_at: "2099-02-30T08:00:00Z" }),
      "hour 24": draft({ scheduled_at: "2099-02-20T24:00:00Z" }),
      "the past": draft({ scheduled_at: "2020-03-01T08:00:00Z" }),
      "media as text": draft({ media_ids: "media_1" }),
      "media null": draft({ media_ids: null }),
      "an undocumented field": draft({ title: "Hello" }),
    };
    for (const [what, body] of Object.entries(bodies)) {
      expect([what, await refusal(ask(service, "POST", "/posts", { body }))]).toEqual([
        what,
        "400 validation_error",
      ]);
    }
    const headers = { "content-type": "text/plain" };
    expect((await ask(service, "POST", "/posts", { body: draft(), headers })).status).toBe(400);
    const { statusCode } = await request(`${service.url}/posts`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(draft({ content: "café" })), "latin1"),
    });
    expect(statusCode).toBe(400);
    expect([service.posts.size, service.counters.creates]).toEqual([0, 0]);
  });

  test("a new post appears in lists after the list lag, and under its id immediately", async () => {
    let now = START;
    const service = await start({ listLagMs: 5_000, now: () => now });
    const id = idIn(await ask(service, "POST", "/posts", { body: draft() }));
    const list = () => ask(service, "GET", "/posts?status=scheduled");
    now += 4_999;
    expect(idsIn(await list())).toEqual([]);
    expect((await ask(service, "GET", `/posts/${id}`)).status).toBe(200);
    now += 1;
    expect(idsIn(await list())).toEqual([id]);
  });
});

describe("keys", () => {
  test("the service refuses a missing, wrong or revoked key, and does not count it in the rate limit", async () => {
    const service = await start({ limit: { perWindow: 1, windowMs: 60_000, resetUnit: "seconds" } });
    expect(await refusal(ask(service, "GET", "/posts", { key: null }))).toBe("401 unauthorized");
    expect(await refusal(ask(service, "GET", "/posts", { key: `${service.key}x` }))).toBe("401 unauthorized");
    expect((await ask(service, "GET", "/posts")).status).toBe(200);
    service.revokeKey(service.key);
    expect(await refusal(ask(service, "GET", "/posts"))).toBe("401 unauthorized");
  });

  test("the request log holds every request and no key", async () => {
    const service = await start();
    await ask(service, "GET", "/posts?status=scheduled&limit=5", { headers: { "x-trace": "7" } });
    await ask(service, "POST", "/posts", { body: draft({ content: "" }) });
    const query = { status: "scheduled", limit: "5" };
    expect(service.requests).toMatchObject([
      {
        n: 1,
        method: "GET",
        path: "/v1/posts",
        query,
        headers: { "x-trace": "7" },
        status: 200,
        handled: true,
      },
      { n: 2, method: "POST", path: "/v1/posts", query: {}, status: 400, handled: true },
    ]);
    expect(JSON.stringify(service.requests)).not.toContain(service.key);
  });
});

describe("changes by other people", () => {
  test("duplicates() finds the same text at the same time on the same platform, however the rows are written", async () => {
    const service = await start();
    const create = async (over: Record<string, unknown>) =>
      idIn(await ask(service, "POST", "/posts", { body: draft(over) }));
    const first = await create({ content: "Café\nopen", platforms: ["twitter", "linkedin"] });
    await create({ content: "Café\nopen", scheduled_at: "2099-03-01T08:00:01Z" });
    await create({ content: "Café\nopen", platforms: ["bluesky"] });
    await create({ content: "Cafe\nopen" });
    expect(service.duplicates()).toEqual([]);
    const second = await create({ content: "Cafe\u0301\r\nopen \n", platforms: ["linkedin"] });
    expect(service.duplicates().map((group) => group.map((post) => post.id))).toEqual([[first, second]]);
    service.publishDue(Date.parse("2099-03-01T08:00:00Z"));
    expect(service.duplicates()).toHaveLength(1);
    service.cancelByHand(first);
    expect(service.duplicates()).toEqual([]);
  });
});

function rateIn({ headers }: { headers: Record<string, unknown> }) {
  return ["limit", "remaining", "reset"].map((name) => headers[`x-ratelimit-${name}`]);
}

describe("rate limit", () => {
  const limit: LimitOptions = { perWindow: 2, windowMs: 10_000, resetUnit: "seconds" };

  test("a window begins with its first request, and every answer shows how many requests are left", async () => {
    let now = START;
    const service = await start({ now: () => now, limit });
    const list = () => ask(service, "GET", "/posts");
    const first = await list();
    expect(rateIn(first)).toEqual(["2", "1", "10"]);
    expect(first.headers["date"]).toBe("Fri, 01 Jan 2027 00:00:00 GMT");
    now += 4_500;
    expect(rateIn(await ask(service, "GET", "/posts/post_0"))).toEqual(["2", "0", "6"]);
    const refused = await list();
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limit_exceeded", retry_after: 6 } },
    });
    expect(rateIn(refused)).toEqual(["2", "0", "6"]);
    expect([service.counters.rateLimited, service.requests.at(-1)?.handled]).toEqual([1, false]);
    now += 5_499;
    expect((await list()).status).toBe(429);
    now += 1;
    expect(rateIn(await list())).toEqual(["2", "1", "10"]);
  });
});

test("whenQuiet waits for a request whose client is gone", async () => {
  const service = await start();
  const client = new Agent();
  const events = new EventEmitter();
  const gone = once(events, "gone");
  const arrived = once(events, "arrived");
  const run = async (): Promise<void> => {
    events.emit("arrived");
    await gone;
  };
  service.faults.at(1, { kind: "run-before", run });
  const sent = request(`${service.url}/posts`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify(draft()),
    dispatcher: client,
  });
  sent.catch(() => undefined);
  await arrived;
  await client.destroy();
  const quiet = service.whenQuiet();
  expect(service.posts.size).toBe(0);
  events.emit("gone");
  await quiet;
  expect(service.posts.size).toBe(1);
});

test("the service imports nothing from src, because it tests plancast", async () => {
  const folder = new URL("./foreign/", import.meta.url);
  const files = (await readdir(folder)).map((name) => new URL(name, folder));
  const texts = await Promise.all(
    [...files, new URL("./foreign-service.ts", import.meta.url)].map((file) => readFile(file, "utf8")),
  );
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(text).not.toMatch(/from ".*\/src\//);
});
