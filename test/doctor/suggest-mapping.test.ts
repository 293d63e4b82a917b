/** What doctor makes of answers of any shape: lines that help, or none; never an endless look, never a made-up name. */

import { expect, test } from "vitest";
import { mergeMapping, suggestMapping } from "../../src/doctor/suggest-mapping.ts";

const NOW = Date.UTC(2030, 0);

function suggest(posts: unknown, single?: unknown, platforms?: unknown) {
  return suggestMapping({ posts, single, platforms }, NOW);
}

function post(number: number) {
  return {
    nr: `A-${number}`,
    made: "2029-05-01T10:00:00Z",
    slot: { at: `2030-02-0${number}T10:00:00+02:00` },
    lang: "en",
    copy: { headline: "Short", full: `A longer text about post ${number}` },
    where: [{ net: "linkedin" }, { net: "twitter" }],
    files: [{ ref: `media_${number}` }],
    phase: "planned",
  };
}

test("suggests fields by their values, and prefers times to come", () => {
  expect(suggest({ out: { box: { rows: [post(1), post(2)] } } }, { out: { row: post(1) } })).toEqual({
    record: "out.row",
    post: {
      list: "out.box.rows",
      id: "nr",
      scheduled_at: "slot.at",
      status: "phase",
      platforms: "where.net",
      content: "copy.full",
      media: "files.ref",
    },
    status: { planned: "scheduled" },
  });
});

test("suggests nothing for answers that plancast reads already", () => {
  const usual = {
    id: "post_1",
    scheduled_at: "2030-02-01T10:00:00Z",
    platforms: ["twitter"],
    content: "Hello you",
    media_ids: [],
    status: "scheduled",
  };
  expect(suggest({ data: [usual] }, usual, { data: [{ id: "acc_1", platform: "twitter" }] })).toEqual({});
  expect(suggest({ data: [{ ...usual, status: "on hold" }] }, usual)).toEqual({
    status: { "on hold": "scheduled" },
  });
  expect(suggest({ data: [{ ...usual, content: { html: "", text: "Hello you" } }] })).toEqual({
    post: { content: "content.text" },
  });
});

test.each([
  ["nothing", undefined],
  ["no object", "text"],
  ["an empty list", { a: { b: [] } }],
  ["things that are no posts", { a: { b: [{ x: 1 }, { x: 2 }] } }],
  ["a list of lists", [[[{ id: "p1" }]]]],
])("suggests nothing for answers without posts: %s", (_name, body) => {
  expect(suggest(body, body, body)).toEqual({});
});

test("suggests fields in deep, wide or hostile answers, and repeats no control characters", () => {
  let deep: unknown = [post(1)];
  for (let level = 0; level < 50_000; level += 1) deep = { next: deep };
  expect(suggest(deep, deep, deep)).toEqual({});
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
  expect(suggest({ a: { b: [{ ...post(1), ...wide }] } })).toBeDefined();
  const hostile = { ...post(1), phase: "\u001b[31mred\u001b", "\u001b[2J": { id: "x" } };
  const text = JSON.stringify(suggest({ a: { b: [hostile] } }));
  expect(text).toContain("slot.at");
  expect(text).not.toContain("u001b");
});

test("suggests a single record in a list of one, not in a list of several", () => {
  const posts = { out: { rows: [post(1), post(2)] } };
  expect(suggest(posts, { out: { rows: [post(1)] } }).record).toBe("out.rows.0");
  expect(suggest(posts, [post(2)]).record).toBe("0");
  expect(suggest(posts, { out: { rows: [post(3), post(1)] } }).record).toBeUndefined();
});

test("suggests the form of a text without markup", () => {
  const items = [1, 2].map((number) => ({
    id: number,
    publish_at: 2_000_000_000,
    body: { html: `<p>Post <b>${number}</b></p>`, plain: `Post ${number}` },
  }));
  expect(suggest({ data: items }).post).toEqual({ content: "body.plain" });
});

test("suggests ids of accounts, media and automations", () => {
  const platforms = {
    data: [
      { uid: 5, platform: "twitter" },
      { uid: 6, platform: "linkedin" },
    ],
  };
  const media = { files: { all: [{ uid: "media_1", sort: "image", at: { web: "https://x.example/a" } }] } };
  const automations = { list: [{ uid: "a1", title: "Digest" }] };
  expect(suggestMapping({ posts: undefined, single: undefined, platforms, media, automations }, NOW)).toEqual(
    {
      platform: { id: "uid" },
      media: { id: "uid", type: "sort", url: "at.web" },
      automation: { id: "uid" },
    },
  );
});

test("suggests one place for all lists, and an own place for a list elsewhere", () => {
  const posts = { out: { box: { rows: [post(1), post(2)] } } };
  const platforms = { out: { box: { rows: [{ id: "a", platform: "twitter" }] } } };
  const media = { data: [{ id: "media_1", type: "image", url: "https://x.example/a" }] };
  const shape = suggestMapping({ posts, single: undefined, platforms, media }, NOW);
  expect(shape).toMatchObject({ list: "out.box.rows", media: { list: "data" } });
});

test("keeps what a project says as long as it leads somewhere", () => {
  const answers = {
    posts: { out: { box: { rows: [post(1), post(2)] } } },
    single: undefined,
    platforms: undefined,
  };
  const found = suggestMapping(answers, NOW);
  const said = {
    list: "out.box.rows",
    next: "meta.after",
    post: { content: "copy.headline", media: "none.yet", id: "gone" },
    media: { id: "ref" },
    status: { planned: "draft" },
  } as const;
  expect(mergeMapping(found, said, answers)).toMatchObject({
    list: "out.box.rows",
    next: "meta.after",
    post: { id: "nr", scheduled_at: "slot.at", content: "copy.headline" },
    media: { id: "ref" },
    status: { planned: "draft" },
  });
  expect(mergeMapping(found, { list: "was.here" }, answers).list).toBeUndefined();
});
