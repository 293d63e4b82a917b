/** Downloads from a real host that misbehaves in every way that we could think of. */

import { Place } from "../../src/disk/place.ts";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allowedHosts } from "../../src/media/allowed-hosts.ts";
import {
  type DownloadOptions,
  type Downloaded,
  type Validators,
  anyConnections,
  download,
  publicConnections,
} from "../../src/media/checked-request.ts";
import type { MediaFault } from "../../src/media/media-fault.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startMediaHost } from "../support/media-host.ts";
import { tinyPng } from "../support/tiny-media.ts";

interface Asked {
  readonly allow: readonly string[];
  readonly rules?: Partial<DownloadOptions>;
  readonly known?: Validators;
}

async function get(
  address: string,
  { allow, rules, known }: Asked,
): Promise<{ result: Downloaded | MediaFault; contents: () => Promise<Buffer> }> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-download-"));
  const allows = allowedHosts(allow);
  const [any, open] = [anyConnections(), publicConnections()];
  afterThisTest(async () => {
    await any.destroy();
    await open.destroy();
    await rm(folder, { recursive: true });
  });
  const path = join(folder, "file");
  const result = await download(address, Place.checked(path), known, {
    allows,
    dispatcherFor: (url) => (allows(url) ? any : open),
    maxSize: "200kB",
    timeout: "10s",
    userAgent: "plancast/test",
    stop: new AbortController().signal,
    ...rules,
  });
  return { result, contents: () => readFile(path) };
}

/** The code of the problem, or the result. */
async function outcome(address: string, asked: Asked): Promise<string> {
  const { result } = await get(address, asked);
  return "code" in result ? result.code : result.kind;
}

test.each([
  ["/ok.png", "new"],
  ["/ok.png?w=1,2;3", "new"],
  ["/hop1", "new"],
  ["/four", "new"],
  ["/five", "new"],
  ["/six", "media/url"],
  ["/loop", "media/url"],
  ["/to-file", "media/url"],
  ["/to-data", "media/url"],
  ["/to-user", "media/url"],
  ["/to-metadata", "media/url-private"],
  ["/to-localhost", "media/url-private"],
  ["/to-octal", "media/url-private"],
  ["/to-mapped", "media/url-private"],
  ["/nowhere", "media/url"],
  ["/gone", "media/url"],
  ["/forbidden", "media/url"],
  ["/broken", "media/url"],
  ["/part", "media/url"],
  ["/nothing", "media/url"],
  ["/said-same", "media/url"],
  ["/hang-up", "media/url-unreachable"],
  ["/garbage", "media/url-unreachable"],
  ["/empty", "media/type"],
  ["/says-too-much", "media/url-unreachable"],
  ["/cut-chunks", "media/url-unreachable"],
  ["/gzip", "media/url-unreachable"],
  ["/says-huge", "media/url-too-large"],
  ["/endless", "media/url-too-large"],
])("%s: %s", async (path, expected) => {
  const host = await startMediaHost();
  expect(await outcome(host.url(path), { allow: [`127.0.0.1:${host.port}`] })).toBe(expected);
});

test.each(["/drip", "/silent"])("ends %s at the timeout", async (path) => {
  const host = await startMediaHost();
  const asked = { allow: ["127.0.0.1"], rules: { timeout: "200ms" } };
  const { result } = await get(host.url(path), asked);
  expect(result).toMatchObject({ code: "media/url-unreachable", message: expect.stringContaining("200ms") });
});

test("stops downloads of an interrupted run", async () => {
  const host = await startMediaHost();
  const stopping = new AbortController();
  host.serve("/waits", () => stopping.abort());
  const got = get(host.url("/waits"), { allow: ["127.0.0.1"], rules: { stop: stopping.signal } });
  await expect(got).rejects.toThrow();
});

test.each([
  ["itself", (port: number) => `http://127.0.0.1:${port}/ok.png`],
  ["in decimal", (port: number) => `http://2130706433:${port}/ok.png`],
  ["in octal", (port: number) => `http://0177.0.0.1:${port}/ok.png`],
  ["in hex", (port: number) => `http://0x7f000001:${port}/ok.png`],
  ["short", (port: number) => `http://127.1:${port}/ok.png`],
  ["in full-width digits", (port: number) => `http://１２７.0.0.1:${port}/ok.png`],
  ["this network", (port: number) => `http://0:${port}/ok.png`],
  ["IPv6", (port: number) => `http://[::1]:${port}/ok.png`],
  ["IPv4 in IPv6", (port: number) => `http://[::ffff:127.0.0.1]:${port}/ok.png`],
  ["by name", (port: number) => `http://localhost:${port}/ok.png`],
  ["by name, in capitals, with the root's dot", (port: number) => `http://LocalHost.:${port}/ok.png`],
  ["a name below it", (port: number) => `http://a.localhost:${port}/ok.png`],
])("a host that is not allowed is not asked: %s", async (_name, address) => {
  const host = await startMediaHost();
  expect(await outcome(address(host.port), { allow: ["127.0.0.1:1"] })).toBe("media/url-private");
  expect(host.asked).toEqual([]);
});

