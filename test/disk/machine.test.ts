/** The machine as a parameter: which one holds a path, and that its operations and ids are used. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAtomic } from "../../src/disk/files.ts";
import { machineOf, mountMachine, newId, readFile } from "../../src/disk/machine.ts";
import { Place } from "../../src/disk/place.ts";
import { isRunning, thisProcess } from "../../src/disk/process-lock.ts";
import { afterThisTest } from "../support/after-test.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("a folder can be on another machine", async () => {
  const root = await tempFolder({ "near.txt": "near", "far/a.txt": "here", "farther.txt": "near" });
  const asked: string[] = [];
  const real = machineOf("/");
  const far = {
    ...real,
    holdsFolders: false,
    pid: real.pid + 1,
    hasProcess: (pid: number) => pid === 7,
    randomBytes: (bytes: number) => new Uint8Array(bytes).fill(0xab),
    rename: (from: unknown, to: unknown) => {
      asked.push(String(to));
      return Reflect.apply(real.rename, undefined, [from, to]);
    },
  };
  afterThisTest(mountMachine(join(root, "far"), far));
  expect(machineOf(join(root, "far"))).toBe(far);
  expect(machineOf(join(root, "farther.txt"))).toBe(real);
  expect(newId(join(root, "far/a"))).toBe("abababab-abab-4bab-abab-abababababab");
  expect(newId(join(root, "near.txt"))).not.toBe(newId(join(root, "near.txt")));
  await writeAtomic(Place.checked(join(root, "far/a.txt")), "there");
  await writeAtomic(Place.checked(join(root, "near.txt")), "still near");
  expect(asked).toHaveLength(1);
  expect(await readFile(join(root, "far/a.txt"), "utf8")).toBe("there");
  expect((await thisProcess(far)).pid).toBe(far.pid);
  expect(await isRunning({ pid: 8, startedAt: null }, far)).toBe(false);
});

test("the last of several machines holds a folder, until it is taken away", async () => {
  const root = await tempFolder({});
  await mkdir(join(root, "a"));
  await writeFile(join(root, "a/b"), "");
  const [all, one] = [{ ...machineOf("/") }, { ...machineOf("/") }];
  const removals = [mountMachine("/", all), mountMachine(join(root, "a"), one)];
  expect([machineOf(root), machineOf(join(root, "a/b"))]).toEqual([all, one]);
  expect(machineOf(join(root, "a/b"))).toBe(one);
  for (const remove of removals) remove();
  expect(machineOf(root)).not.toBe(all);
});
