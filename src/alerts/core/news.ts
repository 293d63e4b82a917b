/**
 * What is news for a channel: each alert is sent there once, and once that it ended. Pure: the state before, what is
 * open now, and the state after.
 */

import { z } from "zod";
import { type Alert, kindFacts } from "./alert.ts";

const sentAlert = z.strictObject({
  text: z.string(),
  /** Names of the channels that got it; none for an alert that waits for the next look. */
  channels: z.array(z.string()),
  /** As in `Alert`. */
  until: z.number().optional(),
});

/** Alerts that were found before, by key. */
export const sentSchema = z.record(z.string(), sentAlert);

export type Sent = z.infer<typeof sentSchema>;

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

/** The look, with the alerts that wait for the next one. @param sent before the look */
export function withPatience(look: Look, sent: Sent): Look {
  const waiting = look.open.filter(
    ({ kind, key }) => kindFacts(kind).isPatient === true && !Object.hasOwn(sent, key),
  );
  return { ...look, waiting: new Set(waiting.map(({ key }) => key)) };
}

export function newsFor(channel: string, look: Look, sent: Sent): News {
  const isNew = (alert: Alert): boolean => {
    const before = sent[alert.key];
    return before?.channels.includes(channel) !== true && look.waiting?.has(alert.key) !== true;
  };
  const ended = Object.entries(sent).filter(([key, { channels }]) => {
    return channels.includes(channel) && hasEnded(key, look, sent);
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
export function afterSending(channel: string, look: Look, sent: Sent): Sent {
  const { fresh } = newsFor(channel, look, sent);
  const got = new Set(fresh.map(({ key }) => key));
  const open = look.open.map(({ key, text, until }) => {
    const before = sent[key]?.channels ?? [];
    const channels = got.has(key) ? [...before, channel] : before;
    return [key, { text, channels, ...(until !== undefined && { until }) }] as const;
  });
  const others = Object.entries(sent).flatMap(([key, each]) => {
    if (look.open.some((alert) => alert.key === key) || isTooOld(each, look)) return [];
    if (!hasEnded(key, look, sent)) return [[key, each] as const];
    const channels = each.channels.filter((name) => name !== channel);
    return channels.length === 0 ? [] : [[key, { ...each, channels }] as const];
  });
  return Object.fromEntries([...others, ...open]);
}

/** Nobody needs to hear about an old post, also if it is well now. */
function hasEnded(key: string, look: Look, sent: Sent): boolean {
  const each = sent[key];
  if (each === undefined || look.open.some((alert) => alert.key === key) || isTooOld(each, look))
    return false;
  return look.isWhole;
}

function isTooOld({ until = Infinity }: Sent[string], { now }: Look): boolean {
  return until < now;
}
