/** Each fault has the effect that its name says, on the client and on the service. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { afterThisTest } from "./after-test.ts";
import { ask, draft } from "./foreign/ask.ts";
import { PLAIN_FAULTS, type Fault } from "./foreign/faults.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  return service;
}

const create = (service: ForeignService) => ask(service, "POST", "/posts", { body: draft() });

async function upload(service: ForeignService): Promise<{ status: number }> {
  const form = new FormData();
  form.append("file", new Blob([Buffer.alloc(100_000, 1)], { type: "image/png" }), "a.png");
  const sent = new Response(form);
  const headers = {
    authorization: `Bearer ${service.key}`,
    "content-type": sent.headers.get("content-type") ?? "",
  };
  // As bytes: on Node 24, undici never reports that the connection was lost while it sent a form.
  const { statusCode, body } = await request(`${service.url}/media`, {
    method: "POST",
    headers,
    body: Buffer.from(await sent.arrayBuffer()),
  });
  await body.text();
  return { status: statusCode };
}

const GONE = "gone";
const SILENT = "silent";

/** The result for the client: the status of an answer, or how the connection failed. */
async function ending(
  answer: Promise<{ status: number }>,
  silence?: Promise<string>,
): Promise<number | string> {
  const answered = answer.then(
    ({ status }) => status,
    (error: unknown) => {
      const code = String(Object(error).code);
      return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(code) ? GONE : code;
    },
  );
  return silence === undefined ? answered : Promise.race([answered, silence]);
}

/** Resolves shortly after the service has finished the next request. */
async function silence(service: ForeignService): Promise<string> {
  const before = service.requests.length;
  while (service.requests.length === before || service.isBusy()) await wait(1);
  return wait(50, SILENT);
}

/** The result of a create for the client, and whether the service created the post. */
const EXPECTED: readonly (readonly [Fault, number | string, boolean])[] = [
  ["drop-before", GONE, false],
  ["drop-after", GONE, true],
  ["cut-answer", GONE, true],
  ["hang-before", SILENT, false],
  ["hang-after", SILENT, true],
  ["status-500-before", 500, false],
  ["status-500-after", 500, true],
  ["html-502-before", 502, false],
  ["html-502-after", 502, true],
  ["truncated-json", 201, true],
  ["not-json", 200, true],
  ["empty-body", 200, true],
  ["rate-limited-bare", 429, false],
  ["unauthorized-from-now-on", 401, false],
  [{ kind: "rate-limited", retryAfter: 7 }, 429, false],
  [{ kind: "refused", code: "platform_error" }, 502, false],
  [{ kind: "refused", code: "validation_error", status: 409 }, 409, false],
  [{ kind: "stale-list", writesAgo: 1 }, 201, true],
  [{ kind: "short-list", items: 0 }, 201, true],
  [{ kind: "slow-before", ms: 20 }, 201, true],
  [{ kind: "slow-after", ms: 20 }, 201, true],
  [{ kind: "redirect", to: "http://127.0.0.1:9" }, 307, false],
  [{ kind: "down-before", forMs: 20 }, GONE, false],
  [{ kind: "down-after", forMs: 20 }, GONE, true],
  [{ kind: "answer-before", answer: { status: 418, body: "{}" } }, 418, false],
  [{ kind: "answer-after", answer: { status: 418, body: "{}" } }, 418, true],
  [{ kind: "run-before", run: () => undefined }, 201, true],
  [{ kind: "run-after", run: () => undefined }, 201, true],
];
const cases = EXPECTED.map(
  ([fault, ...rest]) => [typeof fault === "string" ? fault : fault.kind, fault, ...rest] as const,
);

test("the table of faults covers every plain fault", () => {
  const covered = new Set(EXPECTED.map(([fault]) => fault));
  // early-413 needs a body that is not read, so it has its own test.
  expect(PLAIN_FAULTS.filter((fault) => !covered.has(fault))).toEqual(["early-413"]);
});

test.each(cases)("%s affects a create, a cancel and an upload, but no later request", async (...given) => {
  const [, fault, expected, isDone] = given;
  const done = Number(isDone);
  const service = await start({ keys: { one: "write", two: "write", three: "write", four: "write" } });
  const { id } = service.addForeignPost();
  const strike = async (request: () => Promise<{ status: number }>): Promise<number | string> => {
    service.faults.at(1, fault);
    const ended = await ending(request(), expected === SILENT ? silence(service) : undefined);
    await service.comeBack();
    return ended;
  };
  expect(await strike(() => create(service))).toBe(expected);
  const status = typeof expected === "number" ? expected : undefined;
  expect(service.requests).toMatchObject([{ fault, handled: isDone, status }]);
  const cancel = () => ask(service, "DELETE", `/posts/${id}`, { key: "two" });
  expect(await strike(cancel)).toBe(expected === 201 ? 200 : expected);
  expect(await strike(() => upload({ ...service, key: "three" }))).toBe(expected);
  expect(service.counters).toMatchObject({ requests: 3, creates: done, cancels: done, uploads: done });
  expect([service.posts.size, service.media.size]).toEqual([1 + done, done]);
  expect(service.posts.get(id)?.status).toBe(isDone ? "cancelled" : "scheduled");
  expect((await ask(service, "GET", `/posts/${id}`, { key: "four" })).status).toBe(200);
});

