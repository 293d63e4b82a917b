import { FormData, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, draft } from "./foreign/ask.ts";
import type { Shape } from "./foreign/shape.ts";
import { SHAPES, SPARSE_SHAPES } from "./foreign/shapes.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";
import { tinyPng } from "./tiny-media.ts";

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  onTestFinished(() => service.close());
  return service;
}

async function upload(service: ForeignService): Promise<unknown> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(tinyPng())], { type: "image/png" }), "a.png");
  const headers = { authorization: `Bearer ${service.key}` };
  const { body } = await request(`${service.url}/media`, { method: "POST", headers, body: form });
  return body.json();
}

/** The one post of a service of this shape, as it is listed. */
async function shown(shape: Partial<Shape>, post = draft()): Promise<Record<string, unknown>> {
  const service = await start({ shape: { ...shape, list: [] } });
  await ask(service, "POST", "/posts", { body: post });
  const { body } = await ask(service, "GET", "/posts");
  return Object(body)[0];
}

describe("wrappers", () => {
  test.each([
    [[], []],
    [["data"], { data: [] }],
    [["posts"], { posts: [] }],
    [["data", "items"], { data: { items: [] } }],
  ])("of a list: %j", async (list, expected) => {
    const service = await start({ shape: { list } });
    expect((await ask(service, "GET", "/posts")).body).toEqual(expected);
  });

  test("a list of posts is called after what it holds, and so are the others", async () => {
    const service = await start({ shape: { list: ["posts"] }, platforms: ["twitter"] });
    expect((await ask(service, "GET", "/media")).body).toEqual({ media: [] });
    expect((await ask(service, "GET", "/platforms")).body).toEqual({ platforms: ["twitter"] });
  });

  test("of records: in answers to POST, GET and DELETE alike", async () => {
    const service = await start({ shape: { record: ["data", "post"] } });
    const created = await ask(service, "POST", "/posts", { body: draft() });
    const [id] = [...service.posts.keys()];
    const record = { ...draft(), id, status: "scheduled" };
    expect(created.body).toEqual({ data: { post: record } });
    expect((await ask(service, "GET", `/posts/${id}`)).body).toEqual({ data: { post: record } });
    expect((await ask(service, "DELETE", `/posts/${id}`)).body).toEqual({
      data: { post: { ...record, status: "cancelled" } },
    });
  });

  test("of the answer to an upload", async () => {
    const service = await start({ shape: { mediaRecord: ["media"] } });
    const body = await upload(service);
    const [id] = [...service.media.keys()];
    expect(body).toEqual({ media: { id, url: `${service.origin}/files/${id}`, type: "image" } });
  });

  test("a create may answer nothing but the id, with another status", async () => {
    const shape = { record: ["post"], created: "id-only", createdStatus: 202, idKey: "post_id" } as const;
    const service = await start({ shape });
    const { status, body } = await ask(service, "POST", "/posts", { body: draft() });
    expect({ status, body }).toEqual({
      status: 202,
      body: { post: { post_id: [...service.posts.keys()][0] } },
    });
  });

  test.each([
    ["empty-204", 204, ""],
    ["empty-200", 200, ""],
    ["flag", 200, '{"deleted":true}'],
  ] as const)("a cancel is answered with %s", async (deleted, status, text) => {
    const service = await start({ shape: { deleted } });
    const { id } = service.addForeignPost();
    expect(await ask(service, "DELETE", `/posts/${id}`)).toMatchObject({ status, text });
    expect(service.posts.get(id)?.status).toBe("cancelled");
  });

  test.each([
    ["not_found", 404],
    ["validation_error", 400],
    ["ok", 200],
  ] as const)("a second cancel is answered with %s", async (cancelAgain, status) => {
    const service = await start({ shape: { cancelAgain } });
    const { id } = service.addForeignPost();
    service.cancelByHand(id);
    expect((await ask(service, "DELETE", `/posts/${id}`)).status).toBe(status);
    expect(service.counters.cancels).toBe(0);
  });

  test("a cancelled post may be nowhere any more", async () => {
    const service = await start({ shape: { cancelled: "not-found" } });
    const { id } = service.addForeignPost();
    service.cancelByHand(id);
    expect((await ask(service, "GET", `/posts/${id}`)).status).toBe(404);
    expect((await ask(service, "DELETE", `/posts/${id}`)).status).toBe(404);
    expect((await ask(service, "GET", "/posts")).body).toEqual({ data: [] });
  });
});

