import { once } from "node:events";
import { connect } from "node:net";
import { Agent, FormData, request, setGlobalDispatcher } from "undici";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ask, draft, idIn } from "./foreign/ask.ts";
import { PLAIN_FAULTS, type Fault } from "./foreign/faults.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "./foreign-service.ts";

const patient = new Agent();
/** For requests that hang. */
const impatient = new Agent({ headersTimeout: 300 });
beforeEach(() => setGlobalDispatcher(patient));
afterAll(() => Promise.all([patient.close(), impatient.close()]));

/** A service whose next request this strikes. */
async function struck(fault: Fault, options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await start(options);
  service.faults.at(1, fault);
  if (fault === "hang-before" || fault === "hang-after") setGlobalDispatcher(impatient);
  return service;
}

async function start(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  onTestFinished(() => service.close());
  return service;
}

const create = (service: ForeignService) => ask(service, "POST", "/posts", { body: draft() });

/** What a request ends with: an answer's status, or the code of the fault. */
async function ending(answer: Promise<{ status: number }>): Promise<number | string> {
  return answer.then(
    ({ status }) => status,
    (error: unknown) => String(Object(error).code),
  );
}

const GONE = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

function seen(expected: number | string | readonly string[]) {
  return typeof expected === "object"
    ? expect.toSatisfy((code: string) => expected.includes(code))
    : expected;
}

describe("a create, a cancel and an upload with each fault", () => {
  /** What the client sees, and whether the service did what was asked. */
  const EXPECTED: readonly (readonly [Fault, number | string | readonly string[], boolean])[] = [
    ["drop-before", GONE, false],
    ["drop-after", GONE, true],
    ["cut-answer", GONE, true],
    ["hang-before", "UND_ERR_HEADERS_TIMEOUT", false],
    ["hang-after", "UND_ERR_HEADERS_TIMEOUT", true],
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
    (each) => [typeof each[0] === "string" ? each[0] : each[0].kind, ...each] as const,
  );

  test("all faults that need nothing said are there", () => {
    const tested = new Set(EXPECTED.map(([fault]) => fault));
    // The one left is about bodies that are not read; it has a test of its own.
    expect(PLAIN_FAULTS.filter((fault) => !tested.has(fault))).toEqual(["early-413"]);
  });

  test.each(cases)("create: %s", async (_name, fault, expected, isDone) => {
    const service = await struck(fault);
    expect(await ending(create(service))).toEqual(seen(expected));
    expect(service.posts.size).toBe(isDone ? 1 : 0);
    expect(service.counters).toMatchObject({ requests: 1, creates: isDone ? 1 : 0 });
    const answered = typeof expected === "number" ? expected : undefined;
    expect(service.requests).toMatchObject([{ fault, handled: isDone, status: answered }]);
  });

  test.each(cases)("cancel: %s", async (_name, fault, expected, isDone) => {
    const service = await struck(fault);
    const { id } = service.addForeignPost();
    const usual = expected === 201 ? 200 : expected;
    expect(await ending(ask(service, "DELETE", `/posts/${id}`))).toEqual(seen(usual));
    expect(service.posts.get(id)?.status).toBe(isDone ? "cancelled" : "scheduled");
    expect(service.counters.cancels).toBe(isDone ? 1 : 0);
  });

  test.each(cases)("upload: %s", async (_name, fault, expected, isDone) => {
    const service = await struck(fault);
    expect(await ending(upload(service, 100_000))).toEqual(seen(expected));
    expect(service.media.size).toBe(isDone ? 1 : 0);
  });

  test.each(cases)("the next request after %s is served as ever", async (_name, fault) => {
    const service = await struck(fault, { keys: { one: "write", two: "write" } });
    await ending(create(service));
    setGlobalDispatcher(patient);
    await service.comeBack();
    expect((await ask(service, "GET", "/posts/post_0", { key: "two" })).status).toBe(404);
  });
});

async function upload(service: ForeignService, bytes: number): Promise<{ status: number }> {
  const form = new FormData();
  form.append("file", new Blob([Buffer.alloc(bytes, 1)], { type: "image/png" }), "a.png");
  const headers = { authorization: `Bearer ${service.key}` };
  const { statusCode, body } = await request(`${service.url}/media`, { method: "POST", headers, body: form });
  await body.text();
  return { status: statusCode };
}

