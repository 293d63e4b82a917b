/**
 * Runs whole processes, one after the other, for several rounds. So if something else uses the machine, it slows all
 * of them in the same way.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PRINT_MEMORY = new URL("../test/support/print-memory.js", import.meta.url);

/** The built command. */
export const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/**
 * What is run: by node, unless `command` says otherwise. It must end well.
 * @typedef {{ command?: string, args: string[], cwd?: string, env?: Record<string, string> }} Process
 */

/**
 * How long each took, in ms: one number per round.
 * @template {string} Name
 * @param {Record<Name, Process>} processes
 * @param {number} rounds
 * @returns {Record<Name, number[]>}
 */
export function sideBySide(processes, rounds) {
  /** @type {[Name, Process][]} */
  const all = Object.entries(processes);
  /** @type {Record<Name, number[]>} */
  const times = Object.fromEntries(all.map(([name]) => [name, []]));
  for (let round = 0; round < (PROFILES === undefined ? rounds : 1); round += 1) {
    for (const [name, each] of all) times[name].push(run(each));
  }
  return times;
}

/** Where each plancast writes a CPU profile. Undefined: they write none. */
const PROFILES = process.env["BENCH_PROFILES"];

/**
 * Runs a process to its end. Gives how long it took, in ms.
 * @param {Process} process
 */
export function run({ command = process.execPath, args, cwd, env }) {
  const start = performance.now();
  const profile = PROFILES !== undefined && args[0] === CLI ? ["--cpu-prof", "--cpu-prof-dir", PROFILES] : [];
  const { status, error } = spawnSync(command, [...profile, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")} ended with ${status}.`);
  return performance.now() - start;
}

/**
 * The most memory that a process of node's has, MB.
 * @param {Process} given
 */
export function peakMegabytes(given) {
  const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
  const file = join(folder, "memory");
  run({ ...given, env: { ...given.env, NODE_OPTIONS: `--import ${PRINT_MEMORY.href}`, MEMORY_FILE: file } });
  const bytes = Number(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  return bytes / 2 ** 20;
}

/**
 * How many times longer one process took than the other: the median of the ratios of all rounds.
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
export function ratio(one, other) {
  const ratios = one.map((ms, round) => ms / (other[round] ?? Number.NaN)).sort((low, high) => low - high);
  const middle = ratios.length >> 1;
  const [low = 0, high = 0] =
    ratios.length % 2 === 1 ? [ratios[middle], ratios[middle]] : ratios.slice(middle - 1);
  return (low + high) / 2;
}
