/** Makes the pictures of docs/write/first-calendar.md, by doing what the page says. Needs Chromium, and `script` of Linux. */
import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inEmptySandbox } from "../sandbox.js";
import { ANSWERS } from "./first-answers.js";
import { savePreview, saveTable } from "./preview.js";
import { savePicture } from "./save-picture.js";
import { cellsOf, editWorkbook } from "./workbook.js";

const inCheckout = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WORKBOOK = "spring-campaign.xlsx";
const PICTURES = ["magnolia.jpg", "seed-swap.png", "orchid-1.jpg", "night-garden.jpg"];

const ESCAPE = "\u001B";
/** Movements of the cursor, which the picture cannot show. */
const CURSOR = new RegExp(String.raw`${ESCAPE}\[\d*[GJ]`, "g");
/** The end of a question, where the person types. */
const PROMPT = new RegExp(String.raw`(?:\[\S+\]|[:.]) (?:${ESCAPE}\[\d+G)?$`);

/** Days since 1900, as Excel counts them, as `03/03/2036`; parts of a day as `09:30`. */
function shown(value) {
  if (typeof value === "string") return value;
  const date = new Date(Math.round((value - 25_569) * 86_400_000));
  const [day = "", time = ""] = date.toISOString().split("T");
  return value < 1 ? time.slice(0, 5) : day.split("-").toReversed().join("/");
}

/** The workbook as a spreadsheet program shows it: letters above, numbers beside, a coloured header. */
function workbookPage() {
  const cells = new Map(
    cellsOf(inCheckout("docs/write/spring-campaign.xlsx")).map((cell) => [cell.name, cell]),
  );
  const letters = ["A", "B", "C", "D", "E", "F", "G"];
  const title = cells.get("A1")?.value ?? "";
  const row = (number) =>
    number === 1
      ? [`<td class="r1 A" colspan="7">${title}</td>`]
      : letters.map(
          (letter) =>
            `<td class="r${number} ${letter}">${shown(cells.get(letter + number)?.value ?? "")}</td>`,
        );
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `<tr><th>${number}</th>${row(number).join("")}</tr>`);
  const style = `table { border-collapse: collapse; font: 13px Calibri, Carlito, "DejaVu Sans", sans-serif; background: #fff }
    td, th { border: 1px solid #d4d4d4; padding: 3px 7px; height: 19px; text-align: left; vertical-align: top }
    th { background: #f0f0f0; color: #555; font-weight: 400; text-align: center }
    .r1.A { font-weight: 700; font-size: 17px }
    .r3 { background: #2f6b4f; color: #fff; font-weight: 700 } .D { width: 400px } .A, .B { white-space: nowrap }`;
  const head = `<tr><th></th>${letters.map((letter) => `<th>${letter}</th>`).join("")}</tr>`;
  return `<meta charset="utf-8"><style>${style}</style><table>${head}${rows.join("")}</table>`;
}

/**
 * A command as a person sees it who types these answers, one for each question.
 * @param {string} folder @param {string[]} words @param {string[]} answers @returns {Promise<string>}
 */
async function atTerminal(folder, words, answers) {
  const command = `stty cols 100; exec "${process.execPath}" "${inCheckout("dist/cli.js")}" ${words.join(" ")} --color`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, TZ: "Europe/London", CI: "false" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const left = [...answers];
  let said = "";
  let answered = 0;
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += chunk;
    if (left.length === 0 || !PROMPT.test(said.slice(answered))) continue;
    answered = said.length;
    child.stdin.write(`${left.shift()}\n`);
  }
  return said.replaceAll("\r", "");
}

await saveTable(workbookPage(), "first-workbook.png");
await inEmptySandbox(async ({ folder, plancast }) => {
  const save = (name, words, exitCode = 0) =>
    savePicture(name, `plancast ${words.join(" ")}`, plancast([...words, "--color"], "pipe", exitCode));
  copyFileSync(inCheckout("docs/write/spring-campaign.xlsx"), join(folder, WORKBOOK));
  for (const name of PICTURES) copyFileSync(inCheckout(`calendars/media/${name}`), join(folder, name));
  const asked = await atTerminal(folder, ["init", WORKBOOK], ANSWERS);
  savePicture("first-questions.svg", `plancast init ${WORKBOOK}`, asked.replaceAll(CURSOR, "").trimStart());
  save("first-columns.svg", ["columns", WORKBOOK]);
  editWorkbook(join(folder, WORKBOOK), "seedswap.png", "seed-swap.png");
  save("first-plan.svg", ["plan"]);
  plancast(["preview"], "pipe");
  await savePreview(folder, "first-preview.jpg", { month: "2036-03", height: 784 });
  const applied = (await atTerminal(folder, ["apply"], ["y"])).replaceAll(CURSOR, "");
  savePicture("first-apply.svg", "plancast apply", `…\n${applied.slice(applied.indexOf("Plan: "))}`);
  editWorkbook(join(folder, WORKBOOK), "Two places left", "One place left");
  save("first-change.svg", ["plan"]);
});