async function answered(fault: Fault, options: ForeignOptions = {}) {
  return create(await struck(fault, options));
}

describe("what is answered", () => {
  test("truncated JSON is a whole answer with half a text", async () => {
    const { text, body, headers } = await answered("truncated-json");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    expect(text).toMatch(/^\{"id":"post_/);
    expect(body).toBeUndefined();
  });

  test("truncated JSON where there is no text to cut", async () => {
    const service = await start({ shape: { deleted: "empty-200" } });
    const { id } = service.addForeignPost();
    service.faults.at(1, "truncated-json");
    expect(await ask(service, "DELETE", `/posts/${id}`)).toMatchObject({ text: "{", body: undefined });
  });

  test("a cut answer promises its whole length and gives half", async () => {
    const service = await start();
    service.faults.at(1, "cut-answer");
    const raw = await rawRequest(service, "GET /v1/posts HTTP/1.1", "");
    const [head = "", body = ""] = raw.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain("content-length: 11\r\n");
    expect(body).toBe('{"dat');
  });

  test("no JSON, and nothing at all", async () => {
    expect((await answered("not-json")).text).toBe("OK, done.");
    expect((await answered("empty-body")).text).toBe("");
  });

  test("a crash is an error object of a code that is not documented", async () => {
    for (const fault of ["status-500-before", "status-500-after"] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const { body, headers } = await answered(fault);
      expect(body).toEqual({ error: { code: "internal_error", message: expect.any(String) } });
      expect(headers).toHaveProperty("x-ratelimit-remaining");
    }
  });

  test("a gateway's page is HTML and knows nothing of the service", async () => {
    for (const fault of ["html-502-before", "html-502-after"] as const) {
      // oxlint-disable-next-line no-await-in-loop
      const { text, headers } = await answered(fault);
      expect(text).toContain("<title>502 Bad Gateway</title>");
      expect(headers["content-type"]).toContain("text/html");
      expect(headers).not.toHaveProperty("x-ratelimit-remaining");
    }
  });

  test("rate limited, with and without a word on when", async () => {
    const limit = { perWindow: 50, windowMs: 60_000, resetUnit: "seconds" } as const;
    const told = await answered({ kind: "rate-limited", retryAfter: 7 }, { limit });
    expect(told.body).toMatchObject({ error: { code: "rate_limit_exceeded", retry_after: 7 } });
    expect(told.headers).toMatchObject({
      "x-ratelimit-limit": "50",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "7",
    });
    const bare = await answered("rate-limited-bare", { limit });
    expect(bare.text).toBe("");
    expect(Object.keys(bare.headers).filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
  });

  test("a refusal on command is one of the service's own", async () => {
    const { body } = await answered({ kind: "refused", code: "forbidden" });
    expect(body).toMatchObject({ error: { code: "forbidden" } });
  });

  test("any answer, with any type", async () => {
    const answer = { status: 203, body: "a,b", type: "text/csv" };
    const { status, text, headers } = await answered({ kind: "answer-after", answer });
    expect({ status, text, type: headers["content-type"] }).toEqual({
      status: 203,
      text: "a,b",
      type: "text/csv",
    });
  });

  test("a redirect names the same path and query of the other origin, which hears nothing yet", async () => {
    const other = await start();
    const service = await start();
    service.faults.at(1, { kind: "redirect", to: other.origin, status: 302 });
    const { status, headers } = await ask(service, "GET", "/posts?status=scheduled");
    expect(status).toBe(302);
    expect(headers["location"]).toBe(`${other.url}/posts?status=scheduled`);
    expect(other.requests).toEqual([]);
  });
});

/** Sends bytes as they are and resolves with all that comes back until the connection ends. */
async function rawRequest(service: ForeignService, line: string, rest: string): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(`${line}\r\nHost: test\r\nAuthorization: Bearer ${service.key}\r\n${rest}\r\n`);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}

describe("connections", () => {
  test("drop-before ends the connection without a byte, though the body has not come", async () => {
    const service = await start();
    service.faults.at(1, "drop-before");
    expect(await rawRequest(service, "POST /v1/posts HTTP/1.1", "Content-Length: 1000\r\n")).toBe("");
    expect(service.requests).toMatchObject([{ handled: false, status: undefined }]);
  });

  test("early-413 answers without reading the body, then ends the connection", async () => {
    const service = await start();
    service.faults.at(1, "early-413");
    const raw = await rawRequest(service, "POST /v1/media HTTP/1.1", "Content-Length: 1000000\r\n");
    expect(raw).toMatch(/^HTTP\/1\.1 413 [^]*"code":"validation_error"/);
    expect(service.media.size).toBe(0);
  });

  test("a client that goes away in the middle of its body has asked for nothing", async () => {
    const service = await start();
    const type = "multipart/form-data; boundary=x";
    for (const [line, head] of [
      ["POST /v1/posts HTTP/1.1", "Content-Type: application/json"],
      ["POST /v1/media HTTP/1.1", `Content-Type: ${type}`],
    ]) {
      const socket = connect(Number(new URL(service.origin).port), "127.0.0.1");
      const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
      const key = `Authorization: Bearer ${service.key}`;
      socket.write(`${line}\r\nHost: test\r\n${key}\r\n${head}\r\nContent-Length: 1000\r\n\r\n${body}`);
      const known = service.requests.length;
      while (service.requests.length === known) {
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      socket.destroy();
      // oxlint-disable-next-line no-await-in-loop
      await service.whenQuiet();
    }
    expect(service.requests).toMatchObject([
      { handled: false, status: undefined },
      { handled: false, status: undefined },
    ]);
    expect([service.posts.size, service.media.size]).toEqual([0, 0]);
  });

  test("a request that hangs ends when the service is closed", async () => {
    const service = await start();
    service.faults.at(1, "hang-after");
    const raw = rawRequest(service, "GET /v1/posts HTTP/1.1", "");
    while (service.requests[0]?.handled !== true) {
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await service.close();
    expect(await raw).toBe("");
  });

  test("down: refused while it lasts, then as before, with what was stored", async () => {
    const service = await start();
    service.faults.at(1, { kind: "down-after", forMs: 200 });
    expect(GONE).toContain(await ending(create(service)));
    const endings: (number | string)[] = [];
    do {
      // oxlint-disable-next-line no-await-in-loop
      endings.push(await ending(ask(service, "GET", "/posts")));
    } while (endings.at(-1) !== 200);
    expect(endings[0]).toBe("ECONNREFUSED");
    expect(new Set(endings.slice(0, -1))).toEqual(new Set(["ECONNREFUSED"]));
    expect(service.posts.size).toBe(1);
    expect(service.requests).toHaveLength(2);
  });

  test("what was slow is not handled any more once the service is closed", async () => {
    const service = await start();
    service.faults.at(1, { kind: "slow-before", ms: 50 });
    const sent = ending(create(service));
    while (service.requests.length === 0) {
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await service.close();
    expect(GONE).toContain(await sent);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(service.posts.size).toBe(0);
  });
});

const listed = async (service: ForeignService, path = "/posts?status=scheduled") =>
  Object((await ask(service, "GET", path)).body).data.map((post: { id: string }) => post.id);

describe("lists", () => {
  test("stale: as it was so many writes ago, with what was cancelled and edited since", async () => {
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
      // oxlint-disable-next-line no-await-in-loop
      expect(await listed(service)).toEqual(expected);
    }
    service.faults.at(1, { kind: "stale-list", writesAgo: 2 });
    const { body } = await ask(service, "GET", "/posts?status=scheduled");
    expect(Object(body).data[1]).toMatchObject({ id: first, content: "old" });
    expect(await listed(service)).toEqual([first]);
  });

  test("short: the first items, and no next page", async () => {
    const service = await start({ paging: "next-cursor", pageSize: 3, shape: { listHasMore: "has_more" } });
    for (let n = 0; n < 5; n += 1) service.addForeignPost();
    service.faults.at(1, { kind: "short-list", items: 2 });
    const { body } = await ask(service, "GET", "/posts");
    expect(body).toEqual({
      data: [expect.anything(), expect.anything()],
      next_cursor: null,
      has_more: false,
    });
    service.faults.at(1, { kind: "short-list", items: 3 });
    expect((await ask(service, "GET", "/posts")).body).toMatchObject({ next_cursor: null, has_more: false });
    expect(await listed(service)).toHaveLength(3);
  });
});

const statuses = async (service: ForeignService, ...asked: (readonly ["GET" | "POST", string])[]) => {
  const found: number[] = [];
  for (const [method, path] of asked) {
    const body = method === "POST" ? draft({ content: String(found.length) }) : undefined;
    // oxlint-disable-next-line no-await-in-loop
    found.push((await ask(service, method, path, { body })).status);
  }
  return found;
};

describe("which request", () => {
  const LIST = ["GET", "/posts"] as const;
  const CREATE = ["POST", "/posts"] as const;

  test("the n-th from now, once", async () => {
    const service = await start();
    await ask(service, "GET", "/posts");
    service.faults.at(2, "status-500-before");
    service.faults.at(3, "html-502-before");
    expect(service.faults.waiting).toBe(2);
    expect(await statuses(service, LIST, LIST, LIST, LIST)).toEqual([200, 500, 502, 200]);
    expect(service.faults.waiting).toBe(0);
    expect(() => service.faults.at(0, "drop-before")).toThrow();
  });

  test("counted among those that match", async () => {
    const service = await start();
    service.faults.at(2, "status-500-before", { method: "POST" });
    service.faults.at(1, "html-502-before", { path: "/v1/platforms" });
    service.faults.at(1, "rate-limited-bare", { method: "GET", path: /^\/v1\/posts\/post_/g });
    const asked = [CREATE, LIST, ["GET", "/platforms"], ["GET", "/posts/post_0"], CREATE, CREATE] as const;
    expect(await statuses(service, ...asked)).toEqual([201, 200, 502, 429, 500, 201]);
  });

  test("two for one request strike one after the other", async () => {
    const service = await start();
    service.faults.at(1, "status-500-before");
    service.faults.at(1, "html-502-before");
    expect(await statuses(service, LIST, LIST, LIST)).toEqual([500, 502, 200]);
  });

  test("a plan sees every request and decides; at goes before; clear forgets both", async () => {
    const service = await start();
    const seen: string[] = [];
    service.faults.plan(({ n, method, path, query }) => {
      seen.push(`${n} ${method} ${path} ${JSON.stringify(query)}`);
      return method === "POST" ? "status-500-before" : undefined;
    });
    service.faults.at(2, "html-502-before");
    service.faults.at(9, "html-502-before");
    expect(await statuses(service, ["GET", "/posts?limit=3"], CREATE, CREATE)).toEqual([200, 502, 500]);
    expect(seen).toEqual(['1 GET /v1/posts {"limit":"3"}', "2 POST /v1/posts {}", "3 POST /v1/posts {}"]);
    service.faults.clear();
    expect(service.faults.waiting).toBe(0);
    expect(await statuses(service, CREATE)).toEqual([201]);
  });

  test("a key that is refused from now on stays refused", async () => {
    const service = await start();
    service.faults.at(2, "unauthorized-from-now-on");
    expect(await statuses(service, LIST, LIST, LIST)).toEqual([200, 401, 401]);
  });

  test("runs something before or after the request is handled, and waits for it", async () => {
    const service = await start();
    const sizes: number[] = [];
    const run = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      sizes.push(service.posts.size);
    };
    service.faults.at(1, { kind: "run-before", run });
    await create(service);
    expect(sizes).toEqual([0]);
    service.faults.at(1, { kind: "run-after", run });
    idIn(await create(service));
    expect(sizes).toEqual([0, 2]);
  });

  test("requests that are struck before they are handled use up nothing of the rate", async () => {
    const service = await start({ limit: { perWindow: 1, windowMs: 60_000, resetUnit: "seconds" } });
    service.faults.at(1, "status-500-before");
    service.faults.at(2, { kind: "rate-limited", retryAfter: 1 });
    expect(await statuses(service, LIST, LIST, LIST, LIST)).toEqual([500, 429, 200, 429]);
    expect(service.counters.rateLimited).toBe(1);
  });
});
