/**
 * Posts at the edges of what networks take. Each one is checked as before apply, and sent to a strict stand-in: no post passes
 * the checks and fails when it is due, and none is refused that the network takes.
 */
import { expect, test } from "vitest";
import { checkPosts } from "../../src/checks/rules/check-posts.ts";
import { canonicalContent } from "../../src/model/canonical.ts";
import type { ResolvedPost } from "../../src/model/post.ts";
import type { NetworkMedia } from "../../src/networks/network.ts";
import { durationMs } from "../../src/model/clock.ts";
import { BLUESKY_PASSWORD, startBluesky } from "../support/networks/bluesky.ts";
import { MASTODON_TOKEN, startMastodon } from "../support/networks/mastodon.ts";
import { account, attempt, networkPost, open, picture } from "../support/networks/open.ts";
import { startStandIn } from "../support/networks/stand-in.ts";
import { config, post } from "../support/rows.ts";
import { tinyMp4 } from "../support/tiny-media.ts";

type NetworkName = "bluesky" | "mastodon" | "warned" | "discord" | "slack";

interface Edge extends Partial<
  Pick<ResolvedPost, "content" | "alt" | "thread" | "thread_media" | "poll" | "poll_length">
> {
  readonly media?: readonly NetworkMedia[];
}

type Case = readonly [name: string, network: NetworkName, edge: Edge, isTaken: boolean];

/** Characters of one count each, by what they are. */
const CHARACTERS: Readonly<Record<string, string>> = {
  letter: "a",
  "accent in two parts": "x\u0301",
  CJK: "字",
  Thai: "กำ",
  Devanagari: "नि",
  flag: "🇫🇷",
  "emoji with a skin": "👍🏽",
  family: "👨‍👩‍👧‍👦",
};

const WARNING = "w".repeat(20);
const LINK = `https://example.com/${"a".repeat(180)}`;
const MENTION = "@alice@social.example.org";

function film(mime = "video/mp4", bytes = tinyMp4().length): NetworkMedia {
  const data = new Blob([new Uint8Array(tinyMp4())], { type: mime });
  return { mime, bytes, facts: { width: 64, height: 36, lengthMs: 400 }, open: () => Promise.resolve(data) };
}

function pictures(count: number): readonly NetworkMedia[] {
  return Array.from({ length: count }, (_, index) => picture(index + 1));
}

/** A text of this many characters, and one that has one more. */
function texts(network: NetworkName, most: number, name: string, character: string): readonly Case[] {
  return [
    [`${most} of ${name}`, network, { content: character.repeat(most) }, true],
    [`${most + 1} of ${name}`, network, { content: character.repeat(most + 1) }, false],
    [`a reply of ${most + 1} of ${name}`, network, { thread: [character.repeat(most + 1)] }, false],
  ];
}

/** How many of a character fit into Bluesky's 300 characters and 3,000 bytes. */
function fitsBluesky(character: string): number {
  return Math.min(300, Math.floor(3000 / Buffer.byteLength(character)));
}

const A = (count: number) => "a".repeat(count);

