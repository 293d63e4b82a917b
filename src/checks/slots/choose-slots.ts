/**
 * Gives rows without a time the next free slots. A slot that the lockfile has stays. Pure: the slots that rows have, and
 * the time, are parameters. Also finds the instants of the weekly slots of `slots:`, across clock changes.
 */

import type { IANAZone } from "luxon";
import { utcMs, utcTime } from "../../model/canonical.ts";
import type { Post, SlotWish, TakenSlots } from "../../model/post.ts";
import { type Problem, problem, rowName } from "../../model/problem.ts";
import { formatNumber } from "../../model/text.ts";
import { expiresTooEarlyText } from "../../problems/plan-texts.ts";
import { type SlotSettings, type WeekSlots, DEFAULT_SLOTS, weekSlots } from "../../settings/time-settings.ts";
import { networkOf } from "../../model/options/catalogue.ts";
import { type Aliases, identify, networkNamed } from "../networks/network-names.ts";
import { findZone, localDay, localInstant, timeInZone } from "../when/local-time.ts";

/** The parts of a post on which slots depend. */
export type SlotPost = Omit<Post, "media">;

/** A post that occupies its minute. */
export type Occupant = Pick<Post, "platforms" | "scheduledAt">;

/** What slots depend on besides the rows. */
export interface SlotState {
  readonly taken: TakenSlots;
  /** Ms since the epoch. */
  readonly now: number;
  /** A slot that is nearer than this counts as past, in ms. */
  readonly leadTimeMs: number;
  /** The quiet hours or the holiday of a slot, to follow "because of"; undefined if there are none. */
  readonly whyClosed: (ms: number, zone: IANAZone, networks: readonly string[]) => string | undefined;
}

export interface ChosenSlots<P> {
  /** The posts that got a slot, in the given order, each with its time. */
  readonly posts: readonly P[];
  /** Posts for which no slot is free; the problems say why. */
  readonly unplaced: readonly P[];
  readonly problems: readonly Problem[];
}

/** How far plancast looks for a free slot, in ms. */
export const SLOT_HORIZON_MS = 731 * 86_400_000;
const MINUTE_MS = 60_000;
/** How many slots plancast tries for all rows together: real calendars need a few thousand. */
const MAX_TRIES = 2_000_000;

/**
 * @param posts those that ask for a slot, and all others, which occupy theirs
 * @param others further posts that occupy slots
 */
export function chooseSlots<P extends SlotPost>(
  posts: readonly P[],
  others: readonly Occupant[],
  state: SlotState,
): ChosenSlots<P> {
  if (posts.every(({ slot }) => slot === undefined)) return { posts, unplaced: [], problems: [] };
  return new SlotChoice<P>(state).choose(posts, others);
}

/** Whether the lockfile has the post's slot: for all its networks, and on the day that the row asks for. */
export function slotOf(
  { key, platforms, timezone = "" }: Pick<SlotPost, "key" | "platforms" | "timezone">,
  { day }: SlotWish,
  taken: TakenSlots,
): string | undefined {
  const known = taken.get(key);
  if (known === undefined || !platforms.every((network) => known.networks.includes(network)))
    return undefined;
  const zone = findZone(timezone);
  return day === undefined || (zone !== undefined && localDay(zone, utcMs(known.at)) === day)
    ? known.at
    : undefined;
}

/** The post in a slot, or, with an empty time, without one. */
export function inSlot<P extends SlotPost>(post: P, scheduledAt: string): P {
  const lastsMs = scheduledAt === "" ? undefined : post.slot?.lastsMs;
  const expires = lastsMs === undefined ? {} : { expires: utcTime(utcMs(scheduledAt) + lastsMs) };
  return { ...post, scheduledAt, ...expires };
}

/** The row must have its slot before this time. */
function slotsUntil({ slot, expires }: SlotPost): string | undefined {
  return slot?.lastsMs === undefined ? expires : undefined;
}

