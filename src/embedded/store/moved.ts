/** A store that is not used, because its project moved to another one, or is about to. */

import { Failure } from "../../model/failure.ts";
import type { StoredMove } from "./records.ts";
import type { Store } from "./store.ts";

/** Throws a Failure if the store is not used. */
export async function refuseMoved(store: Store): Promise<void> {
  const move = await store.get("move", "store");
  if (move !== undefined && move.state !== "here") throw moved(move);
}

export function moved({ state }: Pick<StoredMove, "state">): Failure {
  return state === "left"
    ? new Failure(
        "store/moved",
        "This store is not used any more: its posts were copied to another store.",
        "Set PLANCAST_DATABASE_URL if the posts are in the database now, and remove it if they are in files. If the copy was cut off, run `plancast store copy` again.",
      )
    : new Failure(
        "store/moved",
        "The posts of this store are being copied, so it cannot be used now.",
        "Wait for `plancast store copy`. If it was cut off, run it again.",
      );
}
