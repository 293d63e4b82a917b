import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { PostgresLimits } from "../../../src/embedded/store/postgres-limits.ts";
import { PostgresStore } from "../../../src/embedded/store/postgres-store.ts";
import type { StoredPost } from "../../../src/embedded/store/records.ts";
import { startCutProxy } from "../../support/cut-proxy.ts";
import { until } from "../../support/until.ts";
import { openTestStore, usePostgres } from "../../support/postgres-server.ts";
import { post, testLasting, testStore } from "./contract.ts";

const postgres = usePostgres();

/** One database for the suite: each store is of a project of its own. */
let shared: Promise<string> | undefined;
let projects = 0;

testStore("PostgreSQL", async () => {
  const url = await (shared ??= postgres().database());
  const project = `project_${(projects += 1)}`;
  let store = await openTestStore(url, undefined, project);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openTestStore(url, undefined, project);
      return store;
    },
    compact: () => store.compact(),
    close: () => store.close(),
  };
});

testLasting("PostgreSQL", async () => {
  const store = await openTestStore(
    await (shared ??= postgres().database()),
    undefined,
    `project_${(projects += 1)}`,
  );
  onTestFinished(() => store.close());
  return store;
});

async function several(count: number, url: string): Promise<readonly PostgresStore[]> {
  const stores = await Promise.all(Array.from({ length: count }, () => openTestStore(url)));
  onTestFinished(async () => {
    await Promise.all(stores.map((each) => each.close()));
  });
  return stores;
}

test("several processes may start at once on an empty database", async () => {
  const stores = await several(4, await postgres().database());
  const added = await Promise.all(
    stores.map((each) => each.add({ kind: "post", record: post("post_a", 1) })),
  );
  expect(added.filter(Boolean)).toHaveLength(1);
});

test("changes from several processes follow each other, and all see the result", async () => {
  const stores = await several(3, await postgres().database());
  await stores[0]?.add({ kind: "post", record: post("post_a", 1, { content: "" }) });
  await Promise.all(
    stores.flatMap((store) =>
      Array.from({ length: 20 }, () =>
        store.update("post", "post_a", (before) => ({
          record: { ...before, content: `${before.content}x` },
        })),
      ),
    ),
  );
  for (const store of stores) expect((await store.get("post", "post_a"))?.content).toBe("x".repeat(60));
});

test("projects in one database do not see each other", async () => {
  const url = await postgres().database();
  const [one, other] = [
    await openTestStore(url, undefined, "one"),
    await openTestStore(url, undefined, "other"),
  ];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
  });
  await one.add({ kind: "post", record: post("post_a", 1) });
  expect(await other.list("post")).toEqual([]);
  expect(await other.nextDue("post", ["garden"])).toBe(Infinity);
});

test("the database's clock counts, whatever the machine's clock says", async () => {
  const store = await openTestStore(await postgres().database(), () => performance.now() - 600_000);
  onTestFinished(() => store.close());
  expect(Math.abs(store.now() - Date.now())).toBeLessThan(5_000);
});

test("what was written is there after the database was killed, and the store goes on", async () => {
  const server = postgres();
  const store = await openTestStore(await server.database());
  onTestFinished(() => store.close());
  await store.add({ kind: "post", record: post("post_a", 1) });
  await server.kill();
  await expect(store.get("post", "post_a")).rejects.toThrow(/./);
  await server.start();
  expect(await store.get("post", "post_a")).toEqual(post("post_a", 1));
  await store.update("post", "post_a", (before) => ({ record: { ...before, content: "Later" } }));
  expect((await store.get("post", "post_a"))?.content).toBe("Later");
});

test("machines hear of what is due as soon as it is written, and again after an interruption", async () => {
  const url = await postgres().database();
  const [one, other] = await several(2, url);
  let heard = 0;
  other?.listen(() => (heard += 1));
  await until(() => heard === 1);
  const soon = async (times: number): Promise<void> => {
    const since = performance.now();
    await until(() => heard >= times);
    expect(performance.now() - since).toBeLessThan(200);
  };
  await one?.add({ kind: "post", record: post("post_later", 4_000) });
  await one?.add({ kind: "post", record: post("post_now", -4_000) });
  await soon(2);
  // It was due already.
  await one?.update("post", "post_now", (record) => ({ record: { ...record, content: "Other" } }));
  await new Promise((resolve) => void setTimeout(resolve, 200));
  expect(heard).toBe(2);
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rowCount } = await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
  );
  expect(rowCount).toBe(1);
  await until(() => heard === 3);
  await one?.add({ kind: "post", record: post("post_again", -3_000) });
  await soon(4);
});