/** Sends the head of a request and resolves with all that comes back until the connection ends. */
async function rawRequest(service: ForeignService, line: string, rest = ""): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(`${line}\r\nHost: test\r\nAuthorization: Bearer ${service.key}\r\n${rest}\r\n`);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves when a matching request has arrived. */
async function seen(service: ForeignService, isSeen: () => boolean): Promise<void> {
  while (!isSeen()) await wait(1);
}

describe("connections", () => {
  test("drop-before ends the connection before the body has arrived", async () => {
    const service = await start();
    service.faults.at(1, "drop-before");
    expect(await rawRequest(service, "POST /v1/posts HTTP/1.1", "Content-Length: 1000\r\n")).toBe("");
    expect(service.requests).toMatchObject([{ handled: false, status: undefined }]);
  });

  test("early-413 answers without reading the body and ends the connection", async () => {
    const service = await start();
    service.faults.at(1, "early-413");
    const raw = await rawRequest(service, "POST /v1/media HTTP/1.1", "Content-Length: 1000000\r\n");
    expect(raw).toMatch(/^HTTP\/1\.1 413 [^]*"code":"validation_error"/);
    expect(service.media.size).toBe(0);
  });

  test("cut-answer promises the whole length and sends half", async () => {
    const service = await start();
    service.faults.at(1, "cut-answer");
    const [head = "", body = ""] = (await rawRequest(service, "GET /v1/posts HTTP/1.1")).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-length: 11\r\n/i);
    expect(body).toBe('{"dat');
  });

  test.each(["application/json", "multipart/form-data; boundary=x"])(
    "a client that leaves in the middle of its %s body changes nothing",
    async (type) => {
      const service = await start();
      const path = type.startsWith("multipart") ? "media" : "posts";
      const socket = connect(Number(new URL(service.origin).port), "127.0.0.1");
      const head = [`POST /v1/${path} HTTP/1.1`, "Host: test", `Authorization: Bearer ${service.key}`];
      const rest = [
        `Content-Type: ${type}`,
        "Content-Length: 1000",
        "",
        "--x\r\nContent-Disposition: form-data",
      ];
      socket.write([...head, ...rest].join("\r\n"));
      await seen(service, () => service.requests.length === 1);
      socket.destroy();
      await service.whenQuiet();
      expect(service.requests).toMatchObject([{ handled: false, status: undefined }]);
      expect([service.posts.size, service.media.size]).toEqual([0, 0]);
    },
  );

  test("a service that goes down refuses connections and comes back with its posts", async () => {
    const service = await start();
    service.faults.at(1, { kind: "down-after", forMs: 60_000 });
    expect(await ending(create(service))).toBe(GONE);
    expect(await ending(ask(service, "GET", "/posts"))).toBe("ECONNREFUSED");
    await service.comeBack();
    expect(Object((await ask(service, "GET", "/posts")).body).data).toHaveLength(1);
  });
});

const listed = async (service: ForeignService, path = "/posts?status=scheduled") =>
  Object((await ask(service, "GET", path)).body).data.map((post: { id: string }) => post.id);

describe("lists", () => {
  test("a stale list shows posts as they were some writes ago", async () => {
    const service = await start();
    const first = service.addForeignPost({ content: "old" }).id;
    const second = service.addForeignPost().id;
    service.edit(first, { content: "new" });
    service.cancelByHand(second);
    for (const [writesAgo, expected] of [
      [0, [first]],
      [1, [second, first]],
      [3, [first]],
      [4, []],
      [99, []],
    ] as const) {
      service.faults.at(1, { kind: "stale-list", writesAgo });
      expect(await listed(service)).toEqual(expected);
    }
    service.faults.at(1, { kind: "stale-list", writesAgo: 2 });
    const { body } = await ask(service, "GET", "/posts?status=scheduled");
    expect(Object(body).data[1]).toMatchObject({ id: first, content: "old" });
    expect(await listed(service)).toEqual([first]);
  });

  test("a short list shows the first items and no next page", async () => {
    const service = await start({ paging: "next-cursor", pageSize: 3, shape: { listHasMore: "has_more" } });
    for (let n = 0; n < 5; n += 1) service.addForeignPost();
    service.faults.at(1, { kind: "short-list", items: 2 });
    const { body } = await ask(service, "GET", "/posts");
    expect(body).toEqual({
      data: [expect.anything(), expect.anything()],
      next_cursor: null,
      has_more: false,
    });
    expect(await listed(service)).toHaveLength(3);
  });
});
