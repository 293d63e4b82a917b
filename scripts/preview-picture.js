/** Makes docs/pictures/preview.jpg: the preview's page after somebody edited the example calendars. Needs Chromium. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath } from "./browser-path.js";
import { editExample } from "./edit-example.js";
import { inSandbox } from "./sandbox.js";

await inSandbox(async ({ folder, plancast }) => {
  plancast(["apply", "--yes"], "pipe");
  editExample(folder);
  appendFileSync(join(folder, "plancast.yaml"), "\nproject: Belvoisin\n");
  plancast(["preview"], "pipe");
  const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 }, colorScheme: "light" });
  await page.goto(`${pathToFileURL(join(folder, "preview.html")).href}#view=month&month=2036-03`);
  await page.locator(".chip img").first().waitFor();
  const path = fileURLToPath(new URL("../docs/pictures/preview.jpg", import.meta.url));
  await page.screenshot({ path, type: "jpeg", quality: 80 });
  await browser.close();
});
