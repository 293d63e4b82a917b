/** What cells say about options, and what rows get from plancast.yaml. */
import { expect, test } from "vitest";
import { validate } from "../../src/checks/validate.ts";
import { checkPosts } from "../../src/checks/rules/check-posts.ts";
import { CATALOGUE, OPTION_NAMES, optionNamed } from "../../src/model/options/catalogue.ts";
import { CARRIED_BY_POSTIZ, CARRIED_BY_ZERNIO, CARRIED_ITSELF } from "../../src/model/options/carried.ts";
import { withoutMedia } from "../../src/model/post.ts";
import { calendar, config, post, row } from "../support/rows.ts";

const NOW = Date.parse("2029-01-01T00:00:00Z");

function read(options: readonly string[], platforms = "mastodon, bluesky", given: object = {}) {
  const settings = config({ timezone: "UTC", ...given });
  const rows = [row({ date: "2030-03-01", time: "09:00", platforms, content: "One\nTwo", options })];
  const { posts, problems } = validate([calendar(rows, {}, settings)], settings);
  return {
    options: posts.map((each) => each.options),
    problems: problems.map(({ code, message }) => `${code}: ${message}`),
  };
}

test.each([
  [["mastodon.visibility: Followers only"], ["mastodon.visibility: private"]],
  [["Mastodon.visibility: UNLISTED"], ["mastodon.visibility: unlisted"]],
  [["mastodon.sensitive: ja"], ["mastodon.sensitive: yes"]],
  [
    ["mastodon.visibility: Quiet public", "bluesky.replies: nobody"],
    ["bluesky.replies: nobody", "mastodon.visibility: unlisted"],
  ],
  [["bluesky.language: DE, en"], ["bluesky.language: de, en"]],
  [["bluesky.replies: following; mentions"], ["bluesky.replies: mentioned, following"]],
  [["all.language: pt_BR"], ["bluesky.language: pt-BR", "mastodon.language: pt-BR"]],
  [["mastodon.content_warning: {first_line}!"], ["mastodon.content_warning: One!"]],
  [
    ["all.visibility: unlisted"],
    // Bluesky has no such option: a rule says so.
    ["bluesky.visibility: unlisted", "mastodon.visibility: unlisted"],
  ],
  [["all.visibility: public"], ["mastodon.visibility: public"]],
])("%j is %j", (cells, expected) => {
  expect(read(cells)).toEqual({ options: [expected], problems: [] });
});

test.each([
  [
    "mastodon.visiblity: unlisted",
    "There is no option `mastodon.visiblity`. Did you mean `mastodon.visibility`?",
  ],
  [
    "mastodon.visibility: unlistd",
    '"unlistd" is not a value of `mastodon.visibility`. Did you mean `unlisted`?',
  ],
  ["mastodon.visibility: direct", "It can be public, unlisted, private."],
  ["mastodon.language: German", "Write one language code, such as en."],
  ["bluesky.language: de, en, fr, it", "Write language codes, such as en, at most 3."],
  ["all.language: de, en", '"de, en" is not a value of `mastodon.language`.'],
  ["quux.title: A", "There is no option `quux.title`."],
  ["unlisted", '"unlisted" is not an option'],
])("%s is an error", (cell, message) => {
  const { options, problems } = read([cell]);
  expect(options).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("row/option: ")]);
  expect(problems[0]).toContain(message);
});

test("an option for another network is not used, and says so", () => {
  expect(read(["youtube.title: A"])).toEqual({
    options: [undefined],
    problems: [expect.stringContaining("row/unused-value: This is only for youtube")],
  });
});

test("a row has priority over plancast.yaml, and an account over its network", () => {
  const accounts = Object.fromEntries(
    ["first", "second"].map((name) => [
      name,
      { network: "mastodon", server: "https://social.example", token_env: "M_TOKEN" },
    ]),
  );
  const options = {
    mastodon: { visibility: "unlisted", language: "en" },
    "mastodon/second": { language: "de" },
    bluesky: { language: "en" },
  };
  expect(
    read(["mastodon.visibility: private"], "mastodon/first, mastodon/second", { accounts, options }).options,
  ).toEqual([
    [
      "mastodon/first.language: en",
      "mastodon/first.visibility: private",
      "mastodon/second.language: de",
      "mastodon/second.visibility: private",
    ],
  ]);
});

