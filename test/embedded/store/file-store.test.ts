import { appendFile, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Place } from "../../../src/disk/place.ts";
import { type OpenedStore, openFileStore } from "../../../src/embedded/store/file-store.ts";
import type { LastingStore } from "../../../src/embedded/store/store.ts";
import { temporaryFolder } from "../../support/embedded-service.ts";
import { post, testLasting, testStore } from "./contract.ts";

const NOW = Date.UTC(2027, 5, 1);

async function open(folder: string): Promise<OpenedStore<LastingStore>> {
  return openFileStore(Place.checked(folder), "read-write", () => NOW);
}

testStore("file", async () => {
  const folder = join(await temporaryFolder(), "embedded");
  let opened = await open(folder);
  return {
    store: opened.store,
    reopen: async () => {
      await opened.close();
      opened = await open(folder);
      return opened.store;
    },
    compact: () => opened.store.compact(),
    close: () => opened.close(),
  };
});

testLasting("file", async () => {
  const opened = await open(join(await temporaryFolder(), "embedded"));
  onTestFinished(() => opened.close());
  return opened.store;
});

function over(id: string, day: number) {
  const made = post(id, day);
  return { ...made, published_at: made.scheduled_at, results: [{ platform: "bluesky" }] };
}

test("compaction moves posts that were over 90 days ago to a file for each year, where their ids find them", async () => {
  const folder = join(await temporaryFolder(), "embedded");
  const opened = await open(folder);
  const old = [over("post_b", -300), over("post_a", -1), over("post_c", 1), over("post_d", -500)];
  for (const record of [...old, over("post_new", 149), post("post_late", -10)])
    await opened.store.add({ kind: "post", record });
  await opened.store.compact();
  expect((await readdir(join(folder, "archive"))).sort()).toEqual(["2025.jsonl", "2026.jsonl", "2027.jsonl"]);
  const listed = (await opened.store.list("post")).map(({ id }) => id);
  // What is not over stays, whatever its time is.
  expect(listed).toEqual(["post_late", "post_new"]);
  await opened.close();
  const again = await open(folder);
  for (const record of old) expect(await again.store.get("post", record.id)).toEqual(record);
  expect(await again.store.get("post", "post_x")).toBeUndefined();
  expect(await again.store.add({ kind: "post", record: post("post_a", 200) })).toBe(false);
  // A second compaction keeps what is there.
  await again.store.add({ kind: "post", record: over("post_aa", -2) });
  await again.store.compact();
  for (const record of old) expect(await again.store.get("post", record.id)).toEqual(record);
  const lines = (await readFile(join(folder, "archive", "2026.jsonl"), "utf8")).trimEnd().split("\n");
  const ids = lines.map((line) => String(Object(JSON.parse(line)).id));
  expect(ids).toEqual(["post_a", "post_aa", "post_b"]);
  await again.close();
});

test("a crash between the archive and the new log loses nothing", async () => {
  const folder = join(await temporaryFolder(), "embedded");
  const first = await open(folder);
  await first.store.add({ kind: "post", record: over("post_a", -1) });
  await first.store.add({ kind: "post", record: post("post_b", 200) });
  const log = await readFile(join(folder, "store.jsonl"));
  await first.store.compact();
  await first.close();
  // The log as it was, and half of a part of the archive.
  await writeFile(join(folder, "store.jsonl"), log);
  await appendFile(join(folder, "archive", ".2026.jsonl.part"), '{"id":"post_');
  const second = await open(folder);
  expect((await second.store.list("post")).map(({ id }) => id)).toEqual(["post_a", "post_b"]);
  await second.store.compact();
  expect(await second.store.get("post", "post_a")).toEqual(over("post_a", -1));
  expect((await second.store.list("post")).map(({ id }) => id)).toEqual(["post_b"]);
  await second.close();
});

test("writes during a compaction are kept", async () => {
  const folder = join(await temporaryFolder(), "embedded");
  const opened = await open(folder);
  for (let index = 0; index < 50; index += 1)
    await opened.store.add({ kind: "post", record: over(`post_old${index}`, -5) });
  const compacting = opened.store.compact();
  const added = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 10 === 0) await new Promise((resolve) => void setImmediate(resolve));
      return opened.store.add({ kind: "post", record: post(`post_${index}`, 200) });
    }),
  );
  await compacting;
  expect(added.every(Boolean)).toBe(true);
  await opened.close();
  const again = await open(folder);
  expect(await again.store.count("post", { status: "scheduled" })).toBe(200);
  await again.close();
});
