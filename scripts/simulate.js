/**
 * Plays random histories in the simulator of `test/simulation`: the real commands, with a simulated clock, disk, network and
 * service. It prints the seed of a failure, and its shortest history.
 *
 *   npm run simulate -- --hours 1            for an hour, with a new seed
 *   npm run simulate -- --seconds 60         for a minute; PROPERTY_SEED is the first seed, as in CI
 *   npm run simulate -- --histories 4000     4,000 histories
 *   npm run simulate -- --seed 17            one history again
 *   npm run simulate -- --faults             plants faults, and writes into the docs how soon it finds them
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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

/**
 * Faults in the code that keeps the promise, as patches.
 * @type {readonly { area: string, says: string, file: string, from: string, to: string }[]}
 */
const PLANTED_FAULTS = JSON.parse(readFileSync(new URL("planted-faults.json", import.meta.url), "utf8"));

/** @returns {import("rolldown").Plugin} that changes one place of src  @param {(typeof PLANTED_FAULTS)[number]} fault */
function faultPlugin({ file, from, to }) {
  return {
    name: "planted-fault",
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return undefined;
      if (code.split(from).length !== 2)
        throw new Error(`${file} does not have the place of the fault once.`);
      return code.replace(from, () => to);
    },
  };
}

/** The most histories for one fault. */
const MAX_HISTORIES = 60;

/** Plants each fault, and writes how many histories the simulator needs to find it. */
async function findFaults(seed = "1") {
  const rows = [];
  for (const [index, fault] of PLANTED_FAULTS.entries()) {
    const program = await buildSimulator(join(ROOT, "dist-dev/fault"), [faultPlugin(fault)]);
    const args = [program, "--seed", seed, "--histories", String(MAX_HISTORIES), "--no-shrink"];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    const [, histories, failures] = /^(\d+) histories.* (\d+) of them/m.exec(stdout) ?? [];
    const [, broken = ""] = /^Broken: (.*?):/m.exec(stdout) ?? [];
    const found = failures === "1" ? histories : `not in ${MAX_HISTORIES}`;
    rows.push(`| ${fault.area} | ${fault.says} | ${found} | ${broken} |`);
    console.log(`${index + 1}/${PLANTED_FAULTS.length} ${rows.at(-1)}`);
  }
  const page = join(ROOT, "docs/change/reliability.md");
  const [before, after] = [/^[^]*<!-- faults: .*-->\n/, /<!-- \/faults -->[^]*$/];
  const text = readFileSync(page, "utf8");
  const table = [
    "| where | what is wrong | histories | which guarantee is broken |",
    "| --- | --- | ---: | --- |",
    ...rows,
  ];
  writeFileSync(page, `${before.exec(text)?.[0]}\n${table.join("\n")}\n\n${after.exec(text)?.[0]}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === "--faults") {
  await findFaults(process.argv[3]);
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const program = await buildSimulator(join(ROOT, "dist-dev/simulation"));
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
