/** The preview's server without a browser: what each answer contains, and the events that pages wait for. */

import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { pictureAddress, startPageServer } from "../../../src/preview/live/server.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { makeProject } from "../../support/project.ts";

const SHA256 = "a".repeat(64);

async function started() {
  const project = await makeProject({ config: false, files: { "a.png": "PNG" } });
  const server = await startPageServer(
    {
      page: () => "<p>Page",
      data: () => "{}",
      picture: (sha256) =>
        sha256 === SHA256 ? { path: join(project.root, "a.png"), mime: "image/png" } : undefined,
      policy: "default-src 'none'",
    },
    0,
  );
  afterThisTest(() => server.close());
  return { project, server, at: (path: string) => new URL(path, server.url) };
}

test("every answer keeps other origins out and is not stored", async () => {
  const { at } = await started();
  for (const path of ["/", "/data", pictureAddress(SHA256), "/events", "/none"]) {
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
  const answer = await fetch(at(pictureAddress(SHA256)));
  expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["image/png", "PNG"]);
  await project.remove("a.png");
  expect((await fetch(at(pictureAddress(SHA256)))).status).toBe(404);
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
