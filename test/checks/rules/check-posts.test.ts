import { describe, expect, test } from "vitest";
import { ALL_RULES } from "../../../src/checks/rules/all-rules.ts";
import { checkPosts } from "../../../src/checks/rules/check-posts.ts";
import type { MediaFacts, MediaFile, Post, ResolvedPost } from "../../../src/model/post.ts";
import { CODES } from "../../../src/problems/catalogue.ts";
import { config, post } from "../../support/rows.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

function problemsOf(
  posts: readonly ResolvedPost[],
  settings: Record<string, unknown> = {},
  unresolved: Post[] = [],
) {
  return checkPosts({
    posts,
    unresolved,
    config: config(settings),
    now: NOW,
  });
}

/** The codes for one post. */
function codesOf(given: Partial<ResolvedPost>, settings: Record<string, unknown> = {}): string[] {
  return problemsOf([post(given)], settings).map(({ code }) => code);
}

function messageOf(given: Partial<ResolvedPost>, settings: Record<string, unknown> = {}): string {
  return problemsOf([post(given)], settings)
    .map(({ message }) => message)
    .join("\n");
}

function file(mime: string, facts: MediaFacts = {}, bytes = 50_000): MediaFile {
  return { kind: "file", path: `media/a.${mime.split("/")[1]}`, sha256: "aa", bytes, mime, facts };
}

const photo = file("image/jpeg", { width: 1080, height: 1080 });
const film = file("video/mp4", { lengthMs: 20_000 });
const move = file("image/gif", { width: 400, height: 300, lengthMs: 800 });

function links(count: number, again = ""): string {
  return [...Array.from({ length: count }, (_, index) => `https://a.example.com/${index + 1}`), again].join(
    " ",
  );
}

function sized(width: number, height: number): MediaFile {
  return file("image/jpeg", { width, height });
}

function lasting(lengthMs: number): MediaFile {
  return file("video/mp4", { lengthMs });
}

/** A post at a time. */
function at(scheduledAt: string, given: Partial<ResolvedPost> & { line?: number } = {}): ResolvedPost {
  return post({ scheduledAt, ...given });
}

function severities(given: Partial<ResolvedPost>, rules: Record<string, string>): string[] {
  return problemsOf([post(given)], { rules }).map(({ severity }) => severity);
}

test("every rule has its own code", () => {
  const codes = ALL_RULES.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(new Set([...codes, ...Object.keys(CODES)]).size).toBe(codes.length + Object.keys(CODES).length);
});

