/** Publishing on real servers, which `npm run test:networks` installs. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPublishingOn } from "../chaos/publishing-world.ts";
import { accountsOf } from "../../src/embedded/publishing/accounts.ts";
import { accountNames } from "../../src/networks/open-accounts.ts";
import { startTestService, upload } from "../support/embedded-service.ts";
import { account, attempt, networkPost, noise, open, picture } from "../support/networks/open.ts";
import { type RealBluesky, startRealBluesky, startRealSnac } from "../support/networks/real-servers.ts";
import type { NetworkMedia } from "../../src/networks/network.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { FILMS, filmMedia, showsPlace } from "../support/films.ts";
import { tinyMp4, tinyPng } from "../support/tiny-media.ts";
import { startPage } from "../support/web-page.ts";
import { until } from "../support/until.ts";
import { setTimeout as wait } from "node:timers/promises";
import { readFileSync } from "node:fs";
import pLimit from "p-limit";
import { z } from "zod";
import { richText } from "../../src/checks/networks/bluesky-rich-text.ts";
import { canonicalContent } from "../../src/model/canonical.ts";
import { isSameText } from "../../src/networks/mastodon.ts";
import { facetsOf, mentionedHandles, recordKey } from "../../src/networks/bluesky-record.ts";

let pds: RealBluesky;
beforeAll(async () => {
  pds = await startRealBluesky();
});
afterAll(() => pds.stop());

/** A new account on the server. */
async function bluesky(name: string) {
  const server = await pds.account(name);
  const settings = { network: "bluesky", handle: server.handle, password_env: "BSKY", server: pds.url };
  return { server, settings, network: open(settings, server.password, { clock: systemClock }) };
}

async function snac() {
  const server = await startRealSnac();
  const settings = { network: "mastodon", server: server.url, token_env: "SNAC" };
  return { server, settings, network: open(settings, server.token, { clock: systemClock }) };
}

async function bytesOf(file: NetworkMedia | undefined): Promise<Buffer> {
  return Buffer.from((await (await file?.open())?.arrayBuffer()) ?? new ArrayBuffer());
}

const now = () => new Date().toISOString().replace(/\.\d+Z/, "Z");

test("Bluesky shows the text with its facets, and signs in with an app password", async () => {
  const alice = await bluesky("garden-alice");
  const { server, network } = await bluesky("garden-facets");
  const content =
    "🌱👩‍🌾 مرحبا https://example.com/a?b=1 #ربيع #garden @garden-alice.test @nobody.test example.org!";
  expect(await network.check()).toMatchObject({ state: "ready", name: "@garden-facets.test" });
  expect(await network.publish(networkPost({ content }), attempt())).toMatchObject({ state: "published" });
  const [{ value } = { value: { text: "" } }] = await server.posts();
  const bytes = Buffer.from(value.text);
  const facets = Object(value).facets.map(({ index, features }: FacetRecord) => {
    const { $type, ...rest } = features[0] ?? { $type: "" };
    return [
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
      $type.split("#")[1],
      Object.values(rest)[0],
    ];
  });
  expect(value.text).toBe(content);
  expect(facets).toEqual([
    ["https://example.com/a?b=1", "link", "https://example.com/a?b=1"],
    ["#ربيع", "tag", "ربيع"],
    ["#garden", "tag", "garden"],
    ["@garden-alice.test", "mention", alice.server.did],
    ["example.org", "link", "https://example.org"],
  ]);
});

interface FacetRecord {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly { readonly $type: string }[];
}

/** Other servers would be asked about other handles. */
function isLocal(text: string): boolean {
  return mentionedHandles(richText(text)).every((handle) => handle.endsWith(".test"));
}

