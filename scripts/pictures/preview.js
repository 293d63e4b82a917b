/** Pictures of web pages, taken in Chromium. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath } from "../browser-path.js";
import { picturePath } from "./save-picture.js";

/**
 * @param {{ width: number, height: number }} viewport
 * @param {(page: import("playwright-core").Page) => Promise<void>} use
 */
async function withPage(viewport, use) {
  const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  try {
    await use(await browser.newPage({ viewport, colorScheme: "light", locale: "en-GB" }));
  } finally {
    await browser.close();
  }
}

/**
 * A month on the page that `plancast preview` wrote.
 * @param {string} folder of the project
 * @param {string} name of the JPEG file
 * @param {{ month: string, height: number }} shown the height in px; the page continues below
 */
export function savePreview(folder, name, { month, height }) {
  return withPage({ width: 1200, height }, async (page) => {
    await page.goto(`${pathToFileURL(join(folder, "preview.html")).href}#view=month&month=${month}`);
    await page.locator(".chip img").first().waitFor();
    await page.screenshot({ path: picturePath(name), type: "jpeg", quality: 65 });
  });
}

/**
 * @param {string} html whose first table is the picture
 * @param {string} name of the PNG file
 */
export function saveTable(html, name) {
  return withPage({ width: 1200, height: 400 }, async (page) => {
    await page.setContent(html);
    await page.locator("table").screenshot({ path: picturePath(name) });
  });
}
