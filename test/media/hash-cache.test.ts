import { createHash } from "node:crypto";
import { cp, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StateFolder } from "../../src/disk/state-folder.ts";
import { manyRuns } from "../support/property-tests.ts";
import { openHashCache, type HashCache } from "../../src/media/hash-cache.ts";
import { makeProject, type TestProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { tinyMp4, tinyPng } from "../support/tiny-media.ts";

/** A hash that no file has. If plancast returns it, plancast has read the cache and not the file. */
const PLANTED = "0".repeat(64);
const CACHE = ".plancast/media/hashes.json";
const PICTURE = "media/a.png";

/** The files of a test are only some ms old, but the cache takes them as a minute old. */
const LATER = (): number => Date.now() + 60_000;

function cacheOf({ root }: Pick<TestProject, "root">, now = LATER): HashCache {
  return openHashCache(StateFolder.at(root).in("media"), now);
}

async function hashBy(cache: HashCache, { root }: Pick<TestProject, "root">, path = PICTURE) {
  return (await cache.read(join(root, path))).sha256;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Seconds since the epoch. */
const WRITTEN_AT = 1_700_000_000;

/** A project with a picture. The cache has a planted hash for it. */
async function planted(): Promise<TestProject> {
  const project = await makeProject({ files: { [PICTURE]: tinyPng(1) } });
  // A whole second, which a test can set again exactly.
  await utimes(join(project.root, PICTURE), WRITTEN_AT, WRITTEN_AT);
  const cache = cacheOf(project);
  const real = await hashBy(cache, project);
  await cache.save();
  await project.write(CACHE, (await project.read(CACHE)).replace(real, PLANTED));
  return project;
}

test("reads a known file only once", async () => {
  const project = await planted();
  expect(await hashBy(cacheOf(project), project)).toBe(PLANTED);
});

test("keeps exactly the bytes that were read", async () => {
  const project = await makeProject({ files: { [PICTURE]: tinyPng(), "media/a.mp4": tinyMp4() } });
  const cache = cacheOf(project);
  const paths = [PICTURE, "media/a.mp4"].map((path) => join(project.root, path));
  const read = await Promise.all(paths.map((path) => cache.read(path)));
  await cache.save();
  const again = cacheOf(project);
  expect(await Promise.all(paths.map((path) => again.read(path)))).toEqual(read);
  expect(Object.keys(await project.tree())).toContain(".plancast/media/.gitignore");
  expect(await project.read(".plancast/media/.gitignore")).toBe("*\n");
});

test("reads a changed file again, even with its old size and modification time", async () => {
  const project = await planted();
  const path = join(project.root, PICTURE);
  const before = await stat(path, { bigint: true });
  await writeFile(path, tinyPng(2));
  await utimes(path, WRITTEN_AT, WRITTEN_AT);
  const { size, mtimeNs } = await stat(path, { bigint: true });
  expect({ size, mtimeNs }).toEqual({ size: before.size, mtimeNs: before.mtimeNs });
  expect(await hashBy(cacheOf(project), project)).toBe(sha256(tinyPng(2)));
});

test("reads a replaced file again", async () => {
  const project = await planted();
  const path = join(project.root, PICTURE);
  await project.write("media/b.png", tinyPng(2));
  await utimes(join(project.root, "media/b.png"), WRITTEN_AT, WRITTEN_AT);
  await rename(join(project.root, "media/b.png"), path);
  expect(await hashBy(cacheOf(project), project)).toBe(sha256(tinyPng(2)));
});

test("reads the files of a copied project again", async () => {
  const project = await planted();
  const copy = await makeProject();
  await cp(project.root, copy.root, { recursive: true, preserveTimestamps: true });
  expect(await copy.read(CACHE)).toContain(PLANTED);
  expect(await hashBy(cacheOf(copy), copy)).toBe(sha256(tinyPng(1)));
});

test("does not remember a file that changed only a moment ago", async () => {
  const project = await makeProject({ files: { [PICTURE]: tinyPng() } });
  const path = join(project.root, PICTURE);
  const { ctimeMs } = await stat(path);
  for (const now of [ctimeMs - 5_000, ctimeMs, ctimeMs + 1_900]) {
    const cache = cacheOf(project, () => now);
    expect(await hashBy(cache, project)).toBe(sha256(tinyPng()));
    await cache.save();
  }
  expect(Object.keys(await project.tree())).toEqual([PICTURE, "plancast.yaml"]);
});

test("keeps only media files", async () => {
  const project = await makeProject({ files: { "media/a.txt": "words" } });
  const cache = cacheOf(project);
  await cache.read(join(project.root, "media/a.txt"));
  await cache.save();
  expect(Object.keys(await project.tree())).toEqual(["media/a.txt", "plancast.yaml"]);
});

test.each(["", "{", "[]", "null", '{"version":2,"files":{}}', '{"version":1,"files":[]}', '{"version":1}'])(
  "replaces a cache that holds %s",
  async (text) => {
    const project = await planted();
    await project.write(CACHE, text);
    const cache = cacheOf(project);
    expect(await hashBy(cache, project)).toBe(sha256(tinyPng(1)));
    await cache.save();
    expect(await project.read(CACHE)).toContain(sha256(tinyPng(1)));
  },
);

test("ignores only the invalid entry of a cache", async () => {
  const project = await makeProject({ files: { [PICTURE]: tinyPng(1), "media/b.png": tinyPng(2) } });
  const cache = cacheOf(project);
  const real = await hashBy(cache, project);
  const other = await hashBy(cache, project, "media/b.png");
  await cache.save();
  const kept = (await project.read(CACHE)).replace(other, PLANTED);
  const strange = fc.tuple(
    fc.constantFrom("stamp", "bytes", "sha256", "mime", "facts"),
    fc.constantFrom<unknown>(null, "", "../../x", -1, [], { width: "1" }, "image/png\r\nx: y", "text/html"),
  );
  await fc.assert(
    fc.asyncProperty(strange, async ([name, value]) => {
      const whole = JSON.parse(kept);
      whole.files[join(project.root, PICTURE)][name] = value;
      await project.write(CACHE, JSON.stringify(whole));
      const again = cacheOf(project);
      const read = await again.read(join(project.root, PICTURE));
      expect([read.sha256, read.mime, read.bytes]).toEqual([real, "image/png", tinyPng(1).length]);
      expect(await hashBy(again, project, "media/b.png")).toBe(PLANTED);
    }),
    { numRuns: manyRuns(300) },
  );
});

test("works without a cache if the disk cannot be written", async () => {
  const project = await makeProject({ files: { [PICTURE]: tinyPng(), ".plancast": "a file" } });
  const cache = cacheOf(project);
  expect(await hashBy(cache, project)).toBe(sha256(tinyPng()));
  await cache.save();
  expect(await project.read(".plancast")).toBe("a file");
});

test.each([
  [2, 2 + 2],
  [20_001, 2],
])("of %i unused files and two used ones, keeps %i", async (others, left) => {
  const project = await planted();
  const whole = JSON.parse(await project.read(CACHE));
  const [entry] = Object.values(whole.files);
  for (let index = 0; index < others; index += 1) whole.files[`/gone/${index}.png`] = entry;
  await project.write(CACHE, JSON.stringify(whole));
  await project.write("media/b.png", tinyPng(2));
  const cache = cacheOf(project);
  await hashBy(cache, project);
  await hashBy(cache, project, "media/b.png");
  await cache.save();
  expect(Object.keys(JSON.parse(await project.read(CACHE)).files)).toHaveLength(left);
  expect(await hashBy(cacheOf(project), project)).toBe(PLANTED);
});

test("a plan uses the cache and does not change it, but an upload hashes the file again", async () => {
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "UTC" },
    files: {
      [PICTURE]: tinyPng(1),
      "calendars/a.csv": `scheduled_at,platforms,content,media\n2036-01-01 10:00,linkedin,Hello,${PICTURE}\n`,
    },
  });
  const cache = cacheOf(project);
  const real = await hashBy(cache, project);
  await cache.save();
  await project.write(CACHE, (await project.read(CACHE)).replace(real, PLANTED));
  await project.write("media/fresh.png", tinyPng(2));
  const before = await project.tree();
  const plan = await runCommand(["plan", "--format", "json"], { cwd: project.root });
  expect(JSON.parse(plan.stdout).uploads).toMatchObject([{ path: PICTURE, sha256: PLANTED }]);
  expect(await project.tree()).toEqual(before);
  const apply = await runCommand(["apply", "--yes"], { cwd: project.root });
  expect(apply.code).toBe(1);
  expect(apply.stdout + apply.stderr).toContain("media/changed");
  // plancast drops a wrong entry of the cache, so the next run reads the file.
  expect((await runCommand(["apply", "--yes"], { cwd: project.root })).code).toBe(0);
  const lockfile = await readFile(join(project.root, "plancast.lock.json"), "utf8");
  expect(lockfile).toContain(real);
});
