import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { Agent, FormData, request, setGlobalDispatcher } from "undici";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, draft, idIn } from "./foreign/ask.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";
import { tinyPng } from "./tiny-media.ts";

const agent = new Agent();
setGlobalDispatcher(agent);
afterAll(() => agent.close());

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  onTestFinished(() => service.close());
  return service;
}

async function upload(
  service: ForeignService,
  bytes: Uint8Array,
  { name = "a.png", type = "image/png", field = "file" } = {},
) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  const headers = { authorization: `Bearer ${service.key}` };
  const answer = await request(`${service.url}/media`, { method: "POST", headers, body: form });
  return { status: answer.statusCode, body: await answer.body.json() };
}

async function refusal(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer;
  return { status, code: Object(Object(body).error).code };
}

describe("posts", () => {
  test("a post is created, listed, read and cancelled in the documented words", async () => {
    const service = await start();
    const created = await ask(service, "POST", "/posts", { body: draft() });
    const id = idIn(created);
    const record = { ...draft(), id, status: "scheduled" };
    expect(id).toMatch(/^post_[0-9a-f]{12}$/);
    expect(created).toMatchObject({ status: 201, body: record });
    expect((await ask(service, "GET", "/posts?status=scheduled&limit=10")).body).toEqual({ data: [record] });
    expect((await ask(service, "GET", `/posts/${id}`)).body).toEqual(record);
    const cancelled = { ...record, status: "cancelled" };
    expect(await ask(service, "DELETE", `/posts/${id}`)).toMatchObject({ status: 200, body: cancelled });
    expect((await ask(service, "GET", "/posts?status=scheduled")).body).toEqual({ data: [] });
    expect((await ask(service, "GET", "/posts")).body).toEqual({ data: [cancelled] });
    expect((await ask(service, "GET", `/posts/${id}`)).body).toEqual(cancelled);
    expect(await refusal(ask(service, "DELETE", `/posts/${id}`))).toEqual({ status: 404, code: "not_found" });
    expect(service.counters).toEqual({
      requests: 8,
      lists: 3,
      creates: 1,
      cancels: 1,
      uploads: 0,
      rateLimited: 0,
    });
    expect(service.posts.get(id)).toMatchObject({ ...draft(), id, status: "cancelled", madeBy: "api" });
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no content", draft({ content: undefined })],
    ["nothing to show", draft({ content: " \n" })],
    ["no platforms", draft({ platforms: [] })],
    ["platforms as text", draft({ platforms: "twitter" })],
    ["a platform twice", draft({ platforms: ["twitter", "twitter"] })],
    ["a platform that is not connected", draft({ platforms: ["myspace"] })],
    ["a platform in capitals", draft({ platforms: ["Twitter"] })],
    ["no time", draft({ scheduled_at: undefined })],
    ["ms in the time", draft({ scheduled_at: "2099-03-01T08:00:00.000Z" })],
    ["an offset", draft({ scheduled_at: "2099-03-01T08:00:00+00:00" })],
    ["a day that there is not", draft({ scheduled_at: "2099-02-30T08:00:00Z" })],
    ["hour 24", draft({ scheduled_at: "2099-02-20T24:00:00Z" })],
    ["the past", draft({ scheduled_at: "2020-03-01T08:00:00Z" })],
    ["media as text", draft({ media_ids: "media_1" })],
    ["null media", draft({ media_ids: null })],
    ["a field that is not documented", draft({ title: "Hello" })],
  ])("refuses a post with %s", async (_what, body) => {
    const service = await start();
    const answer = ask(service, "POST", "/posts", { body });
    expect(await refusal(answer)).toEqual({ status: 400, code: "validation_error" });
    expect(service.posts.size).toBe(0);
    expect(service.counters).toMatchObject({ requests: 1, creates: 0 });
  });

  test("refuses a body that is not sent as JSON, or is not UTF-8", async () => {
    const service = await start();
    const asText = ask(service, "POST", "/posts", {
      body: draft(),
      headers: { "content-type": "text/plain" },
    });
    expect(await refusal(asText)).toEqual({ status: 400, code: "validation_error" });
    const { statusCode, body } = await request(`${service.url}/posts`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(draft({ content: "café" })), "latin1"),
    });
    await body.dump();
    expect(statusCode).toBe(400);
    expect(service.posts.size).toBe(0);
  });

  test("keeps text, time and order exactly as sent", async () => {
    const service = await start();
    const sent = draft({
      content: 'Cafe\u0301 👩‍👩‍👧\r\n\t"quoted" \u2028 end ',
      platforms: ["linkedin", "bluesky", "twitter"],
      media_ids: ["media_b", "media_a"],
    });
    const id = idIn(await ask(service, "POST", "/posts", { body: sent }));
    expect(service.posts.get(id)).toMatchObject(sent);
    expect((await ask(service, "GET", `/posts/${id}`)).body).toMatchObject(sent);
  });

  test("media need not be given, and content need not where there are media", async () => {
    const service = await start();
    const bare = draft({ media_ids: undefined });
    expect((await ask(service, "POST", "/posts", { body: bare })).status).toBe(201);
    const picture = draft({ content: "", media_ids: ["media_a"] });
    expect((await ask(service, "POST", "/posts", { body: picture })).status).toBe(201);
  });

  test("a published post cannot be cancelled, a post that never was is not found", async () => {
    const service = await start();
    const id = idIn(await ask(service, "POST", "/posts", { body: draft() }));
    service.publishDue(Date.parse("2099-03-01T08:00:00Z"));
    const published = ask(service, "DELETE", `/posts/${id}`);
    expect(await refusal(published)).toEqual({ status: 400, code: "validation_error" });
    expect(service.posts.get(id)?.status).toBe("published");
    for (const path of ["/posts/post_0", "/posts/%zz", "/posts/a/b", "/drafts", "/webhooks"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await refusal(ask(service, "GET", path))).toEqual({ status: 404, code: "not_found" });
    }
  });

  test("a list refuses what it cannot understand", async () => {
    const service = await start();
    for (const query of ["limit=0", "limit=-1", "limit=ten", "limit=1.5", "status=waiting"]) {
      const answer = ask(service, "GET", `/posts?${query}`);
      // oxlint-disable-next-line no-await-in-loop
      expect(await refusal(answer)).toEqual({ status: 400, code: "validation_error" });
    }
    expect(service.counters.lists).toBe(0);
  });
});

