import { join } from "node:path";
import { expect, test } from "vitest";
import { AppendLog, readLog } from "../../src/state/append-log.ts";
import { makeProject } from "../support/project.ts";

async function openLog() {
  const { root } = await makeProject({});
  const path = join(root, "a.journal");
  return { path, log: await AppendLog.open(path, { records: [], wholeBytes: 0 }) };
}

test("keeps the order of records, also of those written together", async () => {
  const { path, log } = await openLog();
  await Promise.all([1, 2, 3].map((number) => log.append({ number })));
  await log.close();
  expect((await readLog(path)).records).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test("refuses all waiting and later records after a failed write", async () => {
  const { log } = await openLog();
  await log.close();
  const waiting = await Promise.allSettled([log.append({ number: 1 }), log.append({ number: 2 })]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(log.append({ number: 3 })).rejects.toThrow();
  await expect(log.append({ number: 4 })).rejects.toThrow();
});
