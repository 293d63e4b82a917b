/**
 * The zone of a feed (RFC 5545, 3.6.5), as far as its own times need it: where two of them lie on different sides of a
 * clock change, the change is told; one that no time lies beyond is not.
 */
import type { IANAZone } from "luxon";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The lines of a VTIMEZONE. @param times ms since the epoch, in any order */
export function zoneLines(zone: IANAZone, times: readonly number[]): string[] {
  const sorted = times.toSorted((one, other) => one - other);
  const lines: string[] = [];
  let before = sorted[0] ?? 0;
  // Before the first time nothing is asked of the zone, so that its first offset may hold since ever.
  lines.push(...observance(zone, 0, offsetAt(zone, before), offsetAt(zone, before)));
  for (const time of sorted) {
    while (offsetAt(zone, before) !== offsetAt(zone, time)) {
      const change = firstChange(zone, before, time);
      lines.push(...observance(zone, change, offsetAt(zone, before), offsetAt(zone, change)));
      before = change;
    }
    before = time;
  }
  return ["BEGIN:VTIMEZONE", `TZID:${zone.name}`, ...lines, "END:VTIMEZONE"];
}

/**
 * What the zone's clocks show, `20270301T093000`. Undefined where they show it twice: by the letter it means the first
 * time then, but programs differ.
 */
export function wallText(zone: IANAZone, ms: number): string | undefined {
  const wall = ms + offsetAt(zone, ms);
  const isTwice = [ms - DAY_MS, ms + DAY_MS].some((near) => {
    const other = wall - offsetAt(zone, near);
    return other !== ms && other + offsetAt(zone, other) === wall;
  });
  return isTwice ? undefined : basic(wall);
}

/** Ms. */
function offsetAt(zone: IANAZone, ms: number): number {
  return zone.offset(ms) * MINUTE_MS;
}

/** A minute in which the offset becomes another, after `from` and until `to`, at which it is another. */
function firstChange(zone: IANAZone, from: number, to: number): number {
  const offset = offsetAt(zone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** From an instant on. It begins when the clocks that were in force until then show its DTSTART. */
function observance(zone: IANAZone, since: number, from: number, to: number): string[] {
  const kind = to > from ? "DAYLIGHT" : "STANDARD";
  return [
    `BEGIN:${kind}`,
    `DTSTART:${basic(since + from)}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    `END:${kind}`,
  ];
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${ms < 0 ? "-" : "+"}${hour}${minute}`;
}

function basic(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}