const CASES: readonly Case[] = [
  ...Object.entries(CHARACTERS).flatMap(([name, each]) => [
    ...texts("bluesky", fitsBluesky(each), name, each),
    ...texts("mastodon", 500, name, each),
    ...texts("warned", 480, name, each),
  ]),
  ["a long link", "mastodon", { content: `${A(476)} ${LINK}` }, true],
  ["a long link and one character more", "mastodon", { content: `${A(477)} ${LINK}` }, false],
  ["two long links", "mastodon", { content: `${A(452)} ${LINK} ${LINK}` }, true],
  ["two long links and one character more", "mastodon", { content: `${A(453)} ${LINK} ${LINK}` }, false],
  ["a mention", "mastodon", { content: `${A(493)} ${MENTION}` }, true],
  ["a mention and one character more", "mastodon", { content: `${A(494)} ${MENTION}` }, false],
  ["a link counts as written", "bluesky", { content: `${A(99)} ${LINK}` }, true],
  ["a link and one character more", "bluesky", { content: `${A(100)} ${LINK}` }, false],
  ...([4, 5, 10, 11] as const).map((count): Case => [
    `${count} pictures`,
    "bluesky",
    { media: pictures(count) },
    count <= 10,
  ]),
  ...([4, 5] as const).map((count): Case => [
    `${count} pictures`,
    "mastodon",
    { media: pictures(count) },
    count <= 4,
  ]),
  ...([10, 11] as const).map((count): Case => [
    `${count} pictures`,
    "discord",
    { media: pictures(count) },
    count <= 10,
  ]),
  ["a picture", "slack", { media: pictures(1) }, false],
  ["a film and a picture", "bluesky", { media: [film(), ...pictures(1)] }, false],
  ["a film and a picture", "mastodon", { media: [film(), ...pictures(1)] }, false],
  ["a film", "bluesky", { media: [film()] }, true],
  ["two films", "bluesky", { media: [film(), film()] }, false],
  ["a film", "mastodon", { media: [film()] }, true],
  ["two films", "mastodon", { media: [film(), film()] }, false],
  ["a QuickTime film", "bluesky", { media: [film("video/quicktime")] }, false],
  ["a QuickTime film", "mastodon", { media: [film("video/quicktime")] }, true],
  ["a film of another type", "mastodon", { media: [film("video/x-matroska")] }, false],
  ["a film of 300 MB", "bluesky", { media: [film("video/mp4", 300_000_000)] }, true],
  ["a film of more than 300 MB", "bluesky", { media: [film("video/mp4", 300_000_001)] }, false],
  ["files of 10 MB", "discord", { media: [film("video/mp4", 10_000_000)] }, true],
  [
    "files of more than 10 MB",
    "discord",
    { media: [film("video/mp4", 5_000_001), film("video/mp4", 5_000_000)] },
    false,
  ],
  ["an alt text of 1,500 characters", "mastodon", { media: pictures(1), alt: [A(1500)] }, true],
  ["an alt text of 1,501 characters", "mastodon", { media: pictures(1), alt: [A(1501)] }, false],
  ["an alt text of 1,024 characters", "discord", { media: pictures(1), alt: [A(1024)] }, true],
  ["an alt text of 1,025 characters", "discord", { media: pictures(1), alt: [A(1025)] }, false],
  ["2,000 characters", "discord", { content: A(2000) }, true],
  ["2,001 characters", "discord", { content: A(2001) }, false],
  ["2,000 characters with a thread", "discord", { content: A(1000), thread: [A(998)] }, true],
  ["2,001 characters with a thread", "discord", { content: A(1000), thread: [A(999)] }, false],
  ["40,000 characters", "slack", { content: A(40_000) }, true],
  ["40,001 characters", "slack", { content: A(40_001) }, false],
  ["pictures in two texts", "bluesky", { thread: ["Two"], media: pictures(20), thread_media: [10] }, true],
  [
    "too many pictures in a later text",
    "bluesky",
    { thread: ["Two"], media: pictures(12), thread_media: [11] },
    false,
  ],
  ["pictures in two texts", "mastodon", { thread: ["Two"], media: pictures(8), thread_media: [4] }, true],
  [
    "too many pictures in a later text",
    "mastodon",
    { thread: ["Two"], media: pictures(6), thread_media: [5] },
    false,
  ],
  ["four choices", "mastodon", { poll: ["a", "b", "c", "d"] }, true],
  ["five choices", "mastodon", { poll: ["a", "b", "c", "d", "e"] }, false],
  ["a choice of 50 characters", "mastodon", { poll: [A(50), "b"] }, true],
  ["a choice of 51 characters", "mastodon", { poll: [A(51), "b"] }, false],
  ["a choice of 50 families", "mastodon", { poll: ["👨‍👩‍👧‍👦".repeat(50), "b"] }, true],
  ["a poll of five minutes", "mastodon", { poll: ["a", "b"], poll_length: "5m" }, true],
  ["a poll of four minutes", "mastodon", { poll: ["a", "b"], poll_length: "4m" }, false],
  ["a poll of 30 days", "mastodon", { poll: ["a", "b"], poll_length: "30d" }, true],
  ["a poll of 31 days", "mastodon", { poll: ["a", "b"], poll_length: "31d" }, false],
  ["a poll with a picture", "mastodon", { poll: ["a", "b"], media: pictures(1) }, false],
];

