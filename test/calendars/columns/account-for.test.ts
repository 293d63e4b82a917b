import { expect, test } from "vitest";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { readYaml } from "../../../src/calendars/formats/yaml/read-yaml.ts";
import type { ReadOptions } from "../../../src/calendars/read/format.ts";
import { unaccounted, unexplained } from "../../../src/model/column-account.ts";
import type { RawCalendar } from "../../../src/model/row.ts";

type Settings = Partial<Pick<ReadOptions, "columns" | "values" | "status_values" | "only" | "keep">>;

function table(lines: readonly string[], settings: Settings = {}): RawCalendar {
  return readCsv("a.csv", lines.join("\n"), { columns: {}, ...settings });
}

function unknownIn({ account = { columns: [], deciding: [] } }: RawCalendar): string[] {
  return unaccounted(account).map(({ key }) => key);
}

function unknownValues({ account = { columns: [], deciding: [] } }: RawCalendar): unknown {
  return Object.fromEntries(
    unexplained(account).map(({ key, values }) => [key, values.map(({ text, rows }) => [text, rows])]),
  );
}

const HEADER = "Date,Time,Platform,Caption";

test("lists every filled column without a known name, once for the file", () => {
  const calendar = table([
    `${HEADER},Owner,Mood,Empty`,
    "2036-03-01,9:00,x,One,Kim,sad,",
    "2036-03-02,9:00,x,Two,Ana,,",
  ]);
  expect(unknownIn(calendar)).toEqual(["Owner", "Mood"]);
  expect(calendar.problems).toMatchObject([
    {
      code: "columns/unknown",
      severity: "error",
      line: 1,
      settings: "columns:\n  Owner: ignore\n  Mood: ignore",
    },
  ]);
  expect(calendar.problems[0]?.message).toContain('`Owner` (2 rows: "Kim", "Ana")');
});

test("accepts columns that `columns:` names, and a `*` for the rest", () => {
  const lines = [`${HEADER},Owner,Mood`, "2036-03-01,9:00,x,One,Kim,sad"];
  expect(unknownIn(table(lines, { columns: { owner: "ignore" } }))).toEqual(["Mood"]);
  expect(unknownIn(table(lines, { columns: { "*": "ignore" } }))).toEqual([]);
});

test("a `*` does not cover a column that may decide what is published, and no known field", () => {
  const calendar = table([`${HEADER},Approved by,Mood`, "2036-03-01,9:00,x,One,Kim,sad"], {
    columns: { "*": "ignore" },
  });
  expect(unknownIn(calendar)).toEqual(["Approved by"]);
  expect(calendar.rows[0]?.cells.content).toBe("One");
});

test("needs nothing for a column that repeats another one, or names the weekday of the date", () => {
  const same = [
    `${HEADER},Copy of the text,Day`,
    "2036-03-01,9:00,x,One,One,Saturday",
    "2036-03-02,9:00,x,Two,Two,",
  ];
  expect(unknownIn(table(same))).toEqual([]);
  const other = [`${HEADER},Copy of the text,Day`, "2036-03-01,9:00,x,One,One!,Monday"];
  expect(unknownIn(table(other))).toEqual(["Copy of the text", "Day"]);
});

test("asks about marks of a network beside the same marks, and about a copy with a blank cell", () => {
  const marks = ["Date,Time,FB,IG,Caption", "2036-03-01,9:00,x,x,One", "2036-03-02,9:00,x,x,Two"];
  expect(unknownIn(table(marks))).toEqual(["FB", "IG"]);
  expect(unknownIn(table(marks, { columns: { FB: "platforms:facebook" } }))).toEqual(["IG"]);
  const legal = [
    `${HEADER},Status,Legal`,
    "2036-03-01,9:00,x,One,ready,ready",
    "2036-03-02,9:00,x,Two,ready,",
  ];
  expect(unknownIn(table(legal))).toEqual(["Legal"]);
});

test("a meaning that the column cannot have explains nothing", () => {
  const lines = [`${HEADER},Validé`, "2036-03-01,9:00,x,One,oui", "2036-03-02,9:00,x,Two,non"];
  const { problems } = table(lines, {
    columns: { Validé: "status:ready" },
    values: { Validé: { oui: "ready", non: "draft" } },
  });
  expect(problems).toMatchObject([{ settings: "values:\n  Validé:\n    oui: no\n    non: no" }]);
});

test("asks about a second column for a field", () => {
  const calendar = table([`${HEADER},Text`, "2036-03-01,9:00,x,One,Another"]);
  expect(unknownIn(calendar)).toEqual(["Text"]);
  expect(calendar.problems[0]?.message).toContain("`Caption` already is `content`");
});

test.each(["pending", "Scheduled", "planned", "Черновик", "3", "Geplant"])(
  "asks what the status %j means",
  (word) => {
    const calendar = table([
      `${HEADER},Status`,
      `2036-03-01,9:00,x,One,${word}`,
      "2036-03-02,9:00,x,Two,Draft",
    ]);
    expect(unknownValues(calendar)).toEqual({ Status: [[word, 1]] });
    expect(calendar.problems.map(({ code }) => code)).toEqual(["columns/unknown-value"]);
  },
);

test("a blank status means ready only beside words that plancast knows", () => {
  const known = table([`${HEADER},Status`, "2036-03-01,9:00,x,One,", "2036-03-02,9:00,x,Two,Draft"]);
  expect(unknownValues(known)).toEqual({});
  const unknown = table([`${HEADER},Status`, "2036-03-01,9:00,x,One,", "2036-03-02,9:00,x,Two,Los"]);
  expect(unknownValues(unknown)).toEqual({
    Status: [
      ["", 1],
      ["Los", 1],
    ],
  });
  const said = { Status: { Los: "ready", "": "draft" } } as const;
  const answered = table([`${HEADER},Status`, "2036-03-01,9:00,x,One,", "2036-03-02,9:00,x,Two,Los"], {
    values: said,
  });
  expect(answered.rows.map(({ cells }) => cells.status)).toEqual(["draft", "ready"]);
});

