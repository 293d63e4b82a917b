import { expect, test } from "vitest";
import { KnownCalendars } from "../../src/calendars/known-calendars.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(`date,content\n2036-03-03,${text}\n`);

test("the last two versions of a calendar are read once for the same options", async () => {
  const known = new KnownCalendars();
  const read = (text: string, keep?: readonly string[]) =>
    known.read("a.csv", bytesOf(text), { columns: {}, known: [text], ...(keep && { keep }) });
  const first = await read("First");
  expect(first.rows[0]?.cells.content).toBe("First");
  const second = await read("Second");
  expect(second.rows[0]?.cells.content).toBe("Second");
  expect(await read("First")).toBe(first);
  expect(await read("Second")).toBe(second);
  expect(await read("Second", ["client"])).not.toBe(second);
  expect((await known.read("b.csv", bytesOf("Second"), { columns: {} })).file).toBe("b.csv");
  await read("Third");
  const again = await read("First");
  expect(again).not.toBe(first);
  expect(again.rows).toHaveLength(1);
});
