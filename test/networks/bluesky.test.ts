/** Publishing to Bluesky, against a stand-in. test:networks does it against a real server. */
import { utcTime } from "../../src/model/canonical.ts";
import { richText } from "../../src/checks/networks/bluesky-rich-text.ts";
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import { facetsOf, recordKey } from "../../src/networks/bluesky-record.ts";
import { BLUESKY_PASSWORD, type BlueskyOptions, startBluesky } from "../support/networks/bluesky.ts";
import type { PublishedPart } from "../../src/networks/network.ts";
import { attempt, networkPost, noise, open, picture } from "../support/networks/open.ts";
import { TestClock } from "../support/test-clock.ts";
import { startPage } from "../support/web-page.ts";

const NOBODY: ReadonlyMap<string, string> = new Map();

async function startAccount(options: BlueskyOptions = {}) {
  const server = await startBluesky(options);
  const settings = {
    network: "bluesky",
    handle: "garden.test",
    password_env: "BLUESKY_APP_PASSWORD",
    server: server.origin,
  };
  return { server, network: open(settings, BLUESKY_PASSWORD), settings };
}

/** The text and the kind of each facet. */
function covered(text: string, didOf = NOBODY): (readonly [string, unknown])[] {
  const bytes = Buffer.from(text);
  return facetsOf(richText(text), didOf).map(({ index, features }) => {
    const { $type: _type, ...rest } = features[0] ?? {};
    return [bytes.subarray(index.byteStart, index.byteEnd).toString(), Object.values(rest)[0]];
  });
}

test("facets cover the bytes of links, mentions and hashtags, even after emoji and Arabic", () => {
  const text = "🌱👩‍🌾 مرحبا بكم https://example.com/a?b=1. #ربيع @alice.test see garden.example.org!";
  expect(covered(text, new Map([["alice.test", "did:plc:alice"]]))).toEqual([
    ["https://example.com/a?b=1", "https://example.com/a?b=1"],
    ["#ربيع", "ربيع"],
    ["@alice.test", "did:plc:alice"],
    ["garden.example.org", "https://garden.example.org"],
  ]);
});

test("a bracket after a link with brackets is not part of the link", () => {
  const link = "https://example.com/a_(b)?utm_source=bluesky";
  expect(covered(`See (${link}). Or (“${link}”), ${link}`).map(([text]) => text)).toEqual([link, link, link]);
});

test("text that looks like Markdown stays as it is, and its links still count", () => {
  expect(covered("**bold** _x_ `code` [here](https://example.com/x) ~~no~~ \\# #a_b")).toEqual([
    ["https://example.com/x", "https://example.com/x"],
    ["#a_b", "a_b"],
  ]);
  expect(covered("1. #1 a@b.example #️⃣ :smile: #")).toEqual([]);
});

test("a record key is a TID of the due time: the same for each attempt, and different for each post", () => {
  const keys = Array.from({ length: 500 }, (_, index) => recordKey(networkPost({ key: `post_${index}` }), 0));
  expect(new Set(keys).size).toBe(500);
  expect(keys[0]).toMatch(/^[234567abcdefghij][234567a-z]{12}$/);
  expect(recordKey(networkPost(), 0)).toBe(recordKey(networkPost(), 0));
  const parts = [0, 1, 2].map((part) => recordKey(networkPost(), part));
  expect(parts.toSorted()).toEqual(parts);
  expect(recordKey(networkPost({ scheduledAt: "2027-03-01T08:00:01Z" }), 0) > (parts[2] ?? "")).toBe(true);
});

test("publishes text and pictures with alternative texts and proportions, and gives the address", async () => {
  const { server, network } = await startAccount();
  const post = networkPost({
    content: "Hi @alice.test @nobody.test",
    media: [picture(1, "A bed"), picture(2)],
  });
  const rkey = recordKey(post, 0);
  expect(await network.publish(post, attempt())).toEqual({
    state: "published",
    url: `https://bsky.app/profile/garden.test/post/${rkey}`,
    note: "nobody on Bluesky has the handle @nobody.test, so it is only text",
  });
  expect(server.records.get(rkey)).toMatchObject({
    text: "Hi @alice.test @nobody.test",
    createdAt: "2027-03-01T08:00:00.000Z",
    facets: [{ features: [{ did: "did:plc:alice" }] }],
    embed: {
      images: [
        { alt: "A bed", aspectRatio: { width: 4, height: 4 } },
        { alt: "", image: { mimeType: "image/png" } },
      ],
    },
  });
});

