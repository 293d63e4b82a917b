/** The interface of everything that tells people about alerts. channels/ has one file for each kind of channel. */

import type { Alert } from "../core/alert.ts";
import type { News, Told } from "../core/news.ts";

export interface Channel {
  /** Its name in `notify:`, and in the record of what was told. */
  readonly name: string;
  /** Tells the news. Throws a Failure if they may not have arrived: they are then told again. */
  readonly tell: (news: News) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The record of what was told. Both methods throw a Failure. */
export interface ToldRecord {
  /** Whether it also keeps alerts that nobody was told. */
  readonly keepsUntold: boolean;
  readonly read: () => Promise<Told>;
  /** @param open all alerts that are open */
  readonly write: (told: Told, open: readonly Alert[]) => Promise<void>;
}