describe("texts", () => {
  test.each<[string, string, string, string[]]>([
    ["280 letters on X", "twitter", "a".repeat(280), []],
    ["281 letters on X", "twitter", "a".repeat(281), ["content/too-long"]],
    ["140 CJK letters on X", "twitter", "あ".repeat(140), []],
    ["141 CJK letters on X", "twitter", "あ".repeat(141), ["content/too-long"]],
    ["a long link on X", "twitter", `${"a".repeat(256)} https://example.com/${"p".repeat(200)}`, []],
    ["a short link on X", "twitter", `${"a".repeat(260)} https://a.co`, ["content/too-long"]],
    ["500 letters on Threads", "threads", "a".repeat(500), []],
    ["125 emoji on Threads", "threads", "😀".repeat(125), []],
    ["126 emoji on Threads", "threads", "😀".repeat(126), ["content/too-long"]],
    ["300 families on Bluesky are 7,500 bytes", "bluesky", "👨‍👩‍👧‍👦".repeat(300), ["content/too-long"]],
    ["300 emoji on Bluesky", "bluesky", "😀".repeat(300), []],
    ["301 letters on Bluesky", "bluesky", "é".repeat(301), ["content/too-long"]],
    ["a long link on Mastodon", "mastodon", `${"a".repeat(470)} https://example.com/${"p".repeat(200)}`, []],
    ["501 letters on Mastodon", "mastodon", "a".repeat(501), ["content/too-long"]],
    ["3,001 letters on LinkedIn", "linkedin", "a".repeat(3001), ["content/too-long"]],
    ["63,207 letters on Facebook", "facebook", "a".repeat(63_207), ["content/too-long"]],
    ["any length on a network that is not known", "forum", "a".repeat(100_000), []],
    ["five different links on Threads, one twice", "threads", links(5, "https://a.example.com/1"), []],
    ["six different links on Threads", "threads", links(6), ["content/links"]],
  ])("checks a text of %s", (_name, platform, content, expected) => {
    expect(codesOf({ platforms: [platform], content })).toEqual(expected);
  });

  test("says how many characters are too many and how they are counted", () => {
    const content = `${"a".repeat(288)} https://example.com/some/page`;
    const counted =
      "The text has 312 of 280 characters as X counts them; links count as 23, emoji and wide letters as 2. ";
    expect(messageOf({ platforms: ["twitter"], content })).toBe(`${counted}Shorten it by 32.`);
    expect(messageOf({ platforms: ["linkedin", "twitter"], content })).toBe(
      `${counted}Shorten it by 32, or give X its own text in a column \`content:twitter\`.`,
    );
    const source = { file: "calendars/a.yaml", line: 1 };
    expect(messageOf({ platforms: ["linkedin", "twitter"], content, source })).toContain(
      "or give X its own text under `variants: { twitter: { content: … } }`.",
    );
  });

  test.each([
    ["#one #two #three #four #five", []],
    ["#one #two #three #four #five #six", ["content/hashtags"]],
    ["#日本 #été #2nd #a_b #Ünï ＃全角", ["content/hashtags"]],
    ["#1 #2 #3 #4 #5 #6 C# a#b https://example.com/#part &# ##", []],
  ])("counts the hashtags of %s on Instagram", (content, expected) => {
    expect(codesOf({ platforms: ["instagram"], content, media: [photo] })).toEqual(expected);
  });
});

describe("links", () => {
  test.each([
    ["http://"],
    ["Read on: https:// example.com"],
    ["https://https://example.com"],
    ["https://exa mple.com https://[::1"],
    ["https://example..com"],
    ["https://.example.com"],
    ["https://example,com"],
    ["https://example.com:99999/"],
    ["http:/example.com/a"],
    ["https//example.com"],
    ["https://{link}"],
    ["https://…"],
    ["HTTPS://%"],
  ])("warns of the broken link %s", (content) => {
    expect(codesOf({ content })).toEqual(["content/link"]);
  });

  test.each([
    ["https://example.com"],
    ["https://example.com."],
    ["(https://example.com/a_(b)), „https://example.com“ and <https://example.com>"],
    ["https://example.com/?q=a,b&u=https://example.org/%zz#ü"],
    ["https://example.com,https://example.org"],
    ["https://bücher.example/straße"],
    ["https://пример.рф/путь"],
    ["詳細はhttps://example.com。次"],
    ["（https://example.com）"],
    ["https://example.com🎉"],
    ["https://example.com/a|b"],
    ["http://localhost:3000 http://127.0.0.1:8080/ http://[2001:db8::1]/"],
    ["https://user:name@example.com/"],
    ["https://xn--bcher-kva.example"],
    ["https://example.com:443/"],
    ["Our http and https servers; http: yes, https / no. and/or http-2"],
    ["example.com, www.example.com"],
  ])("accepts the link in %s", (content) => {
    expect(codesOf({ content })).toEqual([]);
  });

  test("names every broken link", () => {
    expect(messageOf({ content: "https:// and http://a..b" })).toBe(
      '"https://" is not a valid link. Write the whole address without spaces.\n' +
        '"http://a..b" is not a valid link. Check its spelling.',
    );
  });
});

/** The problems of a post for an account where plancast publishes itself. */
function ownProblems(
  account: object,
  given: Partial<ResolvedPost>,
  more: Record<string, unknown> = {},
): string[] {
  return problemsOf([post(given)], { accounts: { own: account }, ...more }).map(
    ({ code, severity, message }) => `${severity} ${code}: ${message}`,
  );
}

const BLUESKY = { network: "bluesky", handle: "a.test", password_env: "A" };
const WARNED = [`mastodon.content_warning: ${"w".repeat(20)}`];
const MASTODON = { network: "mastodon", server: "https://social.example", token_env: "A" };
const DISCORD = { network: "webhook", url_env: "A", form: "discord" };
const SLACK = { network: "webhook", url_env: "A", form: "slack" };

