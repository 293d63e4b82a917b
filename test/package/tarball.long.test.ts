/** The tarball: its files, and that it runs without an installation. Needs `npm run build`, and `tar`. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { packInto } from "../support/packed.ts";
import { makeProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Everything that may be in the package. */
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(?:cli|index|testing)\.js$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/pictures\/[\w-]+\.(?:mjs|wasm)$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
  /^dist\/(?:sbom\.cdx\.json|third-party-licenses\.txt)$/,
  /^docs\/(?:(?:start|write|run|change|reference)\/)?[\w-]+\.md$/,
  /^docs\/write\/spring-campaign\.xlsx$/,
  /^docs\/pictures\/[\w-]+\.(?:svg|png|jpg)$/,
  /^schemas\/(?:config|calendar|[a-z]+(?:-all)?\.output)\.schema\.json$/,
];

const LARGEST = 6_500_000;

test(
  "the package contains only the listed files, has at most 6.5 MB, and can plan without an install",
  { timeout: 120_000 },
  async () => {
    const project = await makeProject({ config: false });
    const { filename, files, size } = await packInto(project.root);
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).toEqual([]);
    expect(ALLOWED.filter((allowed) => !paths.some((path) => allowed.test(path)))).toEqual([]);
    expect(size).toBeLessThan(LARGEST);

    await promisify(execFile)("tar", ["-xzf", filename], { cwd: project.root });
    const script = join(project.root, "package", manifest.bin.plancast);
    await project.write("team/.gitkeep", "");
    const at = { cwd: join(project.root, "team"), script };
    expect(await runProcess(["init", "--timezone", "Europe/Paris"], at)).toMatchObject({ code: 0 });
    expect((await runProcess(["plan"], at)).stdout).toContain("Plan: 5 to create");
  },
);

test("npm finds nothing to run when the package is installed, and a checkout builds itself", async () => {
  const folder = await tempFolder();
  const { filename } = await packInto(folder);
  await promisify(execFile)("tar", ["-xzf", filename], { cwd: folder });
  const packed: unknown = JSON.parse(await readFile(join(folder, "package", "package.json"), "utf8"));
  const { scripts, devDependencies, ...rest } = manifest;
  expect(packed).toEqual(rest);
  expect([scripts.prepare, Object.keys(devDependencies).length > 0]).toEqual(["npm run build", true]);
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});
