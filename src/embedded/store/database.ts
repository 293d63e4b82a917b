/** Opens the store in a database, with its bucket. */

import { setTimeout } from "node:timers/promises";
import { removeFolder } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import type { BucketAddress } from "./bucket-address.ts";
import type { OpenedStore } from "./file-store.ts";
import { mediaOnDisk, prepareMediaFolder } from "./media-files.ts";
import type { PostgresLimits } from "./postgres-limits.ts";
import type { LastingStore } from "./store.ts";

/** A PostgreSQL database, the project's name in it, and the bucket for its media. */
export interface Database {
  readonly url: string;
  readonly project: string;
  readonly bucket: BucketAddress | undefined;
}

/** The rate limits in a database. Connects later, so its tables need not be there yet. */
export async function openLimits(database: Database): Promise<PostgresLimits> {
  const { PostgresLimits } = await import("./postgres-limits.ts");
  return new PostgresLimits(database);
}

/**
 * @param copies folder for copies of media in the bucket, which only this process uses
 * @param within the folder that contains it
 */
export async function openDatabase(
  database: Database,
  copies: Place,
  within: Place,
): Promise<OpenedStore<LastingStore>> {
  // Most projects need no database, so its client is loaded on demand.
  const [{ PostgresStore }, { MediaBucket, NO_BUCKET }] = await Promise.all([
    import("./postgres-store.ts"),
    import("./media-bucket.ts"),
  ]);
  const bucket = database.bucket && new MediaBucket(database.bucket, (ms) => setTimeout(ms));
  // Copies of an earlier run may be of files that nobody needs any more.
  await removeFolder(copies, within);
  await prepareMediaFolder(copies);
  const files = mediaOnDisk(copies, bucket ?? NO_BUCKET);
  const store = await PostgresStore.open({ ...database, files, monotonic: () => performance.now() });
  const close = async (): Promise<void> => {
    await store.close();
    await bucket?.close();
  };
  const keys = (make: () => string): Promise<string> => store.keys(make);
  return { store, now: store.now, keys, close };
}