describe("media", () => {
  test("an upload is hashed as it comes and shown in the documented words", async () => {
    const service = await start();
    const bytes = Buffer.alloc(3_000_000, "plancast");
    const answer = await upload(service, bytes, { name: 'föö "x".mp4', type: "video/mp4", field: "upload" });
    const [[id, stored] = []] = service.media;
    expect(answer).toEqual({
      status: 201,
      body: { id, url: `${service.origin}/files/${id}`, type: "video" },
    });
    expect(id).toMatch(/^media_[0-9a-f]{12}$/);
    expect(stored).toEqual({
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: 3_000_000,
      filename: expect.stringContaining("föö"),
      mime: "video/mp4",
      fieldName: "upload",
    });
  });

  test("lists media by type, and no longer those that were forgotten", async () => {
    const service = await start();
    await upload(service, tinyPng(1));
    await upload(service, Buffer.from("film"), { type: "video/mp4" });
    const [image, video] = [...service.media.keys()];
    const idsOf = async (query: string) => {
      const { body } = await ask(service, "GET", `/media${query}`);
      return Object(body).data.map((item: { id: string }) => item.id);
    };
    expect(await idsOf("")).toEqual([image, video]);
    expect(await idsOf("?type=image")).toEqual([image]);
    service.forgetMedia(image ?? "");
    expect(await idsOf("")).toEqual([video]);
    expect(() => service.forgetMedia(image ?? "")).toThrow("no media item");
  });

  test("the same bytes twice are two items", async () => {
    const service = await start();
    await upload(service, tinyPng(1));
    await upload(service, tinyPng(1));
    expect(service.media.size).toBe(2);
    expect(new Set([...service.media.values()].map((each) => each.sha256)).size).toBe(1);
  });

  test("refuses an empty file, no file, two files, another field and another type", async () => {
    const service = await start({ uploadField: "file" });
    const refused = { status: 400, code: "validation_error" };
    expect(await refusal(upload(service, new Uint8Array()))).toEqual(refused);
    expect(await refusal(upload(service, tinyPng(), { field: "upload" }))).toEqual(refused);
    expect(await refusal(ask(service, "POST", "/media", { body: draft() }))).toEqual(refused);
    const form = new FormData();
    form.append("file", "only text");
    const headers = { authorization: `Bearer ${service.key}` };
    const none = await request(`${service.url}/media`, { method: "POST", headers, body: form });
    expect(await refusal(none.body.json().then((body) => ({ status: none.statusCode, body })))).toEqual(
      refused,
    );
    form.append("file", new Blob(["a"]), "a.png");
    form.append("file", new Blob(["b"]), "b.png");
    const two = await request(`${service.url}/media`, { method: "POST", headers, body: form });
    expect(await refusal(two.body.json().then((body) => ({ status: two.statusCode, body })))).toEqual(
      refused,
    );
    expect(service.media.size).toBe(0);
    expect(service.counters.uploads).toBe(0);
  });

  test.each([
    ["without its end", '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
    ["that is none", "abc"],
    ["with nothing in it", ""],
  ])("refuses a form %s, and answers", async (_what, body) => {
    const service = await start();
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const answer = ask(service, "POST", "/media", { body, headers });
    expect(await refusal(answer)).toEqual({ status: 400, code: "validation_error" });
    expect(service.media.size).toBe(0);
  });

  test("refuses posts with unknown media where it is told to", async () => {
    const sent = draft({ media_ids: ["media_0"] });
    const strict = await start({ requireMedia: true });
    const answer = ask(strict, "POST", "/posts", { body: sent });
    expect(await refusal(answer)).toEqual({ status: 400, code: "validation_error" });
    const other = await start({ requireMedia: "not_found" });
    const notFound = ask(other, "POST", "/posts", { body: sent });
    expect(await refusal(notFound)).toEqual({ status: 404, code: "not_found" });
    await upload(other, tinyPng());
    const known = draft({ media_ids: [...other.media.keys()] });
    expect((await ask(other, "POST", "/posts", { body: known })).status).toBe(201);
  });
});

describe("keys", () => {
  test("no key, a wrong one and a revoked one are refused, and are not counted by the limit", async () => {
    const service = await start({ limit: { perWindow: 1, windowMs: 60_000, resetUnit: "seconds" } });
    const refused = { status: 401, code: "unauthorized" };
    expect(await refusal(ask(service, "GET", "/posts", { key: null }))).toEqual(refused);
    expect(await refusal(ask(service, "GET", "/posts", { key: `${service.key}x` }))).toEqual(refused);
    expect((await ask(service, "GET", "/posts")).status).toBe(200);
    service.revokeKey(service.key);
    expect(await refusal(ask(service, "GET", "/posts"))).toEqual(refused);
    expect(service.requests.map((each) => each.scope)).toEqual([undefined, undefined, "write", undefined]);
    expect(service.requests.map((each) => each.handled)).toEqual([false, false, true, false]);
  });

  test("a key that may read may not write", async () => {
    const service = await start({ keys: { reader: "read", writer: "write" } });
    expect(service.key).toBe("writer");
    expect((await ask(service, "GET", "/posts", { key: "reader" })).status).toBe(200);
    const forbidden = { status: 403, code: "forbidden" };
    expect(await refusal(ask(service, "POST", "/posts", { key: "reader", body: draft() }))).toEqual(
      forbidden,
    );
    expect(await refusal(ask(service, "DELETE", "/posts/post_0", { key: "reader" }))).toEqual(forbidden);
    expect(service.posts.size).toBe(0);
  });

  test("the log holds every request, and no key", async () => {
    const service = await start();
    await ask(service, "GET", "/posts?status=scheduled&limit=5", { headers: { "x-trace": "7" } });
    await ask(service, "POST", "/posts", { body: draft({ content: "" }) });
    expect(service.requests).toMatchObject([
      {
        n: 1,
        method: "GET",
        path: "/v1/posts",
        query: { status: "scheduled", limit: "5" },
        headers: { "x-trace": "7" },
        status: 200,
        handled: true,
        fault: undefined,
      },
      { n: 2, method: "POST", path: "/v1/posts", query: {}, status: 400, handled: true },
    ]);
    expect(JSON.stringify(service.requests)).not.toContain(service.key);
  });
});

describe("what others do", () => {
  test("posts of somebody else are listed, and told apart from the client's", async () => {
    const service = await start();
    const theirs = service.addForeignPost({ content: "Theirs", scheduled_at: "2099-01-01T00:00:00+02:00" });
    const ours = idIn(await ask(service, "POST", "/posts", { body: draft() }));
    expect([...service.posts.values()].map((post) => [post.id, post.madeBy])).toEqual([
      [theirs.id, "foreign"],
      [ours, "api"],
    ]);
    const { body } = await ask(service, "GET", "/posts");
    expect(Object(body).data.map((post: { id: string }) => post.id)).toEqual([ours, theirs.id]);
    expect(service.counters.creates).toBe(1);
  });

  test("publishes what is due, cancels and edits by hand", async () => {
    const service = await start();
    const [first, second, third] = ["10:00", "11:00", "12:00"].map((time) =>
      service.addForeignPost({ scheduled_at: `2099-01-01T${time}:00Z` }),
    );
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("three were made");
    service.cancelByHand(first.id);
    expect(service.publishDue(Date.parse("2099-01-01T11:00:00Z")).map((post) => post.id)).toEqual([
      second.id,
    ]);
    service.edit(third.id, { content: "Edited" });
    expect(service.scheduled()).toEqual([{ ...third, content: "Edited" }]);
    expect(service.posts.get(first.id)?.status).toBe("cancelled");
    expect(service.counters.cancels).toBe(0);
    expect(() => service.edit("post_0", {})).toThrow("no post");
  });

  test("duplicates are found, however they are written, and only where both are to be published", async () => {
    const service = await start();
    const create = async (over: Record<string, unknown>) =>
      idIn(await ask(service, "POST", "/posts", { body: draft(over) }));
    const first = await create({ content: "Café\nopen", platforms: ["twitter", "linkedin"] });
    await create({ content: "Café\nopen", scheduled_at: "2099-03-01T08:00:01Z" });
    await create({ content: "Cafe\nopen" });
    expect(service.duplicates()).toEqual([]);
    const second = await create({ content: "Cafe\u0301\r\nopen \n", platforms: ["linkedin"] });
    expect(service.duplicates().map((group) => group.map((post) => post.id))).toEqual([[first, second]]);
    service.publishDue(Date.parse("2099-03-01T08:00:00Z"));
    expect(service.duplicates()).toHaveLength(1);
    service.cancelByHand(first);
    expect(service.duplicates()).toEqual([]);
  });

  test("counts how often the same was created", async () => {
    const service = await start();
    const counts: (number | undefined)[] = [];
    for (const content of ["one", "two", "one"]) {
      // oxlint-disable-next-line no-await-in-loop
      const id = idIn(await ask(service, "POST", "/posts", { body: draft({ content }) }));
      counts.push(service.posts.get(id)?.createCount);
      service.cancelByHand(id);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  test("a new post is listed late where it is told to, and can be read at once", async () => {
    let now = Date.parse("2027-01-01T00:00:00Z");
    const service = await start({ listLagMs: 5_000, now: () => now });
    const id = idIn(await ask(service, "POST", "/posts", { body: draft() }));
    const listed = async () =>
      Object((await ask(service, "GET", "/posts?status=scheduled")).body).data.length;
    expect(await listed()).toBe(0);
    expect((await ask(service, "GET", `/posts/${id}`)).status).toBe(200);
    now += 4_999;
    expect(await listed()).toBe(0);
    now += 1;
    expect(await listed()).toBe(1);
  });

  test("answers carry the service's own date", async () => {
    const service = await start({ now: () => Date.parse("2027-01-01T00:00:00Z") });
    const { headers } = await ask(service, "GET", "/posts");
    expect(headers["date"]).toBe("Fri, 01 Jan 2027 00:00:00 GMT");
  });
});

function rateOf({ headers }: { headers: Record<string, unknown> }) {
  return ["limit", "remaining", "reset"].map((name) => headers[`x-ratelimit-${name}`]);
}

describe("rate limit", () => {
  const START = Date.parse("2027-01-01T00:00:00Z");

  test("a fixed window from its first request on, told in every answer", async () => {
    let now = START;
    const service = await start({
      now: () => now,
      limit: { perWindow: 2, windowMs: 10_000, resetUnit: "seconds" },
    });
    const list = () => ask(service, "GET", "/posts");
    expect(rateOf(await list())).toEqual(["2", "1", "10"]);
    now += 4_500;
    expect(rateOf(await ask(service, "GET", "/posts/post_0"))).toEqual(["2", "0", "6"]);
    const refused = await list();
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limit_exceeded", message: expect.any(String), retry_after: 6 } },
    });
    expect(rateOf(refused)).toEqual(["2", "0", "6"]);
    expect(service.counters.rateLimited).toBe(1);
    expect(service.requests.at(-1)?.handled).toBe(false);
    now += 5_499;
    expect((await list()).status).toBe(429);
    now += 1;
    expect(rateOf(await list())).toEqual(["2", "1", "10"]);
  });

  test.each([
    ["seconds", "10"],
    ["epoch", String(START / 1_000 + 10)],
    ["epoch-ms", String(START + 10_000)],
    ["none", undefined],
  ] as const)("the reset as %s", async (resetUnit, expected) => {
    const service = await start({
      now: () => START,
      limit: { perWindow: 2, windowMs: 10_000, resetUnit },
    });
    expect(rateOf(await ask(service, "GET", "/posts"))).toEqual(["2", "1", expected]);
  });

  test("refused requests lengthen the wait only where they count", async () => {
    for (const countRefused of [false, true]) {
      let now = START;
      // oxlint-disable-next-line no-await-in-loop
      const service = await start({
        now: () => now,
        limit: { perWindow: 1, windowMs: 10_000, resetUnit: "seconds", countRefused },
      });
      const statuses: number[] = [];
      for (const wait of [0, 9_000, 1_000, 9_000]) {
        now += wait;
        // oxlint-disable-next-line no-await-in-loop
        statuses.push((await ask(service, "GET", "/posts")).status);
      }
      expect(statuses).toEqual(countRefused ? [200, 429, 429, 429] : [200, 429, 200, 429]);
    }
  });

  test("others use up the window too", async () => {
    const service = await start({
      now: () => START,
      limit: { perWindow: 5, windowMs: 10_000, resetUnit: "seconds" },
    });
    service.spendByOthers(3);
    expect(rateOf(await ask(service, "GET", "/posts"))).toEqual(["5", "1", "10"]);
    service.spendByOthers(3);
    expect((await ask(service, "GET", "/posts")).status).toBe(429);
  });

  test.each([
    ["body", 10, undefined],
    ["header", undefined, "10"],
    ["both", 10, "10"],
    ["none", undefined, undefined],
  ] as const)("says when to come back in %s", async (retryAfter, inBody, inHeader) => {
    const service = await start({
      now: () => START,
      shape: { retryAfter },
      limit: { perWindow: 0, windowMs: 10_000, resetUnit: "seconds" },
    });
    const { body, headers } = await ask(service, "GET", "/posts");
    expect(Object(body).error.retry_after).toBe(inBody);
    expect(headers["retry-after"]).toBe(inHeader);
  });
});

test("whenQuiet waits for a request whose client is gone", async () => {
  const service = await start();
  service.faults.at(1, { kind: "slow-before", ms: 300 });
  const own = new Agent();
  const sent = request(`${service.url}/posts`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify(draft()),
    dispatcher: own,
  });
  sent.catch(() => undefined);
  while (service.requests.length === 0) {
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await own.destroy();
  expect(service.posts.size).toBe(0);
  await service.whenQuiet();
  expect(service.posts.size).toBe(1);
  expect(service.requests[0]).toMatchObject({ handled: true });
});

test("goes down and comes back on the same port", async () => {
  const service = await start();
  await ask(service, "POST", "/posts", { body: draft() });
  await service.goDown();
  await service.goDown();
  await expect(ask(service, "GET", "/posts")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await service.comeBack();
  await service.comeBack();
  expect(Object((await ask(service, "GET", "/posts")).body).data).toHaveLength(1);
});

test("close ends it for good, twice is once, and a service that is down can be closed", async () => {
  const service = await start();
  await service.goDown();
  await service.close();
  await service.close();
  await service.comeBack();
  await expect(ask(service, "GET", "/posts")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("nothing of plancast's own code is in it", async () => {
  const folder = new URL("./foreign/", import.meta.url);
  const files = (await readdir(folder)).map((name) => new URL(name, folder));
  for (const file of [...files, new URL("./foreign-service.ts", import.meta.url)]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await readFile(file, "utf8")).not.toMatch(/from ".*\/src\//);
  }
});
