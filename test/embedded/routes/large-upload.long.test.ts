import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { request } from "undici";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { nextMessage, startChild } from "../../support/child.ts";
import { MP4, at, call, temporaryFolder } from "../../support/embedded-service.ts";

vi.setConfig({ testTimeout: 120_000 });
const MB = 1_048_576;
const FILE_BYTES = 200 * MB;

const address = z.object({ url: z.string(), keys: z.object({ write: z.string(), read: z.string() }) });
const memory = z.object({ rss: z.number(), arrayBuffers: z.number() });

function* largeForm(): Generator<Uint8Array> {
  yield Buffer.from(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="long.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
  );
  const chunk = Buffer.alloc(MB, "v");
  yield MP4;
  for (let sent = MP4.length; sent < FILE_BYTES; sent += MB) {
    yield chunk.subarray(0, Math.min(MB, FILE_BYTES - sent));
  }
  yield Buffer.from("\r\n--edge--\r\n");
}

it("stores and serves a file of 200 MB without holding it in memory", async () => {
  const folder = join(await temporaryFolder(), "embedded");
  const { child, first } = await startChild("embedded-child.js", folder);
  const { url, keys } = address.parse(first);
  const usage = async (): Promise<z.infer<typeof memory>> => {
    child.send("memory");
    return memory.parse(await nextMessage(child));
  };
  // The first request loads modules that are loaded only once.
  await call(url, keys.write, "GET", "/media");
  const before = await usage();

  const made = await request(`${url}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.write}`, "content-type": "multipart/form-data; boundary=edge" },
    body: Readable.from(largeForm()),
  });
  const body: unknown = await made.body.json();
  expect([made.statusCode, at(body, "type"), at(body, "bytes")]).toEqual([201, "video", FILE_BYTES]);
  expect((await stat(join(folder, "media", String(at(body, "id"))))).size).toBe(FILE_BYTES);

  const served = await request(String(at(body, "url")), {
    headers: { authorization: `Bearer ${keys.read}` },
  });
  let received = 0;
  for await (const chunk of served.body) received += z.instanceof(Uint8Array).parse(chunk).length;
  expect(received).toBe(FILE_BYTES);

  const peak = await usage();
  // A copy of the file would take 200 MB or more. Chunks take a few MB.
  expect(peak.arrayBuffers - before.arrayBuffers).toBeLessThan(60 * MB);
  expect(peak.rss - before.rss).toBeLessThan(120 * MB);
});
