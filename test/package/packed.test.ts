/** The tarball: its files, and that it runs without an installation. Needs `npm run build`, and `tar`. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { packInto } from "../support/packed.ts";
import { makeProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

/** Everything that may be in the package. */
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(?:cli|index|testing)\.js$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
  /^dist\/(?:sbom\.cdx\.json|third-party-licenses\.txt)$/,
  /^docs\/(?:(?:write|run|change|reference)\/)?[\w-]+\.md$/,
  /^docs\/write\/spring-campaign\.xlsx$/,
  /^docs\/pictures\/[\w-]+\.(?:svg|png|jpg)$/,
  /^schemas\/(?:config|calendar|[a-z]+(?:-all)?\.output)\.schema\.json$/,
];

const LARGEST = 2_500_000;

test(
  "the package contains only the listed files, has at most 2.5 MB, and can plan without an install",
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

test("nothing runs when the package is installed", () => {
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
});
