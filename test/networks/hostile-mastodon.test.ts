/** A Mastodon server that answers correctly in form, and lies. */

import { expect, test } from "vitest";
import type { PublishedPart } from "../../src/networks/network.ts";
import { attempt, networkPost, open } from "../support/networks/open.ts";
import { startStandIn } from "../support/networks/stand-in.ts";

async function startServer(status: object) {
  const server = await startStandIn(({ url }) => {
    if (url.pathname.endsWith("verify_credentials")) return { json: { id: "1", acct: "garden" } };
    return url.pathname === "/api/v1/statuses" ? { json: { id: "7", ...status } } : { status: 404, json: {} };
  });
  return open({ network: "mastodon", server: server.origin, token_env: "T" }, "t0ken-0123456789");
}

test.each([
  ["a script", "javascript:alert(document.domain)"],
  ["data", "data:text/html,<script>alert(1)</script>"],
  ["a file", "file:///etc/passwd"],
  ["a command of a log", "::warning::x"],
  ["a title", "https://a.example/ \u001b]0;x\u0007"],
  ["too much", `https://a.example/${"a".repeat(3_000_000)}`],
])("the address of a post is not %s", async (_what, url) => {
  const network = await startServer({ url });
  const parts: PublishedPart[] = [];
  expect(await network.publish(networkPost({ thread: ["Two"] }), attempt(parts))).toEqual({
    state: "published",
  });
  expect(parts.map((part) => part.url)).toEqual([undefined, undefined]);
});

test.each([
  ["a path", "../../x"],
  ["escapes", "\u001b[2J"],
  ["too long", "1".repeat(3_000_000)],
  ["empty", ""],
])("an id that is %s is not recorded", async (_what, id) => {
  const network = await startServer({ id });
  const parts: PublishedPart[] = [];
  expect(await network.publish(networkPost({ thread: ["Two"] }), attempt(parts))).toMatchObject({
    state: "unknown",
  });
  expect(parts).toEqual([]);
});
