/** The client that the package exports, with services of several shapes over HTTP, and with one that fails. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, type ClientOptions, createClient, isFailure } from "../../../src/index.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { FAR_SHAPES } from "../../support/far-shapes.ts";
import {
  type ForeignOptions,
  type ForeignService,
  startForeignService,
} from "../../support/foreign-service.ts";
import { SHAPES } from "../../support/foreign/shapes.ts";
import { makeProject } from "../../support/project.ts";
import { tinyPng } from "../../support/tiny-media.ts";

interface Pair {
  readonly service: ForeignService;
  readonly client: Client;
}

async function start(given: ForeignOptions = {}, options: ClientOptions = {}): Promise<Pair> {
  const service = await startForeignService(given);
  afterThisTest(() => service.close());
  const client = createClient({ url: service.url, apiKey: service.key, ...options });
  afterThisTest(() => client.close());
  return { service, client };
}

const POST = { content: "Hi", platforms: ["twitter"], scheduledAt: "2036-03-01T10:00:00+01:00" };

/** Answers all requests to a path with the same body. */
function answering(service: ForeignService, path: string, body: unknown, status = 200): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  service.faults.plan((request) =>
    request.path === path ? { kind: "answer-before", answer: { status, body: text } } : undefined,
  );
}

async function failureOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
  } catch (error) {
    return isFailure(error) ? error.code : String(error);
  }
  return "none";
}

describe.each(Object.entries(SHAPES))("%s", (_name, shape) => {
  test("posts, media and accounts", async () => {
    const { service, client } = await start({ shape });
    const { root } = await makeProject({ files: { "a.png": tinyPng() } });
    const uploaded = await client.media.upload(join(root, "a.png"));
    const mediaId = uploaded.result === "done" ? uploaded.value.id : "";
    expect((await client.media.list()).items.map(({ id }) => id)).toEqual([mediaId]);

    const created = await client.posts.create({ ...POST, mediaIds: [mediaId] });
    const id = created.result === "done" ? created.value.id : "";
    const made = service.posts.get(id);
    expect(made).toMatchObject({ content: "Hi", scheduled_at: "2036-03-01T09:00:00Z", media_ids: [mediaId] });
    const { items } = await client.posts.list({ status: "scheduled" });
    const told = { id, content: "Hi", platforms: ["twitter"], scheduledAt: "2036-03-01T09:00:00Z" };
    expect(items).toEqual([expect.objectContaining(told)]);
    expect(await client.posts.get(id)).toMatchObject(told);
    expect(await client.posts.get("post_none")).toBeUndefined();

    expect(await client.posts.cancel(id)).toEqual({ result: "done", value: "cancelled" });
    expect(service.scheduled()).toEqual([]);
    expect((await client.posts.list({ status: "scheduled" })).items).toEqual([]);
    const { items: accounts } = await client.platforms.list();
    expect(accounts.map(({ platform }) => platform)).toContain("twitter");
  });
});

test.each(Object.entries(FAR_SHAPES))(
  "a service that plancast can read only with a shape: %s",
  async (_name, { service: words, shape }) => {
    const { service, client } = await start({ shape: words }, { shape });
    const created = await client.posts.create(POST);
    const id = created.result === "done" ? created.value.id : "";
    expect(service.posts.get(id)?.content).toBe("Hi");
    const told = { id, content: "Hi", platforms: ["twitter"], scheduledAt: "2036-03-01T09:00:00Z" };
    expect((await client.posts.list({ status: "scheduled" })).items).toMatchObject([told]);
    expect(await client.posts.get(id)).toMatchObject({ ...told, status: expect.any(String) });
    expect((await client.platforms.list()).items[0]).toMatchObject({ platform: "twitter", name: "@twitter" });
    const unshaped = createClient({ url: service.url, apiKey: service.key });
    afterThisTest(() => unshaped.close());
    expect(await failureOf(() => unshaped.posts.list())).toBe("service/unreadable");
  },
);

test("the answer to an upload is also read in the form of the interface, wherever the shape puts other records", async () => {
  const { service: words, shape } = FAR_SHAPES.far;
  const { client } = await start({ shape: { ...words, mediaRecord: [] } }, { shape });
  const { root } = await makeProject({ files: { "a.png": tinyPng() } });
  expect(await client.media.upload(join(root, "a.png"))).toMatchObject({ result: "done" });
});

test.each([
  ['{"post":{"id":"a..b"}}', /createClient: shape\.post\.id: names separated by dots/],
  ['{"lst":"a"}', /createClient: shape: .*"lst"/],
  ['{"status":{"gone":"canceled"}}', /createClient: shape\.status\.gone/],
])("the error names the fault in a shape: %s", (shape, message) => {
  const options = { url: "https://example.com", apiKey: "key", shape: JSON.parse(shape) };
  expect(() => createClient(options)).toThrow(message);
});

