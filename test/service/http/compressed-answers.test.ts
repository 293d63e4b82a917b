/** Answers from a real server that a proxy compressed. */

import { once } from "node:events";
import { createServer } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createClient } from "../../../src/index.ts";
import { afterThisTest } from "../../support/after-test.ts";

const BODY = Buffer.from(JSON.stringify({ data: [{ id: "post_1", content: "Grüße" }] }));

async function clientOf(encoding: string, body: Uint8Array) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(async () => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = new AbortController();
  const client = createClient({
    url: `http://127.0.0.1:${port}`,
    apiKey: "k",
    signal: stop.signal,
    onWait: () => stop.abort(),
  });
  afterThisTest(() => client.close());
  return client;
}

test.each<[string, Uint8Array]>([
  ["gzip", gzipSync(BODY)],
  ["X-GZIP", gzipSync(BODY)],
  ["deflate", deflateSync(BODY)],
  ["br", brotliCompressSync(BODY)],
  ["gzip, br", brotliCompressSync(gzipSync(BODY))],
  ["identity", BODY],
])("reads an answer encoded as %s", async (encoding, body) => {
  const client = await clientOf(encoding, body);
  expect((await client.posts.list()).items).toMatchObject([{ id: "post_1", content: "Grüße" }]);
});

test.each(["gzip", "none", "utf-8"])(
  "reads an uncompressed answer that claims to be encoded as %s",
  async (encoding) => {
    const client = await clientOf(encoding, BODY);
    expect((await client.posts.list()).items).toMatchObject([{ id: "post_1", content: "Grüße" }]);
  },
);

/** The answer, followed by this many MB of spaces. */
function padded(mb: number): Uint8Array {
  return gzipSync(Buffer.concat([BODY, Buffer.alloc(mb * 1024 * 1024, " ")]));
}

test("a list of equal posts is read, even if it compresses very well", async () => {
  const text = "Every Friday: bring your own jar and fill it up. ".repeat(200);
  const posts = Array.from({ length: 1_000 }, (_, index) => ({ id: `post_${index}`, content: text }));
  const packed = brotliCompressSync(JSON.stringify({ data: posts }));
  expect(packed.byteLength).toBeLessThan(10_000);
  const client = await clientOf("br", packed);
  expect((await client.posts.list()).items).toHaveLength(1_000);
});

test("an answer is not unpacked if its unpacked size would be unusual", async () => {
  const bomb = await clientOf("gzip", padded(64));
  await expect(bomb.posts.list()).rejects.toThrow("text that is not JSON");
});

test("a truncated compressed answer is refused as a list, and makes the result of a create unknown", async () => {
  const client = await clientOf("gzip", gzipSync(BODY).subarray(0, -9));
  const made = await client.posts.create({ platforms: ["twitter"], scheduledAt: "2036-03-01T10:00:00Z" });
  expect(made.result).toBe("unknown");
  await expect(client.posts.list()).rejects.toThrow("text that is not JSON");
});
