/** The structure of src as a check: who may import whom, the size of folders, and what pure parts must not touch. */
import { readFile } from "node:fs/promises";
import { dirname, posix } from "node:path";
import { expect, test } from "vitest";
import {
  PARTS,
  cyclesIn,
  sourceFolder,
  grouped,
  moduleGraph,
  partOf,
  readSources,
  upwardImports,
} from "../src/build/module-graph.ts";
import { CODES } from "../src/problems/catalogue.ts";
import { inRepository } from "./support/doc-pages.ts";
import { sentencesIn } from "./support/sentences.ts";

const SOURCES = readSources(inRepository("."));
const GRAPH = moduleGraph(SOURCES);

/** The most files that one folder may have. */
const MAX_FILES = 25;

/** Folders in pure parts, or pure folders in others. */
const PURE = [
  ...PARTS.filter(({ isPure }) => isPure).map(({ name }) => name),
  "calendars/columns",
  "calendars/edit",
  "calendars/formats",
  "calendars/rows-to-write.ts",
  "service/rate/rate-limits.ts",
  "service/rate/window-ends.ts",
  "sync/plan",
];
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|dns|os|child_process|readline|timers).*|undici|bottleneck.*|yargs)$/;
const IMPURE_WORDS = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bconsole\.|\bprocess\.|\brandomBytes\(/;

test("a part imports only parts below it", () => {
  expect(upwardImports(GRAPH)).toEqual([]);
});

test("no import cycle exists between files", () => {
  expect(cyclesIn(GRAPH)).toEqual([]);
});

test("no import cycle exists between folders", () => {
  expect(cyclesIn(grouped(GRAPH, sourceFolder))).toEqual([]);
});

/** The libraries that load together with a module. Types, and what is imported on demand, do not. */
function librariesLoadedBy(path: string, seen = new Set<string>()): ReadonlySet<string> {
  const text = SOURCES.find((each) => each.path === path)?.text ?? "";
  for (const [, names = "", from = ""] of text.matchAll(/^import (?!type\b)([^;]*?) from "([^"]+)";$/gm)) {
    const isOnlyTypes =
      names.startsWith("{") &&
      names.split(",").every((each) => !/^[{\s]*\w/.test(each) || /\btype /.test(each));
    const target = from.startsWith(".") ? posix.join(posix.dirname(path), from) : from;
    if (isOnlyTypes || seen.has(target)) continue;
    seen.add(target);
    librariesLoadedBy(target, seen);
  }
  return new Set([...seen].filter((each) => !each.endsWith(".ts")));
}

test("validate starts without the libraries for requests", () => {
  const libraries = librariesLoadedBy("commands/validate.ts");
  expect([...libraries]).toEqual(expect.arrayContaining(["yaml", "zod"]));
  expect(["undici", "bottleneck/light.js", "hono"].filter((each) => libraries.has(each))).toEqual([]);
});

test("the table of parts names every folder of src", () => {
  const folders = SOURCES.filter(({ path }) => path.includes("/")).map(({ path }) => partOf(path));
  expect([...new Set(folders)].sort()).toEqual(PARTS.map(({ name }) => name).sort());
});

test("only entry points are directly in src, and no folder has too many files", () => {
  const inFolder = (folder: string): readonly string[] =>
    SOURCES.map(({ path }) => path).filter((path) => dirname(path) === folder);
  expect(inFolder(".").toSorted()).toEqual(["cli.ts", "index.ts", "testing.ts"]);
  const folders = [...new Set(SOURCES.map(({ path }) => dirname(path)))];
  const heaps = folders.filter((folder) => inFolder(folder).length > MAX_FILES);
  expect(heaps.map((folder) => `${folder}: ${inFolder(folder).length} files`)).toEqual([]);
});

function isPure(path: string): boolean {
  return PURE.some((each) => path === each || path.startsWith(`${each}/`));
}

test("pure folders do no I/O, read no clock and log nothing", () => {
  const wrong = SOURCES.filter(({ path }) => isPure(path)).flatMap(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const imports = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"([^"]+)"/g)].map(([, name]) => name ?? "");
    const modules = imports.filter((name) => IMPURE_MODULES.test(name));
    return [...modules, ...(IMPURE_WORDS.exec(code) ?? [])].map((what) => `${path}: ${what}`);
  });
  expect(wrong).toEqual([]);
});

