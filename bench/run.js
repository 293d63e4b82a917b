/**
 * Runs benchmarks and writes what they measured into docs/change/performance.md.
 *
 *   npm run bench                  all of them
 *   npm run bench -- apply         one
 *   npm run bench -- plan --profile    a CPU profile of each plancast that it starts, and no figures
 */
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(here)
  .filter((name) => name.endsWith(".bench.js"))
  .map((name) => name.slice(0, -".bench.js".length));
const args = process.argv.slice(2);
const [name, ...rest] = args.filter((each) => each !== "--profile");
const profiles = args.includes("--profile") ? mkdtempSync(join(tmpdir(), "plancast-profiles-")) : undefined;
const env = profiles === undefined ? process.env : { ...process.env, BENCH_PROFILES: profiles };
if (name !== undefined && !existsSync(`${here}${name}.bench.js`)) {
  console.error(`There is no benchmark ${name}; there are ${known.join(", ")}.`);
  process.exit(1);
}
for (const each of name === undefined ? known : [name]) {
  const { status } = spawnSync(process.execPath, [`${here}${each}.bench.js`, ...rest], {
    stdio: "inherit",
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
}
if (profiles !== undefined) {
  console.log(
    `The profiles are in ${profiles}. Open them in the Performance panel of Chromium's developer tools.`,
  );
  process.exit();
}
const prettier = fileURLToPath(new URL("../node_modules/prettier/bin/prettier.cjs", import.meta.url));
const page = fileURLToPath(new URL("../docs/change/performance.md", import.meta.url));
spawnSync(process.execPath, [prettier, "--write", "--log-level", "warn", page], { stdio: "inherit" });
