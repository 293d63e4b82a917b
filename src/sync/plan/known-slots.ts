/** The slots that rows have, by the lockfile, its journal, and the service's posts. Pure. */

import type { CheckedCalendars } from "../../calendars/check.ts";
import { inSlot, slotOf } from "../../checks/slots/choose-slots.ts";
import { findZone, localDay } from "../../checks/when/local-time.ts";
import { utcMs } from "../../model/canonical.ts";
import { type Lockfile, takenSlots } from "../../model/lockfile.ts";
import type { RemotePost, ResolvedPost, SlotWish, TakenSlot } from "../../model/post.ts";
import { type Problem, hasErrors, problem } from "../../model/problem.ts";
import { perhapsPublishedText } from "../../problems/plan-texts.ts";
import { joinOwned } from "./input.ts";
import { differingFromRow, isComparable, matchesMediaId } from "./compare.ts";

/** A row that asks for a slot. */
type SlotRow = ResolvedPost & { readonly slot: SlotWish };

/**
 * The calendars with the slots that their rows have by now. The check before knows only the lockfile's file. An
 * interrupted run may have taken further slots. If the lockfile is lost, a row has the slot of a scheduled post that
 * equals it. Posts that the project does not own occupy slots, too.
 */
export function withKnownSlots(
  checked: CheckedCalendars,
  lockfile: Lockfile,
  remote: readonly RemotePost[],
  now: number,
): { readonly checked: CheckedCalendars; readonly problems: readonly Problem[] } {
  const { slotsAgain, posts } = checked;
  if (slotsAgain === undefined) return { checked, problems: [] };
  const rows = posts.filter((post): post is SlotRow => post.slot !== undefined);
  const taken = new Map(takenSlots(lockfile));
  const open = rows.filter((row) => slotOf(row, row.slot, taken) === undefined);
  const isKnown = rows.every((row) => row.slot.isTaken && slotOf(row, row.slot, taken) === row.scheduledAt);
  // Usually, each row has its slot, and the check found it.
  if (isKnown) return { checked, problems: [] };
  const later = joinOwned(lockfile, remote).notOwned.filter(
    ({ scheduledAt = "" }) => utcMs(scheduledAt) > now,
  );
  const found = new Map(slotsOnService(open, later, lockfile));
  for (const [key, slot] of found) taken.set(key, slot);
  const others = later.map(({ platforms = [], scheduledAt = "" }) => ({ platforms, scheduledAt }));
  const again = slotsAgain(posts, taken, others);
  return {
    checked: { ...checked, posts: again.posts },
    problems: hasErrors(again.problems)
      ? again.problems
      : perhapsPublished(
          open.filter(({ key }) => !found.has(key)),
          found.size,
          lockfile,
        ),
  };
}

/** With a lost lockfile, a row without a time may be new, or published. Nothing shows which. */
function perhapsPublished(open: readonly SlotRow[], found: number, { posts }: Lockfile): readonly Problem[] {
  const [first] = open;
  if (first === undefined || found === 0 || Object.keys(posts).length > 0) return [];
  const message = perhapsPublishedText(open.length);
  return [problem("lockfile/missing", message, first.at("scheduled_at"))];
}

/** The slots of rows that the lockfile does not know: the earliest scheduled post with the row's content. */
function slotsOnService(
  open: readonly SlotRow[],
  notOwned: readonly RemotePost[],
  lockfile: Lockfile,
): readonly (readonly [string, TakenSlot])[] {
  const byText = new Map<string, RemotePost[]>();
  for (const post of notOwned) {
    if (!isComparable(post)) continue;
    const mark = textMark(post.content ?? "", post.platforms ?? []);
    byText.set(mark, [...(byText.get(mark) ?? []), post]);
  }
  for (const group of byText.values())
    group.sort((one, other) => utcMs(one.scheduledAt ?? "") - utcMs(other.scheduledAt ?? ""));
  return open.flatMap((row) => {
    const group = byText.get(textMark(row.content, row.platforms)) ?? [];
    const index = group.findIndex((post) => isSameApartFromTime(row, post, lockfile));
    const [found] = index === -1 ? [] : group.splice(index, 1);
    return found?.scheduledAt === undefined
      ? []
      : [[row.key, { at: found.scheduledAt, networks: row.platforms }] as const];
  });
}

function textMark(content: string, platforms: readonly string[]): string {
  return JSON.stringify([content, platforms]);
}

/** Without a lockfile, nothing is known about media, so only their number counts. */
function isSameApartFromTime(row: SlotRow, post: RemotePost, { media }: Lockfile): boolean {
  const zone = findZone(row.timezone ?? "");
  const { day } = row.slot;
  const { scheduledAt = "" } = post;
  if (day !== undefined && (zone === undefined || localDay(zone, utcMs(scheduledAt)) !== day)) return false;
  const known = new Set(Object.values(media).flatMap(({ id, also = [] }) => [id, ...also]));
  const differing = differingFromRow(inSlot(row, scheduledAt), post, (each, id) => {
    return matchesMediaId(each, id, media) || (each.kind !== "id" && !known.has(id));
  });
  return differing.length === 0;
}
