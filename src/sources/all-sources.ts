/** All sources, one line each. The first that owns an address reads it. */

import { GOOGLE_SHEETS } from "./google-sheets.ts";
import type { CalendarSource } from "./source.ts";
import { WEB_FILE } from "./web-file.ts";

const SOURCES: readonly CalendarSource[] = [GOOGLE_SHEETS, WEB_FILE];

export function sourceOf(address: URL): CalendarSource {
  return SOURCES.find(({ owns }) => owns(address)) ?? WEB_FILE;
}
