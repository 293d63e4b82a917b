/** Every shape really changes what the service answers: else a test against it would prove nothing. */
import { FormData, request } from "undici";
import { describe, expect, test } from "vitest";
import { afterThisTest } from "./after-test.ts";
import { ask, draft } from "./foreign/ask.ts";
import type { Shape } from "./foreign/shape.ts";
import { SPARSE_SHAPES } from "./foreign/shapes.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";
import { tinyPng } from "./tiny-media.ts";

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  return service;
}

async function upload(service: ForeignService): Promise<unknown> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(tinyPng())], { type: "image/png" }), "a.png");
  const headers = { authorization: `Bearer ${service.key}` };
  const { body } = await request(`${service.url}/media`, { method: "POST", headers, body: form });
  return body.json();
}

const POST = draft({ content: "Café\nBye", scheduled_at: "2100-01-01T00:30:00Z" });
const LINKEDIN_AND_X = { id: "linkedin", name: "Linkedin" };

test.each<[Partial<Shape>, Record<string, unknown>]>([
  [{ idKey: "_id" }, { _id: expect.stringMatching(/^post_[0-9a-f]{12}$/) }],
  [{ idForm: "number" }, { id: 4_001 }],
  [{ idForm: "uuid" }, { id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) }],
  [{ timeKey: "publish_at" }, { publish_at: "2100-01-01T00:30:00Z" }],
  [{ times: [".000Z"] }, { scheduled_at: "2100-01-01T00:30:00.000Z" }],
  [{ times: [".000000Z"] }, { scheduled_at: "2100-01-01T00:30:00.000000Z" }],
  [{ times: ["+00:00"] }, { scheduled_at: "2100-01-01T00:30:00+00:00" }],
  [{ times: ["+05:45"] }, { scheduled_at: "2100-01-01T06:15:00+05:45" }],
  [{ times: ["-03:30"] }, { scheduled_at: "2099-12-31T21:00:00-03:30" }],
  [{ times: ["epoch"] }, { scheduled_at: 4_102_446_600 }],
  [{ times: ["epoch-ms"] }, { scheduled_at: 4_102_446_600_000 }],
  [{ contentKey: "caption" }, { caption: "Café\nBye" }],
  [{ contentEcho: "crlf" }, { content: "Café\r\nBye" }],
  [{ contentEcho: "nfd" }, { content: "Cafe\u0301\nBye" }],
  [{ contentEcho: "trailing-newline" }, { content: "Café\nBye\n" }],
  [{ platforms: "upper" }, { platforms: ["TWITTER", "LINKEDIN"] }],
  [{ platforms: "platform-objects" }, { platforms: [{ platform: "twitter" }, { platform: "linkedin" }] }],
  [{ platforms: "id-and-title" }, { platforms: [{ id: "twitter", name: "Twitter" }, LINKEDIN_AND_X] }],
  [
    { platforms: "account-and-name" },
    {
      platforms: [
        { id: "acc_1", name: "twitter" },
        { id: "acc_2", name: "linkedin" },
      ],
    },
  ],
  [{ platformOrder: "reversed" }, { platforms: ["linkedin", "twitter"] }],
  [{ emptyMedia: "null" }, { media_ids: null }],
  [{ emptyMedia: "absent" }, { media_ids: undefined }],
  [
    {
      statusKey: "state",
      statusWords: { scheduled: "WAIT", published: "SENT", cancelled: "OFF", failed: "ERR" },
    },
    { state: "WAIT" },
  ],
  [{ extras: { tags: ["a"], id: "wrong" } }, { tags: ["a"], id: expect.stringMatching(/^post_/) }],
  [SPARSE_SHAPES["no content"], { content: undefined }],
  [SPARSE_SHAPES["no platforms"], { platforms: undefined }],
  [SPARSE_SHAPES["no time"], { scheduled_at: undefined }],
  [SPARSE_SHAPES["no media"], { media_ids: undefined }],
])("the shape %j shows in every record", async (shape, expected) => {
  const service = await start({ shape: { ...shape, list: [] }, platforms: ["twitter", "linkedin"] });
  const created = await ask(service, "POST", "/posts", { body: POST });
  const [record] = Object((await ask(service, "GET", "/posts")).body);
  expect(record).toEqual(created.body);
  const [id = ""] = service.posts.keys();
  expect((await ask(service, "GET", `/posts/${id}`)).body).toEqual(record);
  for (const [key, value] of Object.entries(expected)) {
    if (value === undefined) expect(record).not.toHaveProperty(key);
    else expect(record[key]).toEqual(value);
  }
});