test("all machines of a project get the keys that the first one made", async () => {
  const url = await postgres().database();
  const stores = await several(3, url);
  const keys = await Promise.all(stores.map((each, index) => each.keys(() => `keys of machine ${index}`)));
  expect(new Set(keys).size).toBe(1);
  const other = await openTestStore(url, undefined, "other");
  onTestFinished(() => other.close());
  expect(await other.keys(() => "others")).toBe("others");
});

test("a newer version may run beside this one, until it says that this one is too old", async () => {
  const url = await postgres().database();
  await (await openTestStore(url)).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("ALTER TABLE plancast_records ADD COLUMN newer text");
  await client.query("INSERT INTO plancast_schema VALUES (1000, 1)");
  const store = await openTestStore(url);
  await store.add({ kind: "post", record: post("post_a", 1) });
  expect(await store.get("post", "post_a")).toEqual(post("post_a", 1));
  await store.close();
  await client.query("UPDATE plancast_schema SET oldest_program = 1000 WHERE version = 1000");
  await expect(openTestStore(url)).rejects.toMatchObject({ code: "run/newer-version" });
});

test("a database of the version before gets its new tables while a machine of that version goes on", async () => {
  const url = await postgres().database();
  const before = await openTestStore(url);
  onTestFinished(() => before.close());
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    "DROP FUNCTION plancast_write; DROP TABLE plancast_limits; DROP INDEX plancast_records_project_kind_added_idx; DELETE FROM plancast_schema WHERE version > 1",
  );
  const [now] = await Promise.all([
    openTestStore(url),
    openTestStore(url).then(async (each) => each.close()),
  ]);
  onTestFinished(() => now.close());
  await before.add({ kind: "post", record: post("post_a", 1) });
  await before.update("post", "post_a", (record) => ({ record: { ...record, content: "Edited" } }));
  expect((await now.get("post", "post_a"))?.content).toBe("Edited");
  const limits = new PostgresLimits({ url, project: "garden" });
  onTestFinished(() => limits.close());
  expect(await limits.takeInWindow("key read", 2, 60_000)).toMatchObject({ isTaken: true, free: 1 });
  expect((await now.describe()).version).toBe(3);
});

test("a program of the version before changes the same records at the same time, and no change is lost", async () => {
  const url = await postgres().database();
  await (await openTestStore(url)).close();
  const older = new Client({ connectionString: url });
  await older.connect();
  onTestFinished(() => older.end());
  // What version 2 of the tables had, and what its program did for a change.
  await older.query("DROP FUNCTION plancast_write; DELETE FROM plancast_schema WHERE version > 2");
  const store = await openTestStore(url);
  onTestFinished(() => store.close());
  await store.add({ kind: "post", record: post("post_a", 1, { content: "" }) });
  const key = "project = 'garden' AND kind = 'post' AND id = 'post_a'";
  for (let nr = 0; nr < 20; nr += 1) {
    const newer = store.update("post", "post_a", (before) => ({
      record: { ...before, content: `${before.content}n` },
    }));
    await older.query("BEGIN");
    const { rows } = await older.query<{ record: string }>(
      `SELECT record FROM plancast_records WHERE ${key} FOR UPDATE`,
    );
    const before = z.looseObject({ content: z.string() }).parse(JSON.parse(rows[0]?.record ?? ""));
    const record = JSON.stringify({ ...before, content: `${before.content}o` });
    await older.query(`UPDATE plancast_records SET record = $1 WHERE ${key}`, [record]);
    await older.query("COMMIT");
    await newer;
  }
  const content = (await store.get("post", "post_a"))?.content ?? "";
  expect([content.length, content.replaceAll("o", "")]).toEqual([40, "n".repeat(20)]);
});

test("texts that JSON of PostgreSQL refuses are kept", async () => {
  const store = await openTestStore(await postgres().database());
  onTestFinished(() => store.close());
  const content = "a\u0000b \ud800 \\u0000 'quoted' 🌱";
  await store.add({ kind: "post", record: post("post_a", 1, { content }) });
  expect((await store.get("post", "post_a"))?.content).toBe(content);
});

