/** The page of 5,000 posts with hostile captions: how soon it shows posts, and its frames while somebody scrolls. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath } from "../scripts/browser-path.js";
import { CLI, run } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const POSTS = 5_000;
/** Posts of one day. */
const A_DAY = 14;
const FRAMES = 300;
/** A screen of 60 Hz shows a frame this often, in ms, and a timer is not exact. */
const LATE_MS = 1000 / 60 + 2;
const CAPTIONS = [
  "<script>document.title = 'harm'</script><img src=x onerror=document.title='harm'>",
  "\u{202e}reversed\u{202c}",
  "A".repeat(2_900),
  "👩‍👩‍👧 ".repeat(20),
  "one line\n".repeat(30),
];

/** Writes the page, and returns its path. @param {string} cwd */
function writePage(cwd) {
  mkdirSync(join(cwd, "calendars"));
  writeFileSync(join(cwd, "plancast.yaml"), "service: { url: embedded }\ntimezone: UTC\n");
  const rows = Array.from({ length: POSTS }, (_, index) => {
    const day = Date.UTC(2036, 0, 1) + Math.floor(index / A_DAY) * 86_400_000 + (index % A_DAY) * 3_600_000;
    const text = `${index}: ${CAPTIONS[index % CAPTIONS.length]}`.replaceAll('"', '""');
    return `p${index},${new Date(day).toISOString().slice(0, 16)},"linkedin, x, instagram","${text}"`;
  });
  writeFileSync(join(cwd, "calendars/a.csv"), `id,scheduled_at,platforms,content\n${rows.join("\n")}\n`);
  run({ args: [CLI, "preview", "--offline"], cwd });
  return join(cwd, "preview.html");
}

/**
 * Scrolls from the top, and returns how long each frame took, in ms.
 * @param {import("playwright-core").Page} page
 */
function frames(page) {
  return page.evaluate(
    (count) =>
      new Promise((/** @type {(all: number[]) => void} */ done) => {
        /** @type {number[]} */
        const all = [];
        let last = performance.now();
        const step = Math.max(4, (document.documentElement.scrollHeight - innerHeight) / count);
        /** @param {number} now */
        const tick = (now) => {
          all.push(now - last);
          last = now;
          scrollBy(0, Math.min(60, step));
          if (all.length < count) requestAnimationFrame(tick);
          else done(all.slice(1));
        };
        requestAnimationFrame(tick);
      }),
    FRAMES,
  );
}

const cwd = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const address = pathToFileURL(writePage(cwd)).href;
const browser = await chromium.launch({
  executablePath: browserPath(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const start = performance.now();
await page.goto(address);
await page.locator(".chip").first().waitFor();
const opened = (performance.now() - start) / 1000;
/** @type {string[]} */
const lines = [];
for (const view of ["Month", "Week", "List"]) {
  await page.getByRole("button", { name: view, exact: true }).click();
  const all = (await frames(page)).toSorted((one, other) => one - other);
  const inTime = all.filter((ms) => ms <= LATE_MS).length / all.length;
  lines.push(
    `| ${view} | ${(all[Math.floor(all.length / 2)] ?? 0).toFixed(1)} ms | ${(inTime * 100).toFixed(1)} % |`,
  );
}
await browser.close();
rmSync(cwd, { recursive: true });
const text = `A page with ${POSTS.toLocaleString("en")} posts and hostile captions, in Chromium without a graphics card. It shows its first posts after ${opened.toFixed(1)} s. Then the page scrolls for ${FRAMES} frames. At 60 frames per second, a frame takes 16.7 ms.

| view | median frame | frames in time |
| --- | ---: | ---: |
${lines.join("\n")}`;
console.log(text);
writeSection("page", text);
