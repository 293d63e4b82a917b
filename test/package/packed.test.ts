/** The tarball: what it holds, what it brings along, and a first quarter of an hour with it. Needs `npm run build`. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { installFrom, packInto } from "../support/packed.ts";
import { makeProject, type TestProject } from "../support/project.ts";

const run = promisify(execFile);

/** Everything that may be in the package. */
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(?:cli|index)\.js$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
  /^dist\/(?:sbom\.cdx\.json|third-party-licenses\.txt)$/,
  /^schemas\/(?:config|calendar)\.schema\.json$/,
];

const LARGEST = 2_000_000;

async function emptyFolder(): Promise<TestProject> {
  return makeProject({ config: false, files: { "package.json": '{"private":true}' } });
}

test("it holds what is on the list, and no more than 2 MB", { timeout: 120_000 }, async () => {
  const { root } = await emptyFolder();
  const { files, size } = await packInto(root);
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).toEqual([]);
  expect(ALLOWED.filter((allowed) => !paths.some((path) => allowed.test(path)))).toEqual([]);
  expect(size).toBeLessThan(LARGEST);
});

test("nothing else is installed, nothing runs at install", { timeout: 180_000 }, async () => {
  const { root } = await emptyFolder();
  const { filename } = await packInto(root);
  await installFrom(filename, root);
  const installed = await readdir(join(root, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["plancast"]);
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});

test("init, plan and apply in an empty folder, by the command alone", { timeout: 300_000 }, async () => {
  const project = await emptyFolder();
  const { root } = project;
  const { filename } = await packInto(root);
  await installFrom(filename, root);
  const { PATH = "", HOME = "" } = process.env;
  const plancast = async (...args: string[]): Promise<string> => {
    const { stdout } = await run("npx", ["--no-install", "plancast", ...args], {
      cwd: root,
      env: { PATH, HOME },
    });
    return stdout;
  };
  expect(await plancast("--version")).toBe(`${manifest.version}\n`);
  await plancast("init", "--timezone", "Europe/Paris");
  expect(await plancast("plan")).toContain("Plan: 5 to create");
  await plancast("apply", "--yes");
  expect(Object.keys(await project.tree())).toContain("plancast.lock.json");
  expect(await plancast("plan")).toContain("Nothing to do");
});

test("its types are found by those who can import it", { timeout: 180_000 }, async () => {
  const { root } = await emptyFolder();
  const { filename } = await packInto(root);
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(join(root, filename))), {
    entrypoints: ["."],
  });
  if (analysis.types === false) throw new Error("The package has no types.");
  // It is an ES module with `exports`: what older ways of resolution cannot find is not there for them at run time either.
  const esm = ["node16-esm", "bundler"];
  const problems = analysis.problems.filter(
    (each) => !("resolutionKind" in each) || esm.includes(each.resolutionKind),
  );
  expect(problems).toEqual([]);
});

test("its package.json says what it means", { timeout: 180_000 }, async () => {
  const { root } = await emptyFolder();
  const { filename } = await packInto(root);
  await installFrom(filename, root);
  const pkgDir = join(root, "node_modules", "plancast");
  const { messages } = await publint({ pkgDir, pack: false, level: "warning", strict: true });
  expect(messages).toEqual([]);
});
