/** The tarball as npm installs it, and as tools of other projects see it. Needs `npm run build`. */
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

async function emptyFolder(): Promise<TestProject> {
  return makeProject({ config: false, files: { "package.json": '{"private":true}' } });
}

test("installing it installs nothing else; init, plan and apply work", { timeout: 300_000 }, async () => {
  const project = await emptyFolder();
  const { root } = project;
  const { filename } = await packInto(root);
  await installFrom(filename, root);
  const installed = await readdir(join(root, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["plancast"]);
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

test("its types are found by every module system that can import it", { timeout: 180_000 }, async () => {
  const { root } = await emptyFolder();
  const { filename } = await packInto(root);
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(join(root, filename))), {
    entrypoints: [".", "./testing"],
  });
  if (analysis.types === false) throw new Error("The package has no types.");
  // It is an ES module with `exports`. Older kinds of module resolution cannot find it at run time either.
  const esm = ["node16-esm", "bundler"];
  const problems = analysis.problems.filter(
    (each) => !("resolutionKind" in each) || esm.includes(each.resolutionKind),
  );
  expect(problems).toEqual([]);
});

test("its package.json is correct", { timeout: 180_000 }, async () => {
  const { root } = await emptyFolder();
  const { filename } = await packInto(root);
  await installFrom(filename, root);
  const pkgDir = join(root, "node_modules", "plancast");
  const { messages } = await publint({ pkgDir, pack: false, level: "warning", strict: true });
  expect(messages).toEqual([]);
});
