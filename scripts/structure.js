/**
 * Prints the structure of a checkout in figures: `npm run structure`, or `npm run structure -- ../other-checkout`.
 * It counts the TypeScript files of src. An import of types counts, and so does one on demand.
 */
import { resolve } from "node:path";
import {
  cyclesIn,
  sourceFolder,
  grouped,
  moduleGraph,
  partOf,
  readSources,
} from "../dist-dev/module-graph.js";

const checkout = resolve(process.argv[2] ?? ".");
const files = readSources(checkout);
const graph = moduleGraph(files);
const byFolder = grouped(graph, sourceFolder);
const byPart = grouped(graph, partOf);
const folders = files.map(({ path }) => sourceFolder(path)).filter((folder) => !folder.endsWith(".ts"));

const figures = [
  ["files", files.length],
  ["lines", files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0)],
  ["folders", new Set(folders).size],
  ["files directly in src", files.filter(({ path }) => !path.includes("/")).length],
  ["files in the largest folder", Math.max(...countEach(folders).values())],
  ["import cycles between files", cyclesIn(graph).length],
  ["import cycles between folders", cyclesIn(byFolder).length],
  ["parts (folders and files directly in src)", byPart.size],
  ["arrows between parts", [...byPart.values()].reduce((sum, targets) => sum + targets.size, 0)],
];
for (const [name, figure] of figures) console.log(`${String(figure).padStart(7)}  ${name}`);

/** @param {readonly string[]} names  @returns {Map<string, number>} */
function countEach(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
