/** A temporary folder with the built command, with or without the example calendars: for the demo and for pictures. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const cli = join(checkout, "dist", "cli.js");

/**
 * @typedef {object} Sandbox
 * @property {string} folder
 * @property {(args: string[], output: "inherit" | "pipe", exitCode?: number) => string} plancast runs one command; throws when
 *   it ends with another exit code, 0 by default
 */

/** @param {(sandbox: Sandbox) => void | Promise<void>} use what is done with the example calendars */
export function inSandbox(use) {
  return inEmptySandbox(async (sandbox) => {
    for (const name of ["plancast.yaml", "calendars"]) {
      cpSync(join(checkout, name), join(sandbox.folder, name), { recursive: true });
    }
    await use(sandbox);
  });
}

/** @param {(sandbox: Sandbox) => void | Promise<void>} use what is done in the folder, which is removed afterwards */
export async function inEmptySandbox(use) {
  const folder = mkdtempSync(join(tmpdir(), "plancast-demo-"));
  try {
    await use({
      folder,
      plancast: (args, output, exitCode = 0) => run(folder, args, output, exitCode),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The commands use the embedded service and the width of the pictures, and ignore the settings of the shell. */
const ENV = { ...process.env, PLANCAST_BASE_URL: "", PLANCAST_API_KEY: "", CI: "false", COLUMNS: "100" };

/** @param {string} folder @param {string[]} args @param {"inherit" | "pipe"} output @param {number} exitCode */
function run(folder, args, output, exitCode) {
  const { status, stdout } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    env: ENV,
    stdio: ["ignore", output, output],
    encoding: "utf8",
  });
  if (status !== exitCode) throw new Error(`plancast ${args.join(" ")} ended with ${status}`);
  return stdout ?? "";
}
