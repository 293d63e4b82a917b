/** Publishing through Mastodon's API, against a strict stand-in. test:networks does it against a real server. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isSameText } from "../../src/networks/mastodon.ts";
import type { PublishedPart } from "../../src/networks/network.ts";
import { MASTODON_TOKEN, type MastodonOptions, startMastodon } from "../support/networks/mastodon.ts";
import { attempt, networkPost, noise, open, picture } from "../support/networks/open.ts";
import { vipsOfTests } from "../support/pictures.ts";
import { TestClock } from "../support/test-clock.ts";
import { tinyPng } from "../support/tiny-media.ts";

const DUE = Date.UTC(2027, 2, 1, 8);

async function startAccount(options: MastodonOptions & { readonly settings?: object } = {}) {
  const clock = new TestClock(() => false, DUE + 1_000);
  const server = await startMastodon({ now: clock.now, ...options });
  const settings = {
    network: "mastodon",
    server: server.origin,
    token_env: "MASTODON_TOKEN",
    ...options.settings,
  };
  return { server, clock, network: open(settings, MASTODON_TOKEN, { clock }), settings };
}

test("publishes text and pictures with descriptions, once the server has processed them", async () => {
  const { server, network } = await startAccount();
  const options = { visibility: "unlisted", language: "de", spoiler_text: "Spoiler", sensitive: true };
  const post = networkPost({ media: [picture(1, "Ein Beet 🌱"), picture(2)], options });
  expect(await network.publish(post, attempt())).toEqual({
    state: "published",
    url: `https://social.example/@garden/${server.statuses[0]?.id}`,
  });
  expect(server.statuses).toMatchObject([
    {
      text: "Hello",
      fields: options,
      media: [
        { description: "Ein Beet 🌱", sha256: createHash("sha256").update(tinyPng(1)).digest("hex") },
        { description: undefined },
      ],
    },
  ]);
});

test("with an older server, plancast uses the first version of the endpoints", async () => {
  const { server, network } = await startAccount({ isOld: true });
  expect(await network.publish(networkPost({ media: [picture(1)] }), attempt())).toMatchObject({
    state: "published",
  });
  expect(server.requests).toContain("POST /api/v1/media");
});

test.each([false, true])(
  "a lost answer is found among the account's own posts (keys ignored: %s)",
  async (ignoresKeys) => {
    const { server, network } = await startAccount({ ignoresKeys });
    const post = networkPost({
      content: "A & B <c>\n\nhttps://example.com/a-long-address?x=1 @bob@other.example",
    });
    server.faults.set("/api/v1/statuses", ["lost-answer"]);
    expect(await network.publish(post, attempt())).toMatchObject({ state: "unknown" });
    expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
    expect(server.statuses).toHaveLength(1);
  },
);

test("after a lost request, the post is absent, and publishing again gives one post", async () => {
  const { server, network } = await startAccount();
  server.faults.set("/api/v1/statuses", ["lost-request"]);
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "unknown" });
  expect(await network.settle(networkPost(), attempt())).toEqual({ state: "absent" });
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "published" });
  expect(server.statuses).toHaveLength(1);
});

test("within an hour the server knows the key of a repeated request", async () => {
  const { server, clock, network } = await startAccount();
  await network.publish(networkPost(), attempt());
  clock.advance(50 * 60_000);
  await network.publish(networkPost(), attempt());
  expect(server.statuses).toHaveLength(1);
  clock.advance(20 * 60_000);
  await network.publish(networkPost(), attempt());
  expect(server.statuses).toHaveLength(2);
});

test("a post with the same text counts as another post if it belongs to another row, has other media or is older", async () => {
  const { server, network, clock } = await startAccount();
  await network.publish(networkPost({ key: "other" }), attempt());
  const [{ id } = { id: "" }] = server.statuses;
  expect(await network.settle(networkPost(), attempt([], [id]))).toEqual({ state: "absent" });
  expect(await network.settle(networkPost({ media: [picture(1)] }), attempt())).toEqual({ state: "absent" });
  clock.advance(3_600_000);
  const later = networkPost({ scheduledAt: "2027-03-01T09:00:00Z" });
  expect(await network.settle(later, attempt())).toEqual({ state: "absent" });
});

test("finds a post behind several pages of later ones, and an old one that is pinned", async () => {
  const { network, server, clock } = await startAccount();
  await network.publish(networkPost({ key: "pinned", content: "Who we are" }), attempt());
  server.pinned = server.statuses[0]?.id;
  clock.advance(86_400_000);
  const due = "2027-03-02T08:00:00Z";
  await network.publish(networkPost({ content: "The one" }), attempt());
  for (let index = 0; index < 90; index += 1)
    await network.publish(networkPost({ key: `k${index}`, content: `Post ${index}` }), attempt());
  const post = networkPost({ content: "The one", scheduledAt: due });
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
});

test("finds the parts of a thread with equal texts in their order", async () => {
  const { network, server } = await startAccount();
  const post = networkPost({ thread: ["Hello"] });
  await network.publish(post, attempt());
  const parts: PublishedPart[] = [];
  expect(await network.settle(post, attempt(parts))).toMatchObject({ state: "published" });
  expect(parts.map(({ id }) => id)).toEqual(server.statuses.map(({ id }) => id));
});

test("a thread is published part by part, and continues where an attempt ended", async () => {
  const { server, network } = await startAccount();
  const post = networkPost({ thread: ["Two", "Three"] });
  const parts: PublishedPart[] = [];
  server.faults.set("/api/v1/statuses", [undefined, "lost-answer"]);
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "unknown" });
  expect(parts).toHaveLength(1);
  expect(await network.settle(post, attempt(parts))).toEqual({ state: "absent" });
  expect(parts).toHaveLength(2);
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "published" });
  expect(server.statuses.map(({ text, replyTo }) => [text, replyTo])).toEqual([
    ["Hello", undefined],
    ["Two", server.statuses[0]?.id],
    ["Three", server.statuses[1]?.id],
  ]);
});

test("each text of a thread has its own files, and is found again by their number", async () => {
  const { server, network } = await startAccount();
  const media = [picture(1, "One"), picture(2, "Three")];
  const post = networkPost({
    content: "Same",
    thread: ["Two", "Same"],
    threadMedia: [0, 1],
    media: [...media, picture(3)],
  });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  const described = () => server.statuses.map((status) => status.media.map(({ description }) => description));
  expect(described()).toEqual([["One", "Three"], [], [undefined]]);
  const parts: PublishedPart[] = [];
  expect(await network.settle(post, attempt(parts))).toMatchObject({ state: "published" });
  expect(parts.map(({ id }) => id)).toEqual(server.statuses.map(({ id }) => id));
});

test("waits for the limit that the server shows, and publishes all", async () => {
  const { server, network } = await startAccount({ limit: 3 });
  const keys = Array.from({ length: 10 }, (_, index) => `post ${index}`);
  const results = await Promise.all(
    keys.map((key) => network.publish(networkPost({ key, content: key }), attempt())),
  );
  expect(results.map(({ state }) => state)).toEqual(keys.map(() => "published"));
  expect(server.statuses).toHaveLength(10);
});

test("refuses what the server does not accept, and says why", async () => {
  const { server, network } = await startAccount();
  const long = "a".repeat(501);
  expect(await network.publish(networkPost({ content: long }), attempt())).toEqual({
    state: "failed",
    reason: "the text has 501 characters, and the server accepts at most 500",
    retry: false,
  });
  // A link counts as 23 characters.
  const link = `${"a".repeat(450)} https://example.com/${"b".repeat(100)}`;
  expect(await network.publish(networkPost({ content: link }), attempt())).not.toMatchObject({
    reason: expect.stringContaining("at most"),
  });
  const mention = `${"a".repeat(484)} @alice@social.example.org`;
  expect(await network.publish(networkPost({ key: "m", content: mention }), attempt())).toMatchObject({
    state: "published",
  });
  const media = [1, 2, 3, 4, 5].map((seed) => picture(seed));
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
  expect(server.requests).not.toContain("POST /api/v2/media");
});

test("a content warning counts with each text, and a type that the server does not name is refused", async () => {
  const { server, network } = await startAccount();
  const options = { spoiler_text: "w".repeat(20) };
  const content = "a".repeat(481);
  expect(await network.publish(networkPost({ content, options }), attempt())).toMatchObject({
    state: "failed",
    reason: "the text has 501 characters, and the server accepts at most 500",
  });
  expect(await network.publish(networkPost({ content: content.slice(1), options }), attempt())).toMatchObject(
    {
      state: "published",
    },
  );
  const media = [{ ...picture(1), mime: "image/bmp" }];
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("file 1 is image/bmp, and the server accepts only image/jpeg"),
  });
  const long = [picture(1, "a".repeat(1501))];
  expect(await network.publish(networkPost({ media: long }), attempt())).toMatchObject({
    reason: "the description of file 1 has more than 1500 characters",
  });
  expect(server.requests).not.toContain("POST /api/v2/media");
});

test("a picture with more pixels than the server names becomes smaller, and an animation is refused", async () => {
  const { server, network } = await startAccount({ area: 10_000 });
  expect(await network.publish(networkPost({ media: [noise(200, 100)] }), attempt())).toMatchObject({
    state: "published",
  });
  const [file] = server.statuses[0]?.media ?? [];
  const sent = (await vipsOfTests()).Image.newFromBuffer(file?.bytes ?? Buffer.alloc(0));
  expect([sent.width, sent.height]).toEqual([100, 50]);
  const moving = { ...noise(200, 100), mime: "image/apng" };
  expect(await network.publish(networkPost({ key: "b", media: [moving] }), attempt())).toEqual({
    state: "failed",
    reason:
      "picture 1 has 200 × 100 px, the server accepts at most 10000 px in all, and plancast cannot make it smaller",
    retry: false,
  });
});

test("a refusal is final, a wrong token may be renewed, and a busy server leaves the result unknown", async () => {
  const { server, network, settings } = await startAccount();
  server.faults.set("/api/v1/statuses", [422, 503]);
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "failed", retry: false });
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "unknown" });
  const wrong = open(settings, "a-wrong-token");
  const result = await wrong.publish(networkPost(), attempt());
  expect(result).toMatchObject({ state: "failed", retry: true });
  expect(JSON.stringify([result, await wrong.check()])).not.toContain("a-wrong-token");
});

test("texts are compared by what people read, not by their HTML", () => {
  expect(isSameText("*Hi* & bye 🌱", "<p><em>Hi</em> &amp; bye &#127793;</p>")).toBe(true);
  expect(isSameText("a <b> c", "<p>a <b> c</p>")).toBe(true);
  expect(isSameText("Hi 1", "<p>Hi 2</p>")).toBe(false);
  expect(isSameText("مرحبا", "<p>مرحبا</p>")).toBe(true);
  expect(isSameText("🌱", "<p>🌷</p>")).toBe(false);
  // A server that does not find an account shows the mention as it is written.
  const mention = '<p>By <span class="h-card"><a href="#">@<span>ana</span></a></span>: 1</p>';
  expect(isSameText("By @ana@one.example: 1", mention)).toBe(true);
  expect(isSameText("By @ana@one.example: 1", "By @ana@one.example: 1<br>")).toBe(true);
  expect(isSameText("By @ana@one.example: 1", "By @eva@one.example: 1<br>")).toBe(false);
});

test("a post answers the post at an address, and refuses one that the server does not find", async () => {
  const { server, network } = await startAccount();
  const first = await network.publish(networkPost({ key: "first", content: "One" }), attempt());
  const replyTo = "url" in first ? (first.url ?? "") : "";
  const post = networkPost({ content: "Two", thread: ["Three"], replyTo });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  const [one, two, three] = server.statuses;
  expect([two?.replyTo, three?.replyTo]).toEqual([one?.id, two?.id]);
  expect(await network.publish(networkPost({ key: "b", replyTo: `${replyTo}9` }), attempt())).toMatchObject({
    state: "failed",
    reason: `the server does not find the post ${replyTo}9`,
    retry: false,
  });
});
