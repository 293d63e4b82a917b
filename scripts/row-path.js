/**
 * Prints the path of one row through `src/checks`: `node scripts/row-path.js`. Each line is a file, in the order in which
 * its functions begin. A file that comes again after another one counts as a return. Fewer returns are easier to follow.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));
const CHECKS = "checks/";

/** An ordinary row. */
const CELLS = {
  id: "doors",
  date: "2030-03-01",
  time: "09:30",
  platforms: "linkedin, x",
  content: "Doors open at nine.",
  media: "doors.png",
};

/** @returns {Promise<readonly string[]>} the files of the functions that began, in order, each once in a row */
async function rowPath() {
  /** @type {string[]} */
  const path = [];
  Object.assign(globalThis, {
    enterFile: (file) => void (file.startsWith(CHECKS) && path.at(-1) !== file && path.push(file)),
  });
  const folder = await mkdtemp(join(tmpdir(), "plancast-row-path-"));
  try {
    await build({
      input: {
        validate: join(SRC, "checks/validate.ts"),
        config: join(SRC, "calendars/check-project.ts"),
        settings: join(SRC, "settings/calendar-settings.ts"),
      },
      platform: "node",
      logLevel: "silent",
      plugins: [{ name: "mark-functions", transform: { order: "pre", handler: markFunctions } }],
      output: { dir: folder, format: "esm", entryFileNames: "[name].js" },
    });
    /** @param {string} name */
    const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
    const [{ validate }, { configSchema }, { settingsOf }] = await Promise.all(
      ["validate", "config", "settings"].map(load),
    );
    const config = configSchema.parse({ timezone: "Europe/Paris" });
    const place = { file: "calendars/workshops.csv", line: 2, column: 1 };
    const row = { ...place, cells: CELLS, variants: [], at: () => place };
    const calendar = { ...place, settings: settingsOf(config, []), rows: [row], problems: [] };
    path.length = 0;
    const { posts } = validate([calendar], config);
    if (posts.length !== 1) throw new Error("The row did not become a post.");
    return path;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Puts a call at the start of each function. @this {import("rolldown").PluginContext} @param {string} code @param {string} id */
function markFunctions(code, id) {
  if (!id.startsWith(SRC)) return null;
  const mark = `enterFile(${JSON.stringify(relative(SRC, id).replaceAll(sep, "/"))})`;
  /** @type {[at: number, text: string][]} */
  const inserts = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    if (/^(?:Arrow)?Function(?:Declaration|Expression)$/.test(node.type) && node.body !== null) {
      const { start, end, type } = node.body;
      if (type === "BlockStatement") inserts.push([start + 1, `${mark};`]);
      else inserts.push([start, `(${mark},`], [end, ")"]);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(this.parse(code, { lang: "ts" }));
  const sorted = inserts.sort(([one], [other]) => other - one);
  return { code: sorted.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), code) };
}

const path = await rowPath();
console.log(path.join("\n"));
const files = new Set(path).size;
console.log(`\n${files} files, ${path.length - files} returns`);
