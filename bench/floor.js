/**
 * The minimum work with the same data: it only reads the calendar with its library. With an address, it also gets the
 * service's list and parses it.
 *
 *   node bench/floor.js CALENDAR [URL]
 */
import { readFileSync } from "node:fs";
import { get } from "node:http";

const [calendar = "", url] = process.argv.slice(2);
const { parse } = calendar.endsWith(".csv") ? await import("csv-parse/sync") : await import("yaml");
const rows = parse(readFileSync(calendar, "utf8"));
const list = url === undefined ? undefined : JSON.parse(await textOf(url));
if (rows.length === 0 || list?.posts.length === 0) throw new Error("There is nothing to compare with.");

/**
 * @param {string} address
 * @returns {Promise<string>}
 */
function textOf(address) {
  return new Promise((resolve, reject) => {
    get(address, (answer) => {
      /** @type {Uint8Array[]} */
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    }).on("error", reject);
  });
}
