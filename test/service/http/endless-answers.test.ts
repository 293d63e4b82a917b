/** Servers and proxies with endless answers: every request ends in time. */
import { type AddressInfo, type Socket, createServer } from "node:net";
import { expect, test } from "vitest";
import { CONNECT_TIMEOUT_MS, Connections } from "../../../src/media/connections.ts";
import { type HttpRequest, sendOnce } from "../../../src/service/http/request.ts";
import { afterThisTest } from "../../support/after-test.ts";

const TIMEOUT_MS = 300;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
/** Text that the server sends again and again, so that there is never a long silence. */
const DRIPS: readonly (readonly [string, string, string, string])[] = [
  ["a byte of its body", `${HEAD}\r\n`, " ", "the answer came too slowly (BODY_TOO_SLOW)"],
  [
    "a byte of its whole length",
    `${HEAD}content-length: 9999999\r\n\r\n`,
    " ",
    "the answer came too slowly (BODY_TOO_SLOW)",
  ],
  [
    "a chunk of one byte",
    `${HEAD}transfer-encoding: chunked\r\n\r\n`,
    "1\r\n \r\n",
    "the answer came too slowly (BODY_TOO_SLOW)",
  ],
  ["a letter of a header", `${HEAD}x-slow: `, "a", "it did not answer in time"],
  ["another header", HEAD, "x-more: 1\r\n", "it did not answer in time"],
  ["an early hint", "", "HTTP/1.1 103 Early Hints\r\n\r\n", "it did not answer in time"],
];

test.each(DRIPS)(
  "stops reading an answer that only sends %s from time to time",
  async (_name, start, drip, reason) => {
    const url = await serve((socket) => {
      socket.once("data", () => {
        socket.write(start);
        const timer = setInterval(() => socket.write(drip), 20);
        socket.once("close", () => clearInterval(timer));
      });
    });
    const answer = await send({ url });
    expect(answer).toMatchObject({ kind: "fault", sent: true });
    expect(answer.kind === "fault" && answer.reason).toContain(reason);
  },
);

test("reads a long answer that comes slower than the timeout, but steadily", async () => {
  const part = " ".repeat(16_384);
  // On a busy machine, a part may be late.
  const [parts, timeoutMs] = [6, 1_000];
  const url = await serve((socket) => {
    socket.once("data", () => {
      socket.write(`${HEAD}content-length: ${part.length * parts}\r\n\r\n`);
      let sent = 0;
      const timer = setInterval(() => {
        socket.write(part);
        sent += 1;
        if (sent === parts) clearInterval(timer);
      }, timeoutMs / 4);
      socket.once("close", () => clearInterval(timer));
    });
  });
  expect(await send({ url, timeoutMs })).toMatchObject({ kind: "answer", text: part.repeat(parts) });
});

test("stops reading an answer that is fast enough, but takes longer than the maximum", async () => {
  const url = await serve((socket) => {
    socket.once("data", () => {
      socket.write(`${HEAD}\r\n`);
      const timer = setInterval(() => socket.write(" ".repeat(65_536)), 20);
      socket.once("close", () => clearInterval(timer));
    });
  });
  expect(await send({ url, maxMs: 500 })).toMatchObject({
    kind: "fault",
    reason: expect.stringContaining("BODY_TOO_SLOW"),
  });
});

test("stops an upload that a server does not read at the slowest speed", async () => {
  const url = await serve((socket) => socket.pause());
  const body = Buffer.alloc(4_000);
  const begun = performance.now();
  expect(await send({ url, method: "POST", body })).toMatchObject({ kind: "fault", sent: true });
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test("stops reading an answer when the run is stopped", async () => {
  const stop = new AbortController();
  const url = await serve((socket) => {
    socket.once("data", () => {
      socket.write(`${HEAD}\r\n `);
      setTimeout(() => stop.abort(new Error("stopped")), 50);
    });
  });
  expect(await send({ url, timeoutMs: 60_000, signal: stop.signal })).toMatchObject({
    kind: "fault",
    reason: expect.stringContaining("stopped"),
  });
});

test.each([
  ["closes", (socket: Socket) => socket.end()],
  ["resets", (socket: Socket) => socket.resetAndDestroy()],
  ["refuses", (socket: Socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")],
  ["does not answer for", () => undefined],
  [
    "answers letter by letter for",
    (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
      const timer = setInterval(() => socket.write("a"), 20);
      socket.once("close", () => clearInterval(timer));
    },
  ],
])("asks a proxy that %s each tunnel only once, and knows that nothing was sent", async (_name, treat) => {
  let tunnels = 0;
  const proxy = await serve((socket) => {
    tunnels += 1;
    socket.once("data", () => treat(socket));
  });
  const before = process.env["HTTPS_PROXY"];
  process.env["HTTPS_PROXY"] = proxy;
  afterThisTest(() => {
    if (before === undefined) delete process.env["HTTPS_PROXY"];
    else process.env["HTTPS_PROXY"] = before;
  });
  const answer = await send({ url: "https://service.example/v1/posts", method: "POST", body: "{}" }, 1_000);
  expect(answer).toMatchObject({ kind: "fault", sent: false });
  expect(answer.kind === "fault" && answer.reason).toMatch(/proxy/i);
  expect(tunnels).toBe(1);
});

/** @param timeout of a connection, in ms */
async function send(given: Partial<HttpRequest> & Pick<HttpRequest, "url">, timeout = CONNECT_TIMEOUT_MS) {
  const connections = new Connections({ connections: 1, timeout });
  try {
    return await sendOnce({ method: "GET", headers: {}, timeoutMs: TIMEOUT_MS, ...given }, connections);
  } finally {
    await connections.destroy();
  }
}

/** A server of raw connections. Gives its address. */
async function serve(treat: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
