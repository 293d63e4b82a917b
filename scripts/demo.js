/**
 * The demo of the README: plans and applies the example calendars on the embedded service, from a clean state, in a
 * folder of its own; then plans again, and there is nothing to do.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const cli = join(checkout, "dist", "cli.js");
const folder = mkdtempSync(join(tmpdir(), "plancast-demo-"));

try {
  for (const name of ["plancast.yaml", "calendars"])
    cpSync(join(checkout, name), join(folder, name), { recursive: true });
  run("plan");
  run("apply", "--yes");
  run("plan");
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs one command as a person would, and shows it. @param {string[]} args */
function run(...args) {
  process.stdout.write(`\n$ plancast ${args.join(" ")}\n`);
  const color = process.stdout.isTTY ? ["--color"] : [];
  const { status } = spawnSync(process.execPath, [cli, ...args, ...color], {
    cwd: folder,
    // The demo is about the embedded service, whatever the shell is set up for.
    env: { ...process.env, PLANCAST_BASE_URL: "", PLANCAST_API_KEY: "" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) {
    process.stderr.write(`plancast ${args.join(" ")} ended with ${status}\n`);
    process.exitCode = 1;
  }
}
