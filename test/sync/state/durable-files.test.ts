/** A file that is replaced whole. */

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAtomic } from "../../../src/sync/state/durable-files.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { onDiskSync } from "../../support/disk-syncs.ts";

const isPosix = process.platform !== "win32";

test.runIf(isPosix)(
  "the new text is on the disk before it takes the old one's place, and the new name before it counts as written",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    await writeAtomic(path, "old", folder);
    const order: string[] = [];
    await onDiskSync(async (kind) => {
      const part = await readFile(`${path}.part`, "utf8").catch(() => "none");
      order.push(`${kind} on the disk: ${await readFile(path, "utf8")}, beside it ${part}`);
    });
    await writeAtomic(path, "new", folder);
    order.push("resolved");
    expect(order).toEqual([
      "file on the disk: old, beside it new",
      "folder on the disk: new, beside it none",
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
    if (kind === "file") sizes.push((await stat(`${path}.part`)).size);
  };
  await onDiskSync(async () => {}, note);
  await writeAtomic(path, text, folder);
  expect(sizes).toEqual([text.length]);
});

test.runIf(isPosix)("the names of new folders are on the disk before files are written in them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const kinds: string[] = [];
  await onDiskSync(async (kind) => void kinds.push(kind));
  await writeAtomic(join(folder, "new", "deep", "a.csv"), "text", folder);
  expect(kinds).toEqual(["folder", "file", "folder"]);
});

test.runIf(isPosix)(
  "a replaced file keeps its permissions or gets the requested mode, whatever the umask",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    const modeOf = async (): Promise<number> => (await stat(path)).mode & 0o7777;
    await writeAtomic(path, "old", folder, 0o600);
    expect(await modeOf()).toBe(0o600);
    for (const mode of [0o664, 0o666, 0o640]) {
      await chmod(path, mode);
      await writeAtomic(path, `new ${mode}`, folder);
      expect([await readFile(path, "utf8"), await modeOf()]).toEqual([`new ${mode}`, mode]);
    }
    await writeAtomic(path, "secret", folder, 0o600);
    expect(await modeOf()).toBe(0o600);
  },
);

test.runIf(isPosix)("a device, a pipe or a folder is never replaced by a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, folder])
    await expect(writeAtomic(path, "text", folder)).rejects.toThrow("not a file");
  expect((await stat(pipe)).isFIFO()).toBe(true);
});
