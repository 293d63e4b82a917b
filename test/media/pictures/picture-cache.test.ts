/** Thumbnails that are made once, in the user's folder, where a checkout cannot put any. */
import { mkdir, readdir, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PictureCache, cacheFolder } from "../../../src/media/pictures/picture-cache.ts";
import { embeddedImageUrls } from "../../../src/preview/page-media.ts";
import { hashFile } from "../../../src/media/media-file.ts";
import type { MediaFile } from "../../../src/model/post.ts";
import { picture } from "../../support/pictures.ts";
import { makeProject } from "../../support/project.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

async function startCache(maxBytes?: number) {
  const [project, user] = await Promise.all([makeProject({ config: false }), makeProject({ config: false })]);
  const env = { XDG_CACHE_HOME: user.root };
  const cache = await PictureCache.open(project.root, env, maxBytes);
  if (cache === undefined) throw new Error("There is no cache.");
  return { project, cache, env, folder: join(user.root, "plancast", "pictures-1") };
}

async function photo(root: string): Promise<MediaFile> {
  const bytes = await picture(".jpg[Q=95]", { width: 900, height: 600, color: [90, 120, 60], noise: 40 });
  await writeFile(join(root, "a.jpg"), bytes);
  const { sha256 } = await hashFile(join(root, "a.jpg"));
  const facts = { width: 900, height: 600 };
  return { kind: "file", path: "a.jpg", sha256, bytes: bytes.length, mime: "image/jpeg", facts };
}

test("a second page takes the thumbnail from the cache, and does not need the picture", async () => {
  const { project, cache, folder } = await startCache();
  const file = await photo(project.root);
  const first = await embeddedImageUrls(project.root, [file], cache);
  expect(first.get(file.sha256)).toMatch(/^data:image\/webp;/);
  expect(await readdir(folder)).toEqual([`${file.sha256}.webp`]);
  await project.write("a.jpg", "gone");
  expect(await embeddedImageUrls(project.root, [file], cache)).toEqual(first);
});

test("a thumbnail is not kept under the hash of other bytes, and a damaged one is made again", async () => {
  const { project, cache, folder } = await startCache();
  const file = await photo(project.root);
  const wrong = { ...file, sha256: "b".repeat(64) };
  expect((await embeddedImageUrls(project.root, [wrong], cache)).size).toBe(1);
  expect(await readdir(folder)).toEqual([]);
  const made = await embeddedImageUrls(project.root, [file], cache);
  await truncate(join(folder, `${file.sha256}.webp`), 30);
  expect(await cache.get(file.sha256)).toBeUndefined();
  expect(await embeddedImageUrls(project.root, [file], cache)).toEqual(made);
  expect(await cache.get(file.sha256)).toBeDefined();
});

test("the oldest pictures beyond the limit are removed, only after a new one", async () => {
  const { project, cache, env, folder } = await startCache(2_500);
  const webp = Buffer.alloc(1_000);
  webp.writeUInt32LE(992, 4);
  for (const [index, name] of ["c", "d", "e", "f"].entries()) {
    await cache.put(name, webp);
    await utimes(join(folder, `${name}.webp`), NOW / 1000 + index, NOW / 1000 + index);
  }
  const other = await PictureCache.open(project.root, env, 0);
  await other?.trim(NOW + 60_000);
  expect((await readdir(folder)).toSorted()).toEqual(["c.webp", "d.webp", "e.webp", "f.webp"]);
  await cache.trim(NOW + 60_000);
  expect((await readdir(folder)).toSorted()).toEqual(["e.webp", "f.webp"]);
});

test("a folder in the checkout, also behind a link, is never the cache", async () => {
  const project = await makeProject({ config: false });
  const user = await makeProject({ config: false });
  await mkdir(join(project.root, "cache"));
  await symlink(join(project.root, "cache"), join(user.root, "plancast"));
  for (const home of [join(project.root, "cache"), user.root])
    expect(await PictureCache.open(project.root, { XDG_CACHE_HOME: home })).toBeUndefined();
  expect(await PictureCache.open(project.root, {})).toBeUndefined();
  expect(await readdir(join(project.root, "cache"))).toEqual([]);
});

test("the folder is where each system has its caches", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/x", HOME: "/h" }, "linux")).toBe("/x/plancast");
  expect(cacheFolder({ XDG_CACHE_HOME: "relative", HOME: "/h" }, "linux")).toBe("/h/.cache/plancast");
  expect(cacheFolder({ HOME: "/h" }, "darwin")).toBe("/h/Library/Caches/plancast");
  expect(cacheFolder({ LOCALAPPDATA: "/local" }, "win32")).toBe("/local/plancast/Cache");
  expect(cacheFolder({}, "linux")).toBeUndefined();
});