describe("where plancast publishes itself, what the network refuses is an error", () => {
  test.each<[string, object, Partial<ResolvedPost>, string[]]>([
    [
      "a long text",
      BLUESKY,
      { content: "a".repeat(301) },
      ["error content/too-long: The text has 301 of 300"],
    ],
    [
      "a long text that fits with shorter links",
      BLUESKY,
      { content: `${"a".repeat(240)} https://shop.example.com/tulips?utm_source=bluesky&utm_medium=social` },
      [
        "error content/too-long: The text has 309 of 300 characters as Bluesky counts them. Shorten it by 9, or set `links: short` for the account in plancast.yaml, with which it counts 273.",
      ],
    ],
    [
      "a link that is shown shorter",
      { ...BLUESKY, links: "short" },
      {
        content: `${"a".repeat(240)} https://shop.example.com/tulips?utm_source=bluesky&utm_medium=social`,
        thread: [`${"a".repeat(280)} https://shop.example.com/tulips?utm_source=bluesky`],
      },
      ["error content/too-long: Reply 1 of the thread has 313 of 300"],
    ],
    ["a link with a name", { ...BLUESKY, links: "markdown" }, { content: "[Menu](https://example.com)" }, []],
    ["a link with a name on Discord", DISCORD, { content: "[Menu](https://example.com)" }, []],
    [
      "a link with a name, of which readers see the brackets",
      BLUESKY,
      { content: "[Menu](https://example.com)" },
      [
        "error content/markdown-link: The text contains `[Menu](https://example.com)`, and readers on Bluesky see it like this. Set `links: markdown` for the account, or write the address.",
      ],
    ],
    [
      "a link with a name on Mastodon",
      MASTODON,
      { thread: ["[Menu](https://example.com)"] },
      ["error content/markdown-link: Reply 1 of the thread contains"],
    ],
    [
      "references",
      BLUESKY,
      { reply_to: "https://bsky.app/profile/a.test/post/3k", quote: "at://did:plc:a/app.bsky.feed.post/3k" },
      [],
    ],
    [
      "a reference to something else",
      BLUESKY,
      { quote: "https://example.com/post/3k" },
      [
        'error row/reference: "https://example.com/post/3k" is not the address of a post on Bluesky. Copy it from the browser.',
      ],
    ],
    [
      "a quote on Mastodon",
      MASTODON,
      { reply_to: "https://social.example/@a/1", quote: "https://social.example/@a/1" },
      [
        "error row/reference: The post quotes another one, and plancast cannot quote a post on Mastodon. Give",
      ],
    ],
    [
      "an answer on Discord",
      DISCORD,
      { reply_to: "https://a.example" },
      ["error row/reference: The post answers"],
    ],
    ["ten pictures", BLUESKY, { media: Array.from({ length: 10 }, () => photo) }, []],
    [
      "eleven pictures",
      BLUESKY,
      { media: Array.from({ length: 11 }, () => photo) },
      ["error media/too-many"],
    ],
    ["a picture that becomes smaller", BLUESKY, { media: [{ ...photo, bytes: 9_000_000 }] }, []],
    ["a GIF that becomes a video", BLUESKY, { media: [{ ...move, bytes: 2_000_001 }] }, []],
    ["a GIF beside a picture", BLUESKY, { media: [move, photo] }, ["error media/mixed"]],
    [
      "an animation that cannot become smaller",
      BLUESKY,
      { media: [file("image/webp", { width: 9, height: 9, lengthMs: 800 }, 2_000_001)] },
      ["error media/too-large"],
    ],
    ["a mention", MASTODON, { content: `${"a".repeat(484)} @alice@social.example.org` }, []],
    [
      "a content warning",
      MASTODON,
      { content: "a".repeat(481), thread: ["b".repeat(481), "c".repeat(480)], options: WARNED },
      [
        "error content/too-long: The text has 501 of 500 characters as Mastodon counts them; links count as 23; the content warning counts, too. Shorten it by 1.",
      ],
    ],
    [
      "a content warning with a long reply",
      MASTODON,
      { thread: ["b".repeat(480), "c".repeat(481)], options: WARNED },
      ["error content/too-long: Reply 2 of the thread has 501 of 500 characters"],
    ],
    ["a long alt text", MASTODON, { media: [photo], alt: ["a".repeat(1501)] }, ["error media/alt-too-long"]],
    ["a type", MASTODON, { media: [file("image/bmp")] }, ["error media/unsupported"]],
    ["a type that is converted", MASTODON, { media: [file("image/tiff")] }, []],
    ["pictures of an iPhone", BLUESKY, { media: [file("image/heic"), file("image/avif")] }, []],
    [
      "a GIF that does not move",
      BLUESKY,
      { media: [file("image/gif", { width: 9, height: 9 }, 2_000_001)] },
      [],
    ],
    [
      "texts that are sent as one",
      DISCORD,
      { content: "a".repeat(1000), thread: ["b".repeat(998)], first_comment: "c" },
      [
        "error content/too-long: The text has 2,003 of 2,000 characters as Discord counts them; thread and first comment count, too.",
      ],
    ],
    [
      "files that are large together",
      DISCORD,
      { media: [file("image/png", {}, 6_000_000), file("image/png", {}, 5_000_000)] },
      [
        "error media/too-large: The files of the post have 11 MB together, but Discord accepts at most 10 MB.",
      ],
    ],
    [
      "any picture",
      SLACK,
      { media: [photo] },
      ["error media/too-many: Slack accepts no picture or video. Remove it from the row."],
    ],
  ])("%s", (_name, account, given, expected) => {
    const platforms = [String(Reflect.get(account, "network"))];
    const found = ownProblems(account, { platforms, ...given });
    expect(found).toEqual(expected.map((start) => expect.stringContaining(start)));
  });

  test("the project's own limits and severities come first, and another account of the network is not affected", () => {
    const content = "a".repeat(600);
    const long = { content, platforms: ["mastodon"] };
    expect(ownProblems(MASTODON, long)).toEqual([
      expect.stringContaining("`plancast accounts check` shows the line for plancast.yaml."),
    ]);
    expect(ownProblems(MASTODON, long, { limits: { mastodon: { text: 5000 } } })).toEqual([]);
    expect(ownProblems(MASTODON, long, { rules: { "content/too-long": "warning" } })).toEqual([
      expect.stringMatching(/^warning /),
    ]);
    expect(ownProblems(BLUESKY, long)).toEqual([expect.stringMatching(/^warning /)]);
  });
});

