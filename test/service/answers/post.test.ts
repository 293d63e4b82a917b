import { expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { decodePost, decodePostRecord, requireFields } from "../../../src/service/answers/post.ts";

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

test.each([
  ["content", "content", "text"],
  ["platforms", "platforms", "networks"],
  ["scheduled_at", "scheduledAt", "scheduledAt"],
  ["media_ids", "mediaIds", "media"],
] as const)("%s is read only from the field with this name, and may be missing", (field, part, other) => {
  const { [part]: _missing, ...rest } = WHOLE;
  expect(decoded(without(field)).post).toStrictEqual(rest);
  expect(decoded({ ...without(field), [other]: RECORD[field] }).post).toStrictEqual(rest);
});

test("a list must show the fields that plancast compares, and the error names the record and the setting", () => {
  expect(() => requireFields({ ...RECORD, content: null }, "post_1", "GET /v1/posts")).not.toThrow();
  const { content: _content, platforms: _platforms, ...record } = RECORD;
  const failure = failureOf(() => requireFields(record, "post_1", "GET /v1/posts"));
  expect(failure?.code).toBe("service/unreadable");
  expect(failure?.message).toBe(
    "GET /v1/posts returned the post post_1 without content and platforms. Nothing was changed.",
  );
  expect(failure?.hint).toContain("service: { shape: { post: { content: content, platforms: platforms } } }");
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
  [
    ["twitter", "LinkedIn"],
    ["linkedin", "twitter"],
  ],
  ["linkedin", ["linkedin"]],
  [null, undefined],
])("platforms returned as %j are %j", (value, platforms) => {
  expect(decoded({ ...RECORD, platforms: value }).post.platforms).toEqual(platforms);
});

test("if content is null, the text is empty", () => {
  expect(decoded({ ...RECORD, content: null }).post.content).toBe("");
});

test.each<[string, Record<string, unknown>, string]>([
  ["content that is no text", { content: 3 }, "content that is text is missing"],
  ["platforms without names", { platforms: ["linkedin", {}] }, "platforms as a list of names is missing"],
  [
    "platforms in objects",
    { platforms: [{ platform: "linkedin" }] },
    "platforms as a list of names is missing",
  ],
  ["several platforms in a text", { platforms: "x, linkedin" }, "platforms as a list of names is missing"],
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

function failureOf(attempt: () => void): Failure | undefined {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return undefined;
}
