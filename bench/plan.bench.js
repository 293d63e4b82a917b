/**
 * Validate and plan of long calendars, against the least that can be done with the same data (floor.js).
 *
 *   npm run bench -- plan          both formats
 *   npm run bench -- plan csv      one
 *   npm run bench -- plan wide     validate of wide tables
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProject, writeWideProject } from "./big-project.js";
import { CLI, peakMegabytes, ratio, run, sideBySide } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const SIZES = [1_000, 10_000, 100_000];
const FORMATS = /** @type {const} */ (["csv", "yaml"]);
/** YAML takes minutes a round, most of them in the library. */
const ROUNDS = /** @type {const} */ ({ csv: 7, yaml: 1 });

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The processes to compare on one calendar. All its posts are already scheduled.
 * @param {string} folder
 * @param {"csv" | "yaml"} format
 * @param {number} rows
 */
async function prepare(folder, format, rows) {
  const cwd = join(folder, `${format}-${rows}`);
  mkdirSync(cwd);
  const { calendar, list } = writeProject(cwd, format, rows);
  const service = fork(file("list-service.js"), [list]);
  const [url] = await once(service, "message");
  const env = { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" };
  run({ args: [CLI, "apply", "--yes", "--quiet"], cwd, env });
  return {
    service,
    processes: {
      parse: { args: [file("floor.js"), calendar] },
      validate: { args: [CLI, "validate"], cwd },
      parseAndGet: { args: [file("floor.js"), calendar, `${url}/v1/posts?all`] },
      plan: { args: [CLI, "plan"], cwd, env },
    },
  };
}

/** @param {"csv" | "yaml"} format */
async function measure(format) {
  const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
  const prepared = [];
  for (const rows of SIZES) prepared.push({ rows, ...(await prepare(folder, format, rows)) });
  const named = prepared.flatMap(({ rows, processes }) =>
    Object.entries(processes).map(([name, each]) => /** @type {const} */ ([`${name} ${rows}`, each])),
  );
  // All sizes in one round, so that they can be compared as well.
  const times = new Map(Object.entries(sideBySide(Object.fromEntries(named), ROUNDS[format])));
  /** @param {string} one @param {string} other */
  const compared = (one, other) => ratio(times.get(one) ?? [], times.get(other) ?? []);
  const lines = prepared.map(({ rows, processes }) => {
    const [validate, plan] = [processes.validate, processes.plan].map((each) =>
      Math.round(peakMegabytes(each)),
    );
    const ofValidate = compared(`validate ${rows}`, `parse ${rows}`).toFixed(2);
    const ofPlan = compared(`plan ${rows}`, `parseAndGet ${rows}`).toFixed(2);
    return `| ${rows.toLocaleString("en")} | ${ofValidate} | ${validate} MB | ${ofPlan} | ${plan} MB |`;
  });
  for (const { service } of prepared) service.disconnect();
  rmSync(folder, { recursive: true });
  return { lines, perRow: (compared("validate 100000", "validate 10000") / 10).toFixed(2) };
}

const named = process.argv.slice(2);
for (const format of FORMATS) {
  if (named.length > 0 && !named.includes(format)) continue;
  const { lines, perRow } = await measure(format);
  const text = `| ${format.toUpperCase()}, rows | validate ÷ floor | memory | plan ÷ floor | memory |
| ---: | ---: | ---: | ---: | ---: |
${lines.join("\n")}

Time of validate per row, 100,000 rows ÷ 10,000 rows: ${perRow}. Rounds: ${ROUNDS[format]}; medians.`;
  console.log(text);
  writeSection(`plan-${format}`, text);
}

/** Tables of 97 columns, as some schedulers write them. */
const WIDE_ROWS = 5_000;
const WIDE = { metricool: "Metricool's files", notes: "92 columns of notes" };

function measureWide() {
  const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
  const lines = Object.entries(WIDE).map(([kind, title]) => {
    const cwd = join(folder, kind);
    mkdirSync(cwd);
    const calendar = writeWideProject(cwd, kind === "metricool" ? kind : "notes", WIDE_ROWS);
    const validate = { args: [CLI, "validate"], cwd };
    const times = sideBySide({ parse: { args: [file("floor.js"), calendar] }, validate }, ROUNDS.csv);
    const ofValidate = ratio(times.validate, times.parse).toFixed(2);
    return `| ${title} | ${ofValidate} | ${Math.round(peakMegabytes(validate))} MB |`;
  });
  rmSync(folder, { recursive: true });
  return lines;
}

if (named.length === 0 || named.includes("wide")) {
  const text = `| CSV, 97 columns, ${WIDE_ROWS.toLocaleString("en")} rows | validate ÷ floor | memory |
| --- | ---: | ---: |
${measureWide().join("\n")}

Rounds: ${ROUNDS.csv}; medians.`;
  console.log(text);
  writeSection("plan-wide", text);
}