describe("media", () => {
  test.each<[string, string, ResolvedPost["media"], string[]]>([
    ["none on X", "twitter", [], []],
    ["four pictures on X", "twitter", [photo, photo, photo, photo], []],
    ["five pictures on X", "twitter", [photo, photo, photo, photo, photo], ["media/too-many"]],
    ["two GIFs on X", "twitter", [move, move], ["media/too-many"]],
    ["a GIF and a picture on X", "twitter", [move, photo], ["media/mixed"]],
    ["a GIF and a picture on Facebook", "facebook", [move, photo], []],
    ["a picture and a film on LinkedIn", "linkedin", [photo, film], ["media/mixed"]],
    ["a picture and a film on Instagram", "instagram", [photo, film], []],
    ["none on Instagram", "instagram", [], ["media/required"]],
    ["eleven on Instagram", "instagram", Array.from({ length: 11 }, () => photo), ["media/too-many"]],
    ["a picture on YouTube", "youtube", [photo], ["media/required", "media/too-many"]],
    ["a film on YouTube", "youtube", [film], []],
    ["an id on YouTube may be a film", "youtube", [{ kind: "id", id: "media_1" }], []],
    ["none on TikTok", "tiktok", [], ["media/required"]],
    ["a PNG on TikTok", "tiktok", [file("image/png")], ["media/unsupported"]],
    ["a moving PNG on X", "twitter", [file("image/apng")], []],
    ["a HEIC on X", "twitter", [file("image/heic")], ["media/unsupported"]],
    ["a film of an old format on Bluesky", "bluesky", [file("video/x-msvideo")], ["media/unsupported"]],
    ["a picture of 2 MB on Bluesky", "bluesky", [file("image/png", {}, 2_000_000)], []],
    [
      "a picture of a byte more on Bluesky",
      "bluesky",
      [file("image/png", {}, 2_000_001)],
      ["media/too-large"],
    ],
    ["a GIF of 15 MiB on X", "twitter", [file("image/gif", {}, 15 * 1024 ** 2)], []],
    ["a picture of 15 MiB on X", "twitter", [file("image/png", {}, 15 * 1024 ** 2)], ["media/too-large"]],
    ["a film of 2 GB on Threads", "threads", [file("video/mp4", {}, 2e9)], ["media/too-large"]],
    [
      "a picture of 5 kB on Google Business",
      "googlebusiness",
      [file("image/png", {}, 5000)],
      ["media/too-small"],
    ],
    ["a picture of 10 kB on Google Business", "googlebusiness", [file("image/png", {}, 10_000)], []],
    [
      "a picture of a byte less on Google Business",
      "googlebusiness",
      [file("image/png", {}, 9_999)],
      ["media/too-small"],
    ],
    ["200 px on Google Business", "google_business", [sized(200, 600)], ["media/dimensions"]],
    ["10,000 px on X", "twitter", [sized(10_000, 600)], ["media/dimensions"]],
    ["34 megapixels on Mastodon", "mastodon", [sized(7_681, 4_320)], ["media/dimensions"]],
    ["33 megapixels on Mastodon", "mastodon", [sized(7_680, 4_320)], []],
    ["4:5 on Instagram", "instagram", [sized(1080, 1350)], []],
    ["1.91:1 on Instagram, to the pixel", "instagram", [sized(1080, 565)], []],
    ["9:16 on Instagram", "instagram", [sized(1080, 1920)], ["media/aspect-ratio"]],
    ["2:1 on Instagram", "instagram", [sized(1200, 600)], ["media/aspect-ratio"]],
    ["140 s on X", "twitter", [lasting(140_040)], []],
    ["141 s on X", "twitter", [lasting(141_000)], ["media/too-long"]],
    ["a film of unknown length on X", "twitter", [file("video/mp4")], []],
    ["a picture that broke off", "forum", [file("image/jpeg", { damage: "cut-short" })], ["media/broken"]],
  ])("checks media: %s", (_name, platform, media, expected) => {
    expect(codesOf({ platforms: [platform], media })).toEqual(expected);
  });

  test("names sizes, formats and limits of media", () => {
    const media = [file("image/heic", { width: 9000, height: 10 }, 6_400_000), lasting(200_000)];
    expect(messageOf({ platforms: ["twitter"], media })).toBe(
      [
        "X accepts only one kind of media in a post, but the row has pictures and videos. Split it into two posts.",
        'The content of "media/a.heic" is HEIC, but X accepts JPEG, PNG, GIF, WebP. Export it as one of these.',
        '"media/a.heic" has 6.2 MiB, but X accepts a picture of at most 5 MiB. Export it in a smaller size.',
        '"media/a.heic" has 9000 × 10 px, but X accepts pictures of at most 8192 × 8192 px. Export it in a smaller size.',
        '"media/a.mp4" lasts 3:20 min, but X accepts videos of at most 2:20 min. Shorten the video.',
      ].join("\n"),
    );
  });

  test("allows a longer text with pictures on TikTok", () => {
    const content = "a".repeat(3000);
    expect(codesOf({ platforms: ["tiktok"], content, media: [photo] })).toEqual([]);
    expect(codesOf({ platforms: ["tiktok"], content, media: [film] })).toEqual(["content/too-long"]);
  });

  test("checks the text of a row whose media cannot be read", () => {
    const other = {
      ...post({ line: 3, content: "a".repeat(300), platforms: ["instagram", "twitter"] }),
      media: [],
    };
    expect(problemsOf([post()], {}, [other]).map(({ code, line }) => [code, line])).toEqual([
      ["content/too-long", 3],
    ]);
  });
});