test("refuses a host name that resolves only to private addresses", async () => {
  const host = await startMediaHost();
  // The text of the name is allowed, so only the check of the connection can refuse it.
  const open = publicConnections();
  afterThisTest(() => open.destroy());
  const rules = { dispatcherFor: () => open };
  const { result } = await get(`http://localhost:${host.port}/ok.png`, { allow: ["localhost"], rules });
  expect(result).toMatchObject({
    code: "media/url-private",
    message: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
  expect(host.asked).toEqual([]);
});

test("allows this machine only for an allowed host, even after redirects", async () => {
  const host = await startMediaHost();
  host.serve("/to-name", (response) =>
    response.writeHead(301, { location: `http://localhost:${host.port}/ok.png` }).end(),
  );
  expect(await outcome(host.url("/to-name"), { allow: ["127.0.0.1"] })).toBe("media/url-private");
  expect(await outcome(host.url("/to-name"), { allow: ["127.0.0.1", "LOCALHOST"] })).toBe("new");
});

test("sends no header about the user except the program's name", async () => {
  const host = await startMediaHost();
  const { contents } = await get(host.url("/hop1"), { allow: ["127.0.0.1"] });
  expect(await contents()).toEqual(Buffer.from(tinyPng()));
  const headers = {
    host: `127.0.0.1:${host.port}`,
    connection: "keep-alive",
    accept: "image/*, video/*",
    "accept-encoding": "identity",
    "user-agent": "plancast/test",
  };
  expect(host.asked.map((each) => ({ url: each.url, headers: each.headers }))).toEqual(
    ["/hop1", "/hop2", "/ok.png"].map((url) => ({ url, headers })),
  );
});

test("does not download an unchanged file again", async () => {
  const host = await startMediaHost();
  const headers = { etag: '"v1"', "last-modified": "Sat, 01 Jan 2028 00:00:00 GMT" };
  host.serve("/kept.png", (response, request) =>
    request.headers["if-none-match"] === '"v1"'
      ? response.writeHead(304).end()
      : response.writeHead(200, headers).end(tinyPng()),
  );
  const allow = ["127.0.0.1"];
  const { result } = await get(host.url("/kept.png"), { allow });
  const known = { etag: '"v1"', modified: "Sat, 01 Jan 2028 00:00:00 GMT" };
  expect(result).toEqual({ kind: "new", validators: known });
  expect((await get(host.url("/kept.png"), { allow, known })).result).toEqual({ kind: "same" });
  expect(host.asked.at(-1)?.headers["if-modified-since"]).toBe(known.modified);
});

test("does not print secrets of an address", async () => {
  const host = await startMediaHost();
  for (const path of ["/gone?sig=s3cret", "/to-metadata?sig=s3cret", "/to-user", "/loop?sig=s3cret"]) {
    const { result } = await get(host.url(path), { allow: ["127.0.0.1"] });
    expect(JSON.stringify(result)).toContain("media/url");
    expect(JSON.stringify(result)).not.toContain("s3cret");
  }
});

test("refuses untrusted certificates and redirects from https to http", async () => {
  const tls = new URL("../support/tls/", import.meta.url);
  const [key, cert] = await Promise.all([
    readFile(new URL("key.pem", tls)),
    readFile(new URL("cert.pem", tls)),
  ]);
  const server = createTlsServer({ key, cert }, (_request, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:9/x.png" }).end(),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`;
  expect(await outcome(address, { allow: ["127.0.0.1"] })).toBe("media/url-unreachable");
  const { Agent } = await import("undici");
  const trusting = new Agent({ connect: { ca: cert } });
  afterThisTest(() => trusting.destroy());
  const rules = { dispatcherFor: () => trusting };
  expect(await outcome(address, { allow: ["127.0.0.1"], rules })).toBe("media/url");
});

test("reports a refused connection and an unknown host", async () => {
  expect(await outcome("http://127.0.0.1:1/x.png", { allow: ["127.0.0.1"] })).toBe("media/url-unreachable");
  expect(await outcome("http://no-such-host.invalid/x.png", { allow: [] })).toBe("media/url-unreachable");
});
