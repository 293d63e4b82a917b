/** What every store must do. Each kind of store runs this suite. */

import { buffer } from "node:stream/consumers";
import { assert, asyncProperty, constantFrom, array, oneof, record, integer } from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { StoredPost } from "../../../src/embedded/store/records.ts";
import { statusOf } from "../../../src/embedded/store/store-index.ts";
import type { Entry, LastingStore, Store } from "../../../src/embedded/store/store.ts";

interface StoreUnderTest {
  readonly store: Store;
  /** Ends the process that has the store, in effect, and opens what it left. Undefined for a store that keeps nothing. */
  readonly reopen?: () => Promise<Store>;
  readonly close: () => Promise<void>;
  /** Makes the store smaller; what it says stays the same. */
  readonly compact?: () => Promise<void>;
}

export type OpenStore = () => Promise<StoreUnderTest>;

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2027, 0, 1, 9);

/** A scheduled post of a day, counted from 1 January 2027. */
export function post(id: string, day: number, over: Partial<StoredPost> = {}): StoredPost {
  return {
    id,
    content: `Text of ${id}`,
    platforms: ["bluesky"],
    accounts: { bluesky: "garden" },
    scheduled_at: timeOf(day),
    media_ids: [],
    created_at: "2026-12-01T00:00:00.000Z",
    ...over,
  };
}

function timeOf(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString().replace(".000Z", "Z");
}

function published(before: StoredPost): StoredPost {
  return { ...before, published_at: before.scheduled_at, results: [{ platform: "bluesky" }] };
}

const ids = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

