import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { receiveFile } from "../../../src/embedded/routes/media.ts";
import { EndpointError } from "../../../src/embedded/routes/endpoint.ts";
import { anyText } from "../../support/any-text.ts";
import {
  type TestService,
  NEW_YEAR,
  PNG,
  at,
  draft,
  startTestService,
  temporaryFolder,
  upload,
} from "../../support/embedded-service.ts";
import { manyRuns } from "../../support/property-tests.ts";

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: unknown;
}

/** Sends bytes as they are, and reads until the service hangs up. */
async function raw(service: TestService, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  await once(socket, "close");
  const text = Buffer.concat(chunks).toString("utf8");
  const [headers = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(headers.slice(9, 12)), headers: headers.toLowerCase(), body: JSON.parse(body) };
}

function head(service: TestService, line: string, headers: Record<string, string | number> = {}): string {
  const all = { Host: "x", Connection: "close", Authorization: `Bearer ${service.keys.admin}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

function expectShape(answer: RawAnswer): void {
  expect(at(answer.body, "error", "code")).toEqual(expect.any(String));
  expect(at(answer.body, "error", "message")).toEqual(expect.any(String));
  expect(answer.headers).toContain("x-ratelimit-limit: 600");
  expect(answer.headers).toContain("x-ratelimit-remaining: ");
  expect(answer.headers).toContain("x-ratelimit-reset: ");
  expect(answer.headers).toContain("content-type: application/json");
}

async function postJson(service: TestService, body: string | Uint8Array, type = "application/json") {
  return await raw(
    service,
    head(service, "POST /v1/posts", { "Content-Type": type, "Content-Length": body.length }),
    body,
  );
}

async function postForm(service: TestService, body: Uint8Array, type: string): Promise<RawAnswer> {
  return await raw(
    service,
    head(service, "POST /v1/media", { "Content-Type": type, "Content-Length": body.length }),
    body,
  );
}

async function expectAlive(service: TestService): Promise<void> {
  expect((await service.call("GET", "/posts")).status).toBe(200);
}

describe("paths and methods", () => {
  it("answers an unknown path with 404", async () => {
    const service = await startTestService();
    for (const path of [
      "",
      "/",
      "/posts/",
      "/posts/a/b",
      "/Posts",
      "//posts",
      "/media/x",
      "/%zz",
      "/../../v2",
    ]) {
      const answer = await service.call("GET", path);
      expect([path, answer.status, at(answer.body, "error", "code")]).toEqual([path, 404, "not_found"]);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("600");
    }
  });

  it("answers a wrong method with 405 and the allowed ones", async () => {
    const service = await startTestService();
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const answer = await raw(service, head(service, `${method} /v1/posts`));
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers).toContain("allow: get, post");
      expectShape(answer);
    }
  });

  it.each([
    ["CONNECT", (service: TestService) => head(service, "CONNECT example.com:443")],
    ["TRACE", (service: TestService) => head(service, "TRACE /v1/posts")],
    ["an unknown method", (service: TestService) => head(service, "BREW /v1/posts")],
    ["no HTTP", () => "hello\r\n\r\n"],
    ["TLS", () => Buffer.from("160301020001000100fc0303", "hex")],
    ["a wrong version", () => "GET /v1/posts HTTP/9.9\r\n\r\n"],
    [
      "a header flood",
      (service: TestService) => head(service, "GET /v1/posts", { "X-Long": "x".repeat(100_000) }),
    ],
    [
      "a flood of headers",
      (service: TestService) =>
        head(
          service,
          "GET /v1/posts",
          Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x-${i}`, i])),
        ),
    ],
    ["two lengths", (service: TestService) => head(service, "POST /v1/posts", { "Content-Length": "5, 6" })],
    [
      "a length and chunks",
      (service: TestService) =>
        head(service, "POST /v1/posts", { "Content-Length": 5, "Transfer-Encoding": "chunked" }),
    ],
    ["a bad host", (service: TestService) => head(service, "GET /v1/posts", { Host: "a b/c?d" })],
    ["a backslash", (service: TestService) => head(service, "GET /v1\\posts")],
    ["a bad absolute address", (service: TestService) => head(service, "GET http://[/v1/posts")],
    [
      "an expectation",
      (service: TestService) => head(service, "GET /v1/nothing", { Expect: "the unexpected" }),
    ],
    [
      "an upgrade",
      (service: TestService) =>
        head(service, "GET /v1/nothing", { Upgrade: "websocket", Connection: "upgrade, close" }),
    ],
  ])("answers %s in the error's shape", async (_name, bytes) => {
    const service = await startTestService();
    const answer = await raw(service, bytes(service));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expectShape(answer);
    await expectAlive(service);
  });

  it("answers a request without a host", async () => {
    const service = await startTestService();
    const answer = await raw(
      service,
      `GET /v1/platforms HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${service.keys.read}\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });
});

describe("JSON bodies", () => {
  it.each([
    ["another type", "{}", "text/plain"],
    ["a form", "content=a", "application/x-www-form-urlencoded"],
    ["no type", "{}", ""],
    ["nothing", "", undefined],
    ["no JSON", "{", undefined],
    ["a number", "1", undefined],
    ["null", "null", undefined],
    ["a list", "[]", undefined],
    ["a deep list", "[".repeat(500_000), undefined],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), undefined],
    ["a prototype", '{"__proto__":{"content":"x"},"constructor":1}', undefined],
  ])("refuses %s", async (_name, body, type) => {
    const service = await startTestService();
    const answer = await postJson(service, body, type);
    expect(answer.status).toBe(422);
    expectShape(answer);
    await expectAlive(service);
  });

  it("accepts a charset after the content type", async () => {
    const service = await startTestService();
    const answer = await postJson(service, JSON.stringify(draft()), "Application/JSON; charset=utf-8");
    expect(answer.status).toBe(201);
  });

  it("refuses a body over 1 MB with 413, with or without a declared length", async () => {
    const service = await startTestService();
    const told = await postJson(service, Buffer.alloc(1_048_577, 0x20));
    const chunked = await raw(
      service,
      head(service, "POST /v1/posts", { "Content-Type": "application/json", "Transfer-Encoding": "chunked" }),
      ...Array.from({ length: 20 }, () => `10000\r\n${" ".repeat(0x1_0000)}\r\n`),
      "0\r\n\r\n",
    );
    for (const answer of [told, chunked]) {
      expect([answer.status, at(answer.body, "error", "code")]).toEqual([413, "validation_error"]);
      expectShape(answer);
    }
    expect((await service.call("POST", "/posts", draft({ content: "é".repeat(100_000) }))).status).toBe(201);
  });

  it("refuses a compressed body", async () => {
    const service = await startTestService();
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip", "Content-Length": 2 };
    expect((await raw(service, head(service, "POST /v1/posts", headers), "{}")).status).toBe(422);
  });

  it("survives callers that disconnect during a request", async () => {
    const service = await startTestService();
    const { port } = new URL(service.url);
    const starts = [
      head(service, "POST /v1/posts", { "Content-Type": "application/json", "Content-Length": 100 }),
      head(service, "POST /v1/media", {
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": 900,
      }) + '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc',
      "GET /v1/po",
    ];
    for (const start of starts) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(start);
      await once(socket, "connect");
      socket.resetAndDestroy();
    }
    await expectAlive(service);
    await service.close();
    expect(await readdir(join(service.folder, "media"))).toEqual([]);
  });
});

describe("multipart bodies", () => {
  const type = "multipart/form-data; boundary=edge";
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const whole = Buffer.concat([
    Buffer.from(`--edge\r\n${disposition}`),
    PNG,
    Buffer.from("\r\n--edge--\r\n"),
  ]);

  it("accepts the valid form from which the test makes broken forms", async () => {
    const service = await startTestService();
    expect((await postForm(service, whole, type)).status).toBe(201);
  });

  it.each([
    ["no boundary", whole, "multipart/form-data"],
    ["an empty boundary", whole, "multipart/form-data; boundary="],
    ["another boundary", whole, "multipart/form-data; boundary=other"],
    ["another type", whole, "application/octet-stream"],
    ["a list of types", whole, "multipart/mixed; boundary=edge"],
    ["nothing", Buffer.alloc(0), type],
    ["the closing edge alone", Buffer.from("--edge--\r\n"), type],
    ["a part without a head", Buffer.from("--edge\r\n\r\nabc\r\n--edge--\r\n"), type],
    [
      "many headers",
      Buffer.from(`--edge\r\n${"X-A: b\r\n".repeat(9000)}${disposition}abc\r\n--edge--\r\n`),
      type,
    ],
    [
      "many parts",
      Buffer.from(
        `${`--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`.repeat(2000)}--edge--`,
      ),
      type,
    ],
  ])("refuses %s", async (_name, body, contentType) => {
    const service = await startTestService();
    const answer = await postForm(service, body, contentType);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expectShape(answer);
    expect(await readdir(join(service.folder, "media"))).toEqual([]);
  });

  it("reports too many parts before a missing file", async () => {
    const service = await startTestService();
    const field = '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n';
    const answer = await postForm(service, Buffer.concat([Buffer.from(field.repeat(30)), whole]), type);
    expect(at(answer.body, "error", "message")).toBe("body: has too many parts.");
  });

  it("refuses a form that is cut off at any byte, and stores no part of it", async () => {
    let ms = NEW_YEAR;
    const service = await startTestService({ now: () => (ms += 10), rateWindowMs: 1 });
    // A form that is cut within its last line end is complete.
    for (let end = 0; end < whole.length - 4; end += 3) {
      const answer = await postForm(service, whole.subarray(0, end), type);
      expect([end, answer.status]).toEqual([end, 422]);
    }
    expect(await readdir(join(service.folder, "media"))).toEqual([]);
  });

  it("refuses a declared length over 1 GB before the body arrives", async () => {
    const service = await startTestService();
    const answer = await raw(
      service,
      head(service, "POST /v1/media", { "Content-Type": type, "Content-Length": 1_200_000_000 }),
    );
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([413, "validation_error"]);
    expectShape(answer);
  });

  it("accepts a file of the largest size, and refuses one byte more", async () => {
    const path = join(await temporaryFolder(), "file");
    const results: unknown[] = [];
    const server = createServer((incoming, outgoing) => {
      void receiveFile(incoming, () => createWriteStream(path, { flags: "wx" }), PNG.length - results.length)
        .then(
          () => results.push("taken"),
          (error: unknown) => results.push(error instanceof EndpointError ? error.status : error),
        )
        .finally(() => outgoing.end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: upload(PNG) });
    await rm(path);
    await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: upload(PNG) });
    expect(results).toEqual(["taken", 413]);
  });

  it("refuses any random bytes with 422 and keeps running", async () => {
    let ms = NEW_YEAR;
    const service = await startTestService({ now: () => (ms += 10), rateWindowMs: 1 });
    const piece = fc.oneof(
      fc.constantFrom(
        "--edge",
        "\r\n",
        "--",
        "\r\n\r\n",
        disposition,
        'name="',
        "Content-Type: image/png",
        "\0",
      ),
      fc.string(),
    );
    const bodies = fc.array(piece, { maxLength: 12 }).map((parts) => Buffer.from(parts.join("")));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await postForm(service, body, type);
        expect(answer.status).toBe(422);
      }),
      { numRuns: manyRuns(1_000) },
    );
    await expectAlive(service);
  });
});

it("stores uploads under its own names, whatever the file is called", async () => {
  const service = await startTestService();
  const names = anyText(300);
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const answer = await service.call("POST", "/media", upload(PNG, name));
      expect(answer.status).toBe(201);
    }),
    { numRuns: manyRuns(200) },
  );
  const stored = await readdir(join(service.folder, "media"));
  expect(stored.every((name) => /^media_[0-9a-f]{12}$/.test(name))).toBe(true);
});
