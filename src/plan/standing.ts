import type { Lockfile } from "../calendar/lockfile.ts";

/**
 * The lockfile after posts that this project cancelled turned out to stand all the same: they are to be cancelled once
 * more, or taken back by a row that asks for them again.
 * @param standing their ids
 */
export function withStillScheduled(lockfile: Lockfile, standing: ReadonlySet<string>): Lockfile {
  if (standing.size === 0) return lockfile;
  const cancelled = { ...lockfile.cancelled };
  const retiring = { ...lockfile.retiring };
  for (const id of standing) {
    const former = cancelled[id];
    if (former === undefined) continue;
    const { at: _at, ...entry } = former;
    retiring[id] = entry;
    delete cancelled[id];
  }
  return { ...lockfile, cancelled, retiring };
}
