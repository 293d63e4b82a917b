/** Compares the memory that apply needs to upload a long film and a short one. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, peakMegabytes } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const SMALL_MB = 1;
const LARGE_MB = 300;
const REPEATS = 3;

/** @param {number} megabytes */
async function measure(megabytes) {
  const service = fork(fileURLToPath(new URL("limited-service.js", import.meta.url)), [
    JSON.stringify({ limit: 600, windowMs: 60_000, unit: "seconds" }),
  ]);
  const [url] = await once(service, "message");
  const cwd = mkdtempSync(join(tmpdir(), "plancast-bench-"));
  mkdirSync(join(cwd, "calendars"));
  writeFileSync(join(cwd, "plancast.yaml"), "timezone: UTC\n");
  writeFileSync(
    join(cwd, "calendars", "a.csv"),
    "scheduled_at,platforms,content,media\n2036-01-01 10:00,tiktok,Film,film.mp4\n",
  );
  writeFilm(join(cwd, "calendars", "film.mp4"), megabytes);
  const env = { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" };
  const memory = peakMegabytes({ args: [CLI, "apply", "--yes", "--quiet"], cwd, env });
  service.disconnect();
  rmSync(cwd, { recursive: true });
  return memory;
}

/**
 * An MP4 with an empty header; its pictures are all that follows.
 * @param {string} path
 * @param {number} megabytes
 */
function writeFilm(path, megabytes) {
  writeFileSync(path, "\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov\0\0\0\0mdat", "latin1");
  truncateSync(path, megabytes * 2 ** 20);
}

/** @param {readonly number[]} values */
function middle(values) {
  return [...values].sort((low, high) => low - high)[values.length >> 1] ?? Number.NaN;
}

/** @type {{ small: number[], large: number[] }} */
const memory = { small: [], large: [] };
for (let round = 0; round < REPEATS; round += 1) {
  memory.small.push(await measure(SMALL_MB));
  memory.large.push(await measure(LARGE_MB));
}
const [small, large] = [middle(memory.small), middle(memory.large)];
const text = `The most memory that \`apply\` has while it uploads one film. Median of ${REPEATS} runs.

| film | memory |
| ---: | ---: |
| ${SMALL_MB} MB | ${small.toFixed(0)} MB |
| ${LARGE_MB} MB | ${large.toFixed(0)} MB |
| more | ${(large - small).toFixed(0)} MB |`;
console.log(text);
writeSection("upload", text);