export function testStore(name: string, openOne: OpenStore): void {
  const open = async (): Promise<StoreUnderTest> => {
    const opened = await openOne();
    onTestFinished(() => opened.close());
    return opened;
  };

  test(`${name}: posts of one second are due in the order of their creation, also after a change`, async () => {
    const { store, reopen } = await open();
    await addByCreation(store);
    expect(await due(store)).toEqual(byCreation);
    expect(await due((await reopen?.()) ?? store)).toEqual(byCreation);
  });

  test(`${name}: a record is there once it is added, and an id is added only once`, async () => {
    const { store } = await open();
    expect(await store.get("post", "post_a")).toBeUndefined();
    const delivery = {
      id: "delivery_a",
      webhook_id: "webhook_a",
      url: "http://127.0.0.1/",
      event: { event: "post.published" as const, timestamp: timeOf(1), data: { post_id: "post_a" } },
      order: 0,
      state: "waiting" as const,
      attempts: [],
      next_attempt_at: timeOf(1),
    };
    expect(
      await store.add({ kind: "post", record: post("post_a", 1) }, [{ kind: "delivery", record: delivery }]),
    ).toBe(true);
    expect(await store.get("post", "post_a")).toEqual(post("post_a", 1));
    expect(await store.get("delivery", "delivery_a")).toEqual(delivery);
    const other = { ...delivery, id: "delivery_b" };
    expect(
      await store.add({ kind: "post", record: post("post_a", 2) }, [{ kind: "delivery", record: other }]),
    ).toBe(false);
    expect(await store.get("post", "post_a")).toEqual(post("post_a", 1));
    expect(await store.get("delivery", "delivery_b")).toBeUndefined();
  });

  test(`${name}: of several who add one id at once, one succeeds`, async () => {
    const { store } = await open();
    const added = await Promise.all(
      [1, 2, 3, 4].map((day) => store.add({ kind: "post", record: post("post_a", day) })),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  test(`${name}: changes of one record follow each other, and none is lost`, async () => {
    const { store } = await open();
    await store.add({ kind: "post", record: post("post_a", 1, { content: "" }) });
    await Promise.all(
      Array.from({ length: 50 }, () =>
        store.update("post", "post_a", (before) => ({
          record: { ...before, content: `${before.content}x` },
        })),
      ),
    );
    expect((await store.get("post", "post_a"))?.content).toBe("x".repeat(50));
  });

  test(`${name}: of several who claim a post, one gets it`, async () => {
    const { store } = await open();
    await store.add({ kind: "post", record: post("post_a", 1) });
    const claimed = await Promise.all(
      ["one", "two", "three"].map((token) =>
        store.update("post", "post_a", (before) =>
          before.publications !== undefined
            ? undefined
            : { record: { ...before, publications: { bluesky: claimedBy(token) } } },
        ),
      ),
    );
    expect(claimed.filter((each) => each !== undefined)).toHaveLength(1);
  });

  test(`${name}: a change that gives nothing, throws, or has no record writes nothing`, async () => {
    const { store } = await open();
    await store.add({ kind: "post", record: post("post_a", 1) });
    expect(await store.update("post", "post_a", () => undefined)).toBeUndefined();
    expect(await store.update("post", "post_b", (before) => ({ record: before }))).toBeUndefined();
    await expect(store.update("post", "post_a", refuse)).rejects.toThrow("refused");
    expect(await store.list("post")).toEqual([post("post_a", 1)]);
  });

  test(`${name}: lists are by place, in pages, from both ends, and by status`, async () => {
    const { store } = await open();
    for (const [id, day] of [
      ["post_c", 3],
      ["post_a", 1],
      ["post_b", 3],
      ["post_d", 2],
    ] as const)
      await store.add({ kind: "post", record: post(id, day) });
    expect(ids(await store.list("post"))).toEqual(["post_a", "post_d", "post_b", "post_c"]);
    const [, second] = await store.list("post", { limit: 2 });
    expect(second?.id).toBe("post_d");
    const place = `${timeOf(2)} post_d`;
    expect(ids(await store.list("post", { after: place, limit: 1 }))).toEqual(["post_b"]);
    expect(ids(await store.list("post", { isReversed: true, limit: 2 }))).toEqual(["post_c", "post_b"]);
    expect(ids(await store.list("post", { isReversed: true, after: place }))).toEqual(["post_a"]);
    await store.update("post", "post_d", (before) => ({ record: published(before) }));
    expect(ids(await store.list("post", { status: "published" }))).toEqual(["post_d"]);
    expect(ids(await store.list("post", { status: "scheduled" }))).toEqual(["post_a", "post_b", "post_c"]);
    expect([await store.count("post"), await store.count("post", { status: "published" })]).toEqual([4, 1]);
    expect(await store.list("media")).toEqual([]);
  });

  test(`${name}: shows what is due in a lane, earliest first, until it is claimed or over`, async () => {
    const { store } = await open();
    for (const [id, day] of [
      ["post_b", 2],
      ["post_a", 1],
      ["post_c", 9],
    ] as const)
      await store.add({ kind: "post", record: post(id, day) });
    const at = FIRST_DAY + 2 * DAY_MS;
    const due = async (limit?: number) =>
      ids(await store.due("post", { lane: "garden", at, ...(limit === undefined ? {} : { limit }) }));
    expect(await due()).toEqual(["post_a", "post_b"]);
    expect(await due(1)).toEqual(["post_a"]);
    expect(await store.due("post", { lane: "other", at })).toEqual([]);
    expect(await store.nextDue("post", ["garden", "other"])).toBe(FIRST_DAY + DAY_MS);
    const accounts = { bluesky: "other", mastodon: "third" };
    const platforms = Object.keys(accounts);
    await store.add({ kind: "post", record: post("post_d", 30, { accounts, platforms }) });
    expect([...(await store.lanes("post"))].sort()).toEqual(["garden", "other", "third"]);
    await store.update("post", "post_d", (before) => ({ record: published(before) }));
    expect(await store.lanes("post")).toEqual(["garden"]);
    expect(await store.lanes("delivery")).toEqual([]);
    const until = timeOf(3);
    await store.update("post", "post_a", (before) => ({
      record: { ...before, publications: { bluesky: claimedBy("one", until) } },
    }));
    expect(await due()).toEqual(["post_b"]);
    await store.update("post", "post_b", (before) => ({ record: published(before) }));
    expect(await due()).toEqual([]);
    expect(await store.nextDue("post", ["garden"])).toBe(Date.parse(until));
    expect(await store.nextDue("post", ["other"])).toBe(Infinity);
  });

  test(`${name}: finds a post by the network's id of a part`, async () => {
    const { store } = await open();
    const publication = { ...claimedBy("one"), parts: [{ id: "at://1" }] };
    await store.add({ kind: "post", record: post("post_a", 1, { publications: { bluesky: publication } }) });
    expect((await store.find("post", "garden at://1"))?.id).toBe("post_a");
    expect(await store.find("post", "other at://1")).toBeUndefined();
  });

  test(`${name}: says the same after any writes, a new start, and compaction`, async () => {
    const id = integer({ min: 0, max: 5 }).map((each) => `post_${each}`);
    const step = oneof(
      record({ do: constantFrom("add" as const), id, day: integer({ min: -400, max: 20 }) }),
      record({ do: constantFrom("publish" as const), id }),
      record({ do: constantFrom("edit" as const), id }),
      record({ do: constantFrom("reopen" as const, "compact" as const) }),
    );
    await assert(
      asyncProperty(array(step, { maxLength: 25 }), async (steps) => {
        const under = await openOne();
        let { store } = under;
        const model = new Map<string, StoredPost>();
        const change = async (
          id: string,
          edit: (before: StoredPost) => StoredPost | undefined,
        ): Promise<void> => {
          await store.update("post", id, (before) => {
            const next = edit(before);
            return next && { record: next };
          });
          const before = model.get(id);
          const after = before && edit(before);
          if (after !== undefined) model.set(id, after);
        };
        for (const each of steps) {
          if (each.do === "add") {
            const made = post(each.id, each.day);
            expect(await store.add({ kind: "post", record: made })).toBe(!model.has(each.id));
            if (!model.has(each.id)) model.set(each.id, made);
          } else if (each.do === "publish")
            await change(each.id, (before) =>
              statusOf(before) === "scheduled" ? published(before) : undefined,
            );
          else if (each.do === "edit")
            await change(each.id, (before) =>
              statusOf(before) === "scheduled" ? { ...before, content: `${before.content}!` } : undefined,
            );
          else if (each.do === "compact") await under.compact?.();
          else if (under.reopen !== undefined) store = await under.reopen();
        }
        for (const [each, expected] of model) expect(await store.get("post", each)).toEqual(expected);
        const scheduled = [...model.values()].filter((each) => statusOf(each) === "scheduled");
        expect(new Set(ids(await store.list("post", { status: "scheduled" })))).toEqual(
          new Set(ids(scheduled)),
        );
        expect(
          new Set(ids(await store.due("post", { lane: "garden", at: Number.MAX_SAFE_INTEGER }))),
        ).toEqual(new Set(ids(scheduled)));
        await under.close();
      }),
      { numRuns: 40 },
    );
  });
}

const OLD = "2020-05-01T09:00:00Z";

function delivery(id: string, timestamp: string, state: "waiting" | "delivered"): Entry {
  const event = { event: "post.published" as const, timestamp, data: { post_id: "post_a" } };
  const about = { id, webhook_id: "webhook_a", url: "http://127.0.0.1/", event, order: 0, attempts: [] };
  return { kind: "delivery", record: { ...about, state } };
}

function run(id: string, at: string): Entry {
  const times = { started_at: at, completed_at: at };
  return { kind: "run", record: { id, automation_id: "auto", input: "", status: "completed", ...times } };
}

function media(id: string, over: { readonly used_until?: string }): Entry {
  return {
    kind: "media",
    record: { id, type: "image", mime: "image/png", bytes: 3, created_at: OLD, ...over },
  };
}

/** Posts of one second come in the order of their creation. */
const byCreation = ["post_c", "post_a", "post_b"];

async function addByCreation(store: Store): Promise<void> {
  for (const id of byCreation) await store.add({ kind: "post", record: post(id, 3) });
  await store.update("post", "post_c", (before) => ({ record: { ...before, content: "Edited" } }));
}

async function due(store: Store): Promise<readonly string[]> {
  return ids(await store.due("post", { lane: "garden", at: 1e14 }));
}

async function allDue(store: Store): Promise<readonly string[]> {
  return [...(await due(store))].sort();
}

/** What a store that outlives its process must do besides. Its clock is at least at November 2026. */
export function testLasting(name: string, open: () => Promise<LastingStore>): void {
  test(`${name}: compaction archives old posts, and removes old records that are over`, async () => {
    const store = await open();
    const later = "2099-01-01T09:00:00Z";
    const kept = store.files.draft("media_old");
    await new Promise<void>((resolve) => void kept.sink().end("abc", resolve));
    await kept.keep();
    const old = published(post("post_old", 0, { scheduled_at: OLD }));
    const entries: readonly Entry[] = [
      { kind: "post", record: old },
      { kind: "post", record: post("post_waiting", 0, { scheduled_at: OLD }) },
      { kind: "post", record: published(post("post_new", 0, { scheduled_at: later })) },
      delivery("delivery_old", OLD, "delivered"),
      delivery("delivery_waiting", OLD, "waiting"),
      delivery("delivery_new", later, "delivered"),
      run("run_old", OLD),
      run("run_new", later),
      media("media_old", { used_until: OLD }),
      media("media_used", { used_until: later }),
      media("media_unknown", {}),
    ];
    for (const entry of entries) await store.add(entry);
    await store.compact();
    await store.compact();
    expect(ids(await store.list("post"))).toEqual(["post_waiting", "post_new"]);
    expect(ids(await store.list("delivery"))).toEqual(["delivery_waiting", "delivery_new"]);
    expect(ids(await store.list("run"))).toEqual(["run_new"]);
    expect(ids(await store.list("media"))).toEqual(["media_unknown", "media_used"]);
    const gone = { id: "media_old", type: "image", mime: "image/png", bytes: 3, created_at: OLD } as const;
    const bytes = await store.files.read(gone).then(
      (stream) => buffer(stream),
      () => Buffer.alloc(0),
    );
    expect(bytes).toHaveLength(0);
    expect(await store.get("post", "post_old")).toEqual(old);
    expect(await store.update("post", "post_old", (before) => ({ record: before }))).toBeUndefined();
    expect((await store.describe()).archived).toEqual({ "2020": 1 });
  });

  test(`${name}: a copy keeps the order of posts of one second`, async () => {
    const [store, other] = [await open(), await open()];
    await addByCreation(store);
    for await (const entries of store.everything()) await other.addMissing(entries);
    expect(await due(other)).toEqual(byCreation);
  });

  test(`${name}: gives everything for another store, takes it once, and forgets it`, async () => {
    const [store, other] = [await open(), await open()];
    await store.add({ kind: "post", record: published(post("post_old", 0, { scheduled_at: OLD })) });
    await store.compact();
    const publication = { ...claimedBy("one"), parts: [{ id: "at://1" }] };
    await store.add({ kind: "post", record: post("post_b", 2, { publications: { bluesky: publication } }) });
    const many = Array.from({ length: 1_200 }, (_, index) => post(`post_${index}`, 20));
    await store.addMissing(many.map((record) => ({ kind: "post", record })));
    const all: Entry[] = [];
    for await (const entries of store.everything()) all.push(...entries);
    expect(all).toHaveLength(1_202);
    await other.addMissing(all);
    await other.addMissing([{ kind: "post", record: post("post_b", 9) }]);
    expect(await other.list("post")).toEqual(await store.list("post"));
    expect((await other.find("post", "garden at://1"))?.id).toBe("post_b");
    expect(await other.get("post", "post_old")).toEqual(await store.get("post", "post_old"));
    expect(await allDue(other)).toEqual(await allDue(store));
    await other.clear({ id: "store", state: "here", copy: "c" });
    expect(await other.count("post")).toBe(0);
    expect(await other.get("post", "post_old")).toBeUndefined();
    expect(await other.get("move", "store")).toEqual({ id: "store", state: "here", copy: "c" });
  });
}

function refuse(): never {
  throw new Error("refused");
}

function claimedBy(token: string, until = timeOf(1)) {
  return {
    account_id: "garden",
    state: "sending" as const,
    attempts: 1,
    sent_at: timeOf(0),
    parts: [],
    claim: { token, until },
  };
}
