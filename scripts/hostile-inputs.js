/**
 * Runs the built command on inputs that are made to be slow, and prints how long each takes: `npm run build && node
 * scripts/hostile-inputs.js`. With words as arguments, it runs only the inputs whose names contain them.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";

/** Characters of most inputs. */
const LENGTH = 80_000;
/** An input that takes longer than this is a fault, s. */
const LONGEST_S = 120;

const CONFIG = 'timezone: UTC\ncalendars: ["c.*"]\n';
const ROW = { scheduled_at: "2036-03-01 10:00", platforms: "twitter", content: "Hello", media: "" };
const fill = (part, length = LENGTH) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
const csv = (cells) =>
  `${Object.keys(cells).map(quoted).join(",")}\n${Object.values(cells).map(quoted).join(",")}\n`;
const rows = (field) => PARTS.map((part) => ({ ...ROW, [field]: fill(part) }));
const table = (all) =>
  all.map((row, at) => csv(row).slice(at === 0 ? 0 : csv(row).indexOf("\n") + 1)).join("");
const answer = (body, head = {}) => ({
  files: { "c.csv": csv(ROW) },
  args: ["plan"],
  answer: { status: 200, head, body },
});

/** What a cell of any field is filled with. */
const PARTS = [
  " ",
  "\u00a0",
  "\u200b",
  "a",
  "1",
  ".",
  "-",
  "/",
  ",",
  "|",
  "@",
  "@a",
  "#",
  "#a",
  "http://",
  "https://a.",
  "(",
  "[",
  '"',
  "'",
  "\\",
  "a ",
  "1 ",
  "1:",
  "\n",
  "\u0301",
  "😀",
  "👨\u200d",
  "=",
  "a.b@",
  "media_",
  "://",
];
const FIELDS = ["id", "scheduled_at", "date", "time", "timezone", "platforms", "content", "media", "status"];

