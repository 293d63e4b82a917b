/**
 * The slots of all rows of a run: the slots that rows already have, the slots that other posts occupy, and the choice
 * for the other rows.
 */

import { groupBy } from "../model/data.ts";
import { type Post, type SlotWish, type TakenSlots, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { isUntimed } from "../model/row.ts";
import { DEFAULT_SLOTS } from "../settings/time-settings.ts";
import type { CalendarReading } from "./calendar-reading.ts";
import { type CheckedRow, derivedKey, hasSlots } from "./check-row.ts";
import type { RowView } from "./row-view.ts";
import {
  type ChosenSlots,
  type Occupant,
  type SlotPost,
  type SlotState,
  chooseSlots,
  inSlot,
  slotOf,
} from "./slots/choose-slots.ts";

/** Chooses slots for the posts of these calendars. `others`: posts of the service that occupy slots, too. */
export type ChooseAgain = <P extends SlotPost>(
  posts: readonly P[],
  taken: TakenSlots,
  others?: readonly Occupant[],
) => ChosenSlots<P>;

/** The rows of a run that can occupy slots. */
interface ReadRows {
  readonly read: readonly Post[];
  /** Posts of rows that a filter leaves out. */
  readonly filtered: readonly Post[];
  /** Ids of rows with errors; undefined for a row without an id. */
  readonly faultyIds: readonly (string | undefined)[];
}

/** Posts with their slots, and the same choice for later. It is absent if no row asks for a slot. */
type RowSlots = ChosenSlots<Post> & { readonly again?: ChooseAgain };

/** @param slots undefined if nothing is known about slots: then rows that ask for a slot have no time yet */
export function placeRows(rows: ReadRows, slots: SlotState | undefined): RowSlots {
  const { read } = rows;
  if (slots === undefined || read.every(({ slot }) => slot === undefined))
    return { posts: read, unplaced: [], problems: [] };
  const again: ChooseAgain = (posts, taken, others = []) =>
    chooseSlots(posts, [...otherOccupants(rows, posts, taken), ...others], { ...slots, taken });
  return { ...again(read, slots.taken), again };
}

/** Rows that a filter leaves out, and rows with errors, keep their slots. */
function otherOccupants(
  { read, filtered, faultyIds }: ReadRows,
  posts: readonly Pick<Post, "key">[],
  taken: TakenSlots,
): readonly Occupant[] {
  const keys = new Set(posts.map(({ key }) => key));
  const missing = [...read, ...filtered].filter(
    ({ key, scheduledAt }) => scheduledAt !== "" && !keys.has(key),
  );
  const faulty = new Set(faultyIds);
  const isFaulty = (key: string): boolean =>
    // Nobody knows the key of a faulty row without an id.
    key.startsWith(DERIVED_KEY_PREFIX)
      ? faulty.has(undefined)
      : faulty.has(key) || faulty.has(key.slice(0, Math.max(0, key.lastIndexOf("@"))));
  const held = [...taken].filter(([key]) => !keys.has(key) && isFaulty(key));
  return [...missing, ...held.map(([, { at, networks }]) => ({ platforms: networks, scheduledAt: at }))];
}

/** One post for each list of slots, each with its time if the lockfile has it. */
export function withTakenSlots(checked: CheckedRow, slots: SlotState | undefined): CheckedRow {
  if (slots === undefined || checked.posts.every(({ slot }) => slot === undefined)) return checked;
  const posts = checked.posts.flatMap((post) => {
    const { slot: wish } = post;
    if (wish === undefined) return [post];
    return splitBySlots(post, wish, slots.taken).map((part) =>
      inSlot(part, slotOf(part, wish, slots.taken) ?? ""),
    );
  });
  return { ...checked, posts };
}

/** `blank_time: draft` comes after `slots:`, so it is only for rows whose networks have no slots. */
export function isDraftWithoutSlot(
  { settings, row, own }: RowView,
  networks: readonly string[],
  reading: CalendarReading,
): boolean {
  if (settings.slots === undefined || settings.blank_time !== "draft") return false;
  return own.status === undefined && isUntimed(row) && !hasSlots(reading, networks);
}

/**
 * Networks with different slots get different posts. Networks that already share a slot stay together. So an edit of
 * the row's other networks or of `slots:` does not move them.
 */
function splitBySlots(post: Post, wish: SlotWish, taken: TakenSlots): readonly Post[] {
  return post.key.startsWith(DERIVED_KEY_PREFIX)
    ? splitWithoutId(post, wish, taken)
    : splitWithId(post, wish, taken);
}

/** Without an id, other networks make another row, so only the whole row can have its slot by now. */
function splitWithoutId(post: Post, wish: SlotWish, taken: TakenSlots): readonly Post[] {
  const groups = taken.has(post.key) ? [post.platforms] : [...groupBy(post.platforms, wish.weekOf).values()];
  return groups.map((platforms) => {
    const part = { ...post, platforms };
    return { ...part, key: derivedKey(part) };
  });
}

function splitWithId(post: Post, wish: SlotWish, taken: TakenSlots): readonly Post[] {
  const keyFor = (network = ""): string => `${post.key}@${network}`;
  const keys = [post.key, ...post.platforms.map(keyFor)];
  const hasSlot = (key: string, network: string): boolean =>
    taken.get(key)?.networks.includes(network) === true;
  const keyOf = (network: string): string | undefined =>
    [keyFor(network), ...keys].find((key) => hasSlot(key, network));
  const byKey = groupBy(post.platforms, keyOf);
  const open = byKey.get(undefined) ?? [];
  byKey.delete(undefined);
  // The row's own key goes to the networks with the default slots, because the others have a name for theirs.
  const groups = [...groupBy(open, wish.weekOf)].sort(
    ([one], [other]) =>
      Number(other === wish.weekOf(DEFAULT_SLOTS)) - Number(one === wish.weekOf(DEFAULT_SLOTS)),
  );
  for (const [, platforms] of groups)
    byKey.set(byKey.has(post.key) ? keyFor(platforms[0]) : post.key, platforms);
  return Array.from(byKey, ([key = "", platforms]) => ({ ...post, key, platforms }));
}
