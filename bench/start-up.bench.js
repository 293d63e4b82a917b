/** How long somebody waits before anything begins, against what Node itself takes to start, and what is loaded for it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProject } from "./big-project.js";
import { CLI, ratio, run, sideBySide } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const ROUNDS = 41;
const ROWS = 10;

const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const { list } = writeProject(folder, "csv", ROWS);
const service = fork(fileURLToPath(new URL("list-service.js", import.meta.url)), [list]);
const [url] = await once(service, "message");
const env = { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" };
run({ args: [CLI, "apply", "--yes", "--quiet"], cwd: folder, env });
const commands = {
  "`plancast --version`": { args: [CLI, "--version"] },
  "`plancast --help`": { args: [CLI, "--help"] },
  "`plancast plan --help`": { args: [CLI, "plan", "--help"] },
  [`\`plancast validate\`, ${ROWS} rows`]: { args: [CLI, "validate"], cwd: folder },
  [`\`plancast plan\`, ${ROWS} rows`]: { args: [CLI, "plan"], cwd: folder, env },
};
const times = new Map(Object.entries(sideBySide({ node: { args: ["-e", "0"] }, ...commands }, ROUNDS)));

/**
 * The modules that a process loads, and their size.
 * @param {import("./side-by-side.js").Process} process
 */
function loaded(process) {
  const coverage = mkdtempSync(join(folder, "coverage-"));
  run({ ...process, env: { ...process.env, NODE_V8_COVERAGE: coverage } });
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8"));
    return result.map((/** @type {{ url: string }} */ each) => each.url);
  });
  const files = [...new Set(urls)].filter((each) => each.startsWith("file:"));
  const bytes = files.reduce((sum, each) => sum + statSync(fileURLToPath(each)).size, 0);
  return `${files.length} | ${Math.round(bytes / 1024)} kB`;
}

const lines = Object.entries(commands).map(([name, process]) => {
  const compared = ratio(times.get(name) ?? [], times.get("node") ?? []).toFixed(2);
  return `| ${name} | ${compared} | ${loaded(process)} |`;
});
service.disconnect();
rmSync(folder, { recursive: true });

const text = `Median of ${ROUNDS} rounds.

| command | time ÷ \`node -e 0\` | modules | size |
| --- | ---: | ---: | ---: |
${lines.join("\n")}`;
console.log(text);
writeSection("start-up", text);