/** A variable, or an empty map, set or list that something fills. A fixed table is none, and neither is `once`. */
const MODULE_STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?:(?:Weak)?(?:Map|Set)<.*>|\w+\[\]))? = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]))/gm;

test("only the modules that the architecture page lists keep state, and each says why that is safe", async () => {
  // The page of the preview is one page in one browser.
  const files = SOURCES.filter(({ path }) => !path.startsWith("preview/page/"));
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(MODULE_STATE)].map(([, variable, constant]) => `${path} ${variable ?? constant}`),
  );
  const page = await readFile(inRepository("docs/change/architecture.md"), "utf8");
  const [, listed = ""] = page.split("## State in modules");
  const rows = [...listed.matchAll(/^\| \[`(\w+)`\]\(\.\.\/\.\.\/src\/([\w/.-]+)\) +\|/gm)];
  expect(found.toSorted()).toEqual(rows.map(([, name, path]) => `${path} ${name}`).toSorted());
});

/** These parts only decide. Sentences about their decisions are in report/ or problems/. */
const WITHOUT_SENTENCES = /^(model|sync|tracking|draft|github)\//;
/** Parts of messages of errors and problems that are not written where the error or problem is made. */
const CLAUSES_OF_ERRORS = [
  "github/api.ts: hints of its failures",
  "model/clock.ts: what a duration must be, for the schema of settings",
  "model/options/catalogue.ts: what each option is, for errors and the reference",
  "sync/pull.ts: why a post is left out, which is a problem with a code",
  "sync/state/run-lock.ts: the hint of its failures",
];

test("parts that make decisions contain no sentences, except in errors and problems", () => {
  const parts = SOURCES.filter(({ path }) => WITHOUT_SENTENCES.test(path));
  const found = parts.flatMap((file) => sentencesIn(file).map((each) => `${file.path}: ${each}`));
  const allowed = CLAUSES_OF_ERRORS.map((each) => each.slice(0, each.indexOf(":") + 1));
  expect(found.filter((each) => !allowed.some((path) => each.startsWith(path)))).toEqual([]);
  expect(allowed.filter((path) => !found.some((each) => each.startsWith(path)))).toEqual([]);
});

test("the check for sentences finds them in texts and templates, but not in errors", () => {
  const text = `
    const a = "It was not done, so do it again.";
    function b(id: string) { return \`The post \${id} is not there any more, alas.\`; }
    function c() { const why = "it is not there any more today"; return new Failure("a/b", why); }
    function d() { throw lost("it is not there any more today"); }
  `;
  expect(sentencesIn({ path: "sync/a.ts", text })).toEqual([
    "It was not done, so do it again.",
    "The post … is not there any more, alas.",
  ]);
});

/** Where the whole disk comes from, as a parameter. */
const MACHINE = "disk/machine.ts";
/** What the module offers to all parts: it only reads, except `newId`. */
const FOR_ALL_PARTS = new Set(
  "access constants createReadStream lstat machineOf newId readFile readdir realpath stat unwatchFile watchFile".split(
    " ",
  ),
);
/** Files that may also write, or open files in any way, with the reason. */
const MAY_WRITE: Readonly<Record<string, string>> = {
  "commands/project/confirmations.ts": "Its files are the user's own, outside of every checkout.",
  "media/media-file.ts": "Opens files to read parts of them.",
};
/** Files that use Node's file modules without a machine, with the reason. */
const WITHOUT_MACHINE: Readonly<Record<string, string>> = {
  [MACHINE]: "It is the machine.",
  "build/module-graph.ts": "Only the build uses it.",
  "build/reference-pages.ts": "Only the build uses it.",
  "commands/shell/shell.ts": "Looks at the streams of the process.",
};

