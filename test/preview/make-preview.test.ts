import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListedPost } from "../../src/model/post.ts";
import { problem } from "../../src/model/problem.ts";
import { type PreviewInput, makePreview } from "../../src/preview/make-preview.ts";
import { KnownMeters } from "../../src/preview/preview-post.ts";
import { previewHtml } from "../../src/preview/preview-html.ts";
import { accountSchema } from "../../src/settings/accounts.ts";
import { hostileText } from "../report/hostile-text.ts";
import { calendar, config, post, row } from "../support/rows.ts";

const NOW = Date.parse("2027-03-01T08:00:00Z");

function listed(given: Parameters<typeof post>[0] & Partial<Pick<ListedPost, "status">> = {}): ListedPost {
  return { status: "ready", ...post({ scheduledAt: "2027-03-02T08:00:00Z", ...given }) };
}

function preview(posts: readonly ListedPost[], given: Partial<PreviewInput> = {}) {
  const usual = {
    title: "Spring",
    config: config(),
    calendars: [],
    plan: undefined,
    problems: [],
    noPlan: undefined,
  };
  return makePreview({ ...usual, posts, now: NOW, sourceOf: () => undefined, ...given });
}

test("shows days and times in the project's zone across a clock change", () => {
  const times = ["2027-03-27T23:30:00Z", "2027-03-28T22:30:00Z"];
  const { posts, timezone } = preview(
    times.map((scheduledAt, index) => listed({ key: `k${index}`, scheduledAt })),
  );
  expect(timezone).toBe("Europe/Paris");
  expect(posts.map(({ day, clock, offset }) => `${day} ${clock} ${offset}`)).toEqual([
    "2027-03-28 00:30 +01:00",
    "2027-03-29 00:30 +02:00",
  ]);
});

test("a post shows its account if plancast publishes there, with the limits of that account", () => {
  const accounts = {
    garden: accountSchema.parse({ network: "bluesky", handle: "garden.test", password_env: "A" }),
    press: accountSchema.parse({ network: "mastodon", server: "https://mastodon.social", token_env: "B" }),
    fun: accountSchema.parse({ network: "mastodon", server: "https://fosstodon.org", token_env: "C" }),
  };
  const limits = { mastodon: { text: 1000 }, "mastodon/press": { text: 5000 } };
  const platforms = ["bluesky", "linkedin", "mastodon/fun", "mastodon/press"];
  const shown = preview([listed({ platforms })], { config: config({ accounts, limits }) });
  expect(shown.platforms).toEqual([
    { name: "bluesky", title: "Bluesky", account: "@garden.test" },
    { name: "linkedin", title: "LinkedIn", account: "no account" },
    { name: "mastodon/fun", title: "Mastodon", account: "fun, fosstodon.org" },
    { name: "mastodon/press", title: "Mastodon", account: "press, mastodon.social" },
  ]);
  const meters = shown.posts[0]?.meters.map(({ platform, limit }) => [platform, limit]);
  expect(meters).toEqual([
    [0, 300],
    [0, 3000],
    [1, 3000],
    [2, 1000],
    [3, 5000],
  ]);
});

test("posts have their row only on a page that can be edited, and a file that cannot be edited says why", () => {
  const posts = [listed({ line: 2 }), listed({ key: "b", source: { file: "calendars/b.ods", line: 3 } })];
  const calendars = ["calendars/a.csv", "calendars/b.ods"].map((file) => ({ ...calendar([]), file }));
  expect(preview(posts, { calendars }).posts.map(({ row: place }) => place)).toEqual([undefined, undefined]);
  const versions = new Map(calendars.map(({ file }, index) => [file, `v${index}`]));
  const { editing, posts: shown } = preview(posts, { calendars, versions });
  expect(shown.map(({ row: place }) => place)).toEqual([
    { file: 0, line: 2 },
    { file: 1, line: 3 },
  ]);
  expect(editing).toEqual([
    { name: "calendars/a.csv", version: "v0" },
    { name: "calendars/b.ods", version: "v1", why: expect.stringContaining("does not write into ODS files") },
  ]);
});

