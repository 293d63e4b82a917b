/**
 * Copies a project from one store to another. Both stores know of the copy, so that at any moment at most one of them is
 * used: nothing is published while it is made, and never from both. After a crash, the same call goes on.
 */

import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import type { Random } from "../../model/random.ts";
import { Failure, errorCode } from "../../model/failure.ts";
import { BucketError } from "./media-files.ts";
import { moved } from "./moved.ts";
import {
  type StoredMedia,
  type StoredMove,
  type StoredPublication,
  possiblySentUntil,
  withoutClaims,
} from "./records.ts";
import type { Entry, LastingStore } from "./store.ts";

export interface CopyTools {
  readonly random: Random;
  /** Unix time by the clock of the first store, in ms. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called when a file is in the other store. */
  readonly afterMedia: (id: string) => Promise<void>;
}

/** `there`: an earlier copy was complete. `back`: an incomplete copy was given up, and the first store is used again. */
export type CopyResult =
  | { readonly result: "there" | "back" }
  | {
      readonly result: "copied";
      readonly records: number;
      /** Ids of media whose files the first store lacks. */
      readonly missing: readonly string[];
    };

/** How long to wait for posts that are being sent, in ms, and between two looks. */
const WAIT_MS = 120_000;
const LOOK_MS = 500;
const FILES_AT_ONCE = 4;
const ARCHIVED_AT_ONCE = 20_000;

/** Throws a Failure if the stores do not fit together, if posts are sent for too long, or if media cannot be copied. */
export async function copyStore(from: LastingStore, to: LastingStore, tools: CopyTools): Promise<CopyResult> {
  const [source, target] = [await moveOf(from), await moveOf(to)];
  const isSameCopy = source !== undefined && source.copy === target?.copy;
  if (isSameCopy && source.state === "left" && target.state === "here") return { result: "there" };
  if (isSameCopy && source.state === "arriving" && target.state !== "here") {
    await from.clear(source);
    await to.setMove({ ...target, state: "here" });
    return { result: "back" };
  }
  if (source?.state === "arriving") throw moved(source);
  const copy = await agreed(from, to, source, target, tools);
  await waitUntilIdle(from, tools);
  await from.setMove({ id: "store", state: "left", copy });
  const copied = await copyRecords(from, to, tools);
  await to.setMove({ id: "store", state: "here", copy });
  return { result: "copied", ...copied };
}

function moveOf(store: LastingStore): Promise<StoredMove | undefined> {
  return store.get("move", "store");
}

/** Begins a copy, or goes on with the one that both stores know. Resolves to its token. */
async function agreed(
  from: LastingStore,
  to: LastingStore,
  source: StoredMove | undefined,
  target: StoredMove | undefined,
  { random }: CopyTools,
): Promise<string> {
  if (source !== undefined && source.state !== "here") {
    if (target?.state !== "arriving" || target.copy !== source.copy) throw moved(source);
    return source.copy;
  }
  // A store that the project left may be replaced. A copy that has only begun has no records.
  if (target?.state !== "left" && !(await isEmpty(to)))
    throw new Failure(
      "store/not-empty",
      "The store to copy to already has records, so nothing was copied.",
      "If they are the posts that count, use that store. Otherwise, choose an empty database, or move the folder .plancast/embedded away.",
    );
  const copy = Buffer.from(random(8)).toString("hex");
  await to.clear({ id: "store", state: "arriving", copy });
  await from.setMove({ id: "store", state: "leaving", copy });
  return copy;
}

async function isEmpty(store: LastingStore): Promise<boolean> {
  for await (const entries of store.everything())
    if (entries.some(({ kind }) => kind !== "move")) return false;
  return true;
}

/** Other processes may still send posts that they have claimed. They start no others. */
async function waitUntilIdle(store: LastingStore, { now, sleep }: CopyTools): Promise<void> {
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
    if (!(await isSending(store, now()))) return;
    await sleep(LOOK_MS);
  }
  throw new Failure(
    "store/copy",
    "A post is still being sent, so the store was not copied yet.",
    "Run the same command again. Until then, nothing new is sent.",
  );
}

async function isSending(store: LastingStore, at: number): Promise<boolean> {
  const posts = await store.list("post", { status: "scheduled" });
  return posts.some(({ publications = {} }) =>
    Object.values(publications).some(({ claim }) => claim !== undefined && Date.parse(claim.until) > at),
  );
}

async function copyRecords(
  from: LastingStore,
  to: LastingStore,
  { afterMedia }: CopyTools,
): Promise<{ readonly records: number; readonly missing: readonly string[] }> {
  const limit = pLimit(FILES_AT_ONCE);
  const missing: string[] = [];
  let records = 0;
  const copied = async (entry: Entry): Promise<readonly Entry[]> => {
    if (entry.kind === "move") return [];
    if (entry.kind === "post") return [{ kind: "post", record: withoutClaims(entry.record, sentByThen) }];
    if (entry.kind !== "media" || (await to.get("media", entry.record.id)) !== undefined) return [entry];
    const { id } = entry.record;
    const record = await copyMedia(entry.record, from, to);
    await afterMedia(id);
    if (record === undefined) {
      missing.push(id);
      return [];
    }
    // At once, so that after a crash, no file is copied again.
    await to.addMissing([{ kind: "media", record }]);
    return [{ kind: "media", record }];
  };
  for await (const entries of inGroups(from.everything())) {
    const there = (await Promise.all(entries.map((entry) => limit(() => copied(entry))))).flat();
    await to.addMissing(there);
    records += there.length;
  }
  return { records, missing };
}

/** Archived posts come in large groups, because a store may write a whole file of them for each group. */
async function* inGroups(all: AsyncIterable<readonly Entry[]>): AsyncGenerator<readonly Entry[]> {
  let archived: Entry[] = [];
  for await (const entries of all) {
    if (entries[0]?.kind !== "archived") {
      yield entries;
      continue;
    }
    archived.push(...entries);
    if (archived.length < ARCHIVED_AT_ONCE) continue;
    yield archived;
    archived = [];
  }
  yield archived;
}

/** Claims are over, and what they say about the latest request stays. */
function sentByThen(publication: StoredPublication): StoredPublication {
  return { ...publication, sent_at: possiblySentUntil(publication) };
}

/** Undefined if the first store does not have the file. */
async function copyMedia(
  item: StoredMedia,
  from: LastingStore,
  to: LastingStore,
): Promise<StoredMedia | undefined> {
  const draft = to.files.draft(item.id);
  try {
    await pipeline(await from.files.read(item), draft.sink());
    const { sha256: _own, ...rest } = item;
    return { ...rest, ...(await draft.keep()) };
  } catch (error) {
    await draft.discard();
    if (errorCode(error) === "ENOENT") return undefined;
    if (!(error instanceof BucketError)) throw error;
    throw new Failure(
      "store/copy",
      `The media file ${item.id} was not copied. ${error.message}`,
      "Repair this, then run the same command again. It goes on where it was cut off.",
    );
  }
}
