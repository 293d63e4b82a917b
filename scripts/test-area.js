/**
 * `npm run test:watch -- AREA`: runs the tests of one area, and again after each change. AREA is a folder of test/ or
 * src/ (`sync` or `sync/apply`), or part of a file's name (`word-diff`). What follows goes to Vitest: `-t "part of a
 * test's name"`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [area = "", ...others] = process.argv.slice(2);

const tests = pathsIn("test").filter((path) => path.endsWith(".test.ts"));
const files = filesOf(area);
if (files.length === 0) {
  const areas = readdirSync(join(ROOT, "test"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && tests.some((path) => path.startsWith(`test/${entry.name}/`)))
    .map(({ name }) => name);
  console.error(area === "" ? "Which tests? Name an area." : `No test file matches "${area}".`);
  console.error(`→ npm run test:watch -- AREA, with one of these areas or part of a file's name:`);
  console.error(`  ${areas.join(", ")}`);
  process.exit(1);
}

if (isBuildOld()) run(join(ROOT, "scripts/build.js"));
// Without a person to stop it, watching would never end.
const mode = process.stdin.isTTY && process.stdout.isTTY ? "watch" : "run";
const suite = files.some(isLong) ? "long" : "main*";
run(join(ROOT, "node_modules/vitest/vitest.mjs"), mode, "--project", suite, ...files, ...others);

/** @param {string} given @returns the files of the folder with this name; otherwise those whose path contains it */
function filesOf(given) {
  if (given === "" || given.startsWith("-")) return [];
  const name = given
    .replace(/^\.\//, "")
    .replace(/^(?:test|src)\//, "")
    .replace(/\/$/, "")
    .replace(/\.ts$/, "");
  const found = [testsIn(name), tests.filter((path) => path.includes(name)), testsAround(name)].find(
    (each) => each.length > 0,
  );
  if (found === undefined) return [];
  // Long tests are for `npm run test:all`, unless the area names them.
  const short = found.filter((path) => !isLong(path));
  return short.length > 0 ? short : found;
}

/** @param {string} folder of test/ */
function testsIn(folder) {
  return tests.filter((path) => path.startsWith(`test/${folder}/`));
}

/** The tests of a folder of src/ are in the next folder above it, if test/ has no such folder. @param {string} folder of src/ */
function testsAround(folder) {
  if (statSync(join(ROOT, "src", folder), { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const above = dirname(folder);
  return above === "." ? [] : ([testsIn(above), testsAround(above)].find((each) => each.length > 0) ?? []);
}

function isLong(path) {
  return path.endsWith(".long.test.ts");
}

/** @returns whether a source is newer than the built command, which some tests start */
function isBuildOld() {
  const built = statSync(join(ROOT, "dist/cli.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ["src", ...pathsIn("src"), "scripts/build.js", "package-lock.json"];
  return sources.some((path) => statSync(join(ROOT, path)).mtimeMs > built);
}

/** @returns {string[]} files and folders below, from the root, with `/` */
function pathsIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true }).map(
    (name) => `${folder}/${name.split(sep).join("/")}`,
  );
}

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
