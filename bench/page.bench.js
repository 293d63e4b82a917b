/** The page of 5,000 posts with hostile captions: how soon it shows posts, its frames while somebody scrolls, and edits. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { browserPath } from "../scripts/browser-path.js";
import { CLI, ratio, run } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const POSTS = 5_000;
/** Posts of one day. */
const A_DAY = 14;
const FRAMES = 300;
const EDITS = 7;
/** A screen of 60 Hz shows a frame this often, in ms, and a timer is not exact. */
const LATE_MS = 1000 / 60 + 2;
const CAPTIONS = [
  "<script>document.title = 'harm'</script><img src=x onerror=document.title='harm'>",
  "\u{202e}reversed\u{202c}",
  "A".repeat(2_900),
  "👩‍👩‍👧 ".repeat(20),
  "one line\n".repeat(30),
];

/** Writes the calendar. @param {string} cwd */
function writeCalendar(cwd) {
  mkdirSync(join(cwd, "calendars"));
  writeFileSync(join(cwd, "plancast.yaml"), "service: { url: embedded }\ntimezone: UTC\n");
  const rows = Array.from({ length: POSTS }, (_, index) => {
    const day = Date.UTC(2036, 0, 1) + Math.floor(index / A_DAY) * 86_400_000 + (index % A_DAY) * 3_600_000;
    const text = `${index}: ${CAPTIONS[index % CAPTIONS.length]}`.replaceAll('"', '""');
    return `p${index},${new Date(day).toISOString().slice(0, 16)},"linkedin, x, instagram","${text}"`;
  });
  writeFileSync(join(cwd, "calendars/a.csv"), `id,scheduled_at,platforms,content\n${rows.join("\n")}\n`);
}

/**
 * Moves posts to another day with the keyboard, on the page of a server. Before each edit, makes a page from nothing.
 * @param {import("playwright-core").Browser} browser
 * @param {string} cwd
 */
async function edits(browser, cwd) {
  const server = spawn(process.execPath, [CLI, "preview", "--serve", "--offline"], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${String(line).trim()}&view=month&month=2036-01`);
  await page.locator(".chip.is-movable").first().waitFor();
  /** @type {{ made: number[], saved: number[], shown: number[] }} */
  const times = { made: [], saved: [], shown: [] };
  for (let day = 2; day < 2 + EDITS; day += 1) {
    times.made.push(run({ args: [CLI, "preview", "--offline"], cwd }));
    await page.locator(`td[data-day="2036-01-0${day}"]`).focus();
    await page.keyboard.press("m");
    await page.keyboard.press("ArrowDown");
    const start = performance.now();
    await page.keyboard.press("Enter");
    await page.getByText("Saved. Updating the page").waitFor();
    times.saved.push(performance.now() - start);
    await page.getByText("Moved the post to").waitFor();
    times.shown.push(performance.now() - start);
  }
  await page.close();
  server.kill("SIGINT");
  await once(server, "exit");
  return times;
}

/** @param {readonly number[]} all */
function median(all) {
  return all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;
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
writeCalendar(cwd);
run({ args: [CLI, "preview", "--offline"], cwd });
const address = pathToFileURL(join(cwd, "preview.html")).href;
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
  const all = await frames(page);
  const inTime = all.filter((ms) => ms <= LATE_MS).length / all.length;
  lines.push(`| ${view} | ${median(all).toFixed(1)} ms | ${(inTime * 100).toFixed(1)} % |`);
}
await page.close();
const { made, saved, shown } = await edits(browser, cwd);
await browser.close();
rmSync(cwd, { recursive: true });
const text = `A page with ${POSTS.toLocaleString("en")} posts and hostile captions, in Chromium without a graphics card. It shows its first posts after ${opened.toFixed(1)} s. Then the page scrolls for ${FRAMES} frames. At 60 frames per second, a frame takes 16.7 ms.

| view | median frame | frames in time |
| --- | ---: | ---: |
${lines.join("\n")}

On the page of \`preview --serve\`, a post is moved to another day ${EDITS} times. The file is saved after ${(median(saved) / 1000).toFixed(1)} s. The page shows the new state after ${(median(shown) / 1000).toFixed(1)} s, which is ${ratio(shown, made).toFixed(2)} times as long as \`plancast preview\` takes to make the page.`;
console.log(text);
writeSection("page", text);