test("a row is ready only if all its status columns say so", () => {
  const calendar = table([
    `${HEADER},Status,Approval status`,
    "2036-03-01,9:00,x,One,Ready,Rejected",
    "2036-03-02,9:00,x,Two,Ready,Approved",
    "2036-03-03,9:00,x,Three,Draft,Approved",
    "2036-03-04,9:00,x,Four,,Approved",
  ]);
  expect(calendar.problems).toEqual([]);
  expect(calendar.rows.map(({ cells }) => cells.status)).toEqual(["skip", "ready", "draft", "ready"]);
});

test("a column of names can be the status, with a `*` for all other names", () => {
  const lines = [`${HEADER},Approved by`, "2036-03-01,9:00,x,One,Kim", "2036-03-02,9:00,x,Two,"];
  const asked = table(lines, { columns: { "Approved by": "status" } });
  expect(unknownValues(asked)).toEqual({
    "Approved by": [
      ["Kim", 1],
      ["", 1],
    ],
  });
  const said = table(lines, {
    columns: { "Approved by": "status" },
    values: { "approved by": { "*": "ready", "": "draft" } },
  });
  expect(said.problems).toEqual([]);
  expect(said.rows.map(({ cells }) => cells.status)).toEqual(["ready", "draft"]);
});

test("lists all unknown values, however many there are", () => {
  const rows = Array.from({ length: 60 }, (_none, index) => `2036-03-01,9:00,x,Text ${index},Word ${index}`);
  const [problem] = table([`${HEADER},Status`, ...rows]).problems;
  expect(problem?.settings?.split("\n")).toHaveLength(62);
});

test("rows of another filter need no meaning", () => {
  const lines = [
    `${HEADER},Client,Status`,
    "2036-03-01,9:00,x,One,Acme,Ready",
    "2036-03-02,9:00,x,Two,Other,Los",
  ];
  const calendar = table(lines, { only: { Client: "Acme" }, keep: ["client"] });
  expect(calendar.problems).toEqual([]);
});

test("accounts for the keys of YAML, also for mappings", () => {
  const calendar = readYaml(
    "a.yaml",
    "- date: 2036-03-01\n  content: One\n  Pillar: Fun\n  meta: { content: x }\n  posted: [linkedin]\n",
    { columns: {} },
  );
  expect(unknownIn(calendar)).toEqual(["Pillar", "meta"]);
  expect(calendar.problems.map(({ code }) => code)).toEqual(["columns/unknown", "calendar/shape"]);
});

test("a network has one part of a row, also if one column has its time and another one its status", () => {
  const text = "date,content,time:x,status:x\n2036-03-01,Hi,9:00,draft\n2036-03-01,Ho,10:00,\n";
  const { rows } = readCsv("a.csv", text, { columns: {} });
  expect(rows.map(({ variants }) => variants.map(({ platform, cells }) => ({ platform, ...cells })))).toEqual(
    [[{ platform: "x", time: "9:00", status: "draft" }], [{ platform: "x", time: "10:00" }]],
  );
});

test("in the column of a network, n/a is not a mark, is shown as it is written, and can have another meaning", () => {
  const lines = ["Date,Time,FB,Caption", "2036-03-01,9:00,ie,One", "2036-03-02,9:00,na,Two"];
  const columns = { FB: "platforms:facebook" };
  const calendar = table(lines, { columns });
  expect(unknownValues(calendar)).toEqual({ FB: [["ie", 1]] });
  expect(calendar.account?.deciding[0]?.values).toMatchObject([
    { text: "ie" },
    { text: "na", meaning: "no" },
  ]);
  const meant = table(lines, { columns, values: { FB: { ie: "no", na: "yes" } } });
  expect(meant.rows.map(({ cells }) => cells.platforms)).toEqual([[], ["facebook"]]);
});

test("columns and values that nobody has explained are one error with one block", () => {
  const { problems } = table([
    `${HEADER},Status,Owner`,
    "2036-03-01,9:00,x,One,klar,Kim",
    "2036-03-02,9:00,x,Two,klar,Ana",
  ]);
  expect(problems).toMatchObject([
    { code: "columns/unknown", settings: "columns:\n  Owner: ignore\nvalues:\n  Status:\n    klar: draft" },
  ]);
});

test("a header in an unknown language has a block with what its cells show, and one text of two is asked", () => {
  const danish = table(["Dag,Kl,Hvor,Opslag", '2036-03-01,9:00,Facebook,"Vi åbner på mandag, kom forbi."']);
  expect(danish.problems).toMatchObject([
    { settings: "columns:\n  Dag: date\n  Kl: time\n  Hvor: platforms\n  Opslag: content" },
  ]);
  const twice = table(["Date,Time,Network,Topic,Post", "2036-03-01,9:00,x,Cats,A cat sat on our mat."]);
  const open = '"?" # Only one of these can be the content: "Topic", "Post". (content, ignore)';
  expect(twice.problems).toMatchObject([{ settings: `columns:\n  Topic: ${open}\n  Post: ${open}` }]);
});

test("without a column for the text, each question that a text may have can be answered with it", () => {
  const finnish = table(["Päivä,Kello,Kanava,Sisältö,Tila", "2036-03-01,10:00,LinkedIn,Hei,valmis"]);
  expect(finnish.problems[0]?.settings?.match(/\(ignore, status, type, platforms, content\)/g)).toHaveLength(
    2,
  );
});
