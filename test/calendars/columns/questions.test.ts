import { expect, test } from "vitest";
import { mapColumns } from "../../../src/calendars/columns/columns.ts";
import { readCsv } from "../../../src/calendars/formats/csv/read-csv.ts";
import { readStatus } from "../../../src/checks/statuses.ts";

const switchOf = (name: string): unknown => mapColumns([name], {}).switches[0]?.value;

test.each([
  ["Publish?", "ready"],
  ["Post?", "ready"],
  ["À publier ?", "ready"],
  ["À publier", "ready"],
  ["Approved", "ready"],
  ["Client approval", "ready"],
  ["Freigabe", "ready"],
  ["Veröffentlichen?", "ready"],
  ["¿Publicar?", "ready"],
  ["Da pubblicare", "ready"],
  ["Goedgekeurd", "ready"],
  ["Zatwierdzone", "ready"],
  ["جاهز للنشر؟", "ready"],
  ["投稿可否", "ready"],
  ["Published", "skip"],
  ["Posted?", "skip"],
  ["Publié", "skip"],
  ["Veröffentlicht", "skip"],
  ["Gepost", "skip"],
  ["Opublikowane", "skip"],
  ["تم النشر؟", "skip"],
  ["投稿済み", "skip"],
  ["Scheduled?", "skip"],
  ["Cancelled", "skip"],
  ["Archivé", "skip"],
  ["On hold", "draft"],
  ["Draft", "draft"],
])("reads %j as a question whose yes means %s", (name, yes) => {
  expect(switchOf(name)).toBe(yes);
});

test.each(["Post", "Publish", "Scheduled", "Approved by", "Notes", "Status"])(
  "does not read %j as a question",
  (name) => {
    expect(switchOf(name)).toBeUndefined();
  },
);

function statusesIn(header: string, cells: readonly string[], columns = {}) {
  const lines = [`date,content,${header}`, ...cells.map((cell) => `2036-03-01,Hello,${cell}`), ""];
  const { rows, problems } = readCsv("a.csv", lines.join("\n"), { columns });
  const statuses = rows.map(({ cells: { status } }) =>
    readStatus(status === undefined ? undefined : { text: String(status) }, {}),
  );
  return { statuses, codes: problems.map(({ code }) => code) };
}

test("a date in a column of published posts means yes if plancast.yaml says so", () => {
  const cells = ["2036-02-03", "3/4/2036", "", "soon"];
  const columns = { "Published on the": "status:skip" };
  const { statuses, codes } = statusesIn("Published on the", cells, columns);
  expect([statuses, codes]).toEqual([["skip", "skip", "ready", "ready"], ["columns/unknown-value"]]);
  expect(statusesIn("Completed at", cells.slice(0, 3)).codes).toEqual(["columns/unknown-value"]);
});

test("only a yes is ready in a column that asks for approval", () => {
  expect(statusesIn("Publish?", ["yes", "No", "", "TRUE", "☐"]).statuses).toEqual([
    "ready",
    "draft",
    "draft",
    "ready",
    "draft",
  ]);
  expect(statusesIn("Approval", ["Approved", "Pending review", "Rejected?"])).toEqual({
    statuses: ["ready", "draft", "draft"],
    codes: ["columns/unknown-value"],
  });
  expect(statusesIn("Approval", ["Rejected", "Posted", "In review"])).toEqual({
    statuses: ["skip", "skip", "draft"],
    codes: [],
  });
});

test("a row is skipped if it says yes in a column for published posts", () => {
  expect(statusesIn("Published", ["yes", "no", "", "Posted"]).statuses).toEqual([
    "skip",
    "ready",
    "ready",
    "skip",
  ]);
});

test("a row is not ready if any of its columns says so", () => {
  const cells = ["ready,yes,no", "ready,no,no", "draft,yes,no", "ready,yes,yes", "ready,no,yes"];
  expect(statusesIn("status,Approved,Posted", cells).statuses).toEqual([
    "ready",
    "draft",
    "draft",
    "skip",
    "skip",
  ]);
});

test("a letter names a column only if the column's name is not unique", () => {
  const header = "status,Owner,Status";
  expect(statusesIn(header, ["draft,Ann,ready"], { E: "ignore", Owner: "ignore" })).toEqual({
    statuses: ["draft"],
    codes: [],
  });
  expect(statusesIn(header, ["draft,Ann,ready"], { C: "ignore", Owner: "ignore" })).toEqual({
    statuses: ["ready"],
    codes: [],
  });
  expect(mapColumns(["date", "X"], { B: "content", X: "platforms:twitter" })).toMatchObject({
    fields: ["date", undefined],
    switches: [{ column: 1 }],
  });
  expect(mapColumns(["date", ""], { B: "content" }).fields).toEqual(["date", "content"]);
});