describe("records", () => {
  test("ids: other keys, numbers and UUIDs, and paths take them as they are shown", async () => {
    expect(await shown({ idKey: "_id" })).toMatchObject({ _id: expect.stringMatching(/^post_/) });
    expect(await shown({ idKey: "post_id", idForm: "uuid" })).toMatchObject({
      post_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    });
    const service = await start({ shape: { idForm: "number" } });
    const { body } = await ask(service, "POST", "/posts", { body: draft() });
    expect(body).toMatchObject({ id: 4_001 });
    expect((await ask(service, "GET", "/posts/4001")).body).toEqual(body);
    expect([...service.posts.keys()]).toEqual(["4001"]);
  });

  test.each([
    ["Z", "2100-01-01T00:30:00Z"],
    [".000Z", "2100-01-01T00:30:00.000Z"],
    [".000000Z", "2100-01-01T00:30:00.000000Z"],
    ["+00:00", "2100-01-01T00:30:00+00:00"],
    ["+05:45", "2100-01-01T06:15:00+05:45"],
    ["-03:30", "2099-12-31T21:00:00-03:30"],
    ["epoch", 4_102_446_600],
    ["epoch-ms", 4_102_446_600_000],
  ] as const)("a time as %s", async (format, expected) => {
    const post = draft({ scheduled_at: "2100-01-01T00:30:00Z" });
    const record = await shown({ times: [format], timeKey: "publish_at" }, post);
    expect(record).toMatchObject({ publish_at: expected });
    expect(record).not.toHaveProperty("scheduled_at");
  });

  test("times in several forms are taken in turn", async () => {
    const service = await start({ shape: { list: [], times: ["Z", "epoch"], order: "oldest-first" } });
    for (const content of ["a", "b", "c"]) service.addForeignPost({ content });
    const { body } = await ask(service, "GET", "/posts");
    const kinds = Object(body).map((post: Record<string, unknown>) => typeof post["scheduled_at"]);
    expect(kinds).toEqual(["string", "number", "string"]);
  });

  test.each([
    ["exact", "Café\nBye"],
    ["crlf", "Café\r\nBye"],
    ["nfd", "Cafe\u0301\nBye"],
    ["trailing-newline", "Café\nBye\n"],
  ] as const)("content as %s", async (contentEcho, expected) => {
    const record = await shown({ contentEcho, contentKey: "caption" }, draft({ content: "Café\nBye" }));
    expect(record).toMatchObject({ caption: expected });
    expect(record).not.toHaveProperty("content");
  });

  test.each([
    ["strings", ["twitter", "linkedin"]],
    ["upper", ["TWITTER", "LINKEDIN"]],
    ["platform-objects", [{ platform: "twitter" }, { platform: "linkedin" }]],
    [
      "id-and-title",
      [
        { id: "twitter", name: "Twitter" },
        { id: "linkedin", name: "Linkedin" },
      ],
    ],
    [
      "account-and-name",
      [
        { id: "acc_1", name: "twitter" },
        { id: "acc_2", name: "linkedin" },
      ],
    ],
  ] as const)("platforms as %s, in posts and in the list of accounts", async (platforms, expected) => {
    const service = await start({ shape: { platforms, list: [] }, platforms: ["twitter", "linkedin"] });
    await ask(service, "POST", "/posts", { body: draft() });
    expect((await ask(service, "GET", "/posts")).body).toMatchObject([{ platforms: expected }]);
    expect((await ask(service, "GET", "/platforms")).body).toEqual(expected);
  });

  test("platforms in another order than sent", async () => {
    expect(await shown({ platformOrder: "reversed" })).toMatchObject({ platforms: ["linkedin", "twitter"] });
  });

  test("media as objects, in the order sent", async () => {
    const service = await start({ shape: { list: [], media: "objects" } });
    await upload(service);
    await upload(service);
    const media_ids = [...service.media.keys()].reverse();
    await ask(service, "POST", "/posts", { body: draft({ media_ids }) });
    const media = media_ids.map((id) => ({ id, url: `${service.origin}/files/${id}`, type: "image" }));
    const { body } = await ask(service, "GET", "/posts");
    expect(body).toMatchObject([{ media }]);
    expect(Object(body)[0]).not.toHaveProperty("media_ids");
  });

  test.each([
    ["empty-array", { media_ids: [] }],
    ["null", { media_ids: null }],
    ["absent", {}],
  ] as const)("no media as %s", async (emptyMedia, expected) => {
    const { media_ids: _none, ...rest } = draft();
    const record = await shown({ emptyMedia, omit: ["status"] });
    expect(record).toEqual({ id: record["id"], ...rest, ...expected });
  });

  test("parts that are left out, alone and together", async () => {
    const all = await shown({});
    for (const [part, key] of [
      ["content", "content"],
      ["platforms", "platforms"],
      ["time", "scheduled_at"],
      ["media", "media_ids"],
      ["status", "status"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const record = await shown({ omit: [part] });
      expect(Object.keys(all).filter((each) => !Object.hasOwn(record, each))).toEqual([key]);
    }
    expect(Object.keys(await shown(SPARSE_SHAPES["ids only"]))).toEqual(["id"]);
  });

  test("statuses in other words, under another key; the filter stays the documented one", async () => {
    const statusWords = { scheduled: "SCHEDULED", published: "SENT", cancelled: "CANCELED", failed: "ERROR" };
    const service = await start({ shape: { list: [], statusKey: "state", statusWords } });
    service.cancelByHand(service.addForeignPost().id);
    service.addForeignPost();
    expect((await ask(service, "GET", "/posts?status=scheduled")).body).toMatchObject([
      { state: "SCHEDULED" },
    ]);
    expect((await ask(service, "GET", "/posts?status=cancelled")).body).toMatchObject([
      { state: "CANCELED" },
    ]);
  });

  test("a status filter that is ignored", async () => {
    const service = await start({ shape: { list: [], statusFilter: "ignored" } });
    service.cancelByHand(service.addForeignPost().id);
    expect((await ask(service, "GET", "/posts?status=scheduled")).body).toMatchObject([
      { status: "cancelled" },
    ]);
  });

  test("unrelated fields never hide those of the post", async () => {
    const record = await shown({ extras: { tags: ["a"], id: "wrong", status: "wrong" } });
    expect(record).toMatchObject({ tags: ["a"], id: expect.stringMatching(/^post_/), status: "scheduled" });
  });

  test.each([
    ["newest-first", ["c", "b", "a"]],
    ["oldest-first", ["a", "b", "c"]],
    ["due-first", ["b", "c", "a"]],
  ] as const)("in the order %s", async (order, expected) => {
    const service = await start({ shape: { list: [], order } });
    for (const [content, day] of [
      ["a", "03"],
      ["b", "01"],
      ["c", "02"],
    ]) {
      service.addForeignPost({ content: content ?? "", scheduled_at: `2099-01-${day}T00:00:00Z` });
    }
    const { body } = await ask(service, "GET", "/posts");
    expect(Object(body).map((post: { content: string }) => post.content)).toEqual(expected);
  });
});

describe("errors", () => {
  test("with other statuses, 200 among them", async () => {
    const errorStatus = {
      unauthorized: 403,
      forbidden: 404,
      not_found: 410,
      validation_error: 422,
      rate_limit_exceeded: 503,
      platform_error: 200,
    };
    const service = await start({ shape: { errorStatus } });
    const { status, body } = await ask(service, "POST", "/posts", { body: {} });
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: { code: "validation_error", message: expect.any(String) } },
    });
    expect((await ask(service, "GET", "/posts/post_0")).status).toBe(410);
    expect((await ask(service, "GET", "/posts", { key: "wrong" })).status).toBe(403);
    service.faults.at(1, { kind: "refused", code: "platform_error" });
    expect(await ask(service, "GET", "/posts")).toMatchObject({
      status: 200,
      body: { error: { code: "platform_error" } },
    });
  });

  test("as HTML pages", async () => {
    const service = await start({ shape: { htmlErrors: true } });
    const { status, headers, text } = await ask(service, "GET", "/posts/post_0");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 404,
      type: "text/html; charset=utf-8",
    });
    expect(text).toMatch(/^<!doctype html>[^]*<title>404 not found<\/title>/);
  });
});

