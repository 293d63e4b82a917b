/**
 * Compares `validate` of a calendar with a picture in each row, at the first run and at a later one, with only
 * hashing the same files.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { CLI, ratio, run } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const PICTURES = 1_000;
/** Bytes of one picture: the size of a phone's picture after it was prepared for the web. */
const PICTURE_BYTES = 300_000;
const ROUNDS = 5;
/** Pictures younger than two seconds are not remembered. */
const AGE_MS = 3_000;

/** @param {string} cwd */
function writeProject(cwd) {
  const media = join(cwd, "media");
  mkdirSync(media);
  mkdirSync(join(cwd, "calendars"));
  const rows = Array.from({ length: PICTURES }, (_, index) => {
    writeFileSync(join(media, `${index}.png`), picture());
    const day = new Date(Date.UTC(2036, 0, 1 + index)).toISOString().slice(0, 10);
    return `${day} 10:00,linkedin,No. ${index},media/${index}.png`;
  });
  writeFileSync(join(cwd, "plancast.yaml"), "timezone: UTC\n");
  writeFileSync(
    join(cwd, "calendars", "a.csv"),
    `scheduled_at,platforms,content,media\n${rows.join("\n")}\n`,
  );
  return media;
}

/** A PNG whose pixels are noise, because nobody looks at it. */
function picture() {
  const header = Buffer.from([0, 0, 4, 176, 0, 0, 2, 118, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", randomBytes(PICTURE_BYTES)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const cwd = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const media = writeProject(cwd);
await delay(AGE_MS);
const floor = { args: [fileURLToPath(new URL("hash-floor.js", import.meta.url)), media] };
const validate = { args: [CLI, "validate"], cwd };
/** @type {{ floor: number[], first: number[], again: number[] }} */
const times = { floor: [], first: [], again: [] };
// So that the files of all rounds come from memory.
run(floor);
for (let round = 0; round < ROUNDS; round += 1) {
  times.floor.push(run(floor));
  rmSync(join(cwd, ".plancast"), { recursive: true, force: true });
  times.first.push(run(validate));
  times.again.push(run(validate));
}
rmSync(cwd, { recursive: true });
const megabytes = Math.round((PICTURES * PICTURE_BYTES) / 1_000_000);
const text = `A calendar of ${PICTURES.toLocaleString("en")} rows with a picture each, ${megabytes} MB in all. "Only hashing" reads the same files and does nothing else. All files are in the system's memory. Medians of ${ROUNDS} rounds.

| validate | time ÷ only hashing |
| --- | ---: |
| first | ${ratio(times.first, times.floor).toFixed(2)} |
| again | ${ratio(times.again, times.floor).toFixed(2)} |`;
console.log(text);
writeSection("media", text);
