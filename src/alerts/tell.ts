/** Tells each channel its news, and records after each what was told. */

import { isSameJson } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import type { Channel, ToldRecord } from "./channels/channel.ts";
import {
  type Look,
  type News,
  type Told,
  afterTelling,
  hasNews,
  newsFor,
  withPatience,
} from "./core/news.ts";

/** The result for a channel. */
export interface TellResult {
  readonly channel: string;
  readonly news: News;
  /** Why it did not take them. */
  readonly failure: Failure | undefined;
}

/**
 * A channel that fails does not stop the others, and gets its news at the next look.
 * @param channels a Failure instead of one that cannot be opened
 * @throws a Failure if the record cannot be read or written: otherwise, everything would be told again and again
 */
export async function tellAll(
  seen: Look,
  channels: readonly (readonly [name: string, channel: Channel | Failure])[],
  record: ToldRecord,
): Promise<readonly TellResult[]> {
  const names = new Set(channels.map(([name]) => name));
  let told = onlyChannels(await record.read(), names);
  const look = record.keepsUntold ? withPatience(seen, told) : seen;
  const results: TellResult[] = [];
  for (const [name, channel] of channels) {
    const news = newsFor(name, look, told);
    const failure = channel instanceof Failure ? channel : await failureOf(channel, news);
    results.push({ channel: name, news, failure });
    if (failure !== undefined) continue;
    const after = afterTelling(name, look, told);
    if (!isSameJson(after, told)) await record.write(after, look.open);
    told = after;
  }
  return results;
}

async function failureOf(channel: Channel, news: News): Promise<Failure | undefined> {
  if (!hasNews(news)) return undefined;
  try {
    await channel.tell(news);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Without channels that were removed since. */
function onlyChannels(told: Told, names: ReadonlySet<string>): Told {
  return Object.fromEntries(
    Object.entries(told).map(([key, each]) => [
      key,
      { ...each, channels: each.channels.filter((name) => names.has(name)) },
    ]),
  );
}
