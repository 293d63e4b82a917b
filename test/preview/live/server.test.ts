/** The preview's server without a browser: what each answer contains, and the events that pages wait for. */

import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { mediaUrl, startPageServer } from "../../../src/preview/live/server.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { makeProject } from "../../support/project.ts";

const SHA256 = "a".repeat(64);

async function started() {
  const project = await makeProject({ config: false, files: { "a.png": "PNG" } });
  const server = await startPageServer(
    {
      page: () => "<p>Page",
      data: () => "{}",
      media: (sha256) =>
        sha256 === SHA256 ? { path: join(project.root, "a.png"), mime: "image/png" } : undefined,
      policy: "default-src 'none'",
    },
    0,
  );
  afterThisTest(() => server.close());
  return { project, server, at: (path: string) => new URL(path, server.url) };
}

test("no answer can be used by another origin or stored", async () => {
  const { at } = await started();
  for (const path of ["/", "/data", mediaUrl(SHA256), "/events", "/none"]) {
    const answer = await fetch(at(path));
    expect([path, Object.fromEntries(answer.headers)]).toMatchObject([
      path,
      {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      },
    ]);
    await answer.body?.cancel();
  }
  const page = await fetch(at("/"));
  expect(page.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(page.headers.get("content-type")?.toLowerCase()).toBe("text/html; charset=utf-8");
});

test("a picture is sent completely, and answers 404 after its file is removed", async () => {
  const { project, at } = await started();
  const answer = await fetch(at(mediaUrl(SHA256)));
  expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["image/png", "PNG"]);
  await project.remove("a.png");
  expect((await fetch(at(mediaUrl(SHA256)))).status).toBe(404);
});

test("a player gets the part of a file that it asks for", async () => {
  const { at } = await started();
  const part = async (range: string) => {
    const answer = await fetch(at(mediaUrl(SHA256)), { headers: { range } });
    return [answer.status, answer.headers.get("content-range"), await answer.text()];
  };
  expect(await part("bytes=1-")).toEqual([206, "bytes 1-2/3", "NG"]);
  expect(await part("bytes=0-1")).toEqual([206, "bytes 0-1/3", "PN"]);
  expect(await part("bytes=2-9999")).toEqual([206, "bytes 2-2/3", "G"]);
  // For a part that does not exist, and for forms that players do not use, the server sends the whole file.
  for (const range of ["bytes=7-", "bytes=2-1", "bytes=-1", "lines=1-2"])
    expect(await part(range)).toEqual([200, null, "PNG"]);
});

test("open pages get an event at each change, until the server closes", async () => {
  const { server, at } = await started();
  expect((await fetch(at("/events"), { method: "HEAD" })).status).toBe(404);
  const events = await fetch(at("/events"));
  expect(events.headers.get("content-type")).toBe("text/event-stream");
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("retry: 1000\n\n");
  for (let count = 0; count < 2; count += 1) {
    server.notify();
    expect((await reader?.read())?.value).toBe("event: change\ndata: \n\n");
  }
  await server.close();
  const end = await reader?.read().catch(() => ({ done: true }));
  expect(end?.done).toBe(true);
});

test.each(["HTTP/1.0", "HTTP/1.1\r\nHost:", "HTTP/1.1\r\nHost: a b", "HTTP/1.1\r\nHost: [::1]"])(
  "refuses a request without a host of this machine: %j",
  async (end) => {
    const { at } = await started();
    const socket = connect(Number(at("/").port), "127.0.0.1");
    socket.end(`GET /data ${end}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
  },
);
