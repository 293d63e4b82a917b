import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readCalendar } from "../../src/calendars/read-calendar.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("a calendar of a hundred thousand rows takes less than 100 MB of memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const heapMegabytes = (): number => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const root = await tempFolder();
  const stream = createWriteStream(join(root, "big.csv"));
  stream.write("id,content,date,time,platforms,media,status,notes\n");
  for (let row = 0; row < 100_000; row += 1) {
    const content = `"Post ${row} says ""hello"", and continues\nfor a second line ${"that is long enough ".repeat(4)}"`;
    stream.write(
      `post-${row},${content},2027-03-01,09:00,"linkedin, x",media/${row % 50}.png,ready,a note that is ignored\n`,
    );
  }
  stream.end();
  await finished(stream);

  const before = heapMegabytes();
  const calendar = await readCalendar(root, "big.csv", { columns: {} });
  const held = heapMegabytes() - before;
  expect(calendar.rows).toHaveLength(100_000);
  expect(calendar.rows[99_999]?.at("status")).toMatchObject({ line: 200_001 });
  // 20 MB of text, once as it is and once in cells, and little more.
  expect(held).toBeLessThan(100);
});
