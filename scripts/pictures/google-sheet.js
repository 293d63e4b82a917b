/** Makes the pictures of docs/write/google-sheets.md. A small server answers for Google. Needs Chromium. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inEmptySandbox } from "../sandbox.js";
import { saveTable } from "./preview.js";
import { savePicture } from "./save-picture.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

const HEADER = ["Date", "Time", "Channel", "Text", "Status"];
const BEFORE = [
  ["03/03/2036", "09:30", "LinkedIn", "Spring opening: the garden is open again.", "Ready"],
  ["05/03/2036", "12:00", "Bluesky", "Seed swap on Saturday, from ten to four.", "Ready"],
  ["09/03/2036", "18:00", "LinkedIn", "Night garden: tickets are on sale.", "Draft"],
];
const AFTER = [
  BEFORE[0] ?? [],
  ["05/03/2036", "12:00", "Bluesky", "Seed swap on Saturday, from ten to five.", "Ready"],
  BEFORE[2] ?? [],
  ["12/03/2036", "10:00", "LinkedIn", "Orchid week begins on Monday.", "Ready"],
];

const SETTINGS = `timezone: Europe/London
date_order: dmy
calendars:
  - file: calendars/plan.csv
    from: https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOp/edit
`;

/** What the team sees: their rows, and the columns that plancast fills. */
const SHOWN = [
  [...HEADER, "plancast status", "plancast link"],
  [...(AFTER[0] ?? []), "published", "https://www.linkedin.com/feed/update/1"],
  [...(AFTER[1] ?? []).with(4, "Stop"), "held", ""],
  [...(AFTER[2] ?? []), "", ""],
  [...(AFTER[3] ?? []), "scheduled", ""],
];

/** The sheet as a browser shows it: letters above, numbers beside, a coloured header. */
function sheetPage() {
  const letters = [...HEADER, "", ""].map((_name, index) => String.fromCharCode(65 + index));
  const rows = SHOWN.map(
    (cells, index) =>
      `<tr class="r${index + 1}"><th>${index + 1}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  const style = `table { border-collapse: collapse; font: 13px Arial, Arimo, "DejaVu Sans", sans-serif; background: #fff }
    td, th { border: 1px solid #d9d9d9; padding: 4px 8px; height: 18px; text-align: left; white-space: nowrap }
    th { background: #f3f3f3; color: #555; font-weight: 400; text-align: center }
    .r1 td { background: #e6efe9; font-weight: 700 } td:nth-child(7), td:nth-child(8) { color: #5f6368 }`;
  const head = `<tr><th></th>${letters.map((letter) => `<th>${letter}</th>`).join("")}</tr>`;
  return `<meta charset="utf-8"><style>${style}</style><table>${head}${rows.join("")}</table>`;
}

/** @param {readonly (readonly string[])[]} rows */
function csvOf(rows) {
  return [HEADER, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\r\n");
}

let rows = BEFORE;
const server = createServer((_request, response) => void response.end(csvOf(rows)));
await new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = server.address();
const port = typeof address === "object" && address !== null ? address.port : 0;

/** @param {string} folder @returns {Promise<string>} what it prints */
async function fetched(folder) {
  const env = {
    ...process.env,
    PLANCAST_GOOGLE_ENDPOINT: `http://127.0.0.1:${port}`,
    CI: "false",
    COLUMNS: "100",
  };
  const child = spawn(process.execPath, [CLI, "fetch", "--color"], { cwd: folder, env });
  let said = "";
  for await (const part of child.stdout.setEncoding("utf8")) said += part;
  return said;
}

await saveTable(sheetPage(), "sheet.png");
await inEmptySandbox(async ({ folder }) => {
  writeFileSync(join(folder, "plancast.yaml"), SETTINGS);
  await fetched(folder);
  rows = AFTER;
  savePicture("sheet-fetch.svg", "plancast fetch", await fetched(folder));
});
server.close();