/** Every fourteenth text that is compared with Bluesky's app: thirty scripts, and all habits around links and tags. */
function manyTexts(): readonly string[] {
  const file = new URL("../checks/networks/bluesky-app/facets.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const texts = lines.flatMap((line) => z.tuple([z.string(), z.unknown()]).parse(JSON.parse(line))[0]);
  return [...new Set(texts.filter(isLocal).filter((_text, index) => index % 14 === 0))];
}

test("languages, labels and the rules who may reply are on a real Bluesky server, and visibility on a real snac", async () => {
  const { server, network } = await bluesky("garden-options");
  const options = { langs: ["de", "en"], labels: ["nudity"], replies: ["mentioned"] };
  const post = networkPost({ scheduledAt: now(), options });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
  const [{ value } = { value: {} }] = await server.posts();
  expect(value).toMatchObject({ langs: ["de", "en"], labels: { values: [{ val: "nudity" }] } });
  const other = await snac();
  const hidden = networkPost({
    scheduledAt: now(),
    options: { visibility: "unlisted", spoiler_text: "Food", sensitive: true },
  });
  expect(await other.network.publish(hidden, attempt())).toMatchObject({ state: "published" });
});

test("three hundred texts are on Bluesky and on snac as they were written", async () => {
  const texts = manyTexts();
  expect(texts.length).toBeGreaterThan(200);
  const alice = await bluesky("alice");
  const { server, network } = await bluesky("garden-many");
  const other = await snac();
  const posts = texts.map((content, index) =>
    networkPost({
      key: `post_${index}`,
      content: canonicalContent(content),
      scheduledAt: now(),
      options: { langs: ["de"] },
    }),
  );
  const inTurn = pLimit(8);
  const results = await Promise.all(posts.map((post) => inTurn(() => network.publish(post, attempt()))));
  expect(new Set(results.map(({ state }) => state))).toEqual(new Set(["published"]));
  const stored = new Map(
    (await server.posts()).map(({ uri, value }) => [uri.split("/").at(-1), Object(value)]),
  );
  for (const post of posts) {
    const { text, langs, facets } = stored.get(recordKey(post, 0)) ?? {};
    const dids = new Map([["alice.test", alice.server.did]]);
    expect({ text, langs, facets }).toEqual({
      text: post.content,
      langs: ["de"],
      facets: facetsOf(richText(post.content), dids),
    });
  }
  expect(await network.settle(posts[0] ?? networkPost(), attempt())).toMatchObject({ state: "published" });
  // snac shows the newest 256 posts of an account.
  const some = posts.slice(-250);
  const failed = await Promise.all(
    some.map(async (post) => {
      const send = () => inTurn(() => other.network.publish(post, attempt()));
      const sent = await send();
      // snac sometimes cuts off a connection. As after every lost answer, plancast asks first.
      const asked = sent.state === "unknown" ? await other.network.settle(post, attempt()) : sent;
      const result = asked.state === "absent" ? await send() : asked;
      return result.state === "published" ? [] : [post.content, result];
    }),
  );
  expect(failed.flat()).toEqual([]);
  // plancast recognises each of them in the HTML of the server.
  const statuses = await other.server.statuses();
  const missing = some.filter(({ content }) => !statuses.some((each) => isSameText(content, each.content)));
  expect([statuses.length, missing]).toEqual([some.length, []]);
}, 240_000);

test("Bluesky has the pictures byte for byte, with their texts and proportions", async () => {
  const { server, network } = await bluesky("garden-pictures");
  const media = [picture(1, "A bed of tulips 🌷"), picture(2), picture(3, "ثلاثة"), picture(4)];
  await network.publish(networkPost({ media }), attempt());
  const [post] = await server.posts();
  const images: { alt: string; aspectRatio: object; image: { ref: { $link: string } } }[] = Object(
    post?.value,
  ).embed.images;
  expect(images.map(({ alt }) => alt)).toEqual(["A bed of tulips 🌷", "", "ثلاثة", ""]);
  expect(images.map(({ aspectRatio }) => aspectRatio)).toEqual(media.map(() => ({ width: 4, height: 4 })));
  for (const [index, { image }] of images.entries()) {
    const sent = await bytesOf(media[index]);
    expect((await server.blob(image.ref.$link)).equals(sent)).toBe(true);
  }
});

test("Bluesky takes a gallery, and a picture that older servers refuse for its size", async () => {
  const { server, network } = await bluesky("garden-gallery");
  const gallery = [1, 2, 3, 4, 5].map((seed) => picture(seed));
  expect(await network.publish(networkPost({ media: gallery }), attempt())).toMatchObject({
    state: "published",
  });
  const large = { ...noise(900, 500), alt: "Noise" };
  expect(large.bytes).toBeGreaterThan(1_000_000);
  const second = await network.publish(networkPost({ key: "post_2", media: [large] }), attempt());
  expect(second).toEqual({ state: "published", url: expect.anything() });
  const embeds = (await server.posts()).map(({ value }) => Object(value).embed);
  expect(new Set(embeds.map(({ $type: type }) => type))).toEqual(
    new Set(["app.bsky.embed.gallery", "app.bsky.embed.images"]),
  );
});

test("Bluesky has the card of a link, with the page's picture byte for byte", async () => {
  const { server, settings } = await bluesky("garden-card");
  const options = { clock: systemClock, allowsPages: () => true };
  const network = open(settings, server.password, options);
  const page = await startPage((path, response) => {
    if (path === "/p.png") return void response.end(tinyPng(7));
    response.setHeader("content-type", "text/html");
    return void response.end('<title>The garden 🌷</title><meta property="og:image" content="/p.png">');
  });
  const post = networkPost({ content: `Come: ${page}/visit` });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  const [stored] = await server.posts();
  const { external } = Object(stored?.value).embed;
  expect(external).toMatchObject({ uri: `${page}/visit`, title: "The garden 🌷", description: "" });
  expect((await server.blob(external.thumb.ref.$link)).equals(tinyPng(7))).toBe(true);
});

test("Bluesky has the video byte for byte, with its text and proportions", async () => {
  const { server, network } = await bluesky("garden-video");
  const bytes = Buffer.concat([tinyMp4(), Buffer.alloc(2_000_000)]);
  const video: NetworkMedia = {
    mime: "video/mp4",
    bytes: bytes.length,
    alt: "A walk 🌷",
    facts: { width: 640, height: 360 },
    open: () => Promise.resolve(new Blob([bytes], { type: "video/mp4" })),
  };
  expect(await network.publish(networkPost({ media: [video] }), attempt())).toMatchObject({
    state: "published",
  });
  const [post] = await server.posts();
  const { embed } = Object(post?.value);
  expect(embed).toMatchObject({
    $type: "app.bsky.embed.video",
    alt: "A walk 🌷",
    aspectRatio: { width: 640, height: 360 },
  });
  expect((await server.blob(embed.video.ref.$link)).equals(bytes)).toBe(true);
});

test("Bluesky gets a thread in order, once, even from twenty attempts at the same time", async () => {
  const { server, network } = await bluesky("garden-thread");
  const post = networkPost({ content: "One", thread: ["Two", "Three"] });
  const results = await Promise.all(Array.from({ length: 20 }, () => network.publish(post, attempt())));
  expect(new Set(results.map(({ state }) => state))).toEqual(new Set(["published"]));
  const posts = await server.posts();
  expect(posts.map(({ value }) => value.text)).toEqual(["One", "Two", "Three"]);
  const [one, two, three] = posts.map(({ uri, cid, value }) => ({ uri, cid, reply: Object(value).reply }));
  expect(two?.reply).toEqual({ root: pointer(one), parent: pointer(one) });
  expect(three?.reply).toEqual({ root: pointer(one), parent: pointer(two) });
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
});

function pointer(post: { uri: string; cid: string } | undefined): object {
  return { uri: post?.uri, cid: post?.cid };
}

test("Bluesky refuses a text that is too long, and does not try again", async () => {
  const { network } = await bluesky("garden-long");
  expect(await network.publish(networkPost({ content: "a".repeat(301) }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
});

test.each(FILMS.filter(({ mime }) => mime === "video/mp4"))(
  "Bluesky has the film $name with its shape, and without its place",
  async ({ name, width, height }) => {
    const { server, network } = await bluesky(`film-${name.replaceAll(/[^a-z]/g, "").slice(0, 8)}`);
    const media = [await filmMedia(name)];
    expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({ state: "published" });
    const [post] = await server.posts();
    const { video, aspectRatio } = Object(post?.value).embed;
    expect(aspectRatio).toEqual({ width, height });
    const query = new URLSearchParams({ did: server.did, cid: String(video.ref.$link) });
    const answer = await fetch(`${pds.url}/xrpc/com.atproto.sync.getBlob?${query.toString()}`);
    const stored = Buffer.from(await answer.arrayBuffer());
    expect(stored.equals(await bytesOf(media[0]))).toBe(true);
    expect(showsPlace(stored)).toBe(false);
  },
);

test("snac has films of all types without their places, and with their texts", async () => {
  const { server, network } = await snac();
  for (const { name } of FILMS) {
    const media = [{ ...(await filmMedia(name)), alt: name }];
    const post = networkPost({ key: name, content: name, scheduledAt: now(), media });
    expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  }
  const statuses = await server.statuses();
  const shown = statuses.flatMap((status) => status.media_attachments);
  expect(new Set(shown.map(({ description }) => description))).toEqual(
    new Set(FILMS.map(({ name }) => name)),
  );
  for (const { url, description } of shown) {
    const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(stored.equals(await bytesOf(await filmMedia(description ?? "")))).toBe(true);
    expect(showsPlace(stored)).toBe(false);
  }
});

test("snac says that it has polls and ignores them, and the result says so", async () => {
  const { server, network } = await snac();
  const poll = { choices: ["Tulips", "Roses"], lengthMs: 86_400_000, isMultiple: false };
  const post = networkPost({ content: "Which?", scheduledAt: now(), poll });
  expect(await network.publish(post, attempt())).toMatchObject({
    state: "published",
    note: "the server ignored the poll and published only the text",
  });
  expect(await server.statuses()).toMatchObject([{ poll: null }]);
});

test("snac shows the text, the files with their descriptions, and a thread in order", async () => {
  const { server, network } = await snac();
  expect(await network.check()).toMatchObject({ state: "ready" });
  const media = [picture(1, "A bed of tulips 🌷"), picture(2)];
  const content = "🌱 مرحبا & <b> *star* https://example.com/a?b=1 #garden";
  const post = networkPost({ content, scheduledAt: now(), media, thread: ["Two", "Three"] });
  expect(await network.settle(post, attempt())).toEqual({ state: "absent" });
  expect(await network.publish(post, attempt())).toMatchObject({
    state: "published",
    url: expect.stringContaining(server.url),
  });
  const statuses = await server.statuses();
  expect(statuses).toHaveLength(3);
  const [one, two, three] = statuses;
  expect(one?.media_attachments.map(({ description }) => description ?? "")).toEqual([
    "A bed of tulips 🌷",
    "",
  ]);
  for (const [index, { url }] of (one?.media_attachments ?? []).entries()) {
    const sent = await bytesOf(media[index]);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(sent)).toBe(true);
  }
  expect([two?.in_reply_to_id, three?.in_reply_to_id]).toEqual([one?.id, two?.id]);
  // plancast recognises the text on the server, although it is HTML.
  expect(await network.settle(post, attempt())).toMatchObject({ state: "published" });
});

test("the service publishes alt texts, threads and first comments on both", async () => {
  const [bsky, masto] = [await bluesky("garden-richer"), await snac()];
  const names = accountNames({ bsky: account(bsky.settings), masto: account(masto.settings) });
  const accounts = names.map((each) => ({ ...each, network: (each.name === "bsky" ? bsky : masto).network }));
  const publishing = {
    accounts,
    lateMs: 7_200_000,
    settleMs: 0,
    stop: new AbortController(),
    onNews: () => undefined,
    onStoreTrouble: () => undefined,
  };
  const service = await startTestService({ accounts: accountsOf(names), publishing });
  service.clock.ms = Date.now() - 60_000;
  const made = await service.call("POST", "/media", upload(tinyPng(1)));
  const { id } = z.object({ id: z.string() }).parse(made.body);
  const post = {
    content: "One 🌱",
    platforms: ["bluesky", "mastodon"],
    scheduled_at: now(),
    media_ids: [id, id],
    alt: ["Tulips | red 🌷", "Roses"],
    thread: ["Two", "Three"],
    thread_media: [0, 1],
    first_comment: "Four",
  };
  expect(await service.call("POST", "/posts", post)).toMatchObject({ status: 201 });
  service.clock.ms = Date.now() + 1_000;
  const texts = ["One 🌱", "Two", "Three", "Four"];
  await until(async () => (await masto.server.statuses()).length === texts.length);
  await until(async () => (await bsky.server.posts()).length === texts.length);
  const posts = await bsky.server.posts();
  expect(posts.map(({ value }) => value.text)).toEqual(texts);
  expect(Object(posts[0]?.value).embed.images).toMatchObject([{ alt: "Tulips | red 🌷" }]);
  expect(Object(posts[2]?.value).embed.images).toMatchObject([{ alt: "Roses" }]);
  const statuses = await masto.server.statuses();
  expect(statuses.map((each) => each.media_attachments.map(({ description }) => description))).toEqual([
    ["Tulips | red 🌷"],
    [],
    ["Roses"],
    [],
  ]);
  expect(statuses.slice(1).map((each) => each.in_reply_to_id)).toEqual(
    statuses.slice(0, 3).map((each) => each.id),
  );
});

test("serve, killed again and again, publishes each post once on both", async () => {
  const posts = 40;
  const [bsky, masto] = [await bluesky("garden-serve"), await snac()];
  const world = await startPublishingOn({
    posts,
    accounts: { bsky: bsky.settings, masto: masto.settings },
    env: {
      BSKY: bsky.server.password,
      SNAC: masto.server.token,
      PLANCAST_TRUSTED_ORIGINS: `${pds.url}=BSKY ${masto.server.url}=SNAC`,
    },
  });
  for (let kill = 1; kill <= 6; kill += 1) {
    const running = await world.serve();
    await running.waitFor('"accounts"');
    await wait(60 * kill);
    running.kill("SIGKILL");
    await running.ended;
  }
  await world.finish();
  const onBluesky = (await bsky.server.posts()).map(({ value }) => value.text);
  const onSnac = (await masto.server.statuses()).map(({ content }) =>
    content.replaceAll(/<[^<>]*>/g, "").trim(),
  );
  expect(onBluesky.toSorted()).toEqual(world.texts.toSorted());
  expect(onSnac.toSorted()).toEqual(world.texts.toSorted());
});
