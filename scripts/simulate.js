/**
 * Plays random histories in the simulator of `test/simulation`: the real commands, with a simulated clock, disk, network and
 * service. It prints the seed of a failure, and its shortest history.
 *
 *   npm run simulate -- --hours 1            for an hour, with a new seed
 *   npm run simulate -- --histories 4000     4,000 histories
 *   npm run simulate -- --seed 17            one history again
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { builtinOnlyPlugin } from "./builtin-only-plugin.js";
import { pagePlugin } from "./page-plugin.js";
import { pictureLibrariesPlugin } from "./picture-libraries-plugin.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @returns the path of the simulator's program  @param {string} folder  @param {import("rolldown").Plugin[]} plugins */
export async function buildSimulator(folder, plugins = []) {
  await build({
    input: { simulate: join(ROOT, "test/simulation/command.ts") },
    cwd: ROOT,
    platform: "node",
    plugins: [...plugins, pagePlugin(), pictureLibrariesPlugin(), builtinOnlyPlugin()],
    checks: { ineffectiveDynamicImport: false },
    // One file: imports on demand would take real time, and so change the order of events.
    output: { dir: folder, cleanDir: true, format: "esm", entryFileNames: "[name].js", codeSplitting: false },
  });
  return join(folder, "simulate.js");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const program = await buildSimulator(join(ROOT, "dist-dev/simulation"));
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
