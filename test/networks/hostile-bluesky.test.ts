/** A Bluesky server that answers correctly in form, and lies. */

import { describe, expect, test } from "vitest";
import type { PublishedPart } from "../../src/networks/network.ts";
import { attempt, networkPost, open, picture } from "../support/networks/open.ts";
import { type StandInAnswer, startStandIn } from "../support/networks/stand-in.ts";

const PASSWORD = "abcd-efgh-ijkl-mnop";
const SESSION = { accessJwt: "a.b.c", refreshJwt: "d.e.f", did: "did:plc:garden", handle: "garden.test" };
const RECORD = { uri: "at://did:plc:garden/app.bsky.feed.post/3k", cid: "bafy" };

type Answers = Readonly<Record<string, unknown>>;

/** A server with these answers, by the end of the path. */
async function startServer(answers: Answers) {
  const bodies: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = await startStandIn(({ url, body, headers }): StandInAnswer => {
    bodies.push(body.toString("utf8"));
    authorizations.add(headers.authorization);
    const name = url.pathname.split(".").at(-1) ?? "";
    const json = answers[name] ?? { createSession: SESSION, putRecord: RECORD }[name];
    return json === undefined ? { status: 400, json: { error: "InvalidRequest" } } : { json };
  });
  const settings = { network: "bluesky", handle: "garden.test", password_env: "P", server: server.origin };
  return { server, bodies, authorizations, network: open(settings, PASSWORD) };
}

describe("an answer to the sign-in is refused, and its token goes into no header, if it has", () => {
  test.each([
    ["a line break in the token", { ...SESSION, accessJwt: "a\r\nx-evil: 1" }],
    ["letters that a header cannot have", { ...SESSION, accessJwt: "ключ" }],
    ["no token", { ...SESSION, accessJwt: undefined }],
    ["an empty token", { ...SESSION, accessJwt: "" }],
    ["a list as token", { ...SESSION, accessJwt: ["a.b.c"] }],
    ["a token of 2 MB", { ...SESSION, accessJwt: "a".repeat(2_000_000) }],
    ["a number as did", { ...SESSION, did: 7 }],
    ["escapes in the handle", { ...SESSION, handle: "\u001b[2Jgarden.test" }],
    ["a list", [SESSION]],
  ])("%s", async (_what, createSession) => {
    const { network, authorizations } = await startServer({ createSession });
    const result = await network.publish(networkPost(), attempt());
    expect(result).toMatchObject({ state: "failed", reason: expect.stringMatching(/./) });
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
    expect(await network.check()).toMatchObject({ state: "failed" });
    expect([...authorizations]).toEqual([undefined]);
  });
});

test("a DID document sends no request elsewhere", async () => {
  const inside = await startStandIn(() => ({ json: {} }));
  const service = [{ id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint: inside.origin }];
  const { network, server } = await startServer({
    createSession: { ...SESSION, didDoc: { id: SESSION.did, service } },
  });
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "published" });
  expect([inside.requests, server.requests.length]).toEqual([[], 2]);
});

test("the address of a post has the handle of the project, whatever the server says", async () => {
  const { network } = await startServer({
    createSession: { ...SESSION, handle: "evil.example", did: "did:web:evil.example" },
    putRecord: { uri: "at://did:web:evil.example/app.bsky.feed.post/other", cid: "bafy" },
  });
  expect(await network.publish(networkPost(), attempt())).toMatchObject({
    state: "published",
    url: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/garden\.test\/post\/[a-z2-7]{13}$/),
  });
});

test.each([
  ["too long", `at://${"a".repeat(5_000_000)}`],
  ["with escapes", "at://did:plc:garden/\u001b]0;x\u0007"],
  ["not an address", "::warning::x"],
])("a part of a thread whose address is %s is not recorded", async (_what, uri) => {
  const { network } = await startServer({ putRecord: { uri, cid: "bafy" } });
  const parts: PublishedPart[] = [];
  expect(await network.publish(networkPost({ thread: ["Two"] }), attempt(parts))).toMatchObject({
    state: "unknown",
  });
  expect(parts).toEqual([]);
});

test.each([
  ["no file", { blob: null }],
  ["a text", { blob: "javascript:alert(1)" }],
  ["a large file", { blob: { $type: "blob", ref: { $link: "b" }, more: "x".repeat(3_000_000) } }],
  [
    "another type",
    { blob: { $type: "blob", ref: { $link: "bafy" }, mimeType: "text/html", size: 9, also: { text: "x" } } },
  ],
])("after an upload that gave %s, nothing is published", async (_what, uploadBlob) => {
  const { network, server } = await startServer({ uploadBlob });
  const post = networkPost({ media: [picture(1)] });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "failed" });
  expect(server.requests.filter((each) => each.includes("putRecord"))).toEqual([]);
});

test("a session that is always over, and a place that is always taken, end", async () => {
  for (const error of ["ExpiredToken", "InvalidSwap", "InvalidToken"]) {
    const server = await startStandIn(({ url }) =>
      url.pathname.endsWith("Session") ? { json: SESSION } : { status: 400, json: { error } },
    );
    const settings = { network: "bluesky", handle: "garden.test", password_env: "P", server: server.origin };
    expect(await open(settings, PASSWORD).publish(networkPost(), attempt())).toMatchObject({
      state: "failed",
    });
    expect(server.requests.length).toBeLessThan(8);
  }
});

test("a mention whose account has no usable id stays text, and the post is published", async () => {
  for (const did of ["javascript:alert(1)", "x".repeat(2_000_000), "\u001b[2J", ""]) {
    const { network, bodies } = await startServer({ resolveHandle: { did } });
    const post = networkPost({ content: "Hi @alice.test" });
    expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
    expect(bodies.at(-1)).toContain('"text":"Hi @alice.test"');
    expect(bodies.at(-1)).toContain('"facets":[]');
  }
});
