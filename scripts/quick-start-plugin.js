/**
 * Removes what bundled packages do while they load, if most runs do not need it. A package that changes too much for
 * that stops the build.
 */
import { fileURLToPath } from "node:url";

const YARGS = /[\\/]node_modules[\\/](?:yargs|yargs-parser|y18n)[\\/]/;
const NO_HELP = `export default () => { throw new Error("yargs writes no help here"); };`;
/** What yargs and its parts get instead of modules that take long to load. */
const FOR_YARGS = {
  // For its help, and plancast writes its own.
  cliui: NO_HELP,
  "string-width": NO_HELP,
  // Its checks of its own code, without the colours and differences of Node's messages.
  assert: `
    const check = (isRight, message) => { if (!isRight) throw new Error(message ?? "a fault in yargs"); };
    export const strictEqual = (one, other, message) => check(Object.is(one, other), message);
    export const notStrictEqual = (one, other, message) => check(!Object.is(one, other), message);`,
  // An import would load everything that node:util offers.
  util: `export const { format, inspect } = process.getBuiltinModule("node:util");`,
};
const VIRTUAL = "\0for-yargs:";

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
      return importer !== undefined && YARGS.test(importer) && id in FOR_YARGS ? VIRTUAL + id : undefined;
    },
    load(id) {
      if (id === NOTHING) return { code: "module.exports = {};", moduleType: "js" };
      if (!id.startsWith(VIRTUAL)) return undefined;
      return { code: FOR_YARGS[id.slice(VIRTUAL.length)], moduleType: "js" };
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
