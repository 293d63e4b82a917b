/** A file that is replaced whole. */

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roomIn, writeAtomic } from "../../src/disk/files.ts";
import { Place } from "../../src/disk/place.ts";
import { afterThisTest } from "../support/after-test.ts";
import { onDiskSync } from "../support/disk-syncs.ts";

/** The content of an unfinished file in the folder. */
async function textOfPart(folder: string): Promise<string> {
  const part = (await readdir(folder)).find((name) => name.endsWith(".part"));
  return part === undefined ? "none" : readFile(join(folder, part), "utf8");
}

const isPosix = process.platform !== "win32";

test.runIf(isPosix)(
  "the new text is on the disk before it replaces the old one, and the new name before the write ends",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    await writeAtomic(Place.checked(path), "old");
    const order: string[] = [];
    await onDiskSync(async (kind) => {
      const part = await textOfPart(folder);
      order.push(`${kind} on the disk: ${await readFile(path, "utf8")}, next to it ${part}`);
    });
    await writeAtomic(Place.checked(path), "new");
    order.push("resolved");
    expect(order).toEqual([
      "file on the disk: old, next to it new",
      "folder on the disk: new, next to it none",
      "resolved",
    ]);
  },
);

test.runIf(isPosix)("a file is written to its end before it is forced to the disk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "a.csv");
  const text = "row\n".repeat(2_000_000);
  const sizes: number[] = [];
  const note = async (kind: string): Promise<void> => {
    if (kind === "file") sizes.push((await textOfPart(folder)).length);
  };
  await onDiskSync(async () => {}, note);
  await writeAtomic(Place.checked(path), text);
  expect(sizes).toEqual([text.length]);
});

test.runIf(isPosix)("the names of new folders are on the disk before files are written in them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const kinds: string[] = [];
  await onDiskSync(async (kind) => void kinds.push(kind));
  await writeAtomic(Place.checked(join(folder, "new", "deep", "a.csv")), "text");
  expect(kinds).toEqual(["folder", "folder", "file", "folder"]);
});

test.runIf(isPosix)(
  "a replaced file keeps its permissions or gets the requested mode, whatever the umask",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    const modeOf = async (): Promise<number> => (await stat(path)).mode & 0o7777;
    await writeAtomic(Place.checked(path), "old", { mode: 0o600 });
    expect(await modeOf()).toBe(0o600);
    for (const mode of [0o664, 0o666, 0o640]) {
      await chmod(path, mode);
      await writeAtomic(Place.checked(path), `new ${mode}`);
      expect([await readFile(path, "utf8"), await modeOf()]).toEqual([`new ${mode}`, mode]);
    }
    await writeAtomic(Place.checked(path), "secret", { mode: 0o600 });
    expect(await modeOf()).toBe(0o600);
  },
);

test.runIf(isPosix)("a device, a pipe or a folder is never replaced by a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, folder])
    await expect(writeAtomic(Place.checked(path), "text")).rejects.toThrow("not a file");
  expect((await stat(pipe)).isFIFO()).toBe(true);
});

test("a folder has room, one that does not exist yet refuses nothing, and a path through a file is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "a.csv");
  await writeAtomic(Place.checked(file), "a");
  expect(await roomIn(folder)).toEqual({ refused: undefined, freeBytes: expect.any(Number) });
  expect(await roomIn(join(folder, "none"))).toEqual({ refused: undefined, freeBytes: undefined });
  expect((await roomIn(join(file, "inside"))).refused).toContain("ENOTDIR");
});