test.each(["http://127.0.0.1/x", "postgres:///x", "nonsense"])(
  "%s is not the address of a database",
  async (url) => {
    await expect(openTestStore(url)).rejects.toMatchObject({ code: "share/address" });
  },
);

test("a database that cannot be reached is a clear failure, without its password", async () => {
  const failure = await openTestStore("postgres://plancast:s3cr3t-word@127.0.0.1:9/x").catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "share/unreachable" });
  expect(String(Object(failure).message)).not.toContain("s3cr3t");
});

test("a machine that is cut off in the middle of a change keeps its record from nobody", async () => {
  const url = new URL(await postgres().database());
  const proxy = await startCutProxy(Number(url.port));
  const [one, other] = [
    await openTestStore(url.href.replace(`:${url.port}/`, `:${proxy.port}/`)),
    await openTestStore(url.href),
  ];
  onTestFinished(async () => {
    await proxy.close();
    await Promise.all([one.close(), other.close()]);
  });
  await one.add({ kind: "post", record: post("post_a", 1, { content: "" }) });
  const seen: string[] = [];
  const late = one.update("post", "post_a", (before) => {
    // The database learns nothing of the first attempt until it is too late.
    if (seen.length === 0) proxy.hold();
    seen.push(before.content);
    return { record: { ...before, content: `${before.content}one` } };
  });
  await until(() => seen.length === 1);
  const changed = await other.update("post", "post_a", (before) => ({
    record: { ...before, content: `${before.content}other` },
  }));
  expect(changed?.content).toBe("other");
  proxy.heal();
  expect((await late)?.content).toBe("otherone");
  expect(seen).toEqual(["", "other"]);
});

const append = (text: string) => (before: StoredPost) =>
  before.content === "" ? undefined : { record: { ...before, content: `${before.content}${text}` } };

test("a change of a version that is known, but old, is made from the newest one", async () => {
  const [one, other] = await several(2, await postgres().database());
  await one?.add({ kind: "post", record: post("post_a", 1, { content: "" }) });
  const [known] = (await one?.due("post", { lane: "garden", at: 1e14 })) ?? [];
  await other?.update("post", "post_a", (before) => ({ record: { ...before, content: "other" } }));
  // The old version asks for no change, but the newest one does.
  const changed = await one?.update("post", known ?? "", append(" one"));
  expect(changed?.content).toBe("other one");
  expect((await one?.update("post", changed ?? "", append(" two")))?.content).toBe("other one two");
  expect((await other?.get("post", "post_a"))?.content).toBe("other one two");
});

test("a record that the database does not take fails, and what is written with it does not", async () => {
  const store = await openTestStore(await postgres().database());
  onTestFinished(() => store.close());
  const wrong = { id: "store", state: "here", copy: "c" } as const;
  const added = await Promise.allSettled([
    store.add({ kind: "post", record: post("post_a", 1) }),
    store.add({ kind: "post", record: { ...post("post_\u0000", 1) } }),
    store.add({ kind: "post", record: post("post_b", 1) }),
    store.add({ kind: "move", record: wrong }),
  ]);
  expect(added.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await store.count("post")).toBe(2);
});

test("a part is found by any text that a network may call it", async () => {
  const store = await openTestStore(await postgres().database());
  onTestFinished(() => store.close());
  const odd = ["a\u0000b", "\ud800", '"quoted"'];
  const publication = {
    account_id: "garden",
    state: "published" as const,
    attempts: 1,
    sent_at: "2027-01-01T00:00:00Z",
    parts: odd.map((id) => ({ id })),
  };
  await store.add({ kind: "post", record: post("post_a", 1, { publications: { bluesky: publication } }) });
  for (const id of odd) expect((await store.find("post", `garden ${id}`))?.id).toBe("post_a");
});

test("after its own clock did not go on, a store knows the time again with its next write", async () => {
  let stoodMs = 0;
  const store = await openTestStore(await postgres().database(), () => performance.now() - stoodMs);
  onTestFinished(() => store.close());
  stoodMs = 3_600_000;
  expect(Date.now() - store.now()).toBeGreaterThan(3_500_000);
  await store.add({ kind: "post", record: post("post_a", 1) });
  expect(Math.abs(Date.now() - store.now())).toBeLessThan(60_000);
});
