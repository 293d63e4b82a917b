/** Keeps the calendars that were read, so that a server which reads again at each save reads only what has changed. */

import { createHash } from "node:crypto";
import type { RawCalendar } from "../model/row.ts";
import { type ReadContents, readContents } from "./read-calendar.ts";

interface KnownCalendar {
  readonly version: string;
  readonly calendar: RawCalendar;
}

/** Readings kept of each file: of the saved file, and of an edit that may be saved. */
const VERSIONS = 2;

export class KnownCalendars {
  /** The last readings of each file, newest first, by its settings. */
  readonly #known = new Map<string, readonly KnownCalendar[]>();

  /** As `readContents`. The last bytes are not read again with the same options. */
  readonly read: ReadContents = async (file, bytes, options) => {
    const { known: _names, ...relevant } = options;
    const key = JSON.stringify([file, relevant]);
    const version = versionOf(bytes);
    const before = this.#known.get(key) ?? [];
    const found = before.find((each) => each.version === version);
    const calendar = found?.calendar ?? (await readContents(file, bytes, options));
    const others = before.filter((each) => each !== found);
    this.#known.set(key, [{ version, calendar }, ...others].slice(0, VERSIONS));
    return calendar;
  };
}

/** Differs whenever the bytes of a calendar differ. */
export function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
