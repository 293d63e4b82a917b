/** How long somebody waits before anything begins, against what Node itself takes to start. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeProject } from "./big-project.js";
import { CLI, ratio, sideBySide } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const ROUNDS = 41;
const ROWS = 10;

const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
writeProject(folder, "csv", ROWS);
const times = sideBySide(
  {
    node: { args: ["-e", "0"] },
    version: { args: [CLI, "--version"] },
    help: { args: [CLI, "--help"] },
    validate: { args: [CLI, "validate"], cwd: folder },
  },
  ROUNDS,
);
rmSync(folder, { recursive: true });

const text = `Median of ${ROUNDS} rounds.

| command | time ÷ \`node -e 0\` |
| --- | ---: |
| \`plancast --version\` | ${ratio(times.version, times.node).toFixed(2)} |
| \`plancast --help\` | ${ratio(times.help, times.node).toFixed(2)} |
| \`plancast validate\`, ${ROWS} rows | ${ratio(times.validate, times.node).toFixed(2)} |`;
console.log(text);
writeSection("start-up", text);