/** A service of posts that say their numbers. */
async function filled(options: ForeignOptions, posts = 7): Promise<ForeignService> {
  const service = await start(options);
  for (let n = 1; n <= posts; n += 1) service.addForeignPost({ content: String(n) });
  return service;
}

function contents(body: unknown): string[] {
  return Object(body).data.map((post: { content: string }) => post.content);
}

function idsOf(body: unknown): string[] {
  return Object(body).data.map((item: { id: string }) => item.id);
}

/** Follows the pages to their end. */
async function walk(service: ForeignService, first: string, next: (answer: unknown) => string | undefined) {
  const pages: string[][] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await ask(service, "GET", path);
    pages.push(contents(answer.body));
    path = next(answer);
  }
  return pages;
}

describe("paging", () => {
  test("none: as many as asked for, all where nothing is asked", async () => {
    const service = await filled({});
    expect(contents((await ask(service, "GET", "/posts")).body)).toHaveLength(7);
    const few = await ask(service, "GET", "/posts?limit=3");
    expect(contents(few.body)).toEqual(["7", "6", "5"]);
    expect(Object.keys(Object(few.body))).toEqual(["data"]);
    expect(few.headers).not.toHaveProperty("link");
  });

  test("cap: never more than that, without a word", async () => {
    const service = await filled({ paging: "cap", cap: 5 });
    for (const [query, count] of [
      ["", 5],
      ["?limit=1000", 5],
      ["?limit=2", 2],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const { body, headers } = await ask(service, "GET", `/posts${query}`);
      expect(contents(body)).toHaveLength(count);
      expect(Object.keys(Object(body))).toEqual(["data"]);
      expect(headers).not.toHaveProperty("link");
    }
  });

  test("cap: may say how many there are, and that there are more", async () => {
    const shape = { listTotal: "total", listHasMore: "has_more", pagingIn: "meta" };
    const service = await filled({ shape, paging: "cap", cap: 5 });
    expect(Object((await ask(service, "GET", "/posts")).body).meta).toEqual({ total: 7, has_more: true });
  });

  const PAGES = [["7", "6", "5"], ["4", "3", "2"], ["1"]];

  test.each(["absolute", "path", "query"] as const)("link: the next page as %s address", async (nextUrl) => {
    const service = await filled({ shape: { nextUrl }, paging: "link", pageSize: 3 });
    const start = { absolute: `${service.url}/posts?`, path: "/v1/posts?", query: "?" }[nextUrl];
    const pages = await walk(service, "/posts?status=scheduled&limit=1000", (answer) => {
      const link: unknown = Object(answer).headers.link;
      if (typeof link !== "string") return undefined;
      const url = /^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? "";
      expect(url.startsWith(start)).toBe(true);
      return `/posts?${url.slice(start.length)}`;
    });
    expect(pages).toEqual(PAGES);
    expect(service.requests.map((each) => each.query["status"])).toEqual(Array(3).fill("scheduled"));
  });

  test("next-url: in the body, null at the end", async () => {
    const service = await filled({ paging: "next-url", pageSize: 3 });
    const seen: unknown[] = [];
    const pages = await walk(service, "/posts", (answer) => {
      const { next } = Object(answer).body;
      seen.push(next);
      return typeof next === "string" ? next.slice(service.url.length) : undefined;
    });
    expect(pages).toEqual(PAGES);
    expect(seen).toEqual([expect.any(String), expect.any(String), null]);
  });

  test("next-cursor: in the body, sent back as cursor; the smaller limit counts", async () => {
    const service = await filled({ shape: { pagingIn: "paging" }, paging: "next-cursor", pageSize: 3 });
    const pages = await walk(service, "/posts?limit=2", (answer) => {
      const cursor: unknown = Object(answer).body.paging.next_cursor;
      return typeof cursor === "string" ? `/posts?limit=2&cursor=${encodeURIComponent(cursor)}` : undefined;
    });
    expect(pages).toEqual([["7", "6"], ["5", "4"], ["3", "2"], ["1"]]);
    expect((await ask(service, "GET", "/posts?cursor=nonsense")).status).toBe(400);
  });

  test("a page that is exactly full is the last", async () => {
    const service = await filled({ paging: "next-cursor", pageSize: 7 });
    expect((await ask(service, "GET", "/posts")).body).toMatchObject({ next_cursor: null });
  });

  test("posts that come and go between two pages make none appear twice or vanish", async () => {
    const service = await filled({ paging: "next-cursor", pageSize: 3 });
    const first = await ask(service, "GET", "/posts?status=scheduled");
    service.addForeignPost({ content: "8" });
    const fifth = [...service.posts.values()].find((post) => post.content === "5");
    service.cancelByHand(fifth?.id ?? "");
    const cursor = encodeURIComponent(Object(first.body).next_cursor);
    const second = await ask(service, "GET", `/posts?status=scheduled&cursor=${cursor}`);
    expect([contents(first.body), contents(second.body)]).toEqual(PAGES.slice(0, 2));
  });

  test("media and accounts are paged, too", async () => {
    const service = await start({ paging: "next-cursor", pageSize: 2, platforms: ["a", "b", "c"] });
    for (let n = 0; n < 3; n += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await upload(service);
    }
    const media = await ask(service, "GET", "/media");
    const cursor = encodeURIComponent(Object(media.body).next_cursor);
    const rest = await ask(service, "GET", `/media?cursor=${cursor}`);
    expect([...idsOf(media.body), ...idsOf(rest.body)]).toEqual([...service.media.keys()]);
    const accounts = await ask(service, "GET", "/platforms");
    expect(accounts.body).toEqual({ data: ["a", "b"], next_cursor: expect.any(String) });
  });

  test("a limit that is too large may be refused", async () => {
    const service = await filled({ refuseLimitAbove: 100 });
    expect((await ask(service, "GET", "/posts?limit=101")).status).toBe(400);
    expect((await ask(service, "GET", "/posts?limit=100")).status).toBe(200);
  });

  test("what stands beside a list", async () => {
    const listExtras = { ok: true, meta: { page: 1 } };
    const shape = { list: ["data", "items"], listExtras, listTotal: "total", pagingIn: "meta" };
    const service = await filled({ shape }, 0);
    expect((await ask(service, "GET", "/posts")).body).toEqual({
      ok: true,
      data: { items: [] },
      meta: { page: 1, total: 0 },
    });
  });
});

test.each([
  [{ shape: { list: [] }, paging: "next-url" }],
  [{ shape: { list: [] }, paging: "next-cursor" }],
  [{ shape: { list: [], listTotal: "total" } }],
  [{ shape: { list: [], listExtras: { ok: true } } }],
  [{ shape: { statusFilter: "ignored", omit: ["status"] } }],
  [{ shape: { times: [] } }],
] as const)("a service that could not be is refused: %j", async (options) => {
  await expect(start(options)).rejects.toThrow();
});

test.each(Object.entries({ ...SHAPES, ...SPARSE_SHAPES }))(
  "the whole service of %s can be used",
  async (_name, shape: Partial<Shape>) => {
    const service = await start({ shape });
    expect((await ask(service, "POST", "/posts", { body: draft() })).status).toBe(shape.createdStatus ?? 201);
    expect((await ask(service, "GET", "/posts?status=scheduled")).status).toBe(200);
    const [id = ""] = service.posts.keys();
    expect((await ask(service, "GET", `/posts/${id}`)).status).toBe(200);
    expect([200, 204]).toContain((await ask(service, "DELETE", `/posts/${id}`)).status);
    expect(service.counters).toMatchObject({ requests: 4, lists: 1, creates: 1, cancels: 1 });
  },
);
