/** Finds dangerous plans: the guards that make apply refuse too many cancels, and the cancels that they look at. Pure. */

import type { Change, Guard } from "../../model/plan.ts";
import type { Config } from "../../settings/config.ts";
import { type Lockfile, getOwn } from "../../model/lockfile.ts";
import { isOtherThanRecorded } from "./compare.ts";

export interface GuardInput {
  /** Posts to cancel, without the old halves of replacements. */
  readonly cancels: number;
  /** The number of these cancellations whose posts differ from what the lockfile recorded. */
  readonly notAsRecorded: number;
  /** Owned posts that are scheduled. */
  readonly owned: number;
  /** Ready rows in the run. */
  readonly rows: number;
  readonly safety: Config["safety"];
  /** The number of cancels that the user allows, if any. */
  readonly allowCancels: number | undefined;
}

type GuardRule = (input: GuardInput) => Guard | undefined;

const otherCountAllowed: GuardRule = ({ cancels, allowCancels: limit }) =>
  limit !== undefined && cancels > 0
    ? { code: "guard/too-many-cancels", cancels, limit, limitFrom: "person" }
    : undefined;

const tooManyCancels: GuardRule = ({ cancels, safety: { max_cancels: limit } }) =>
  cancels > limit ? { code: "guard/too-many-cancels", cancels, limit, limitFrom: "settings" } : undefined;

const tooManyCancelsPercent: GuardRule = ({ cancels, owned, safety: { max_cancel_percent: limit } }) => {
  const percent = owned === 0 ? 0 : (cancels / owned) * 100;
  // One missing post of three is a third, but still normal.
  if (cancels <= 1 || percent <= limit) return undefined;
  return { code: "guard/too-many-cancels-percent", cancels, total: owned, percent, limit };
};

const noRows: GuardRule = ({ cancels, rows }) =>
  cancels > 0 && rows === 0 ? { code: "guard/no-rows", cancels } : undefined;

const notAsRecorded: GuardRule = ({ cancels, notAsRecorded: others }) =>
  others > 0 ? { code: "guard/not-as-recorded", cancels, others } : undefined;

/**
 * In the order in which they are shown. The first one gives the code with which apply refuses. To add a guard, write a
 * function and list it here.
 */
const GUARDS: readonly GuardRule[] = [
  notAsRecorded,
  otherCountAllowed,
  tooManyCancels,
  tooManyCancelsPercent,
  noRows,
];

/** The reasons for apply to refuse. None if the user allows exactly this number of cancels. */
export function guardsOf(input: GuardInput): Guard[] {
  if (input.cancels === input.allowCancels) return [];
  return GUARDS.flatMap((guard) => guard(input) ?? []);
}

type Cancel = Extract<Change, { action: "cancel" }>;

/** A post that apply cancels only if a person allows it, and why. */
export interface DoubtfulCancel extends Pick<Cancel, "key" | "remote" | "dueAt" | "file"> {
  /**
   * `edited`: certainly not what the lockfile recorded. `journal-only`: only a journal says that it is the project's.
   * `unproved`: only the lockfile of this checkout says so.
   */
  readonly why: "edited" | "journal-only" | "unproved";
}

export interface RiskyCancels {
  /** The number of cancellations that the guards count. */
  readonly count: number;
  readonly doubtful: readonly DoubtfulCancel[];
}

/**
 * The old half of a replacement does not count. This applies to one post of each row, and only if it may be the
 * replaced post.
 * @param isJournalOnly whether only a journal that others may have written says that this post is the project's
 * @param unproved the same for the lockfile of this checkout: see `Trusted`
 */
export function riskyCancels(
  changes: readonly Change[],
  lockfile: Lockfile,
  isJournalOnly: (postId: string) => boolean,
  unproved: ReadonlyMap<string, string>,
): RiskyCancels {
  const cancels = changes.filter((change) => change.action === "cancel");
  const doubtful = changes.flatMap((change) => doubtAbout(change, lockfile, isJournalOnly, unproved) ?? []);
  const ids = new Set(doubtful.map(({ remote }) => remote.id));
  const replaced = new Set<string>();
  const counted = cancels.filter(({ key, remote, retiring }) => {
    if (!retiring || ids.has(remote.id) || replaced.has(key)) return true;
    replaced.add(key);
    return false;
  });
  const others = changes.filter((change) => change.action === "replace" && ids.has(change.remote.id));
  return { count: counted.length + others.length, doubtful };
}

function doubtAbout(
  change: Change,
  lockfile: Lockfile,
  isJournalOnly: (postId: string) => boolean,
  unproved: ReadonlyMap<string, string>,
): DoubtfulCancel | undefined {
  if (change.action !== "cancel" && change.action !== "replace") return undefined;
  const { id } = change.remote;
  const isUnproved = isJournalOnly(id) ? "journal-only" : unproved.has(id) ? "unproved" : undefined;
  if (change.action === "replace") {
    const { key, remote, desired } = change;
    const dueAt = remote.scheduledAt ?? desired.scheduledAt;
    return isUnproved && { key, remote, dueAt, file: desired.source.file, why: isUnproved };
  }
  if (isUnproved === "journal-only") return { ...change, why: isUnproved };
  const why = isNotAsRecorded(change, lockfile) ? "edited" : isUnproved;
  return why && { ...change, why };
}

function isNotAsRecorded({ key, remote }: Cancel, { posts, retiring, media }: Lockfile): boolean {
  const owned = getOwn(posts, key);
  const recorded = owned?.post_id === remote.id ? owned : getOwn(retiring, remote.id);
  return recorded !== undefined && isOtherThanRecorded(remote, recorded, media);
}
