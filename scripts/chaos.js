/**
 * The proof of "never twice, never lost", in full.
 *
 *   npm run chaos                                    everything: kills, faults, lost state, fuzz, night, random mixtures
 *   npm run chaos -- kills                           one part; kills, faults, lost-state, fuzz, night or random
 *   npm run chaos -- --runs 2000 --seed 1            random mixtures
 *   npm run chaos -- --runs 2000 --seed 1 --path 17  the one that failed, again; --trace shows its requests
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PARTS = ["kills", "faults", "lost-state", "fuzz", "night", "random"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string" },
    seed: { type: "string" },
    path: { type: "string" },
    shrink: { type: "boolean" },
    trace: { type: "boolean" },
  },
});
const isRandom = values.runs !== undefined || values.path !== undefined;
const parts = positionals.length > 0 ? positionals : isRandom ? ["random"] : PARTS;
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}; there are ${PARTS.join(", ")}.`);
  process.exit(1);
}
const env = {
  ...process.env,
  CHAOS_EFFORT: "full",
  ...(values.runs === undefined
    ? {}
    : { CHAOS_RUNS: values.runs, CHAOS_FUZZ: values.runs, CHAOS_NIGHT: values.runs }),
  ...(values.seed === undefined ? {} : { CHAOS_SEED: values.seed, PROPERTY_SEED: values.seed }),
  ...(values.path === undefined ? {} : { CHAOS_PATH: values.path }),
  ...(values.shrink === true ? { CHAOS_SHRINK: "1" } : {}),
  ...(values.trace === true ? { CHAOS_TRACE: "1" } : {}),
};
const files = parts.map((part) => `test/chaos/${part}.test.ts`);
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(
  process.execPath,
  // One file after the other, because each keeps all cores busy.
  [vitest, "run", "--project", "main", "--disableConsoleIntercept", "--no-file-parallelism", ...files],
  { stdio: "inherit", env, cwd: fileURLToPath(new URL("..", import.meta.url)) },
);
process.exit(status ?? 1);
