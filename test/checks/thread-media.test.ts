/** Pictures in later parts of a thread: from a calendar to the post, with the limits of each text. */
import { expect, test } from "vitest";
import { MAX_REPLIES } from "../../src/model/extras.ts";
import { readTweet } from "../../src/calendars/formats/md/read-post-file.ts";
import { readYaml } from "../../src/calendars/formats/yaml/read-yaml.ts";
import type { RawCalendar } from "../../src/model/row.ts";
import { validate } from "../../src/checks/validate.ts";
import { checkPosts } from "../../src/checks/rules/check-posts.ts";
import { GROWS_TOO_FAST, growth } from "../support/growth.ts";
import { account } from "../support/networks/open.ts";
import { calendar, config, post } from "../support/rows.ts";

const HEAD = "scheduled_at: 2036-03-01T09:00:00Z\nplatforms: bluesky\n";

/** The parts of the only post, or the problems. */
function partsOf(read: RawCalendar): unknown {
  const { posts, problems } = validate([calendar(read.rows)], config());
  const all = [...read.problems, ...problems];
  if (all.length > 0)
    return all.map(({ code, line, column, message }) => `${code} ${line ?? ""}:${column ?? ""} ${message}`);
  return posts.map(({ content, thread, media, alt, thread_media }) => ({
    texts: [content, ...(thread ?? [])],
    media: media.map((each) => (each.kind === "file" ? each.path : each)),
    alt,
    thread_media,
  }));
}

const TWO = "Two | with a sign";

const POST = {
  texts: ["One", TWO, "Three"],
  media: ["a.png", "b, c.png", "d.png", "e.png"],
  alt: ["A", "", "D"],
  thread_media: [2, 1],
};

test("a thread in YAML has a text with media, and each form of them", () => {
  const yaml = `- { scheduled_at: 2036-03-01T09:00:00Z, platforms: bluesky, content: One, media: a.png, alt: A,
    thread: [{ text: "${TWO}", media: ["b, c.png", { file: d.png, alt: D }] }, { text: Three, media: e.png }] }`;
  expect(partsOf(readYaml("a.yaml", yaml))).toEqual([POST]);
  const rest = `- content: One\n  ${HEAD.replaceAll("\n", "\n  ").trim()}\n`;
  expect(partsOf(readYaml("a.yaml", `${rest}  thread: [Two]\n  thread_media: [a.png]\n`))).toMatchObject([
    { texts: ["One", "Two"], media: ["a.png"], thread_media: [1] },
  ]);
  // Without a text of its own, the first text of the thread is the post.
  const thread = `- ${HEAD.replaceAll("\n", "\n  ").trim()}\n  thread: [{ text: One, media: a.png, alt: A }, { media: b.png }]\n`;
  expect(partsOf(readYaml("a.yaml", thread))).toEqual([
    { texts: ["One", ""], media: ["a.png", "b.png"], alt: ["A"], thread_media: [1] },
  ]);
});

test("a .tweet file has front matter for each text, as other tools write it", () => {
  const text = `---\n${HEAD}media: [{ file: a.png, alt: A }]\n---\n\nOne\n\n---\n---\nmedia:\n  - file: b.png\n    alt: B\n---\n\nTwo\n\n---\n\nThree\n\n---\n---\nmedia: c.png\n---\n`;
  expect(partsOf(readTweet("a.tweet", text, { columns: {} }))).toEqual([
    {
      texts: ["One", "Two", "Three", ""],
      media: ["a.png", "b.png", "c.png"],
      alt: ["A", "B"],
      thread_media: [1, 0, 1],
    },
  ]);
});

test.each([
  [
    "an unknown key",
    "---\n---\nmedia: b.png\nplatforms: x\n---\nTwo",
    "calendar/shape 11:12 A text of `thread` can have",
  ],
  [
    "fields without a second line",
    "---\nmedia: b.png\n---\nTwo",
    "markdown/front-matter 9:1 Fields of a later text",
  ],
  ["two lines without fields", "---\n---\nTwo", "markdown/front-matter 10:1 Two lines ---"],
  [
    "fields without an end",
    "---\n---\nmedia: b.png\n",
    "markdown/front-matter 10:1 The fields of a text start",
  ],
  [
    "more alt texts than media",
    "---\n---\nmedia: b.png\nalt: [B, C]\n---\nTwo",
    "calendar/shape 11:6 There are more alt texts",
  ],
  ["a broken value", '---\n---\nmedia: "b.png\n---\nTwo', "yaml/syntax 10:8"],
])("in a .tweet file, %s is an error with its place", (_name, end, expected) => {
  const text = `---\n${HEAD}---\n\nOne\n\n${end}\n`;
  expect(partsOf(readTweet("a.tweet", text, { columns: {} }))).toEqual([expect.stringContaining(expected)]);
});

function problemsIn(thread: string) {
  const yaml = `- ${HEAD.replaceAll("\n", "\n  ")}content: One\n  ${thread}\n`;
  return [partsOf(readYaml("a.yaml", yaml))].flat().map((each) => String(each).slice(0, 60));
}

test("media without a text, and a text with a wrong value, are errors", () => {
  expect(problemsIn("thread: [Two]\n  thread_media: [a.png, b.png]")).toEqual([
    expect.stringMatching(/^row\/thread-media 5:/),
  ]);
  expect(problemsIn("thread: [{ text: Two, media: { a: b } }]")).toEqual([
    expect.stringContaining("An item of `media`"),
  ]);
  expect(problemsIn("thread: [{ text: Two, media: a.png }]\n  thread_media: b.png")).toEqual([
    expect.stringContaining("row/value-twice"),
  ]);
});

test("a variant has its own thread, and no media of the row's", () => {
  const yaml = `- ${HEAD.replaceAll("\n", "\n  ")}content: One\n  thread: [{ text: Two, media: a.png }]\n  variants: { bluesky: { thread: [Other] } }\n`;
  expect(partsOf(readYaml("a.yaml", yaml))).toEqual([
    { texts: ["One", "Other"], media: [], alt: undefined, thread_media: undefined },
  ]);
});

test("each text has the limits of a post, and the problem is at its place", () => {
  const photo = { kind: "file", path: "a.png", sha256: "0".repeat(64), bytes: 1, mime: "image/png" } as const;
  const media = Array.from({ length: 9 }, () => photo);
  const check = (thread_media: number[], settings: object, platform: string) =>
    checkPosts({
      posts: [post({ platforms: [platform], media, thread: ["Two", "Three"], thread_media })],
      unresolved: [],
      config: config({ accounts: { [platform]: account(settings) } }),
      now: Date.parse("2030-01-01T00:00:00Z"),
    }).map(({ code, message }) => `${code}: ${message}`);
  const mastodon = { network: "mastodon", server: "https://social.example", token_env: "A" };
  expect(check([4, 4], mastodon, "mastodon")).toEqual([]);
  expect(check([5, 3], mastodon, "mastodon")).toEqual([
    expect.stringContaining("The row has 5, but Mastodon"),
  ]);
  const discord = { network: "webhook", form: "discord", url_env: "A" };
  expect(check([1], discord, "webhook")).toEqual([
    expect.stringContaining("media/in-thread: Texts of the thread have pictures"),
  ]);
});

test("a very long thread with fields takes time in proportion", () => {
  const part = "---\n---\nmedia: a.png\n---\nTwo\n";
  const read = (size: number) =>
    readTweet("a.tweet", `---\n${HEAD}---\nOne\n${part.repeat(size)}`, { columns: {} });
  expect(growth(read, 50 * MAX_REPLIES)).toBeLessThan(GROWS_TOO_FAST);
});