test("languages and labels are in the record, and the rules who may reply beside it, even after a lost answer", async () => {
  const { server, network } = await startAccount();
  const options = { langs: ["de", "en"], labels: ["nudity"], replies: ["mentioned", "following"] };
  const post = networkPost({ options });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  const key = recordKey(post, 0);
  expect(server.records.get(key)).toMatchObject({
    langs: ["de", "en"],
    labels: { $type: "com.atproto.label.defs#selfLabels", values: [{ val: "nudity" }] },
  });
  expect(server.replyRules.get(key)).toEqual({
    $type: "app.bsky.feed.threadgate",
    post: `at://did:plc:garden/app.bsky.feed.post/${key}`,
    allow: [
      { $type: "app.bsky.feed.threadgate#mentionRule" },
      { $type: "app.bsky.feed.threadgate#followingRule" },
    ],
    createdAt: "2027-03-01T08:00:00.000Z",
  });
  server.replyRules.clear();
  expect(await network.settle(post, attempt())).toEqual({ state: "absent" });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
  expect([server.records.size, server.replyRules.size]).toEqual([1, 1]);
});

test("a server that refuses the rules who may reply publishes the post, and the result says so", async () => {
  const { network } = await startAccount({ refusesReplyRules: true });
  const post = networkPost({ options: { replies: ["nobody"] } });
  expect(await network.publish(post, attempt())).toMatchObject({
    state: "published",
    note: expect.stringContaining("everybody may reply, because the server refused the rule"),
  });
});

test("repeating an attempt publishes nothing twice, and a lost answer is found", async () => {
  const { server, network } = await startAccount();
  const post = networkPost();
  expect(await network.settle(post, attempt())).toEqual({ state: "absent" });
  server.faults.set(
    "/xrpc/com.atproto.repo.putRecord",
    Array.from({ length: 4 }, () => "lost-answer" as const),
  );
  expect(await network.publish(post, attempt())).toMatchObject({ state: "unknown" });
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect(server.records.size).toBe(1);
});

test("a post is refused if its id already belongs to another text", async () => {
  const { network } = await startAccount();
  await network.publish(networkPost(), attempt());
  expect(await network.publish(networkPost({ content: "Other" }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
});

test("a thread is published part by part, and continues where an attempt ended", async () => {
  const { server, network } = await startAccount();
  const post = networkPost({ thread: ["Two", "Three"] });
  server.faults.set("/xrpc/com.atproto.repo.putRecord", [undefined, 400]);
  const parts: PublishedPart[] = [];
  const found: PublishedPart[] = [];
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "failed" });
  expect(await network.settle(post, attempt(found))).toEqual({ state: "absent" });
  expect(found).toEqual(parts);
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "published" });
  const [one, two, three] = [0, 1, 2].map((part) => recordKey(post, part));
  // An incomplete thread must not look like a post that is not there.
  expect(parts).toEqual([one, two, three].map((key) => ({ id: expect.stringMatching(`/${key}$`) })));
  expect([...server.records.keys()]).toEqual([one, two, three]);
  expect([...server.records.values()].map(({ createdAt }) => createdAt)).toEqual([
    "2027-03-01T08:00:00.000Z",
    "2027-03-01T08:00:00.001Z",
    "2027-03-01T08:00:00.002Z",
  ]);
  expect(server.records.get(three ?? "")).toMatchObject({
    text: "Three",
    reply: {
      root: { uri: expect.stringContaining(one ?? "") },
      parent: { uri: expect.stringContaining(two ?? "") },
    },
  });
});

