/** The posts of a row without a time: one for each list of slots that its networks have, each with a key that stays. */

import { groupBy } from "../model/data.ts";
import { type Post, type SlotWish, type TakenSlots, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { DEFAULT_SLOTS } from "../settings/time-settings.ts";
import { derivedKey } from "./check-row.ts";

/**
 * Networks with different slots get different posts. Networks that already share a slot stay together. So an edit of
 * the row's other networks or of `slots:` does not move them.
 */
export function splitBySlots(post: Post, wish: SlotWish, taken: TakenSlots): readonly Post[] {
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