/** Refuses what Discord and Slack refuse in a message. */
async function startChat() {
  return startStandIn(({ headers, body, url }) => {
    const isForm = headers["content-type"]?.startsWith("multipart/") === true;
    const json = isForm ? /\{"content".*\}/.exec(body.toString("utf8"))?.[0] : body.toString("utf8");
    const { content = "", text = "", attachments = [] } = Object(JSON.parse(json ?? "{}"));
    const isSlack = url.pathname.includes("slack");
    const isWrong = isSlack
      ? isForm || text.length > 40_000
      : content.length > 2000 ||
        attachments.length > 10 ||
        attachments.some(({ description }: { description: string }) => description.length > 1024);
    return isWrong ? { status: 400, json: { code: 50035, message: "Invalid Form Body" } } : { json: {} };
  });
}

test("there are a hundred edges", () => {
  expect(CASES.length).toBeGreaterThan(100);
});

test("posts at the edges of each network pass the checks if, and only if, they are published", async () => {
  const [bluesky, mastodon, chat] = [await startBluesky(), await startMastodon(), await startChat()];
  const masto = { network: "mastodon", server: mastodon.origin, token_env: "A" };
  const hook = { network: "webhook", url_env: "A" };
  const accounts: Record<NetworkName, readonly [settings: object, secret: string]> = {
    bluesky: [
      { network: "bluesky", handle: "garden.test", password_env: "A", server: bluesky.origin },
      BLUESKY_PASSWORD,
    ],
    mastodon: [masto, MASTODON_TOKEN],
    warned: [masto, MASTODON_TOKEN],
    discord: [{ ...hook, form: "discord" }, `${chat.origin}/discord/secret-address`],
    slack: [{ ...hook, form: "slack" }, `${chat.origin}/slack/secret-address`],
  };
  const networks = new Map(
    Object.entries(accounts).map(([name, [settings, secret]]) => [name, open(settings, secret)]),
  );
  const wrong: unknown[] = [];
  for (const [index, [name, network, edge, isTaken]] of CASES.entries()) {
    const { media = [], thread_media: threadMedia, poll, poll_length = "1d", alt = [], ...given } = edge;
    const content = canonicalContent(edge.content ?? "Hello");
    const settings = account(accounts[network][0]);
    const problems = checkPosts({
      posts: [
        post({
          ...given,
          content,
          alt,
          platforms: [settings.network],
          ...(network === "warned" ? { options: [`mastodon.content_warning: ${WARNING}`] } : {}),
          ...(threadMedia === undefined ? {} : { thread_media: threadMedia }),
          ...(poll === undefined ? {} : { poll, poll_length }),
          media: media.map(({ mime, bytes, facts }, item) => ({
            kind: "file",
            path: `${item}`,
            sha256: String(item).padStart(64, "0"),
            mime,
            bytes,
            facts,
          })),
        }),
      ],
      unresolved: [],
      config: config({ accounts: { own: settings } }),
      now: Date.parse("2030-01-01T00:00:00Z"),
    }).filter(({ severity }) => severity === "error");
    const { state } = (await networks.get(network)?.publish(
      networkPost({
        key: `post_${index}`,
        content,
        ...(network === "warned" ? { options: { spoiler_text: WARNING } } : {}),
        media: media.map((each, item) => ({
          ...each,
          ...(alt[item] === undefined ? {} : { alt: alt[item] }),
        })),
        ...(given.thread === undefined ? {} : { thread: given.thread }),
        ...(threadMedia === undefined ? {} : { threadMedia }),
        ...(poll === undefined
          ? {}
          : { poll: { choices: poll, lengthMs: durationMs(poll_length), isMultiple: false } }),
      }),
      attempt(),
    )) ?? { state: "none" };
    const found = { passes: problems.length === 0, isPublished: state === "published" };
    if (found.passes !== isTaken || found.isPublished !== isTaken)
      wrong.push([name, network, found, problems.map(({ message }) => message)]);
  }
  expect(wrong).toEqual([]);
}, 60_000);