test("a list contains all pages, and the client filters it if the service does not", async () => {
  const { service, client } = await start({
    shape: { statusFilter: "ignored" },
    paging: "next-url",
    pageSize: 7,
  });
  const ids = Array.from({ length: 30 }, () => service.addForeignPost().id);
  service.cancelByHand(ids[3] ?? "");
  expect((await client.posts.list()).items.length).toBe(30);
  expect((await client.posts.list({ status: "scheduled" })).items.length).toBe(29);
  expect((await client.posts.list({ status: "cancelled" })).items.map(({ id }) => id)).toEqual([ids[3]]);
});

test("a list whose end is unknown is marked as doubtful", async () => {
  const { service, client } = await start({ paging: "cap", cap: 20 });
  for (let count = 0; count < 20; count += 1) service.addForeignPost();
  const { items, wholeness } = await client.posts.list();
  expect([items.length, wholeness]).toEqual([20, "cap-like"]);
});

test.each(["drop-after", "status-500-after", "cut-answer", "not-json"] as const)(
  "after %s, a create has an unknown result, was sent once, and throws nothing",
  async (fault) => {
    const { service, client } = await start();
    service.faults.at(1, fault, { method: "POST" });
    expect(await client.posts.create(POST)).toMatchObject({ result: "unknown" });
    expect([service.counters.creates, service.requests.length]).toEqual([1, 1]);
  },
);

test("a refusal is a value, with the service's own message", async () => {
  const { client } = await start();
  const refused = await client.posts.create({ ...POST, platforms: ["myspace"] });
  expect(refused).toMatchObject({ result: "refused", code: "validation_error", fatal: false });
});

test("waits for the rate limit instead of being refused", async () => {
  const { service, client } = await start({
    limit: { perWindow: 3, windowMs: 1_500, resetUnit: "seconds" },
  });
  const made = await Promise.all(Array.from({ length: 6 }, () => client.posts.create(POST)));
  expect(made.map(({ result }) => result)).toEqual(Array.from({ length: 6 }, () => "done"));
  expect(service.counters.rateLimited).toBe(0);
});

test("after close nothing is sent", async () => {
  const { service, client } = await start();
  await client.close();
  expect(await client.posts.create(POST)).toEqual({ result: "not_started" });
  expect(await failureOf(() => client.posts.list())).toBe("usage/arguments");
  expect(service.requests.length).toBe(0);
});

test("a signal stops what has not started", async () => {
  const stop = new AbortController();
  const { service, client } = await start({}, { signal: stop.signal });
  stop.abort();
  expect(await client.posts.cancel("post_1")).toEqual({ result: "not_started" });
  expect(await failureOf(() => client.posts.get("post_1"))).toBe("service/unreachable");
  expect(service.requests.length).toBe(0);
});

test.each<[string, (client: Client) => unknown]>([
  ["service/not-found", (client) => client.posts.cancel("")],
  ["service/not-found", (client) => client.posts.get("..")],
  ["service/not-found", (client) => client.platforms.disconnect("a/../b c")],
  ["usage/arguments", (client) => client.posts.create({ ...POST, scheduledAt: "2036-03-01 10:00" })],
  ["usage/arguments", (client) => client.posts.create({ ...POST, platforms: [] })],
  ["usage/arguments", (client) => client.posts.create(JSON.parse('{"platforms":"twitter"}'))],
  ["usage/arguments", (client) => client.webhooks.add({ url: "here", events: ["post.failed"] })],
  ["disk/unreadable", (client) => client.media.upload("/nowhere/at-all.png")],
])("%s, and nothing is sent (%#)", async (code, call) => {
  const { service, client } = await start();
  expect(await failureOf(() => call(client))).toBe(code);
  expect(service.requests.length).toBe(0);
});

test.each<[string, ClientOptions]>([
  ["service/no-key", { apiKey: "" }],
  ["service/no-key", { apiKey: "two words" }],
  ["service/address", { url: "http://example.com" }],
  ["usage/arguments", { timeout: "soon" }],
  ["usage/arguments", { listLimit: 0 }],
])("%s when the client is made", async (code, options) => {
  const given = { url: "https://example.com", apiKey: "key", ...options };
  expect(await failureOf(() => createClient(given))).toBe(code);
});

test("refuses an option that it does not have, and suggests the nearest one", () => {
  const options: ClientOptions = { url: "https://example.com", ...JSON.parse('{"apikey":"secret"}') };
  expect(() => createClient(options)).toThrow(
    expect.objectContaining({
      code: "usage/arguments",
      message: "createClient has no option `apikey`. Did you mean `apiKey`?",
    }),
  );
});

