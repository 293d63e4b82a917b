/** When many owned posts are missing at once: the guard that keeps apply from making them again. Pure. */

import type { Guard } from "../../model/plan.ts";
import type { Config } from "../../settings/config.ts";
import type { Absence, Diff, DiffInput } from "./input.ts";

/** Owned posts that are still due, and that the service does not have scheduled any more. */
export interface MissingPosts {
  readonly missing: number;
  /** The missing ones and those that are scheduled. */
  readonly total: number;
  /** Whether this run would act on one of them: create it again, or forget it because its row is gone. */
  readonly isActedOn: boolean;
}

/** What may become of a post that plancast did not cancel. One that is published, or may be scheduled, is not missing. */
const MISSING: ReadonlySet<Absence> = new Set(["missing", "cancelled", "failed"]);

/**
 * Counts over the whole project, however narrow the run: the account is the same for all calendars. A post whose row is
 * gone counts only where no owned post is found at all: else the account is the right one, and nothing is created.
 */
export function missingPosts(input: DiffInput, { changes, kept, held, past, owned }: Diff): MissingPosts {
  if (input.absent.size === 0) return { missing: 0, total: owned.size, isActedOn: false };
  const inPlace = [...changes.filter(({ action }) => action === "adopt"), ...kept, ...held];
  const found = new Set([...inPlace, ...past].map(({ key }) => key));
  const lost = Object.entries(input.lockfile.posts).filter(([key, post]) => {
    const absence = input.absent.get(post.post_id);
    const isMissing = absence !== undefined && MISSING.has(absence);
    return isMissing && post.cancelling !== true && !found.has(key);
  });
  const rows = new Set(input.desired.map(({ key }) => key));
  const hasRow = (key: string): boolean => rows.has(key) || input.filteredRows.has(key);
  const isRightAccount = owned.size > 0 || inPlace.length > 0;
  const missing = isRightAccount ? lost.filter(([key]) => hasRow(key)) : lost;
  const created = new Set(changes.flatMap(({ action, key }) => (action === "create" ? key : [])));
  return {
    missing: missing.length,
    total: owned.size + missing.length,
    isActedOn: missing.some(([key, { file }]) => created.has(key) || (!hasRow(key) && input.inScope(file))),
  };
}

export interface MissingGuardInput extends MissingPosts {
  readonly safety: Pick<Config["safety"], "max_missing" | "max_missing_percent">;
  /** The count of missing posts that a person has allowed to make again, if any. */
  readonly allowRecreates: number | undefined;
}

/** The guard that stops apply; undefined where none does, or a person has allowed exactly this number. */
export function missingGuard({
  missing,
  total,
  isActedOn,
  safety,
  allowRecreates,
}: MissingGuardInput): Guard | undefined {
  if (!isActedOn || missing === allowRecreates) return undefined;
  const found = { code: "guard/too-many-missing", missing, total } as const;
  if (allowRecreates !== undefined) return { ...found, limit: allowRecreates, limitFrom: "person" };
  const { max_missing: limit, max_missing_percent: percentLimit } = safety;
  if (missing > limit) return { ...found, limit, limitFrom: "settings" };
  const isTooLargeShare = missing > 1 && (missing / total) * 100 > percentLimit;
  return isTooLargeShare ? { ...found, limit: percentLimit, limitFrom: "percent" } : undefined;
}
