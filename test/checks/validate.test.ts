import { describe, expect, test } from "vitest";
import { validate } from "../../src/checks/validate.ts";
import type { Cell } from "../../src/model/row.ts";
import type { Field } from "../../src/model/fields.ts";
import { calendar, config, row } from "../support/rows.ts";

const GOOD = { id: "a", scheduled_at: "2030-03-01T08:00:00Z", platforms: "linkedin", content: "Hello" };

function check(cells: Partial<Record<Field, Cell>>, settings: Record<string, unknown> = {}) {
  const {
    posts,
    problems,
    skippedRows: setAside,
  } = validate([calendar([row(cells)], {}, config(settings))], config(settings));
  return { post: posts[0], problems: problems.map(({ code, column }) => [code, column]), setAside };
}

test("turns a valid row into a post in canonical form", () => {
  const { post, problems } = check(
    {
      ...GOOD,
      platforms: "X; linkedin linkedin|Instagram",
      content: "Cafe\u0301\r\nnext line  \n\n",
      media: "a.png | media_12;sub\\b.png",
    },
    { platforms: { x: "twitter" } },
  );
  expect(problems).toEqual([]);
  expect(post).toMatchObject({
    key: "a",
    content: "Café\nnext line",
    platforms: ["instagram", "linkedin", "twitter"],
    scheduledAt: "2030-03-01T08:00:00Z",
    media: [
      { kind: "file", path: "a.png" },
      { kind: "id", id: "media_12" },
      { kind: "file", path: "sub/b.png" },
    ],
  });
});

describe("times", () => {
  test.each([
    ["2030-03-01T08:00:00Z", "2030-03-01T08:00:00Z"],
    ["2030-03-01T08:00:00.000Z", "2030-03-01T08:00:00Z"],
    ["2030-03-01T09:00:00+01:00", "2030-03-01T08:00:00Z"],
    ["2030-03-01T13:45+0545", "2030-03-01T08:00:00Z"],
    ["2030-03-01 09:00", "2030-03-01T08:00:00Z"],
    ["2030-03-01T09:00:30", "2030-03-01T08:00:30Z"],
    ["2030-07-01 09:00", "2030-07-01T07:00:00Z"],
    ["  2030-3-1 9:00 ", "2030-03-01T08:00:00Z"],
  ])("reads the time %s as %s", (scheduled_at, expected) => {
    expect(check({ ...GOOD, scheduled_at }).post?.scheduledAt).toBe(expected);
  });

  test.each([
    ["2030-03-31 02:30", "schedule/clock-change"],
    ["2030-10-27 02:30", "schedule/clock-change"],
    ["2030-02-30 10:00", "schedule/format"],
    ["2030-03-01 25:00", "schedule/format"],
    ["2030-03-01", "row/missing-field"],
    ["09:30", "row/missing-field"],
    ["01/03/2030 10:00", "schedule/ambiguous-date"],
    ["2030-W10-1", "schedule/format"],
    ["tomorrow", "schedule/format"],
    ["2030-03-01T08:00:00+25:00", "schedule/format"],
  ])("refuses the time %s with %s", (scheduled_at, code) => {
    expect(check({ ...GOOD, scheduled_at }).problems).toEqual([[code, 20]]);
  });

  test("reads date and time from two cells, or the time from defaults", () => {
    const { scheduled_at: _, ...rest } = GOOD;
    expect(check({ ...rest, date: "2030-03-01", time: "10:30" }).post?.scheduledAt).toBe(
      "2030-03-01T09:30:00Z",
    );
    expect(check({ ...rest, date: "2030-03-01" }, { defaults: { time: "09:00" } }).post?.scheduledAt).toBe(
      "2030-03-01T08:00:00Z",
    );
    expect(check({ ...rest, date: "2030-03-01" }).problems).toEqual([["row/missing-field", 40]]);
    expect(check({ ...rest, time: "10:30" }).problems).toEqual([["row/missing-field", 40]]);
    expect(check({ ...GOOD, date: "2030-03-01" }).problems).toEqual([["row/value-twice", 50]]);
    expect(check(rest).problems[0]?.[0]).toBe("row/missing-field");
  });

  test("prefers the zone of a row to the zone of its file or of the project", () => {
    const local = { ...GOOD, scheduled_at: "2030-03-01 09:00" };
    expect(check({ ...local, timezone: "America/New_York" }).post?.scheduledAt).toBe("2030-03-01T14:00:00Z");
    expect(check({ ...local, timezone: "Paris" }).post?.scheduledAt).toBe("2030-03-01T08:00:00Z");
    expect(check({ ...local, timezone: "Parys" }).problems).toEqual([["schedule/unknown-timezone", 50]]);
    expect(check({ ...local, timezone: "EST" }).problems).toEqual([["schedule/unknown-timezone", 50]]);
    const noZone = config({ timezone: undefined });
    expect(validate([calendar([row(local)], {}, noZone)], noZone).problems[0]?.code).toBe(
      "schedule/no-timezone",
    );
    const at = { file: "a.yaml", line: 1, column: 1 };
    const file = calendar([row(local)], { timezone: { text: "Asia/Kathmandu", at } });
    expect(validate([file], config()).posts[0]?.scheduledAt).toBe("2030-03-01T03:15:00Z");
  });
});