test.each<[unknown, string]>([
  [{ content: "Hello" }, "Hello"],
  [{ data: { text: "Hello", tokens: 3 } }, "Hello"],
])("AI text as %j", async (body, text) => {
  const { service, client } = await start();
  answering(service, "/v1/ai/text", JSON.stringify(body));
  const made = await client.ai.text({ prompt: "Greet", platform: "twitter", tone: "casual" });
  expect(made).toMatchObject({ result: "done", value: { text } });
});

const BYTES = Buffer.from(tinyPng()).toString("base64");

test.each<[unknown, object]>([
  [
    { id: "media_7", url: "https://example.com/a.png", type: "image" },
    { mediaId: "media_7", url: "https://example.com/a.png" },
  ],
  [{ url: "https://example.com/a.png" }, { url: "https://example.com/a.png" }],
  [{ data: { base64: BYTES } }, { base64: BYTES }],
  [{ media: { media_id: "media_8" } }, { mediaId: "media_8" }],
])("an AI picture (%#)", async (body, image) => {
  const { service, client } = await start();
  answering(service, "/v1/ai/image", body);
  expect(await client.ai.image({ prompt: "A fern", size: "1024x1024" })).toMatchObject({
    result: "done",
    value: image,
  });
});

test.each([{}, [], { text: "" }, "<html>", "Hello", { error: null }, { choices: [{ text: "Hello" }] }])(
  "an answer without a text is unknown: %j",
  async (body) => {
    const { service, client } = await start();
    answering(service, "/v1/ai/text", body);
    expect(await client.ai.text({ prompt: "Greet", platform: "twitter" })).toMatchObject({
      result: "unknown",
    });
    expect(service.requests.length).toBe(1);
  },
);

test("automations and webhooks", async () => {
  const { service, client } = await start();
  answering(service, "/v1/automations", { automations: [{ id: 12, name: "Digest" }] });
  expect((await client.automations.list()).items).toMatchObject([{ id: "12", name: "Digest" }]);
  answering(service, "/v1/automations/12/trigger", { run: { id: "run_1", status: "Completed" } });
  expect(await client.automations.trigger("12", "https://example.com")).toMatchObject({
    result: "done",
    value: { id: "run_1", status: "completed" },
  });
  answering(service, "/v1/webhooks", { webhook: { id: "wh_1", url: "https://example.com/x" } }, 201);
  const hook = { url: "https://example.com/x", events: ["post.published"] };
  expect(await client.webhooks.add(hook)).toMatchObject({ result: "done", value: { id: "wh_1" } });
  answering(service, "/v1/webhooks", "<html>Sign in</html>");
  expect(await client.webhooks.add(hook)).toMatchObject({ result: "unknown" });
});

test("disconnects an account, or checks what the service shows about it", async () => {
  const { service, client } = await start({ shape: { platforms: "accounts" } });
  const answer = (status: number, body: string): void => {
    service.faults.at(1, { kind: "answer-before", answer: { status, body } }, { method: "DELETE" });
  };
  answer(204, "");
  expect(await client.platforms.disconnect("acc_2")).toEqual({ result: "done", value: "disconnected" });
  // The foreign service has no endpoint for this, so it answers 404 for records that it lists.
  expect(await client.platforms.disconnect("acc_2")).toMatchObject({ result: "refused", code: "not_found" });
  expect(await client.platforms.disconnect("acc_99")).toEqual({ result: "done", value: "already-gone" });
  answer(200, "<html>Sign in</html>");
  expect(await client.platforms.disconnect("acc_2")).toMatchObject({ result: "unknown" });
});

test("no message, value or log contains the key", async () => {
  const logged: unknown[] = [];
  const { service, client } = await start({}, { onRequest: (request) => logged.push(request) });
  answering(
    service,
    "/v1/ai/text",
    { error: { code: "unauthorized", message: `bad key ${service.key}` } },
    401,
  );
  const refused = await client.ai.text({ prompt: "x", platform: "twitter" });
  answering(service, "/v1/posts", { error: { code: "forbidden", message: `bad key ${service.key}` } }, 403);
  const thrown = await client.posts.list().catch((error: unknown) => String(error));
  const all = JSON.stringify([refused, thrown, logged]);
  expect(all).toContain("(the key)");
  expect(all).not.toContain(service.key);
});

test("a cancel that was stopped between two attempts is unknown", async () => {
  const stop = new AbortController();
  const { service, client } = await start({}, { signal: stop.signal, onWait: () => stop.abort() });
  const { id } = service.addForeignPost();
  service.faults.at(1, "status-500-after", { method: "DELETE" });
  expect(await client.posts.cancel(id)).toMatchObject({ result: "unknown" });
  expect(service.scheduled()).toEqual([]);
});