test("each text of a thread has its own pictures, and a crash between them publishes none twice", async () => {
  const { server, network } = await startAccount();
  const media = [picture(1, "One"), picture(2, "Three, left"), picture(3, "Three, right")];
  const post = networkPost({ thread: ["Two", "Three"], threadMedia: [0, 2], media });
  server.faults.set("/xrpc/com.atproto.repo.putRecord", [undefined, undefined, 400]);
  const parts: PublishedPart[] = [];
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "failed" });
  expect(await network.publish(post, attempt(parts))).toMatchObject({ state: "published" });
  expect(
    [...server.records.values()].map(({ embed }) =>
      Object(embed).images?.map(({ alt }: { alt: string }) => alt),
    ),
  ).toEqual([["One"], undefined, ["Three, left", "Three, right"]]);
});

test("an account that shows short or named links gets them, and a crash does not publish them twice", async () => {
  const { server, settings } = await startAccount();
  const network = open({ ...settings, links: "markdown" }, BLUESKY_PASSWORD);
  const post = networkPost({
    content: "🌱 [Menu](https://example.com/menu) https://example.com/a/very/long/path",
  });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect([...server.records.values()]).toMatchObject([
    {
      text: "🌱 Menu example.com/a/very/long/...",
      facets: [
        { index: { byteStart: 5, byteEnd: 9 }, features: [{ uri: "https://example.com/menu" }] },
        {
          index: { byteStart: 10, byteEnd: 37 },
          features: [{ uri: "https://example.com/a/very/long/path" }],
        },
      ],
    },
  ]);
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect(server.records.size).toBe(1);
});

function refers(rkey = "") {
  return { uri: expect.stringMatching(new RegExp(`${rkey}$`)), cid: expect.any(String) };
}

test("a post answers or quotes another one, with the root of its thread, and keeps its pictures", async () => {
  const { server, network } = await startAccount();
  const first = networkPost({ key: "first", content: "One", thread: ["Two"] });
  await network.publish(first, attempt());
  const [one, two] = [0, 1].map((part) => recordKey(first, part));
  const post = networkPost({
    content: "Three",
    thread: ["Four"],
    media: [picture(1)],
    replyTo: `https://bsky.app/profile/alice.test/post/${two}`,
    quote: `at://did:plc:alice/app.bsky.feed.post/${one}`,
  });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect([...server.records.values()].slice(2)).toMatchObject([
    {
      text: "Three",
      reply: { root: refers(one), parent: refers(two) },
      embed: {
        $type: "app.bsky.embed.recordWithMedia",
        record: { record: refers(one) },
        media: { $type: "app.bsky.embed.images", images: [{ alt: "" }] },
      },
    },
    { text: "Four", reply: { root: refers(one), parent: refers(recordKey(post, 0)) } },
  ]);
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
  for (const replyTo of [
    "https://bsky.app/profile/alice.test/post/3none",
    "https://bsky.app/profile/nobody.test/post/x",
  ])
    expect(await network.publish(networkPost({ key: "b", replyTo }), attempt())).toEqual({
      state: "failed",
      reason: `the post ${replyTo} does not exist, or not any more`,
      retry: false,
    });
});

test("a server that cannot look up a handle delays a post by a few minutes at most", async () => {
  const clock = new TestClock();
  const { server, settings } = await startAccount();
  const network = open(settings, BLUESKY_PASSWORD, { clock });
  const post = networkPost({ content: "Hi @alice.test", scheduledAt: utcTime(clock.now()) });
  server.watch = (request) => (request.endsWith("resolveHandle") ? 502 : undefined);
  expect(await network.publish(post, attempt())).toMatchObject({ state: "failed", retry: true });
  clock.advance(5 * 60_000);
  expect(await network.publish(post, attempt())).toMatchObject({
    state: "published",
    note: "the server did not say who has the handle @alice.test, so it is only text",
  });
  expect([...server.records.values()]).toMatchObject([{ text: "Hi @alice.test", facets: [] }]);
});

test("signs in once, renews an expired session once, and signs in again if that fails", async () => {
  const { server, network } = await startAccount();
  await Promise.all(["a", "b", "c"].map((key) => network.publish(networkPost({ key }), attempt())));
  const signIns = () => server.requests.filter((each) => each.endsWith("createSession")).length;
  expect(signIns()).toBe(1);
  server.expire();
  await Promise.all(["d", "e"].map((key) => network.publish(networkPost({ key }), attempt())));
  expect(server.records.size).toBe(5);
  expect(server.requests.filter((each) => each.endsWith("refreshSession"))).toHaveLength(1);
  expect(signIns()).toBe(2);
});