test("a shape with several time formats takes them in turn", async () => {
  const service = await start({ shape: { list: [], times: ["Z", "epoch"] } });
  for (const content of ["a", "b", "c"]) service.addForeignPost({ content });
  const { body } = await ask(service, "GET", "/posts");
  const kinds = Object(body).map((post: Record<string, unknown>) => typeof post["scheduled_at"]);
  expect(kinds).toEqual(["string", "number", "string"]);
});

test("a shape shows media as objects in the order sent", async () => {
  const service = await start({ shape: { list: [], media: "objects", mediaRecord: ["media"] } });
  const first = Object(await upload(service)).media;
  const second = Object(await upload(service)).media;
  await ask(service, "POST", "/posts", { body: draft({ media_ids: [second.id, first.id] }) });
  expect((await ask(service, "GET", "/posts")).body).toMatchObject([{ media: [second, first] }]);
});

test.each<[Partial<Shape>, readonly [create: string, show: string, list: string]]>([
  [{ list: [] }, ["RECORD", "RECORD", "[RECORD]"]],
  [{ list: ["posts"], record: ["post"] }, ['{"post":RECORD}', '{"post":RECORD}', '{"posts":[RECORD]}']],
  [
    { list: ["data", "items"], record: ["data"] },
    ['{"data":RECORD}', '{"data":RECORD}', '{"data":{"items":[RECORD]}}'],
  ],
  [{ created: "id-only" }, ['{"id":"ID"}', "RECORD", '{"data":[RECORD]}']],
  [
    {
      listExtras: { ok: true, meta: { page: 1 } },
      listTotal: "total",
      listHasMore: "more",
      pagingIn: "meta",
    },
    ["RECORD", "RECORD", '{"ok":true,"meta":{"page":1,"total":1,"more":false},"data":[RECORD]}'],
  ],
])("the shape %j wraps answers", async (shape, expected) => {
  const service = await start({ shape: { ...shape, createdStatus: 202 } });
  const created = await ask(service, "POST", "/posts", { body: draft() });
  expect(created.status).toBe(202);
  const [id = ""] = service.posts.keys();
  const shown = await ask(service, "GET", `/posts/${id}`);
  const listed = await ask(service, "GET", "/posts");
  const record = { ...draft(), id, status: "scheduled" };
  const fill = (text: string): unknown =>
    JSON.parse(text.replaceAll("RECORD", JSON.stringify(record)).replaceAll('"ID"', JSON.stringify(id)));
  expect([created.body, shown.body, listed.body]).toEqual(expected.map(fill));
});

test.each<[Partial<Shape>, number, string | RegExp, number, number]>([
  [{}, 200, /"status":"cancelled"/, 404, 200],
  [{ deleted: "empty-204" }, 204, "", 404, 200],
  [{ deleted: "empty-200" }, 200, "", 404, 200],
  [{ deleted: "flag" }, 200, '{"deleted":true}', 404, 200],
  [{ cancelAgain: "validation_error" }, 200, /cancelled/, 400, 200],
  [{ cancelAgain: "ok" }, 200, /cancelled/, 200, 200],
  [{ cancelled: "not-found" }, 200, /cancelled/, 404, 404],
])("the shape %j changes the answer to a cancel", async (shape, status, text, again, shown) => {
  const service = await start({ shape });
  const { id } = service.addForeignPost();
  const answer = await ask(service, "DELETE", `/posts/${id}`);
  expect(answer.status).toBe(status);
  if (typeof text === "string") expect(answer.text).toBe(text);
  else expect(answer.text).toMatch(text);
  expect(service.posts.get(id)?.status).toBe("cancelled");
  expect((await ask(service, "DELETE", `/posts/${id}`)).status).toBe(again);
  expect((await ask(service, "GET", `/posts/${id}`)).status).toBe(shown);
  expect(service.counters.cancels).toBe(1);
});

