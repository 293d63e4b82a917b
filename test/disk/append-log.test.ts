import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppendLog, readLog } from "../../src/disk/append-log.ts";
import { Place } from "../../src/disk/place.ts";
import { onDiskSync } from "../support/disk-syncs.ts";
import { makeProject } from "../support/project.ts";

async function openLog() {
  const { root } = await makeProject({});
  const path = join(root, "a.journal");
  const place = Place.checked(path);
  return { path, place, log: await AppendLog.open(place, { records: [], wholeBytes: 0 }) };
}

test("keeps the order of records, even if they are written together", async () => {
  const { place, log } = await openLog();
  await Promise.all([1, 2, 3].map((number) => log.append({ number })));
  await log.close();
  expect((await readLog(place)).records).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test("refuses all waiting and later records after a failed write", async () => {
  const { log } = await openLog();
  await log.close();
  const waiting = await Promise.allSettled([log.append({ number: 1 }), log.append({ number: 2 })]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(log.append({ number: 3 })).rejects.toThrow();
  await expect(log.append({ number: 4 })).rejects.toThrow();
});

test("a record is on the disk before append resolves", async () => {
  const { path, log } = await openLog();
  const order: string[] = [];
  await onDiskSync(async (kind) => void order.push(`${kind} on the disk: ${await readFile(path, "utf8")}`));
  await log.append({ number: 1 });
  order.push("resolved");
  await log.append({ number: 2 });
  await log.close();
  expect(order).toEqual([
    'file on the disk: {"number":1}\n',
    "resolved",
    'file on the disk: {"number":1}\n{"number":2}\n',
  ]);
});

test("opening a log saves its name on the disk, and removes an incomplete last line", async () => {
  const { path, place, log } = await openLog();
  await log.close();
  await writeFile(path, '{"number":1}\n{"numb');
  const contents = await readLog(place);
  expect(contents.records).toEqual([{ number: 1 }]);
  const kinds: string[] = [];
  await onDiskSync(async (kind) => void kinds.push(kind));
  const again = await AppendLog.open(place, contents);
  expect(kinds).toEqual(["folder"]);
  await again.append({ number: 2 });
  await again.close();
  expect((await readLog(place)).records).toEqual([{ number: 1 }, { number: 2 }]);
});

test("a log with a broken line before its end is refused", async () => {
  const { path, place, log } = await openLog();
  await log.close();
  await writeFile(path, '{"number":1}\n{"numb\n{"number":2}\n');
  await expect(readLog(place)).rejects.toThrow("a.journal, line 2: not JSON");
});
