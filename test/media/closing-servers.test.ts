/**
 * Servers that close the connection after an answer. undici 7.30 fails with an assertion if it has paused the answer at
 * that moment, which ends the whole process.
 */

import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch, request } from "undici";
import { describe, expect, test } from "vitest";
import { Connections, withoutPauses } from "../../src/media/connections.ts";
import { openConnections, sendOnce } from "../../src/service/http/request.ts";
import { afterThisTest } from "../support/after-test.ts";

import { csv, startScenario } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const HEADS: Readonly<Record<string, (size: number) => string>> = {
  "HTTP/1.0": () => "HTTP/1.0 200 OK\r\n\r\n",
  "HTTP/1.0 with a length": (size) => `HTTP/1.0 200 OK\r\nContent-Length: ${size}\r\n\r\n`,
  "Connection: close": (size) => `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`,
  "Connection: close, no length": () => "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
};

/** Around the sizes at which undici and Node pause: 64 KiB, and twice that. */
const SIZES = [1, 65_536, 66_000, 80_000, 100_000, 131_000, 131_072, 150_000, 400_000];

/** A server that sends each answer at once, and closes the connection. Returns its address. */
async function closingServer(head: string, body: Uint8Array): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([Buffer.from(head), body])));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.each(Object.entries(HEADS))("%s", (_name, head) => {
  test.each(SIZES)("a reader that is slower than the server gets all of %i bytes", async (size) => {
    const address = await closingServer(head(size), Buffer.alloc(size, 1));
    const dispatcher = new Connections({ connections: 4 });
    afterThisTest(() => dispatcher.destroy());
    const { body } = await request(address, { dispatcher });
    let bytes = 0;
    for await (const part of body) {
      bytes += part instanceof Uint8Array ? part.byteLength : 0;
      await sleep(5);
    }
    expect(bytes).toBe(size);
  });

  test("an answer of the service arrives", async () => {
    const text = "x".repeat(80_000);
    const url = await closingServer(head(text.length), Buffer.from(text));
    const dispatcher = openConnections();
    afterThisTest(() => dispatcher.destroy());
    const answer = await sendOnce({ method: "GET", url, headers: {}, timeoutMs: 5_000 }, dispatcher);
    expect(answer).toMatchObject({ kind: "answer", status: 200, text });
  });

  test("an answer that nobody reads does no harm", async () => {
    const url = await closingServer(head(80_000), Buffer.alloc(80_000, 1));
    const dispatcher = new Agent().compose(withoutPauses);
    afterThisTest(() => dispatcher.destroy());
    const { status, body } = await fetch(url, { dispatcher });
    await sleep(20);
    await body?.cancel();
    expect(status).toBe(200);
  });

  test("plan downloads a picture", async () => {
    const picture = Buffer.concat([tinyPng(), Buffer.alloc(80_000)]);
    const address = await closingServer(head(picture.byteLength), picture);
    const { plan } = await startScenario({
      config: { media: { allow_hosts: [new URL(address).host] } },
      files: {
        "calendars/a.csv": csv(
          ["id", "content", "platforms", "scheduled_at", "media"],
          ["a", "Hello", "bluesky", "2036-01-02 10:00", `${address}a.png`],
        ),
      },
    });
    const { summary, problems } = await plan();
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ create: 1 });
  });
});

test("an answer that ends too early is broken, whatever its size", async () => {
  for (const size of [10, 66_000, 80_000, 131_000]) {
    const head = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${size + 10}\r\n\r\n`;
    const url = await closingServer(head, Buffer.alloc(size, 1));
    const dispatcher = openConnections();
    afterThisTest(() => dispatcher.destroy());
    const answer = await sendOnce({ method: "GET", url, headers: {}, timeoutMs: 5_000 }, dispatcher);
    expect(answer).toMatchObject({ kind: "fault" });
  }
});
