/** Finds the browser of this machine, for tests of pages and for pictures of them. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** On macOS, apps are not on the PATH. */
const APPS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** @throws if there is none */
export function browserPath() {
  const path = findBrowser();
  if (path !== undefined) return path;
  throw new Error(`No browser found. Install Chromium or Google Chrome, as one of: ${NAMES.join(", ")}.`);
}

export function findBrowser() {
  return findProgram(...NAMES) ?? APPS.find(isProgram) ?? downloadedBrowser();
}

/** @param {string[]} names @returns the path of the first program on the PATH with one of these names */
export function findProgram(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** The one that `npx playwright-core install chromium` downloads. */
function downloadedBrowser() {
  try {
    // Loaded only when needed: this takes longer than all the rest.
    const { chromium } = createRequire(import.meta.url)("playwright-core");
    const path = chromium.executablePath();
    return isProgram(path) ? path : undefined;
  } catch {
    // Before `npm ci`.
    return undefined;
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
