/** The interface of everything that sends alerts to people. channels/ has one file for each kind of channel. */

import type { Alert } from "../core/alert.ts";
import type { News, Sent } from "../core/news.ts";

export interface Channel {
  /** Its name in `notify:`, and in the record of what was sent. */
  readonly name: string;
  /** Sends the news. Throws a Failure if they may not have arrived: they are then sent again. */
  readonly send: (news: News) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The record of what was sent. Both methods throw a Failure. */
export interface SentRecord {
  /** Whether it also keeps alerts that nobody got. */
  readonly keepsUnsent: boolean;
  readonly read: () => Promise<Sent>;
  /** @param open all alerts that are open */
  readonly write: (sent: Sent, open: readonly Alert[]) => Promise<void>;
}