/** The names that a file imports from a module, except types. */
function namesImported(text: string, module: RegExp): readonly string[] {
  return [...text.matchAll(/^import (?!type )([^;]+?) from "([^"]+)";/gm)]
    .filter(([, , from = ""]) => module.test(from))
    .flatMap(([, list = ""]) => (list.startsWith("{") ? list.replaceAll(/[{}\s]/g, " ").split(",") : ["*"]))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

test("only one module reaches the disk, so that the disk is a parameter", () => {
  const found = SOURCES.filter(
    ({ text }) =>
      namesImported(text, /^node:fs(\/promises)?$/).length > 0 || text.includes('getBuiltinModule("node:fs'),
  );
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(WITHOUT_MACHINE).sort());
});

test("only the part disk writes and removes files, and runs programs", () => {
  const wrong = SOURCES.filter(
    ({ path }) => partOf(path) !== "disk" && MAY_WRITE[path] === undefined,
  ).flatMap(({ path, text }) => {
    if (/getBuiltinModule\((?!"node:(?!fs|child_process))/.test(text)) return [`${path}: getBuiltinModule`];
    const writing = namesImported(text, /disk\/machine\.ts$/).filter((name) => !FOR_ALL_PARTS.has(name));
    return [...writing, ...namesImported(text, /^node:child_process$/)].map((name) => `${path}: ${name}`);
  });
  expect(wrong).toEqual([]);
  const named = [...Object.keys(MAY_WRITE), ...Object.keys(WITHOUT_MACHINE)];
  expect(named.filter((path) => !SOURCES.some((each) => each.path === path))).toEqual([]);
});

/** Where randomness comes from, with the reason. Everything else gets it as a parameter, or calls `newId`. */
const RANDOM: Readonly<Record<string, string>> = {
  [MACHINE]: "It is the source.",
  "commands/shell/shell.ts": "Gives it to the commands.",
  "service/connect/public-client.ts": "The entry point of the client.",
};

test("randomness comes from the machine or the entry points", () => {
  const draws = /Math\.random|randomUUID|randomInt|getRandomValues/;
  const found = SOURCES.filter(
    ({ text }) =>
      draws.test(text) || namesImported(text, /^node:crypto$/).some((name) => name.startsWith("random")),
  );
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(RANDOM).sort());
});

test("src uses every problem code of the catalogue", () => {
  const others = SOURCES.filter(({ path }) => partOf(path) !== "problems").map(({ text }) => text);
  const codes = Object.keys(CODES);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !others.some((text) => text.includes(`"${code}"`)))).toEqual([]);
});

test("the codes of a family are in one file", () => {
  const families = new Map<string, Set<string>>();
  for (const { path, text } of SOURCES.filter((each) => partOf(each.path) === "problems")) {
    for (const [, family = ""] of text.matchAll(/^ {2}"([a-z]+)\/[a-z-]+": \{/gm))
      families.set(family, (families.get(family) ?? new Set()).add(path));
  }
  expect(families.size).toBeGreaterThan(10);
  expect([...families].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

test("the checks of the structure find cycles and imports of later parts", () => {
  const graph = moduleGraph([
    { path: "model/a.ts", text: 'import type { B } from "../checks/b.ts";' },
    { path: "checks/b.ts", text: 'const { a } = await import("../model/a.ts");' },
    { path: "model/alone.ts", text: 'import { x } from "./other.ts";' },
  ]);
  expect(cyclesIn(graph)).toEqual([["model/a.ts", "checks/b.ts"]]);
  expect(upwardImports(graph)).toEqual(["model/a.ts imports checks/b.ts"]);
  expect(SOURCES.length).toBeGreaterThan(50);
});