test("without a plan, a post is ready, past or a draft", () => {
  const posts = [
    listed({ key: "a", scheduledAt: "2027-03-01T07:59:00Z" }),
    listed({ key: "b" }),
    listed({ key: "c", status: "draft", scheduledAt: "2027-03-03T08:00:00Z" }),
  ];
  expect(preview(posts).posts.map(({ status: standing }) => standing)).toEqual(["past", "ready", "draft"]);
});

test("attaches a problem to the post of its row, if it has one", () => {
  const rows = [row({ id: "a" }, 2), row({ id: "broken" }, 5), row({ id: "b" }, 9)];
  const problems = [4, 6, 9].map((line) =>
    problem("row/unused-value", "Too long.", { file: "calendars/a.csv", line, column: 3 }),
  );
  const posts = [
    listed({ key: "a", line: 2 }),
    listed({ key: "b", line: 9, scheduledAt: "2027-03-04T08:00:00Z" }),
  ];
  const made = preview(posts, { calendars: [calendar(rows)], problems });
  expect(made.posts.map((each) => each.problems)).toEqual([[0], [2]]);
  expect(made.problems.map(({ place }) => place)).toEqual(
    [4, 6, 9].map((line) => `calendars/a.csv:${line}:3`),
  );
});

test("meters use the project's own limits", () => {
  const limits = { limits: { linkedin: { text: 10 } } };
  const content = "é".repeat(12);
  const { posts, platforms } = preview([listed({ content, platforms: ["linkedin", "elsewhere"] })], {
    config: config(limits),
  });
  expect(posts[0]?.meters).toEqual([{ platform: 0, used: 12, limit: 10, unit: "characters" }]);
  expect(platforms.map(({ title }) => title)).toEqual(["LinkedIn", "elsewhere"]);
});

test("a server counts only new texts again, and its meters are the same as without this", () => {
  const meters = new KnownMeters();
  const all = [
    [listed({ key: "a", content: "One" }), listed({ key: "b", content: "Two 👍", platforms: ["twitter"] })],
    // The platforms have other places now.
    [listed({ key: "b", content: "Two 👍", platforms: ["twitter"] }), listed({ key: "a", content: "One" })],
    [listed({ key: "a", content: "One more", platforms: ["twitter", "linkedin"] })],
  ];
  for (const posts of all)
    expect(preview(posts, { meters }).posts.map((each) => each.meters)).toEqual(
      preview(posts).posts.map((each) => each.meters),
    );
  const counted: string[] = [];
  const { content } = listed({ content: "One more" });
  const of = (name: string) =>
    meters.of({ ...post({ content }), media: [] }, name, () => (counted.push(name), []), 0);
  meters.read();
  of("twitter");
  of("bluesky");
  expect(counted).toEqual(["bluesky"]);
});

const ASSETS = { script: "document;", style: "body {}" };

function policy(kind: "file" | "live"): string | undefined {
  return /content="(default-src[^"]*)"/.exec(previewHtml(preview([]), ASSETS, kind))?.[1];
}

describe("the page's HTML", () => {
  test("holds any text as inert JSON, and allows only its own script by hash", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (content, title) => {
        const data = preview([listed({ content })], { title });
        const html = previewHtml(data, ASSETS, "file");
        expect(html.match(/<script/gi)).toHaveLength(2);
        expect(html.match(/<!--/g)).toBeNull();
        const [, json = ""] = /id="data">(.*)<\/script>/.exec(html) ?? [];
        expect(JSON.parse(json)).toEqual(data);
        expect(html).toContain("script-src 'sha256-");
        expect(html).not.toContain("unsafe");
      }),
    );
  });

  test("a file connects to nothing, and a served page only to its own server", () => {
    expect(policy("file")).not.toMatch(/connect-src|https?:/);
    expect(policy("file")).toMatch(/img-src data: 'self' file:; media-src 'self' file:; base-uri/);
    expect(policy("live")).toMatch(/img-src data: 'self'; media-src 'self'; connect-src 'self'; base-uri/);
  });
});