describe("posts together", () => {
  test.each<[string, ResolvedPost[], [string, number | undefined][]]>([
    [
      "in the same minute",
      [at("2030-03-01T08:00:00Z"), at("2030-03-01T08:00:40Z", { line: 3, content: "Other" })],
      [["row/same-minute", 3]],
    ],
    [
      "in the same minute on another platform",
      [at("2030-03-01T08:00:00Z"), at("2030-03-01T08:00:00Z", { platforms: ["x"], content: "Other" })],
      [],
    ],
    ["a minute later", [at("2030-03-01T08:00:59Z"), at("2030-03-01T08:01:00Z", { content: "Other" })], []],
    [
      "the same text two days later",
      [at("2030-03-03T08:00:00Z", { line: 2 }), at("2030-03-01T08:00:00Z", { line: 3 })],
      [["row/repeated-text", 2]],
    ],
    [
      "the same text three days later",
      [at("2030-03-01T08:00:00Z"), at("2030-03-04T08:00:00Z", { line: 3 })],
      [],
    ],
    [
      "the same text on another platform",
      [at("2030-03-01T08:00:00Z"), at("2030-03-02T08:00:00Z", { platforms: ["x"] })],
      [],
    ],
    [
      "pictures without a text",
      [at("2030-03-01T08:00:00Z", { content: "" }), at("2030-03-02T08:00:00Z", { content: "" })],
      [],
    ],
    [
      "the same text at the same time is a separate error",
      [at("2030-03-01T08:00:00Z"), at("2030-03-01T08:00:00Z", { line: 3 })],
      [],
    ],
    [
      "every day",
      [1, 2, 3].map((day) => at(`2030-03-0${day}T08:00:00Z`, { line: day })),
      [
        ["row/repeated-text", 2],
        ["row/repeated-text", 3],
      ],
    ],
    [
      "after one that is past",
      [at("2029-12-31T08:00:00Z"), at("2030-01-01T08:00:00Z", { line: 3 })],
      [["row/repeated-text", 3]],
    ],
  ])("compares posts: %s", (_name, posts, expected) => {
    expect(problemsOf(posts).map(({ code, line }) => [code, line])).toEqual(expected);
  });

  test("names the platforms and the other row", () => {
    const platforms = ["linkedin", "twitter"];
    const posts = [
      at("2030-03-01T08:00:00Z", { platforms }),
      at("2030-03-02T08:00:00Z", { line: 9, platforms: ["forum", ...platforms] }),
    ];
    expect(problemsOf(posts)[0]?.message).toContain(
      "LinkedIn, X less than 3 days earlier: calendars/a.csv:2",
    );
  });
});

