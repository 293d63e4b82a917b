import { maskAddresses } from "../calendar/media-address.ts";
import type { RawCalendar } from "../calendar/row.ts";

/** The lines of the calendars, to show beside problems; without what addresses in them keep secret. */
export function sourceLines(
  calendars: readonly RawCalendar[],
): (file: string, line: number) => string | undefined {
  const byFile = new Map(calendars.map((calendar) => [calendar.file, calendar]));
  return (file, line) => {
    const text = byFile.get(file)?.sourceLine(line);
    return text === undefined ? undefined : maskAddresses(text);
  };
}
