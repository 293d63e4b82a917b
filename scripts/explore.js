/** Runs all property tests with a new seed, or the one in PROPERTY_SEED, and with more values than `npm test`. */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const files = readdirSync(join(ROOT, "test"), { recursive: true })
  .map((name) => join("test", name))
  .filter((path) => path.endsWith(".test.ts") && !path.endsWith(".long.test.ts"))
  .filter((path) => readFileSync(join(ROOT, path), "utf8").includes("fc.assert("));
const seed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31));

console.log(`Property tests with the seed ${seed}. Other tests in their files are left out ("skipped").`);
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project",
    "main",
    "--testTimeout=300000",
    ...files,
  ],
  { cwd: ROOT, stdio: "inherit", env: { ...process.env, PROPERTY_SEED: seed, PROPERTY_EXPLORE: "1" } },
);
console.log(`The seed was ${seed}. To repeat this run: PROPERTY_SEED=${seed} npm run explore`);
process.exitCode = status ?? 1;
