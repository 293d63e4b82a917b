import type { RawCalendar } from "../calendar/row.ts";

/** The lines of the calendars, to show beside problems. */
export function sourceLines(
  calendars: readonly RawCalendar[],
): (file: string, line: number) => string | undefined {
  const byFile = new Map(calendars.map((calendar) => [calendar.file, calendar]));
  return (file, line) => byFile.get(file)?.sourceLine(line);
}
