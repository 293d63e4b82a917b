/**
 * The proof of "never twice, never lost", in full.
 *
 *   npm run chaos                                    everything: kills, faults, lost state, fuzz, night, random mixtures
 *   npm run chaos -- kills                           one part; kills, faults, lost-state, fuzz, night, random or stores
 *   npm run chaos -- stores --runs 500 --seed 1      rounds of several machines with one PostgreSQL
 *   npm run chaos -- --runs 2000 --seed 1            random mixtures
 *   npm run chaos -- --runs 2000 --seed 1 --path 17  the one that failed, again; --trace shows its requests
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PARTS = ["kills", "faults", "lost-state", "fuzz", "night", "random", "stores"];
/** It needs a PostgreSQL, and minutes of real time, so it is no part of `npm test`. */
const LONG_PART = "stores";
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
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const files = parts.filter((part) => part !== LONG_PART).map((part) => `test/chaos/${part}.test.ts`);
const longFiles = parts.includes(LONG_PART) ? [`test/chaos/${LONG_PART}.long.test.ts`] : [];
let failed = 0;
for (const { project, chosen } of [
  { project: "main", chosen: files },
  { project: "long", chosen: longFiles },
]) {
  if (chosen.length === 0) continue;
  const { status } = spawnSync(
    process.execPath,
    // One file after the other, because each keeps all cores busy.
    [vitest, "run", "--project", project, "--disableConsoleIntercept", "--no-file-parallelism", ...chosen],
    { stdio: "inherit", env, cwd: fileURLToPath(new URL("..", import.meta.url)) },
  );
  failed ||= status ?? 1;
}
process.exit(failed);