/** @type {Record<string, { files: Record<string, string | Uint8Array>, args?: string[], answer?: { status: number, head: object, body: string } }>} */
export const INPUTS = {
  ...Object.fromEntries(
    ["[", "(", " ", "\u00a0", "a", "_", "1", "('"].map((part) => [
      `CSV header of ${show(part)}`,
      { files: { "c.csv": `${quoted(fill(part))},${csv(ROW)}` } },
    ]),
  ),
  ...Object.fromEntries(
    FIELDS.map((field) => [
      `CSV of ${PARTS.length} rows, ${field} of ${LENGTH} characters`,
      { files: { "c.csv": table(rows(field)) } },
    ]),
  ),
  ...Object.fromEntries(
    FIELDS.map((field) => [
      `YAML of ${PARTS.length} rows, ${field} of ${LENGTH} characters`,
      { files: { "c.yaml": JSON.stringify(rows(field)) } },
    ]),
  ),
  "CSV of a million columns": { files: { "c.csv": `${fill("a,", 2_000_000)}\n${fill("b,", 2_000_000)}` } },
  "CSV of 25,000 columns in 25 lines": { files: { "c.csv": `${fill("a,", 50_000)}\n`.repeat(25) } },
  "CSV of a million lines": { files: { "c.csv": `${csv(ROW)}${"x\n".repeat(1_000_000)}` } },
  "CSV of a million blank lines": { files: { "c.csv": `${"\n".repeat(1_000_000)}${csv(ROW)}` } },
  "CSV of 200,000 bare quotes": { files: { "c.csv": `${csv(ROW)}${'a"b\n'.repeat(200_000)}` } },
  "CSV of 20,000 open quotes": { files: { "c.csv": `${csv(ROW)}${'"a\n'.repeat(20_001)}` } },
  "CSV of one long line": { files: { "c.csv": `${csv(ROW)}${"x".repeat(50_000_000)}` } },
  "YAML that nests": { files: { "c.yaml": "[".repeat(200_000) } },
  "YAML that nests mappings": { files: { "c.yaml": fill("{a: ", 200_000) } },
  "YAML of indents": {
    files: { "c.yaml": Array.from({ length: 2_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n") },
  },
  "YAML of dashes": { files: { "c.yaml": fill("- ", 200_000) } },
  "YAML of aliases within aliases": {
    files: {
      "c.yaml": `a0: &a0 [x,x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at}]\n`).join("")}`,
    },
  },
  "YAML of merged aliases": {
    files: {
      "c.yaml": `a0: &a0 {x: y}\n${Array.from({ length: 2_000 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at},*a${at}]}\n`).join("")}`,
    },
  },
  "YAML of a long key": { files: { "c.yaml": fill("a", 1_000_000) } },
  "YAML of 50,000 keys": {
    files: { "c.yaml": Array.from({ length: 50_000 }, (_, at) => `k${at}: 1\n`).join("") },
  },
  "YAML of a long quoted text": { files: { "c.yaml": `"${fill("\\n\\\n", 1_000_000)}"` } },
  "plancast.yaml of addresses": {
    files: { "plancast.yaml": `${CONFIG}x: ${fill("://")}\n`, "c.csv": csv(ROW) },
  },
  "plancast.yaml of users": {
    files: { "plancast.yaml": `${CONFIG}service: { url: "${fill("http://a@")}" }\n`, "c.csv": csv(ROW) },
  },
  "plancast.yaml of slashes": {
    files: { "plancast.yaml": `${CONFIG}service: { url: "https://x${fill("/")}a" }\n`, "c.csv": csv(ROW) },
    args: ["plan"],
  },
  "plancast.yaml of a calendar pattern": {
    files: {
      "plancast.yaml": `timezone: UTC\ncalendars: ["${fill("*a", 5_000)}"]\n`,
      [`${fill("a", 200)}`]: "",
    },
  },
  "plancast.yaml of braces": {
    files: { "plancast.yaml": `timezone: UTC\ncalendars: ["${fill("{a,b}", 500)}"]\n` },
  },
  "plancast.yaml of a nested pattern": {
    files: {
      "plancast.yaml": `timezone: UTC\ncalendars: ["${"+(".repeat(30)}a${")".repeat(30)}b"]\n`,
      [fill("a", 200)]: "",
    },
  },
  "lockfile that nests": {
    files: { "c.csv": csv(ROW), "plancast.lock.json": "[".repeat(1_000_000) },
    args: ["plan"],
    answer: { status: 200, head: {}, body: '{"data":[]}' },
  },
  "lockfile of markers": {
    files: { "c.csv": csv(ROW), "plancast.lock.json": "<<<<<<<\n".repeat(500_000) },
    args: ["plan"],
    answer: { status: 200, head: {}, body: '{"data":[]}' },
  },
  "journal of short lines": {
    files: { "c.csv": csv(ROW), ".plancast/journal.jsonl": "{}\n".repeat(500_000) },
    args: ["plan"],
    answer: { status: 200, head: {}, body: '{"data":[]}' },
  },
  "plan file that nests": {
    files: { "c.csv": csv(ROW), "p.json": "[".repeat(1_000_000) },
    args: ["apply", "--yes", "--plan", "p.json"],
    answer: { status: 200, head: {}, body: '{"data":[]}' },
  },
  "answer that is a page of titles": {
    ...answer(fill("<TITLE ")),
    answer: { status: 400, head: {}, body: fill("<TITLE ") },
  },
  "answer that is a page of spaces": {
    ...answer(""),
    answer: { status: 400, head: {}, body: `${fill(" ", 5_000_000)}x` },
  },
  "answer of entities": {
    ...answer(""),
    answer: { status: 400, head: {}, body: fill("&#0000000", 5_000_000) },
  },
  "answer of backslashes": { ...answer(""), answer: { status: 400, head: {}, body: fill("\\", 5_000_000) } },
  "answer of percent signs": {
    ...answer(""),
    answer: { status: 400, head: {}, body: fill("%25", 5_000_000) },
  },
  "answer of numbers and open quotes": answer(`1234567890123456789${fill('"\\', 1_000_000)}`),
  "answer of long numbers": answer(fill("1", 1_000_000)),
  "answer that nests": answer("[".repeat(5_000_000)),
  "answer that nests and ends": answer(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  "answer that nests objects": answer(`{"data":[],"meta":${'{"next_":'.repeat(3_000)}1${"}".repeat(3_000)}}`),
  "answer of 100,000 keys": answer(
    `{"data":[],${Array.from({ length: 100_000 }, (_, at) => `"more_${at}":${at}`).join(",")}}`,
  ),
  "answer of 200,000 odd records": answer(
    `{"data":[${Array.from({ length: 200_000 }, () => "{}").join(",")}]}`,
  ),
  "answer with a Link header": answer('{"data":[]}', { link: fill("<", 12_000) }),
  "answer with a Retry-After header": {
    ...answer(""),
    answer: { status: 400, head: { "retry-after": fill("1 ", 12_000) }, body: "" },
  },
  "answer with a rate limit header": answer('{"data":[]}', { "x-ratelimit-reset": fill("1.", 12_000) }),
  ...Object.fromEntries(
    [
      ["[H", "repeated [H"],
      ["[", "repeated ["],
      ['"', "repeated quotes"],
      ["_", "repeated _"],
      ["[hh", "repeated [hh"],
    ].map(([part, name]) => [
      `XLSX number format of ${name}`,
      { files: { "c.xlsx": workbook({ format: fill(part) }) } },
    ]),
  ),
  "XLSX shared text of no-break spaces": { files: { "c.xlsx": workbook({ text: fill("\u00a0") }) } },
  "XLSX that unpacks to 1 GB": { files: { "c.xlsx": workbook({ text: fill(" ", 250_000_000) }) } },
  "XLSX that nests": { files: { "c.xlsx": workbook({ xml: "<a>".repeat(200_000) }) } },
};

function show(part) {
  return JSON.stringify(part).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeXml(value) {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The minimum of a workbook with one sheet. */
function workbook({ format = "General", text = "x", xml = "" }) {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const rels = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const head = ["scheduled_at", "platforms", "content"].map(
    (name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`,
  );
  const parts = {
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": `<Relationships ${rels}><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Plan" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${rels}><Relationship Id="r1" Type="${office}/worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="${escapeXml(format)}"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "xl/sheet.xml": `<worksheet ${main}><sheetData><row r="1">${head.join("")}</row><row r="2"><c s="1"><v>50000.5</v></c><c t="inlineStr"><is><t>twitter</t></is></c><c t="inlineStr"><is><t>${escapeXml(text)}</t></is></c></row></sheetData>${xml}</worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Buffer.from(part)])), {
    level: 1,
  });
}

/** Runs the command on one input. Gives its processor time in s, its exit code, and the first code that it reports. */
export async function measure({ files, args = ["validate"], answer: given }) {
  const root = await mkdtemp(join(tmpdir(), "plancast-hostile-"));
  const server = createServer((_request, response) => {
    response
      .writeHead(given?.status ?? 404, { "content-type": "application/json", ...given?.head })
      .end(given?.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    for (const [path, text] of Object.entries({ "plancast.yaml": CONFIG, ...files })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return await run(root, args, `http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(root, { recursive: true });
  }
}

async function run(cwd, args, url) {
  const script = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    PLANCAST_BASE_URL: url,
    PLANCAST_API_KEY: "sk_live_/a+b=&c",
  };
  const start = performance.now();
  const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      if (output.length < 100_000) output += part;
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_S * 1_000);
  const [code] = await once(child, "close");
  clearTimeout(timer);
  const [, reported = ""] = /(?:error|warning) +([a-z]+\/[a-z-]+)/.exec(output) ?? [];
  return { seconds: (performance.now() - start) / 1_000, code, reported };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const chosen = Object.entries(INPUTS).filter(([name]) => words.every((word) => name.includes(word)));
  let slowest = 0;
  for (const [name, input] of chosen) {
    const { seconds, code, reported } = await measure(input);
    slowest = Math.max(slowest, seconds);
    console.log(
      `${seconds.toFixed(1).padStart(5)} s  ${code === null ? "killed" : `exit ${code}`}  ${name}  ${reported}`,
    );
  }
  console.log(`${chosen.length} inputs; the slowest took ${slowest.toFixed(1)} s.`);
}
