/**
 * The minimum work to detect changed files: SHA-256 of each, as a stream, several at once.
 *
 *   node bench/hash-floor.js FOLDER
 */
import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";

const [folder = ""] = process.argv.slice(2);
const limit = pLimit(8);
const hash = async (/** @type {string} */ name) => {
  const sum = createHash("sha256");
  await pipeline(createReadStream(join(folder, name), { highWaterMark: 262_144 }), sum);
  return sum.digest("hex");
};
const sums = await Promise.all(readdirSync(folder).map((name) => limit(() => hash(name))));
if (new Set(sums).size === 0) throw new Error("There is nothing to compare with.");