test.each<[string, Partial<Record<Field, Cell>>, string, number]>([
  ["no platform", { platforms: "" }, "row/missing-field", 30],
  ["a platform that cannot be one", { platforms: "linked!n" }, "platform/unknown", 30],
  ["no text and no media", { content: "" }, "row/missing-field", 40],
  ["an id of a derived key's form", { id: "row:1" }, "row/id", 10],
  ["an id with a line end", { id: "a\nb" }, "row/id", 10],
  ["media by an address of another kind", { media: "ftp://example.com/a.png" }, "media/url", 50],
  ["an address with a password", { media: "https://me:pw@example.com/a.png" }, "media/url", 50],
  ["a path with a control character", { media: "a\u0000.png" }, "media/missing", 50],
])("refuses %s", (_name, cells, code, column) => {
  expect(check({ ...GOOD, ...cells }).problems).toEqual([[code, column]]);
});

describe("a platform that the project leaves out", () => {
  const settings = { platforms: { newsletter: "skip" } };

  test("is not one of the row's platforms", () => {
    const { post, problems } = check({ ...GOOD, platforms: "Newsletter, LinkedIn" }, settings);
    expect(problems).toEqual([]);
    expect(post?.platforms).toEqual(["linkedin"]);
    expect(check({ ...GOOD, platforms: "linkedin / newsletter" }, settings).post?.platforms).toEqual([
      "linkedin",
    ]);
  });

  test("skips a row if it is only for this network, without checking it", () => {
    const { post, problems, setAside } = check({ ...GOOD, platforms: "Newsletter", content: "" }, settings);
    expect([post, problems]).toEqual([undefined, []]);
    expect(setAside).toMatchObject([{ id: "a", status: "skip" }]);
    expect(setAside[0]?.posts()).toEqual([]);
  });

  test("still reports a wrong name, or a row without platforms", () => {
    expect(check({ ...GOOD, platforms: "newsletter, linkdin" }, settings).problems).toEqual([
      ["platform/unknown", expect.any(Number)],
    ]);
    expect(check({ ...GOOD, platforms: "" }, settings).problems).toHaveLength(1);
  });
});

test("counts drafts and skipped rows without checking them", () => {
  const rows = [row({ status: "Draft", platforms: "!" }), row({ status: "skip" }, 3), row(GOOD, 4)];
  const { posts, skippedRows: setAside, problems } = validate([calendar(rows)], config());
  expect({ posts: posts.length, drafts: setAside.length, problems }).toEqual({
    posts: 1,
    drafts: 2,
    problems: [],
  });
});

test("reports two drafts with the same id, but not a skipped row with the id of another", () => {
  const rows = [
    row({ ...GOOD, status: "draft" }, 2),
    row({ ...GOOD, status: "draft" }, 3),
    row({ ...GOOD, status: "skip" }, 4),
    row({ ...GOOD, status: "ready" }, 5),
  ];
  const { problems } = validate([calendar(rows)], config());
  expect(problems.map(({ code, line }) => [code, line])).toEqual([["row/duplicate-id", 3]]);
  expect(problems[0]?.message).toContain("If these are two versions of one post, delete one.");
});

test("reports a clash at the second row, with the place of the first", () => {
  const rows = [
    row(GOOD, 2),
    row({ ...GOOD, content: "Other" }, 3),
    row({ ...GOOD, id: "b", platforms: "x, linkedin" }, 4),
    row({ ...GOOD, id: "c", platforms: "x" }, 5),
  ];
  const { problems } = validate([calendar(rows)], config());
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ["row/duplicate-id", 3],
    ["row/duplicate-post", 4],
    ["row/duplicate-post", 5],
  ]);
  expect(problems[0]?.message).toContain("calendars/a.csv:2");
});

function duplicateMessage(first: string, second: string): string {
  const rows = [row({ ...GOOD, id: "a", media: first }, 2), row({ ...GOOD, id: "b", media: second }, 3)];
  const [found] = validate([calendar(rows)], config()).problems;
  expect(found?.code).toBe("row/duplicate-post");
  return found?.message ?? "";
}

test("rows with the same text and different pictures may be a carousel", () => {
  expect(duplicateMessage("1.png", "2.png")).toContain("`carousel_rows: join`");
  expect(duplicateMessage("1.png", "1.png")).not.toContain("carousel_rows");
});

function keyOf(cells: Partial<Record<Field, Cell>>, line: number) {
  return validate([calendar([row(cells, line)])], config()).posts[0]?.key;
}

test("a row without an id keeps its key when rows move, and every row has a different key", () => {
  const { id: _, ...bare } = GOOD;
  expect(keyOf(bare, 2)).toBe(keyOf(bare, 9));
  expect(keyOf(bare, 2)).not.toBe(keyOf({ ...bare, content: "Other" }, 2));
});

test("refuses an id that does not fit into a lockfile", () => {
  const { problems } = validate([calendar([row({ id: "__proto__" })])], config());
  expect(problems.map(({ code }) => code)).toContain("row/id");
});

test("on a service with one account per post, each account of a row has its own key", () => {
  const settings = { service: { type: "postiz", url: "https://example.com" } };
  const keysOf = (cells: Partial<Record<Field, Cell>>): string[] => {
    const project = config(settings);
    const { id: _id, ...rest } = GOOD;
    const all = { ...rest, platforms: "linkedin, twitter", ...cells };
    return validate([calendar([row(all)], {}, project)], project).posts.map(({ key }) => key);
  };
  expect(keysOf({ id: "a" })).toEqual(["a@linkedin", "a@twitter"]);
  expect(keysOf({ id: "a", platforms: "twitter" })).toEqual(["a@twitter"]);
  const [both, one] = [keysOf({}), keysOf({ platforms: "twitter" })];
  expect([new Set(both).size, both[1]]).toEqual([2, one[0]]);
});
