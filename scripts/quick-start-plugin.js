/**
 * Removes what bundled packages do while they load, if most runs do not need it. A package that changes too much for
 * that stops the build.
 */
import { fileURLToPath } from "node:url";

const VIRTUAL = "\0unused-layout";
const YARGS = /[\\/]node_modules[\\/]yargs[\\/]/;
/** yargs uses these for its help, and plancast writes its own. */
const LAYOUT = new Set(["cliui", "string-width"]);
const CODE = `export default () => { throw new Error("yargs writes no help here"); };`;

/** The same code as the one for Node, which is CommonJS: V8 would compile each of its modules twice. */
const YAML = fileURLToPath(new URL("../browser/dist/index.js", import.meta.resolve("yaml")));

const UNDICI = fileURLToPath(import.meta.resolve("undici"));
/** What undici offers and plancast does not use: a quarter of its code. */
const UNUSED_OF_UNDICI =
  /^\.\/lib\/(?:mock|interceptor|cache|web\/(?:websocket|eventsource|cookies)|dispatcher\/(?:balanced-pool|round-robin-pool|retry-agent|h2c-client))(?:\/|$)/;
const NOTHING = "\0nothing";

const STRING_WIDTH = fileURLToPath(import.meta.resolve("string-width"));
/**
 * For texts that are not plain ASCII. Both need tables of Unicode, which take long to load. For an expression, V8 loads
 * them as soon as it reads the file.
 */
const FOR_OTHER_TEXTS = [
  ["segmenter.segment(", "const segmenter = new Intl.Segmenter();", "new Intl.Segmenter()"],
  [
    "rgiEmojiRegex.test(",
    "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;",
    'new RegExp("^\\\\p{RGI_Emoji}$", "v")',
  ],
];

export function quickStartPlugin() {
  return {
    name: "plancast-quick-start",
    resolveId(id, importer) {
      if (id === "yaml") return YAML;
      if (importer === UNDICI && UNUSED_OF_UNDICI.test(id)) return NOTHING;
      return importer !== undefined && YARGS.test(importer) && LAYOUT.has(id) ? VIRTUAL : undefined;
    },
    load(id) {
      if (id === NOTHING) return { code: "module.exports = {};", moduleType: "js" };
      return id === VIRTUAL ? { code: CODE, moduleType: "js" } : undefined;
    },
    transform: (code, id) =>
      id === STRING_WIDTH ? { code: FOR_OTHER_TEXTS.reduce(madeAtFirstUse, code), map: null } : undefined,
  };
}

/** @param {string} code @param {string[]} part */
function madeAtFirstUse(code, [use = "", definition = "", value = ""]) {
  if (!code.includes(use) || !code.includes(definition))
    throw new Error(`string-width has no ${definition} See ${import.meta.url}.`);
  const [name = ""] = use.split(".");
  return code
    .replaceAll(use, () => use.replace(name, `(${name} ??= ${value})`))
    .replace(definition, `let ${name};`);
}
