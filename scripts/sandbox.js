/** The example calendars in a folder of their own, and the built command in it: for the demo and for the picture. */
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
 * @property {(args: string[], output: "inherit" | "pipe") => string} plancast runs one command; throws when it fails
 */

/** @param {(sandbox: Sandbox) => void | Promise<void>} use what is done in the folder, which is removed afterwards */
export async function inSandbox(use) {
  const folder = mkdtempSync(join(tmpdir(), "plancast-demo-"));
  try {
    for (const name of ["plancast.yaml", "calendars"]) {
      cpSync(join(checkout, name), join(folder, name), { recursive: true });
    }
    await use({ folder, plancast: (args, output) => run(folder, args, output) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder @param {string[]} args @param {"inherit" | "pipe"} output */
function run(folder, args, output) {
  const { status, stdout } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    // These are about the embedded service, whatever the shell is set up for.
    env: { ...process.env, PLANCAST_BASE_URL: "", PLANCAST_API_KEY: "" },
    stdio: ["ignore", output, output],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`plancast ${args.join(" ")} ended with ${status}`);
  return stdout ?? "";
}
