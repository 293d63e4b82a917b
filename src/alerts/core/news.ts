/**
 * What is news for a channel: each alert is told there once, and once that it ended. Pure: the state before, what is
 * open now, and the state after.
 */

import { z } from "zod";
import { type Alert, kindFacts } from "./alert.ts";

const toldAlert = z.strictObject({
  text: z.string(),
  /** Names of the channels that got it; none for an alert that waits for the next look. */
  channels: z.array(z.string()),
  /** As in `Alert`. */
  until: z.number().optional(),
});

/** Alerts that were found before, by key. */
export const toldSchema = z.record(z.string(), toldAlert);

export type Told = z.infer<typeof toldSchema>;

/** What one look found. */
export interface Look {
  readonly open: readonly Alert[];
  /** Whether it saw everything. Otherwise, it is unknown whether an earlier alert has ended. */
  readonly isWhole: boolean;
  /** Keys of alerts that nobody hears about before the next look finds them, too. */
  readonly waiting?: ReadonlySet<string>;
  /** Unix time, in ms. */
  readonly now: number;
}

/** What a channel does not know yet. */
export interface News {
  readonly fresh: readonly Alert[];
  /** Texts of alerts that ended. */
  readonly solved: readonly string[];
  /** All that are open, with those that the channel knows. */
  readonly open: readonly Alert[];
}

/** The look, with the alerts that wait for the next one. @param told before the look */
export function withPatience(look: Look, told: Told): Look {
  const waiting = look.open.filter(
    ({ kind, key }) => kindFacts(kind).isPatient === true && !Object.hasOwn(told, key),
  );
  return { ...look, waiting: new Set(waiting.map(({ key }) => key)) };
}

export function newsFor(channel: string, look: Look, told: Told): News {
  const isNew = (alert: Alert): boolean => {
    const before = told[alert.key];
    return before?.channels.includes(channel) !== true && look.waiting?.has(alert.key) !== true;
  };
  const ended = Object.entries(told).filter(([key, { channels }]) => {
    return channels.includes(channel) && hasEnded(key, look, told);
  });
  return {
    fresh: look.open.filter(isNew),
    solved: ended.map(([, { text }]) => text),
    open: look.open,
  };
}

export function hasNews({ fresh, solved }: News): boolean {
  return fresh.length > 0 || solved.length > 0;
}

/** The state after a channel got its news. */
export function afterTelling(channel: string, look: Look, told: Told): Told {
  const { fresh } = newsFor(channel, look, told);
  const got = new Set(fresh.map(({ key }) => key));
  const open = look.open.map(({ key, text, until }) => {
    const before = told[key]?.channels ?? [];
    const channels = got.has(key) ? [...before, channel] : before;
    return [key, { text, channels, ...(until !== undefined && { until }) }] as const;
  });
  const others = Object.entries(told).flatMap(([key, each]) => {
    if (look.open.some((alert) => alert.key === key) || isTooOld(each, look)) return [];
    if (!hasEnded(key, look, told)) return [[key, each] as const];
    const channels = each.channels.filter((name) => name !== channel);
    return channels.length === 0 ? [] : [[key, { ...each, channels }] as const];
  });
  return Object.fromEntries([...others, ...open]);
}

/** An old post is no news, also if it is well now. */
function hasEnded(key: string, look: Look, told: Told): boolean {
  const each = told[key];
  if (each === undefined || look.open.some((alert) => alert.key === key) || isTooOld(each, look))
    return false;
  return look.isWhole;
}

function isTooOld({ until = Infinity }: Told[string], { now }: Look): boolean {
  return until < now;
}
