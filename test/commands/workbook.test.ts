/** Workbooks through the whole command: what is said of them, what is sent, and in how much memory. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { startScenario } from "../support/scenario.ts";
import { styled, xlsx, type TestCell } from "../support/workbook-files.ts";

const PRELOAD = fileURLToPath(new URL("../support/print-memory.js", import.meta.url));
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

test("the posts of a workbook are scheduled once, and stay as they are", async () => {
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

test("a message about two rows names the other by its cell, too", async () => {
  const row = ["a", "x", "2036-03-01", "09:00", "linkedin"];
  const { run } = await startScenario({ files: { "calendars/plan.xlsx": plan(row, row) } });
  const { stdout } = await run("validate");
  expect(stdout).toMatch(
    /plan\.xlsx Plan!A3 error row\/duplicate-id\n.*taken by calendars\/plan\.xlsx Plan!A2\./,
  );
});

test("problems name the sheet and the cell, in text, JSON and Markdown", async () => {
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

test("sheets, hidden rows and merged cells are settings of the project or of some files", async () => {
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

test("100,000 rows are read in bounded memory", async () => {
  const caption = "that is long enough for a post, with an é and a 🎉 ".repeat(4);
  const rows = Array.from({ length: 100_000 }, (_none, row) => [
    `post-${row}`,
    `Post ${row} ${caption}`,
    styled(DAY + Math.floor(row / 1440), 1),
    styled((row % 1440) / 1440, 2),
    "linkedin, x",
  ]);
  const project = await makeProject({
    files: { "calendars/plan.xlsx": plan(...rows) },
    config: { timezone: "UTC" },
  });
  const { stdout, code } = await runCommand(["validate"], {
    cwd: project.root,
    env: { NODE_OPTIONS: `--import ${PRELOAD}`, MEMORY_FILE: `${project.root}/memory` },
  });
  expect([code, stdout]).toEqual([0, "1 calendar in order: 100,000 posts.\n"]);
  expect(Number(await project.read("memory")) / 1_048_576).toBeLessThan(700);
}, 120_000);

test("a file that unpacks without end is refused in little memory", async () => {
  const endless = Buffer.alloc(600 * 1_048_576, " ");
  const parts = [{ name: "xl/sharedStrings.xml", data: endless, claim: { size: 1_000_000 } }];
  const bytes = xlsx([{ name: "Plan", rows: [HEADER] }], { parts });
  expect(bytes.length).toBeLessThan(5_000_000);
  const project = await makeProject({ files: { "calendars/plan.xlsx": bytes } });
  const { stdout, code } = await runCommand(["validate", "--format", "json"], {
    cwd: project.root,
    env: {
      NODE_OPTIONS: `--max-old-space-size=200 --import ${PRELOAD}`,
      MEMORY_FILE: `${project.root}/memory`,
    },
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).problems).toMatchObject([{ file: "calendars/plan.xlsx", severity: "error" }]);
  expect(Number(await project.read("memory")) / 1_048_576).toBeLessThan(400);
});