test.each([
  [
    ["mastodon.visibility: unlisted"],
    { url: "https://api.example.com/v1" },
    "The service has no field for `mastodon.visibility`.",
  ],
  [["bluesky.visibility: unlisted"], { url: "embedded" }, "Bluesky has no option `visibility`"],
  [["instagram.type: story"], { type: "zernio", url: "https://zernio.com/api" }, undefined],
  [
    ["linkedin.type: document"],
    { type: "postiz", url: "https://a.example" },
    'cannot set `type` on LinkedIn to "document"',
  ],
])("%j with the service %j", (options, service, message) => {
  const posts = [post({ options, content: "", platforms: ["linkedin"], media: [{ kind: "id", id: "m" }] })];
  const problems = checkPosts({ posts, unresolved: [], config: config({ service }), now: NOW });
  const found = problems.filter(({ code }) => code === "options/unsupported");
  expect(found.map((each) => each.message)).toEqual(
    message === undefined ? [] : [expect.stringContaining(message)],
  );
});

test.each([
  [["instagram.type: story"], { content: "Hello" }, ["options/type"]],
  [
    ["instagram.type: story"],
    { content: "Hello", media: [{ kind: "id", id: "m" } as const] },
    ["options/story-text"],
  ],
  [["instagram.type: reel"], { media: [{ kind: "id", id: "m" } as const] }, []],
  [["youtube.type: short"], {}, ["options/type"]],
  [["instagram.type: carousel"], { media: [{ kind: "id", id: "m" } as const] }, ["options/type"]],
])("the type %j needs its media", (options, given, codes) => {
  const posts = [post({ options, content: "", ...given })];
  const problems = checkPosts({ posts, unresolved: [], config: config(), now: NOW });
  expect(problems.map(({ code }) => code).filter((code) => code.startsWith("options/"))).toEqual(codes);
});

test.each(["Historia", "IG Story", "stories"])(
  "%s is the type of a Story in a column of an option",
  (cell) => {
    const { options } = read([`instagram.type: ${cell}`], "instagram");
    expect(options).toEqual([["instagram.type: story"]]);
  },
);

test("a Story without a picture has one error, at its type, for all networks", () => {
  const settings = config({ timezone: "UTC", service: { type: "zernio", url: "https://zernio.com/api" } });
  const cells = {
    date: "2030-03-01",
    time: "09:00",
    platforms: "instagram, facebook",
    type: "Story",
    content: "A",
  };
  const given = row(cells);
  const { posts, problems } = validate([calendar([given], {}, settings)], settings);
  expect(problems).toEqual([]);
  const resolved = posts.map(withoutMedia);
  const found = checkPosts({ posts: resolved, unresolved: [], config: settings, now: NOW });
  expect(found.map(({ code }) => code)).toEqual(["options/type"]);
  expect(found[0]).toMatchObject(given.at("type"));
});

test("a type that plancast cannot publish is the only error of a row without text and media", () => {
  const settings = config({ timezone: "UTC", service: { url: "repository" } });
  const rows = [row({ date: "2030-03-01", time: "09:00", platforms: "instagram", type: "Story" })];
  const { problems } = validate([calendar(rows, {}, settings)], settings);
  expect(problems.map(({ code }) => code)).toEqual(["row/type"]);
});

test("each option has a source, and services carry only options that exist", () => {
  for (const { source, checked } of Object.values(CATALOGUE)) {
    expect(source).not.toBe("");
    expect(checked).toMatch(/^20\d\d-\d\d$/);
  }
  for (const carried of [CARRIED_ITSELF, CARRIED_BY_POSTIZ, CARRIED_BY_ZERNIO])
    for (const name of Object.keys(carried)) expect(OPTION_NAMES).toContain(name);
  for (const name of OPTION_NAMES) expect(optionNamed(name.toUpperCase())).toBe(name);
});
