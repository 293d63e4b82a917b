/**
 * The cancels of a plan that the guards look at. A lockfile comes with a checkout. If somebody edited it, it can name posts
 * of other projects: as a row's own, or as the old half of a replacement. Pure.
 */

import { type Lockfile, getOwn } from "../../model/lockfile.ts";
import type { Change } from "../../model/plan.ts";
import { isOtherThanRecorded } from "./compare.ts";

type Cancel = Extract<Change, { action: "cancel" }>;

export interface RiskyCancels {
  /** How many the guards count. */
  readonly count: number;
  /** Those of posts that are certainly not what the lockfile recorded. */
  readonly notAsRecorded: readonly Cancel[];
}

/**
 * The old half of a replacement does not count, but only one for each row, and only if it may be the post that was
 * replaced.
 */
export function riskyCancels(changes: readonly Change[], lockfile: Lockfile): RiskyCancels {
  const cancels = changes.filter((change) => change.action === "cancel");
  const notAsRecorded = cancels.filter((cancel) => isNotAsRecorded(cancel, lockfile));
  const others = new Set(notAsRecorded);
  const replaced = new Set<string>();
  const counted = cancels.filter((cancel) => {
    if (!cancel.retiring || others.has(cancel) || replaced.has(cancel.key)) return true;
    replaced.add(cancel.key);
    return false;
  });
  return { count: counted.length, notAsRecorded };
}

function isNotAsRecorded({ key, remote }: Cancel, { posts, retiring, media }: Lockfile): boolean {
  const owned = getOwn(posts, key);
  const recorded = owned?.post_id === remote.id ? owned : getOwn(retiring, remote.id);
  return recorded !== undefined && isOtherThanRecorded(remote, recorded, media);
}
