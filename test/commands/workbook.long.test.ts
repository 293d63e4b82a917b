/** Large workbooks with the built command, and the memory that they take. Needs `npm run build`. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { styled, xlsx, type TestCell } from "../support/workbook-files.ts";

const PRELOAD = fileURLToPath(new URL("../support/print-memory.js", import.meta.url));
const HEADER = ["id", "content", "date", "time", "platforms"];
/** 1 March 2036, as a workbook stores it. */
const DAY = 49_735;
const FORMATS = { formats: ["dd/mm/yyyy", "h:mm"] };

function plan(...rows: readonly (readonly TestCell[])[]): Uint8Array {
  return xlsx([{ name: "Plan", rows: [HEADER, ...rows] }], FORMATS);
}

test("reads 100,000 rows in less than 700 MB", async () => {
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
  const { stdout, code } = await runProcess(["validate"], {
    cwd: project.root,
    env: { NODE_OPTIONS: `--import ${PRELOAD}`, MEMORY_FILE: `${project.root}/memory` },
  });
  expect([code, stdout]).toEqual([
    0,
    "1 calendar without problems: 100,000 upcoming posts.\nTimes are in UTC, unless a row says otherwise.\n",
  ]);
  expect(Number(await project.read("memory")) / 1_048_576).toBeLessThan(700);
}, 120_000);

test("refuses a part that unpacks to far more than its stated size, with less than 400 MB of memory", async () => {
  const endless = Buffer.alloc(600 * 1_048_576, " ");
  const parts = [{ name: "xl/sharedStrings.xml", data: endless, claim: { size: 1_000_000 } }];
  const bytes = xlsx([{ name: "Plan", rows: [HEADER] }], { parts });
  expect(bytes.length).toBeLessThan(5_000_000);
  const project = await makeProject({ files: { "calendars/plan.xlsx": bytes } });
  const { stdout, code } = await runProcess(["validate", "--format", "json"], {
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
