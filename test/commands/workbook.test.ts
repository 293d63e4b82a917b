/** Workbooks through the whole command: what it says of them, and what it sends. */
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { startScenario } from "../support/scenario.ts";
import { styled, xlsx, type TestCell } from "../support/workbook-files.ts";

const HEADER = ["id", "content", "date", "time", "platforms"];
/** 1 March 2036, as a workbook counts. */
const DAY = 49_735;
const FORMATS = { formats: ["dd/mm/yyyy", "h:mm"] };

function plan(...rows: readonly (readonly TestCell[])[]): Uint8Array {
  return xlsx(
    [
      { name: "Notes", rows: [["Ideas"]] },
      { name: "Plan", rows: [HEADER, ...rows] },
    ],
    FORMATS,
  );
}

test("schedules the posts of a workbook once, and changes nothing on the next run", async () => {
  const rows = [
    ["a", "Bonjour 🎉\nà tous", styled(DAY, 1), styled(9.5 / 24, 2), "linkedin"],
    ["b", "Salut", styled(DAY, 1), styled(2.5 / 24, 2), "linkedin"],
  ];
  // What Excel puts beside a workbook that is open is no calendar.
  const files = { "calendars/plan.xlsx": plan(...rows), "calendars/~$plan.xlsx": new Uint8Array(165) };
  const { apply, run, summary, service } = await startScenario({ files });
  expect((await run("plan")).stdout).toContain("calendars/plan.xlsx Plan!A2");
  expect((await apply()).summary).toMatchObject({ created: 2 });
  const sent = [...service.posts.values()].map(({ content, scheduled_at }) => `${scheduled_at} ${content}`);
  expect(sent.toSorted()).toEqual(["2036-03-01T01:30:00Z Salut", "2036-03-01T08:30:00Z Bonjour 🎉\nà tous"]);
  expect(await summary()).toEqual({ keep: 2 });
});

test("names the other row by its cell in a message about two rows", async () => {
  const row = ["a", "x", "2036-03-01", "09:00", "linkedin"];
  const { run } = await startScenario({ files: { "calendars/plan.xlsx": plan(row, row) } });
  const { stdout } = await run("validate");
  expect(stdout).toMatch(
    /plan\.xlsx Plan!A3 error row\/duplicate-id\n.*also the id of calendars\/plan\.xlsx Plan!A2\./,
  );
});

test("names the sheet and the cell of a problem in text, JSON and Markdown", async () => {
  const broken = { xml: '<c r="@" t="e"><v>#REF!</v></c>' };
  const files = {
    "calendars/plan.xlsx": plan(
      ["a", broken, styled(DAY, 1), "09:00", "linkedin"],
      ["b", "x", "soon", "09:00", "linkedin"],
    ),
  };
  const { run } = await startScenario({ files });
  const text = await run("validate");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain("calendars/plan.xlsx Plan!B2 error sheet/error-value\n");
  expect(text.stdout).toContain("calendars/plan.xlsx Plan!C3 error schedule/format\n");
  const { problems } = JSON.parse((await run("plan", "--format", "json")).stdout);
  expect(problems).toMatchObject([
    { file: "calendars/plan.xlsx", line: 2, column: 2, cell: "Plan!B2" },
    { file: "calendars/plan.xlsx", line: 3, column: 3, cell: "Plan!C3" },
  ]);
  expect((await run("plan", "--format", "markdown")).stdout).toMatch(/plan\.xlsx Plan&#33;B2 \*\*error\*\*/);
});

test("reads sheets, hidden rows and merged cells as the project or a calendar entry says", async () => {
  const sheet = {
    rows: [HEADER, ["a", "x", "2036-03-01", "09:00", "linkedin"], ["b", "y", undefined, "10:00", "linkedin"]],
  };
  const after = '<mergeCells><mergeCell ref="C2:C3"/></mergeCells>';
  const sheets = [
    { name: "March", ...sheet, after },
    { name: "April", ...sheet, hiddenRows: [3] },
  ];
  const counts = async (settings: object): Promise<unknown> => {
    const config = { timezone: "UTC", hidden_rows: "skip", calendars: [{ files: "plan.xlsx", ...settings }] };
    const project = await makeProject({ files: { "plan.xlsx": xlsx(sheets) }, config });
    const { stdout } = await runCommand(["validate", "--format", "json"], { cwd: project.root });
    const { summary, problems } = JSON.parse(stdout);
    return [summary.posts, problems.map(({ code }: { code: string }) => code)];
  };
  expect(await counts({})).toEqual([0, ["sheet/unclear"]]);
  expect(await counts({ sheet: "april" })).toEqual([1, []]);
  expect(await counts({ sheet: "March" })).toEqual([1, ["sheet/merged-cells"]]);
  expect(await counts({ sheet: "March", merged_cells: "carry" })).toEqual([2, []]);
});
