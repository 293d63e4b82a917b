/** Where plancast may write files: never through a link in a checkout. */

import { link, mkdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppendLog, readLog } from "../../src/disk/append-log.ts";
import {
  createWhole,
  move,
  readRegular,
  removeFile,
  removeFolder,
  writeAtomic,
} from "../../src/disk/files.ts";
import { Place, placeInProject, placeTyped } from "../../src/disk/place.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function inProject(root: string, path: string): Promise<string> {
  return placeInProject(root, path).then(
    (place) => place.path,
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "other error"),
  );
}

async function typed(path: string, root: string): Promise<string> {
  return placeTyped(path, root).then(
    ({ place }) => place.path,
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "other error"),
  );
}

test("a file of the project, and its folders, may exist or not", async () => {
  const root = await tempFolder({ "a/b.json": "" });
  for (const path of ["a/b.json", "a/c.json", "x/y/z.json", "./a/../b.json"])
    expect(await inProject(root, path)).toBe(join(root, path));
});

test.each([
  ["a file", "lock.json", "lock.json", "../outside/file"],
  ["a file that is not there", "lock.json", "lock.json", "../outside/new"],
  ["a folder", "locks/lock.json", "locks", "../outside"],
  ["a folder within the project", "locks/lock.json", "locks", "other"],
  ["a folder above others", "a/b/c.json", "a", "../outside"],
])("no link to %s is followed below the project", async (_to, path, at, target) => {
  const parent = await tempFolder({ "outside/file": "", "project/other/x": "" });
  const root = join(parent, "project");
  await symlink(target, join(root, at));
  expect(await inProject(root, path)).toBe("disk/linked");
  expect(await typed(join(root, path), root)).toBe("disk/linked");
});

test.each([
  "../x.json",
  "/etc/x.json",
  ".git/config",
  ".GIT/config",
  "a/.git/x",
  ".plancast/x",
  ".git./x",
  "git~1/x",
  "GI7EB7~1/x",
  ".g\u200cit/x",
  ".\u00adgit/x",
  ".plancaſt/x",
  ".plancast::$INDEX_ALLOCATION/x",
  "PLANCA~1/x",
])("a project cannot name the file %s", async (path) => {
  expect(await inProject(await tempFolder(), path)).toBe("disk/outside");
});

test("a file that the user typed is refused if there is a link anywhere on its path in the repository", async () => {
  const top = await tempFolder({ ".git/HEAD": "ref: refs/heads/main\n", "team/x": "", "locks/x": "" });
  const root = join(top, "team");
  await symlink("/", join(top, "link"));
  expect(await typed(join(top, "locks", "a.json"), root)).toBe(join(top, "locks", "a.json"));
  expect(await typed(join(top, "link", "a.json"), root)).toBe("disk/linked");
});

test("a file that the user typed may be behind links of this machine", async () => {
  const parent = await tempFolder({ "project/x": "", "real/x": "" });
  const root = join(parent, "project");
  await symlink("real", join(parent, "link"));
  await symlink("project", join(parent, "way-in"));
  await symlink("nowhere", join(parent, "dangling"));
  expect(await typed(join(parent, "link", "a.html"), root)).toBe(join(parent, "real", "a.html"));
  expect(await typed(join(parent, "way-in", "a.html"), root)).toBe(join(root, "a.html"));
  expect(await typed(join(parent, "dangling"), root)).toBe(join(parent, "dangling"));
  // The link in the project belongs to the checkout, whichever path leads to it.
  await symlink("../real", join(root, "out"));
  expect(await typed(join(parent, "way-in", "out", "a.html"), root)).toBe("disk/linked");
});

test.each(["", ".", "..", "a/b", "../a", "a\\b", "a\0b"])("%j is not a name in a place", (name) => {
  expect(() => Place.checked("/tmp").in(name)).toThrow("not the name of a file");
});

