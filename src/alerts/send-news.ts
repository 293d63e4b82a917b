/** Sends each channel its news, and records after each what was sent. */

import { isSameJson } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import type { Channel, SentRecord } from "./channels/channel.ts";
import {
  type Look,
  type News,
  type Sent,
  afterSending,
  hasNews,
  newsFor,
  withPatience,
} from "./core/news.ts";

/** The result for a channel. */
export interface SendResult {
  readonly channel: string;
  readonly news: News;
  /** Why it did not take them. */
  readonly failure: Failure | undefined;
}

/**
 * A channel that fails does not stop the others, and gets its news at the next look.
 * @param channels a Failure instead of one that cannot be opened
 * @throws a Failure if the record cannot be read or written: otherwise, everything would be sent again and again
 */
export async function sendAll(
  seen: Look,
  channels: readonly (readonly [name: string, channel: Channel | Failure])[],
  record: SentRecord,
): Promise<readonly SendResult[]> {
  const names = new Set(channels.map(([name]) => name));
  let sent = onlyChannels(await record.read(), names);
  const look = record.keepsUnsent ? withPatience(seen, sent) : seen;
  const results: SendResult[] = [];
  for (const [name, channel] of channels) {
    const news = newsFor(name, look, sent);
    const failure = channel instanceof Failure ? channel : await failureOf(channel, news);
    results.push({ channel: name, news, failure });
    if (failure !== undefined) continue;
    const after = afterSending(name, look, sent);
    if (!isSameJson(after, sent)) await record.write(after, look.open);
    sent = after;
  }
  return results;
}

async function failureOf(channel: Channel, news: News): Promise<Failure | undefined> {
  if (!hasNews(news)) return undefined;
  try {
    await channel.send(news);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Without channels that were removed since. */
function onlyChannels(sent: Sent, names: ReadonlySet<string>): Sent {
  return Object.fromEntries(
    Object.entries(sent).map(([key, each]) => [
      key,
      { ...each, channels: each.channels.filter((name) => names.has(name)) },
    ]),
  );
}