describe("settings of a project", () => {
  const long = { platforms: ["twitter"], content: "a".repeat(300) };

  test("warns by default, and a project sets a rule to error or off", () => {
    expect(severities(long, {})).toEqual(["warning"]);
    expect(severities(long, { "content/too-long": "error" })).toEqual(["error"]);
    expect(severities(long, { "content/too-long": "off" })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["a limit of its own", { limits: { twitter: { text: 25_000 } } }, []],
    ["by another name of the network", { limits: { X: { text: 25_000 } } }, []],
    ["another limit leaves this one", { limits: { twitter: { images: 2 } } }, ["content/too-long"]],
  ])("applies %s", (_name, settings, expected) => {
    expect(codesOf(long, settings)).toEqual(expected);
  });

  test("applies a project's limits to an unknown platform", () => {
    const limits = { "Our Forum": { text: 5, count: "bytes", media_required: "any" } };
    const given = { platforms: ["our-forum"], content: "ééé" };
    expect(codesOf(given, { limits })).toEqual(["content/too-long", "media/required"]);
  });

  test("applies the limits of a network to an account that an alias names", () => {
    const given = { ...long, platforms: ["account_17"] };
    expect(codesOf(given)).toEqual([]);
    expect(codesOf(given, { platforms: { X: "account_17" } })).toEqual(["content/too-long"]);
    expect(codesOf(given, { platforms: { x: "account_17" }, limits: { account_17: { text: 400 } } })).toEqual(
      [],
    );
  });

  test("ignores posts that are past", () => {
    expect(codesOf({ ...long, scheduledAt: "2029-12-31T23:59:59Z" })).toEqual([]);
  });
});