test("a session that ends again immediately delays a post, but the post does not fail", async () => {
  const { server, network } = await startAccount();
  // Another run signs in before each request of this one.
  server.watch = (request) => void (request.endsWith("putRecord") && server.expire());
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "failed", retry: true });
  server.watch = () => undefined;
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "published" });
});

test("a post whose answer was lost is unknown, even if its time passes before the next attempt", async () => {
  const clock = new TestClock();
  const { server, settings } = await startAccount();
  const network = open(settings, BLUESKY_PASSWORD, { clock });
  server.watch = (request, moment) => {
    if (!request.endsWith("putRecord") || moment === "arrived") return undefined;
    clock.advance(60_000);
    return "lost-answer";
  };
  const result = await network.publish(networkPost(), { ...attempt(), notAfter: clock.now() + 60_000 });
  expect([result.state, server.records.size]).toEqual(["unknown", 1]);
  expect(await network.settle(networkPost(), attempt())).toMatchObject({ state: "published" });
  const late = await network.publish(networkPost({ key: "b" }), { ...attempt(), notAfter: clock.now() });
  expect(late).toMatchObject({ state: "failed", isLate: true });
});

test("a wrong password fails, may be renewed, and appears in no message", async () => {
  const { settings } = await startAccount();
  const network = open(settings, "wrong-password");
  const result = await network.publish(networkPost(), attempt());
  expect(result).toMatchObject({ state: "failed", retry: true });
  expect(JSON.stringify([result, await network.check()])).not.toContain("wrong-password");
});

test("refuses what Bluesky does not accept, and says why", async () => {
  const { network } = await startAccount();
  const reasonFor = async (media: ReturnType<typeof picture>[]) =>
    network.publish(networkPost({ media }), attempt());
  expect(await reasonFor(Array.from({ length: 11 }, (_, seed) => picture(seed)))).toEqual({
    state: "failed",
    reason: "the post has 11 pictures, and the server accepts at most 10",
    retry: false,
  });
  const unmeasured = [1, 2, 3, 4, 5].map((seed) => ({ ...picture(seed), facts: {} }));
  expect(await reasonFor(unmeasured)).toMatchObject({
    reason: "picture 1 shows no width and height, which a gallery needs",
  });
  const moving = { ...noise(), mime: "image/webp", facts: { width: 9, height: 9, lengthMs: 400 } };
  expect(await reasonFor([moving])).toMatchObject({
    reason: expect.stringMatching(
      /^picture 1 has \d+ bytes, the server accepts at most 2000000, and plancast cannot/,
    ),
  });
  const video = { ...picture(1), mime: "video/mp4" };
  for (const media of [
    [video, picture(2)],
    [{ ...video, mime: "video/quicktime" }],
    [{ ...video, bytes: 300_000_001 }],
  ])
    expect(await reasonFor(media)).toMatchObject({
      reason: expect.stringMatching(/(?:Bluesky|the server) accepts/),
      retry: false,
    });
});

test("a video goes to the server byte for byte, with its text and proportions, even after a lost session", async () => {
  const { server, network } = await startAccount();
  const bytes = Buffer.alloc(3_000_000, "film");
  const media = [
    {
      mime: "video/mp4",
      bytes: bytes.length,
      alt: "A walk",
      facts: { width: 640, height: 360 },
      open: () => Promise.resolve(new Blob([bytes], { type: "video/mp4" })),
    },
  ];
  await network.check();
  server.expire();
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({ state: "published" });
  expect([...server.blobs.values()].map((each) => each.equals(bytes))).toEqual([true]);
  expect([...server.records.values()]).toMatchObject([
    {
      embed: {
        $type: "app.bsky.embed.video",
        alt: "A walk",
        aspectRatio: { width: 640, height: 360 },
        video: { mimeType: "video/mp4", size: bytes.length },
      },
    },
  ]);
});