test("if a folder became a link after the check, nothing in it is moved or removed", async () => {
  const parent = await tempFolder({ "outside/file": "x", "project/state/file": "y" });
  const state = Place.checked(join(parent, "project", "state"));
  await rm(state.path, { recursive: true });
  await symlink("../outside", state.path);
  await expect(removeFile(state.in("file"))).rejects.toThrow("symbolic link");
  await expect(removeFolder(state.in("file"), Place.checked(parent))).rejects.toThrow("symbolic link");
  await expect(move(state.in("file"), state.in("other"))).rejects.toThrow("symbolic link");
  expect(await readFile(join(parent, "outside", "file"), "utf8")).toBe("x");
});

test("a folder is removed only inside another folder, and the targets of its links stay", async () => {
  const parent = await tempFolder({ "outside/file": "x", "outbox/entry/a": "", "beside/a": "" });
  const outbox = Place.checked(join(parent, "outbox"));
  await symlink("../../outside", join(outbox.path, "entry", "link"));
  await removeFolder(outbox.in("entry"), outbox);
  expect(await readFile(join(parent, "outside", "file"), "utf8")).toBe("x");
  for (const place of [outbox, Place.checked(join(parent, "beside"))])
    await expect(removeFolder(place, outbox)).rejects.toThrow("is not in");
  expect((await stat(join(parent, "beside"))).isDirectory()).toBe(true);
});

test("a folder that becomes a link while its parent is removed keeps what the link leads to", async () => {
  for (let round = 0; round < 20; round += 1) {
    const names = Array.from({ length: 30 }, (_, index) => `entry/${index}/file`);
    const parent = await tempFolder({
      "outside/file": "x",
      ...Object.fromEntries(names.map((name) => [name, ""])),
    });
    const folder = Place.checked(parent);
    const swap = async (): Promise<void> => {
      for (let index = 29; index >= 0; index -= 1) {
        const path = join(parent, "entry", String(index));
        await rename(path, `${path}-aside`).catch(() => undefined);
        await symlink("../outside", path).catch(() => undefined);
      }
    };
    await Promise.allSettled([removeFolder(folder.in("entry"), folder), swap()]);
    expect(await readFile(join(parent, "outside", "file"), "utf8")).toBe("x");
  }
});

test("reads and writes never follow a link in place of the file", async () => {
  const parent = await tempFolder({ file: "x" });
  const place = Place.checked(join(parent, "link"));
  await symlink("file", place.path);
  await expect(readRegular(place)).rejects.toThrow("ELOOP");
  await expect(readLog(place)).rejects.toMatchObject({ code: "journal/invalid" });
  await expect(AppendLog.open(place, { records: [], wholeBytes: 0 })).rejects.toThrow("ELOOP");
  await expect(writeAtomic(place, "y")).rejects.toThrow("not a file");
  expect(await createWhole(place, "y")).toBe(false);
  expect(await readFile(join(parent, "file"), "utf8")).toBe("x");
});

test("a log with a second name (a hard link) becomes a separate file", async () => {
  const parent = await tempFolder({ outside: '{"number":1}\n{"torn' });
  const place = Place.checked(join(parent, "log"));
  await link(join(parent, "outside"), place.path);
  const log = await AppendLog.open(place, await readLog(place));
  await log.append({ number: 2 });
  await log.close();
  expect((await readLog(place)).records).toEqual([{ number: 1 }, { number: 2 }]);
  expect(await readFile(join(parent, "outside"), "utf8")).toBe('{"number":1}\n{"torn');
});

test("a file that is too large to be read is refused", async () => {
  const parent = await tempFolder();
  const path = join(parent, "log");
  await writeFile(path, "");
  await mkdir(join(parent, "folder"));
  await truncate(path, 6 * 1024 ** 3);
  await expect(readLog(Place.checked(path))).rejects.toMatchObject({ code: "journal/invalid" });
  await expect(readLog(Place.checked(join(parent, "folder")))).rejects.toMatchObject({
    code: "journal/invalid",
  });
});