class SlotChoice<P extends SlotPost> {
  readonly #state: SlotState;
  readonly #after: number;
  readonly #occupied = new Map<string, Set<number>>();
  readonly #sequences = new Map<WeekSlots, Map<IANAZone, SlotSequence>>();
  /** The first slot that may be free, by networks. Slots only become taken, so this never goes back. */
  readonly #next = new Map<SlotSequence, Map<string, number>>();
  /** The number of rows that found no slot, by networks, with the first of these rows. */
  readonly #full = new Map<string, { readonly first: P; readonly until: number; count: number }>();
  readonly #problems: Problem[] = [];
  /** Infinity after the row that reached the limit. */
  #tries = 0;

  constructor(state: SlotState) {
    this.#state = state;
    this.#after = state.now + state.leadTimeMs;
  }

  choose(posts: readonly P[], others: readonly Occupant[]): ChosenSlots<P> {
    const times = new Map<P, string>();
    const open: { readonly post: P; readonly wish: SlotWish }[] = [];
    const holders = new Map<string, P>();
    for (const each of others) this.#occupy(each);
    for (const post of posts) {
      const { slot: wish } = post;
      const at = wish === undefined ? post.scheduledAt : slotOf(post, wish, this.#state.taken);
      if (at === undefined && wish !== undefined) open.push({ post, wish });
      else this.#occupy({ ...post, scheduledAt: at ?? "" });
      if (wish === undefined || at === undefined) continue;
      times.set(post, at);
      this.#refuseTwoHolders(post, at, holders);
      this.#refuseExpired(post, at);
    }
    // A row with a day has fewer slots to choose from.
    for (const { post, wish } of open) if (wish.day !== undefined) this.#place(post, wish, times);
    for (const { post, wish } of open) if (wish.day === undefined) this.#place(post, wish, times);
    const isTaken = new Set(open.map(({ post }) => post));
    const unplaced: P[] = [];
    const placed = posts.flatMap((post): P[] => {
      const { slot: wish } = post;
      const scheduledAt = times.get(post);
      if (wish === undefined) return [post];
      if (scheduledAt !== undefined)
        return [inSlot({ ...post, slot: { ...wish, isTaken: !isTaken.has(post) } }, scheduledAt)];
      unplaced.push(post);
      return [];
    });
    return { posts: placed, unplaced, problems: [...this.#problems, ...this.#fullProblems()] };
  }

  #occupy({ platforms, scheduledAt }: Occupant): void {
    const ms = utcMs(scheduledAt);
    if (!(ms > this.#state.now)) return;
    for (const network of platforms) this.#minutesOf(network).add(Math.floor(ms / MINUTE_MS));
  }

  #minutesOf(network: string): Set<number> {
    const found = this.#occupied.get(network) ?? new Set();
    this.#occupied.set(network, found);
    return found;
  }

  #isFree(platforms: readonly string[], ms: number, zone: IANAZone): boolean {
    if (this.#state.whyClosed(ms, zone, platforms) !== undefined) return false;
    const minute = Math.floor(ms / MINUTE_MS);
    return platforms.every((network) => this.#occupied.get(network)?.has(minute) !== true);
  }

  /** Two branches may each have given a slot to a row of theirs. */
  #refuseTwoHolders(post: P, at: string, holders: Map<string, P>): void {
    if (utcMs(at) <= this.#state.now) return;
    for (const network of post.platforms) {
      const mark = `${network} ${at}`;
      const first = holders.get(mark);
      if (first === undefined) {
        holders.set(mark, post);
        continue;
      }
      const message =
        `Two rows have the slot ${timeInZone(at, post.timezone ?? "UTC")} of ${titleOf(network)}: this one and ` +
        `${rowName(first.source, first.at())}. Perhaps two branches took it. Write a date and a time in one of them.`;
      this.#problems.push(problem("schedule/slot-taken", message, post.at("scheduled_at")));
      return;
    }
  }

  /** Somebody wrote an earlier `expires` after the row had taken its slot. */
  #refuseExpired(post: P, at: string): void {
    const until = slotsUntil(post);
    if (until === undefined || at < until || utcMs(at) <= this.#after) return;
    const zone = post.timezone ?? "UTC";
    const message = expiresTooEarlyText(`has the slot ${timeInZone(at, zone)}`, timeInZone(until, zone));
    this.#problems.push(problem("row/expires", message, post.at("expires")));
  }

  #place(post: P, wish: SlotWish, times: Map<P, string>): void {
    const week = wish.weekOf(post.platforms[0] ?? "");
    const zone = findZone(post.timezone ?? "");
    if (week === undefined || zone === undefined) {
      this.#problems.push(noSlots(post));
      return;
    }
    if (this.#isExhausted(post)) return;
    const ms =
      wish.day === undefined ? this.#nextFree(post, week, zone) : this.#freeOn(wish.day, post, week, zone);
    if (ms === undefined) return;
    const until = slotsUntil(post);
    if (until !== undefined && ms > this.#after && ms >= utcMs(until)) {
      // It is past, like any other row whose time is over.
      if (utcMs(until) < this.#after) times.set(post, until);
      else this.#problems.push(noSlotBeforeExpiry(post, until, ms));
      return;
    }
    times.set(post, utcTime(ms));
    this.#occupy({ platforms: post.platforms, scheduledAt: utcTime(ms) });
  }

  #nextFree(post: P, week: WeekSlots, zone: IANAZone): number | undefined {
    const { platforms } = post;
    const until = this.#after + SLOT_HORIZON_MS;
    const mark = JSON.stringify([platforms, zone.name]);
    const sequence = this.#sequenceOf(week, zone);
    const next = this.#next.get(sequence) ?? new Map<string, number>();
    this.#next.set(sequence, next);
    for (let index = next.get(mark) ?? 0; ; index += 1) {
      this.#tries += 1;
      if (this.#isExhausted(post)) return undefined;
      const ms = sequence.at(index, until);
      if (ms !== undefined && !this.#isFree(platforms, ms, zone)) continue;
      next.set(mark, index);
      if (ms === undefined) this.#noteFull(post, mark, until);
      return ms;
    }
  }

  /** Whether plancast has tried enough slots. Reports the first row that gets none for this reason. */
  #isExhausted(post: P): boolean {
    if (this.#tries <= MAX_TRIES) return false;
    const message =
      `plancast has tried ${formatNumber(MAX_TRIES)} slots, so this row and those after it get none. ` +
      "Write fewer times under `slots:`, shorten the quiet hours, or write dates and times.";
    if (this.#tries < Infinity)
      this.#problems.push(problem("schedule/no-free-slot", message, post.at("scheduled_at")));
    this.#tries = Infinity;
    return true;
  }

  #sequenceOf(week: WeekSlots, zone: IANAZone): SlotSequence {
    const ofWeek = this.#sequences.get(week) ?? new Map<IANAZone, SlotSequence>();
    this.#sequences.set(week, ofWeek);
    const found = ofWeek.get(zone) ?? new SlotSequence(week, zone, this.#after);
    ofWeek.set(zone, found);
    return found;
  }

  /** A row whose day is over is past, like any other. */
  #freeOn(day: string, post: P, week: WeekSlots, zone: IANAZone): number | undefined {
    const all = slotsOfDay(week, zone, day);
    this.#tries += all.length;
    const last = all.at(-1);
    if (day < localDay(zone, this.#state.now)) return last ?? Date.parse(day);
    if (last !== undefined && last <= this.#after) return last;
    const free = all.find((ms) => ms > this.#after && this.#isFree(post.platforms, ms, zone));
    if (free !== undefined) return free;
    const closed = all
      .filter((ms) => ms > this.#after)
      .map((ms) => this.#state.whyClosed(ms, zone, post.platforms) ?? "other posts");
    const causes = new Set(closed);
    const why =
      all.length === 0
        ? `${titles(post)} has no slot on ${weekdayName(day)} ${day}`
        : `No slot of ${titles(post)} is free on ${weekdayName(day)} ${day}, because of ${[...causes].join(" and ")}`;
    const message = `${why}. Choose another day, write a time, or add one under \`slots:\` in plancast.yaml.`;
    this.#problems.push(problem("schedule/no-free-slot", message, post.at("scheduled_at")));
    return undefined;
  }

  #noteFull(post: P, mark: string, until: number): void {
    const full = this.#full.get(mark);
    if (full === undefined) this.#full.set(mark, { first: post, until, count: 1 });
    else full.count += 1;
  }

  /** One problem for all rows, because a full calendar has no slot for any further row. */
  #fullProblems(): Problem[] {
    return [...this.#full.values()].map(({ first, until, count }) => {
      const more = count === 1 ? "" : ` ${formatNumber(count - 1)} more rows have the same problem.`;
      const message =
        `No slot of ${titles(first)} is free until ${utcTime(until).slice(0, 10)}. ` +
        `Add times under \`slots:\` in plancast.yaml, or write a date and a time.${more}`;
      return problem("schedule/no-free-slot", message, first.at("scheduled_at"));
    });
  }
}

function noSlotBeforeExpiry(post: SlotPost, expires: string, next: number): Problem {
  const zone = post.timezone ?? "UTC";
  const message =
    `The row expires ${timeInZone(expires, zone)}, but the next free slot of ${titles(post)} is ${timeInZone(utcTime(next), zone)}. ` +
    "Write a later `expires`, add times under `slots:`, or write a date and a time.";
  return problem("schedule/no-free-slot", message, post.at("expires"));
}

function noSlots(post: SlotPost): Problem {
  const message =
    `\`slots:\` in plancast.yaml has no times for ${titles(post)}. ` +
    "Add times for this network or for `default`, or write a date and a time.";
  return problem("schedule/no-free-slot", message, post.at("scheduled_at"));
}

function titles({ platforms }: Pick<SlotPost, "platforms">): string {
  return platforms.map(titleOf).join(", ");
}

function titleOf(network: string): string {
  return networkNamed(networkOf(network))?.title ?? network;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function weekdayName(day: string): string {
  return WEEKDAYS[new Date(day).getUTCDay()] ?? "";
}

// The instants of weekly slots in a time zone, across clock changes.

const DAY_MS = 86_400_000;

/**
 * The instants of a day's slots, in ms since the epoch, earliest first. A time that the clocks skip on that day gives
 * none. A time that happens twice gives the first.
 * @param day `2027-03-01`
 */
export function slotsOfDay(week: WeekSlots, zone: IANAZone, day: string): number[] {
  const start = Date.parse(day);
  const weekday = new Date(start).getUTCDay() || 7;
  return (week.get(weekday) ?? []).flatMap((minutes) => {
    const found = localInstant(zone, start + minutes * MINUTE_MS);
    return found.kind === "gap" ? [] : [found.ms];
  });
}

/** The slots from an instant on, in order. Reads only as many days as are asked for. */
class SlotSequence {
  readonly #week: WeekSlots;
  readonly #zone: IANAZone;
  readonly #from: number;
  readonly #found: number[] = [];
  #nextDay: number;

  /** @param from ms since the epoch; the first slot is later */
  constructor(week: WeekSlots, zone: IANAZone, from: number) {
    this.#week = week;
    this.#zone = zone;
    this.#from = from;
    this.#nextDay = Date.parse(localDay(zone, from));
  }

  /** The slot with an index from 0; undefined if it is not before `until`. */
  at(index: number, until: number): number | undefined {
    while (this.#found.length <= index && this.#nextDay < until + DAY_MS) {
      const day = new Date(this.#nextDay).toISOString().slice(0, 10);
      for (const ms of slotsOfDay(this.#week, this.#zone, day)) if (ms > this.#from) this.#found.push(ms);
      this.#nextDay += DAY_MS;
    }
    const found = this.#found[index];
    return found !== undefined && found < until ? found : undefined;
  }
}

/** Finds the slots of a network by its identifier. */
export type SlotsOfNetwork = (network: string) => WeekSlots | undefined;

/** The slots of `slots:`. Networks with the same times share an object. */
export function slotsByNetwork(settings: SlotSettings, aliases: Aliases): SlotsOfNetwork {
  const same = new Map<string, WeekSlots>();
  const own = new Map<string, WeekSlots>();
  for (const [name, written] of Object.entries(settings)) {
    const week = weekSlots(written);
    const mark = JSON.stringify([...week].sort(([one], [other]) => one - other));
    const shared = same.get(mark) ?? week;
    same.set(mark, shared);
    own.set(name === DEFAULT_SLOTS ? name : identify(name, aliases), shared);
  }
  // `linkedin/founder` is an account of `linkedin`.
  return (network) => own.get(network) ?? own.get(networkOf(network)) ?? own.get(DEFAULT_SLOTS);
}