test("a picture that is too large becomes smaller, and keeps its proportions", async () => {
  const { server, network } = await startAccount();
  const media = [{ ...noise(), alt: "Noise" }];
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({ state: "published" });
  const [bytes = Buffer.alloc(0)] = server.blobs.values();
  const { type, width, height } = imageSize(bytes);
  expect([type, width / height, bytes.length < 2_000_000]).toEqual(["webp", 2, true]);
  expect([...server.records.values()]).toMatchObject([
    {
      embed: {
        images: [
          { alt: "Noise", aspectRatio: { width: 1_400, height: 700 }, image: { mimeType: "image/webp" } },
        ],
      },
    },
  ]);
});

test("an older server gets a smaller picture once, and no other refusal is repeated", async () => {
  const { server, network } = await startAccount({ pictureBytes: 1_000_000 });
  const media = [{ ...noise(900, 500), alt: "Noise" }, picture(1, "A bed")];
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({ state: "published" });
  expect([...server.records.values()]).toMatchObject([
    { embed: { $type: "app.bsky.embed.images", images: [{ alt: "Noise" }, { alt: "A bed" }] } },
  ]);
  const puts = (): number => server.requests.filter((each) => each.endsWith("putRecord")).length;
  expect(puts()).toBe(2);
  const strict = await startAccount({ pictureBytes: 10 });
  expect(await strict.network.publish(networkPost({ media: [picture(1)] }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
  expect(strict.server.requests.filter((each) => each.endsWith("putRecord"))).toHaveLength(1);
});

test("more than four pictures are a gallery", async () => {
  const { server, network } = await startAccount();
  const media = [1, 2, 3, 4, 5].map((seed) => picture(seed, `Bed ${seed}`));
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({ state: "published" });
  const [record] = server.records.values();
  expect(record).toMatchObject({
    embed: {
      $type: "app.bsky.embed.gallery",
      media: media.map(({ alt }) => ({
        $type: "app.bsky.embed.gallery#image",
        alt,
        aspectRatio: { width: 4, height: 4 },
      })),
    },
  });
});

test("if there is no picture, the first link becomes a card with its page's title and description", async () => {
  const page = await startPage("<title>The garden</title><meta name=description content='Open &amp; free'>");
  const { server, settings } = await startAccount();
  const network = open(settings, BLUESKY_PASSWORD, { allowsPages: () => true });
  const content = `Come: ${page}/visit?a=1. Or https://other.example`;
  await network.publish(networkPost({ content }), attempt());
  await network.publish(networkPost({ content, key: "post_2", media: [picture(1)] }), attempt());
  expect([...server.records.values()].map(({ embed }) => embed)).toMatchObject([
    {
      $type: "app.bsky.embed.external",
      external: { uri: `${page}/visit?a=1`, title: "The garden", description: "Open & free" },
    },
    { $type: "app.bsky.embed.images" },
  ]);
});

test("a card has its page's picture, made smaller if needed, and goes out without it if Bluesky refuses it", async () => {
  const picture = await noise().open();
  const page = await startPage((path, response) => {
    if (path !== "/p") response.setHeader("content-type", "text/html");
    if (path !== "/p") response.end('<title>The garden</title><meta property="og:image" content="/p">');
    else void picture.arrayBuffer().then((bytes) => response.end(Buffer.from(bytes)));
  });
  const { server, settings } = await startAccount();
  const network = open(settings, BLUESKY_PASSWORD, { allowsPages: () => true });
  const content = `Come: ${page}/visit`;
  await network.publish(networkPost({ content }), attempt());
  server.faults.set("/xrpc/com.atproto.repo.uploadBlob", [413]);
  expect(await network.publish(networkPost({ content, key: "post_2" }), attempt())).toMatchObject({
    state: "published",
  });
  const [bytes = Buffer.alloc(0)] = server.blobs.values();
  expect([imageSize(bytes).type, bytes.length < 1_000_000]).toEqual(["webp", true]);
  const external = { uri: `${page}/visit`, title: "The garden", description: "" };
  expect([...server.records.values()].map(({ embed }) => embed)).toEqual([
    {
      $type: "app.bsky.embed.external",
      external: {
        ...external,
        thumb: expect.objectContaining({ mimeType: "image/webp", size: bytes.length }),
      },
    },
    { $type: "app.bsky.embed.external", external },
  ]);
});

test("if a server cannot be reached, plancast tries again", async () => {
  const { server, network } = await startAccount();
  server.watch = () => "lost-request";
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "failed", retry: true });
});