test("a shape may ignore the status filter of a list", async () => {
  for (const [statusFilter, count] of [
    ["honoured", 1],
    ["ignored", 2],
  ] as const) {
    const service = await start({ shape: { list: [], statusFilter } });
    service.cancelByHand(service.addForeignPost().id);
    service.addForeignPost();
    expect((await ask(service, "GET", "/posts?status=scheduled")).body).toHaveLength(count);
  }
});

test("a shape answers errors with other statuses or as HTML pages", async () => {
  const errorStatus = {
    unauthorized: 403,
    forbidden: 404,
    not_found: 410,
    validation_error: 422,
    rate_limit_exceeded: 503,
    platform_error: 200,
  };
  const other = await start({ shape: { errorStatus } });
  expect(await ask(other, "POST", "/posts", { body: {} })).toMatchObject({
    status: 422,
    body: { error: { code: "validation_error" } },
  });
  expect((await ask(other, "GET", "/posts/post_0")).status).toBe(410);
  const html = await start({ shape: { htmlErrors: true } });
  const { status, headers, text } = await ask(html, "GET", "/posts/post_0");
  expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(text).toMatch(/^<!doctype html>[^]*<title>404 not found<\/title>/);
});

/** A service of seven posts that say their numbers. */
async function filled(options: ForeignOptions): Promise<ForeignService> {
  const service = await start(options);
  for (let n = 1; n <= 7; n += 1) service.addForeignPost({ content: String(n) });
  return service;
}

function contents({ body }: { body: unknown }): string[] {
  return Object(body).data.map((post: { content: string }) => post.content);
}

type Next = (answer: { body: unknown; headers: Record<string, unknown> }, service: ForeignService) => unknown;
const query = (url: unknown): unknown => (typeof url === "string" ? url.slice(url.indexOf("?")) : url);
const byLink: Next = ({ headers }) =>
  query(/^<([^>]+)>; rel="next"$/.exec(String(headers["link"]))?.[1] ?? null);
const byUrl: Next = ({ body }) => query(Object(body).next);
const byCursor =
  (key: string): Next =>
  ({ body }) => {
    const cursor: unknown = Object(Object(body).paging)[key];
    return typeof cursor === "string" ? `?limit=1000&cursor=${encodeURIComponent(cursor)}` : cursor;
  };

describe("paging", () => {
  const PAGES = [["7", "6", "5"], ["4", "3", "2"], ["1"]];

  test.each<[string, ForeignOptions, Next]>([
    ["link headers", { paging: "link" }, byLink],
    ["link headers with a path", { paging: "link", shape: { nextUrl: "path" } }, byLink],
    ["link headers with a query", { paging: "link", shape: { nextUrl: "query" } }, byLink],
    ["addresses in the body", { paging: "next-url" }, byUrl],
    [
      "cursors in the body",
      { paging: "next-cursor", shape: { pagingIn: "paging" } },
      byCursor("next_cursor"),
    ],
    [
      "cursors under another key",
      { paging: "next-cursor", shape: { pagingIn: "paging", cursorKey: "after" } },
      byCursor("after"),
    ],
  ])("%s lead through all pages", async (_what, options, next) => {
    const service = await filled({ ...options, pageSize: 3 });
    const pages: string[][] = [];
    for (let search: unknown = "?limit=1000"; typeof search === "string";) {
      const answer = await ask(service, "GET", `/posts${search}`);
      pages.push(contents(answer));
      search = next(answer, service);
      if (pages.length === PAGES.length) expect(search).toBeNull();
    }
    expect(pages).toEqual(PAGES);
  });

  test.each<[ForeignOptions["paging"], string, number]>([
    ["none", "", 7],
    ["none", "?limit=3", 3],
    ["cap", "", 5],
    ["cap", "?limit=1000", 5],
    ["cap", "?limit=2", 2],
  ])("paging %s answers %j with %i posts and no sign of more", async (paging, search, count) => {
    const service = await filled({ ...(paging && { paging }), cap: 5 });
    const answer = await ask(service, "GET", `/posts${search}`);
    expect(contents(answer)).toHaveLength(count);
    expect(Object.keys(Object(answer.body))).toEqual(["data"]);
    expect(answer.headers).not.toHaveProperty("link");
  });
});
