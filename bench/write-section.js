/** Writes what a benchmark measured into its section of docs/change/performance.md, with the machine that it ran on. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

const PAGE = new URL("../docs/change/performance.md", import.meta.url);

/**
 * Replaces the text between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. Throws when the page has no such section.
 * @param {string} name
 * @param {string} markdown
 */
export function writeSection(name, markdown) {
  // A profiled process is slower.
  if (process.env["BENCH_PROFILES"] !== undefined) return;
  const page = readFileSync(PAGE, "utf8");
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/change/performance.md has no section ${name}.`);
  const text = `${start}\n\n${markdown.trim()}\n\n${machine()}\n\n${end}`;
  writeFileSync(PAGE, page.slice(0, from) + text + page.slice(to + end.length));
}

function machine() {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `_Measured on ${date} with Node ${process.versions.node} on ${cpus().length} × ${cpu?.model.trim() ?? "unknown"}, ${memory} GB, ${process.platform}._`;
}
