/** The workflows name the Action by the commit of the release if the package knows it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { actionReference, pinningNote } from "../../../src/commands/init/action-reference.ts";
import { VERSION } from "../../../src/model/version.ts";
import { makeProject } from "../../support/project.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const BY_TAG = `plancast/plancast@v${VERSION}`;

test.each([
  [{ name: "plancast", version: VERSION, gitHead: COMMIT }, `plancast/plancast@${COMMIT} # v${VERSION}`],
  [{ name: "plancast", version: VERSION }, BY_TAG],
  [{ name: "plancast", version: "9.9.9", gitHead: COMMIT }, BY_TAG],
  [{ name: "plancast", version: VERSION, gitHead: "main" }, BY_TAG],
  [{ name: "other", version: VERSION, gitHead: COMMIT }, BY_TAG],
])("a package with %j names the Action %s", async (manifest, expected) => {
  const { root } = await makeProject({ files: { "package/package.json": JSON.stringify(manifest) } });
  const folder = join(root, "package/dist/chunks");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "chunk.js"), "");
  expect(await actionReference(pathToFileURL(`${folder}/`))).toBe(expected);
});

test("a workflow with a tag says how to pin it, and one with a commit needs no note", () => {
  expect(pinningNote(BY_TAG)).toContain(`git ls-remote https://github.com/plancast/plancast v${VERSION}`);
  expect(pinningNote(`plancast/plancast@${COMMIT} # v${VERSION}`)).toBe("");
});
