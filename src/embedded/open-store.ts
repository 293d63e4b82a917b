import { join } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import { makeFolder } from "../state/folder.ts";
import { acquireProcessLock, LockHeld, type ProcessLock } from "../state/process-lock.ts";
import type { Access } from "./app.ts";
import { noOutbox, createOutboxFolder, type Outbox } from "./outbox.ts";
import { Store } from "./store.ts";

export interface OpenedStore {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly lock?: ProcessLock;
  close(): Promise<void>;
}

/** Throws a Failure where the store is another process's, cannot be understood, or cannot be written. */
export async function openStore(folder: string, access: Access, inMemory: boolean): Promise<OpenedStore> {
  if (!inMemory && access === "read-write") return await openLocked(folder);
  const store = inMemory ? Store.inMemory() : await Store.openReadOnly(folder);
  return { store, outbox: noOutbox, close: () => store.close() };
}

async function openLocked(folder: string): Promise<OpenedStore> {
  const lock = await lockFolder(folder);
  try {
    const store = await Store.openReadWrite(folder);
    return {
      store,
      outbox: createOutboxFolder(join(folder, "outbox"), store.files),
      lock,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error instanceof Failure ? error : notWritable(folder, error);
  }
}

async function lockFolder(folder: string): Promise<ProcessLock> {
  const path = join(folder, "owner.json");
  try {
    await makeFolder(folder);
    return await acquireProcessLock(path);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw notWritable(folder, error);
    const at = error.owner?.info["url"];
    throw new Failure(
      "embedded/in-use",
      `The store of the embedded service is in use: ${error.message}${at === undefined ? "" : ` It answers at ${at}.`}`,
      `Wait until that process ends, or stop it. If no plancast runs, remove ${path}.`,
    );
  }
}

function notWritable(folder: string, error: unknown): Failure {
  return new Failure(
    "disk/not-writable",
    `The store of the embedded service, ${folder}, cannot be written: ${reasonOf(error)}`,
    "Look at the folder's permissions and at the space on the disk.",
    { cause: error },
  );
}
