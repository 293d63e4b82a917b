import { describe, expect, test } from "vitest";
import { decodePost, decodePostRecord } from "../../../src/service/answers/post.ts";

const WHOLE = {
  id: "post_1",
  content: "We are open",
  platforms: ["linkedin"],
  scheduledAt: "2030-03-01T08:00:00Z",
  mediaIds: ["media_1"],
};
const RECORD = {
  id: "post_1",
  content: "We are open",
  platforms: ["linkedin"],
  scheduled_at: "2030-03-01T08:00:00Z",
  media_ids: ["media_1"],
};

function decoded(given: Record<string, unknown>) {
  return decodePost(given, "GET /v1/posts");
}

/** The documented record without one field. */
function without(field: keyof typeof RECORD): Record<string, unknown> {
  return Object.fromEntries(Object.entries(RECORD).filter(([name]) => name !== field));
}

test("the documented record is read whole", () => {
  expect(decoded({ ...RECORD, status: "Scheduled", likes: 3 })).toEqual({ post: WHOLE, status: "scheduled" });
  expect(decodePostRecord(RECORD, "GET /v1/posts")).toEqual({ ...WHOLE, record: RECORD });
});

test.each([".", "..", "a b", ""])("the id %j would change an address, so the record is not read", (id) => {
  expect(() => decoded({ ...RECORD, id })).toThrow("an id of printable characters");
});

describe.each([
  ["content", "content", ["text", "caption", "message", "body"]],
  ["platforms", "platforms", ["platform", "networks", "channels"]],
  [
    "scheduled_at",
    "scheduledAt",
    ["scheduledAt", "scheduled_for", "scheduledFor", "publish_at", "publishAt", "scheduled_time"],
  ],
  ["media_ids", "mediaIds", ["mediaIds", "media", "attachments"]],
] as const)("%s", (field, part, names) => {
  test.each(names)("may be called %s", (name) => {
    expect(decoded({ ...without(field), [name]: RECORD[field] }).post).toEqual(WHOLE);
  });

  test("may be missing", () => {
    const { [part]: _missing, ...rest } = WHOLE;
    expect(decoded(without(field)).post).toStrictEqual(rest);
  });

  test("is read from the documented field, whatever other fields there are", () => {
    expect(decoded({ [names[0]]: 0, ...RECORD }).post).toEqual(WHOLE);
  });
});

test.each<[unknown, string | undefined]>([
  ["2030-03-01T08:00:00Z", "2030-03-01T08:00:00Z"],
  ["2030-03-01T09:00:00+01:00", "2030-03-01T08:00:00Z"],
  ["2030-03-01T08:00:00.000Z", "2030-03-01T08:00:00Z"],
  ["2030-03-01T08:00:00", "2030-03-01T08:00:00Z"],
  ["2028-02-29T08:00:00Z", "2028-02-29T08:00:00Z"],
  [1_898_582_400, "2030-03-01T08:00:00Z"],
  [1_898_582_400_000, "2030-03-01T08:00:00Z"],
  [100_000_000, "1973-03-03T09:46:40Z"],
  [99_999_999_999, "5138-11-16T09:46:39Z"],
  [100_000_000_000, "1973-03-03T09:46:40Z"],
  [null, undefined],
  ["", undefined],
])("the time %j is %s", (value, time) => {
  expect(decoded({ ...RECORD, scheduled_at: value }).post.scheduledAt).toBe(time);
});

test.each<[unknown, readonly string[] | undefined]>([
  [
    ["media_1", "media_2"],
    ["media_1", "media_2"],
  ],
  [[7], ["7"]],
  [[{ id: "media_1", url: "https://example.com/a.png" }], ["media_1"]],
  [[], []],
  [null, []],
  ["media_1", undefined],
  [[{ url: "https://example.com/a.png" }], undefined],
  [["https://example.com/a.png"], undefined],
  [["media_1", {}], undefined],
])("media returned as %j are %j", (value, ids) => {
  expect(decoded({ ...RECORD, media_ids: value }).post.mediaIds).toEqual(ids);
});

test.each<[unknown, readonly string[] | undefined]>([
  ["twitter, linkedin", ["linkedin", "twitter"]],
  ["twitter;linkedin|facebook", ["facebook", "linkedin", "twitter"]],
  [{ platform: "linkedin" }, ["linkedin"]],
  [[{ id: "acc_1", platform: "linkedin" }], ["linkedin"]],
  [null, undefined],
])("platforms returned as %j are %j", (value, platforms) => {
  expect(decoded({ ...RECORD, platforms: value }).post.platforms).toEqual(platforms);
});

test("if content is null, the text is empty", () => {
  expect(decoded({ ...RECORD, content: null }).post.content).toBe("");
});

test.each<[string, Record<string, unknown>, string]>([
  ["content that is no text", { content: 3 }, "content that is text is missing"],
  ["platforms without names", { platforms: ["linkedin", {}] }, "platforms with names is missing"],
  ["a time that is none", { scheduled_at: "soon" }, "a time in an ISO 8601 form is missing"],
  ["a time that is a small number", { scheduled_at: 99_999_999 }, "a time in an ISO 8601 form is missing"],
  ["a time beyond all calendars", { scheduled_at: 8e15 }, "a time in an ISO 8601 form is missing"],
  ["an id with a space", { id: "post 1" }, 'it is "post 1" is missing'],
])("a record with %s cannot be read", (_what, given, message) => {
  expect(() => decoded({ ...RECORD, ...given })).toThrow(message);
});

test("anything but a record is refused", () => {
  expect(() => decodePost("post_1", "GET /v1/posts")).toThrow("GET /v1/posts returned a record");
});
