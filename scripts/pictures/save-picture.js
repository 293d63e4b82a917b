/** Saves pictures of terminals in docs/pictures/. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TOOL = fileURLToPath(new URL("terminal-picture.js", import.meta.url));

/** @param {string} name of a file in docs/pictures/ @returns {string} its path */
export function picturePath(name) {
  return fileURLToPath(new URL(`../../docs/pictures/${name}`, import.meta.url));
}

/**
 * @param {string} name of the SVG file
 * @param {string} command that is shown to be typed
 * @param {string} output of the command, with ANSI colours
 */
export function savePicture(name, command, output) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [TOOL, "--columns", "100", "--title", command],
    { input: `$ ${command}\n${output}`, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  writeFileSync(picturePath(name), stdout);
}
