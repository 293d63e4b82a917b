/** The browser that the system has, for tests of pages and for their picture. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

export function browserPath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = paths.find(isProgram);
  if (found !== undefined) return found;
  throw new Error(`One of these must be on the PATH: ${NAMES.join(", ")}.`);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
