/** The sample calendar of a new project: posts that explain plancast, relative to today, and their picture. */

import { writeCsv } from "../../calendars/formats/csv/write-csv.ts";
import type { ColumnName, WrittenRow } from "../../calendars/formats/written-row.ts";
import { writeXlsx } from "../../calendars/formats/workbook/write-xlsx.ts";
import { type Scene, SCENE_SIDE, drawLandscape } from "../../media/draw-landscape.ts";
import type { Cell } from "../../model/row.ts";

const DAY_MS = 86_400_000;

/** Path of the sample picture from the calendar's folder. */
export const SAMPLE_PICTURE = "media/welcome.png";

const COLUMNS = ["id", "time", "timezone", "platforms", "content", "media", "status"] as const;

interface SampleRow {
  readonly id?: string;
  /** Days after today. */
  readonly inDays: number;
  readonly time?: string;
  readonly timezone?: string;
  readonly platforms?: string;
  readonly content: string;
  readonly media?: string;
  readonly status?: string;
}

/**
 * Rows that each show and explain one thing. Their times are around noon, when no zone changes its clocks, and never
 * today, so that all can still be scheduled.
 */
const ROWS: readonly SampleRow[] = [
  {
    id: "welcome",
    inDays: 1,
    time: "10:00",
    platforms: "linkedin, x",
    content: "Good morning from our calendar! 👋 This row is one post, with a picture.",
    media: SAMPLE_PICTURE,
  },
  {
    id: "several-lines",
    inDays: 3,
    time: "12:30",
    platforms: "linkedin",
    content:
      "A caption may have several lines.\n\nplancast publishes it exactly like this, with emoji 🌱 and accents (déjà vu).",
  },
  {
    inDays: 6,
    platforms: "linkedin",
    content: "This row has no time, so it gets the one of the defaults in plancast.yaml.",
  },
  {
    id: "new-york",
    inDays: 8,
    time: "10:00",
    timezone: "America/New_York",
    platforms: "x",
    content: "Ten o'clock in New York, in whatever time zone you read this.",
  },
  {
    id: "same-picture",
    inDays: 10,
    time: "15:00",
    platforms: "linkedin",
    content: "The picture of the first post again. plancast uploads it only once.",
    media: SAMPLE_PICTURE,
  },
  {
    id: "not-yet",
    inDays: 13,
    time: "10:00",
    platforms: "linkedin, x",
    content: "plancast never publishes a draft. When it is ready, clear its status.",
    status: "draft",
  },
];

/** @returns the day that is `days` after `today`; both as `YYYY-MM-DD` */
function dayAfter(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The formats for the sample calendar. */
export type Template = "csv" | "xlsx";

/** Path of the sample calendar: one file per month is a good habit. */
export function sampleCalendarPath(today: string, template: Template): string {
  return `calendars/${today.slice(0, 7)}.${template}`;
}

/**
 * @param today the local day, `YYYY-MM-DD`
 * @returns posts in the next two weeks that explain themselves, as CSV or a workbook
 */
export function sampleCalendar(today: string, template: Template): string | Uint8Array {
  const rows = ROWS.map((row) => toWrite(row, today));
  const written =
    template === "csv"
      ? writeCsv(rows)
      : writeXlsx(rows.slice(0, 1), { platforms: ["linkedin", "x"], columns: ["timezone"] });
  if ("contents" in written) return written.contents;
  throw new Error("The sample calendar cannot be written.");
}

function toWrite(row: SampleRow, today: string): WrittenRow {
  const cells = COLUMNS.flatMap((name): [ColumnName, Cell][] => {
    const cell = row[name];
    return cell === undefined ? [] : [[name, cell]];
  });
  return new Map([...cells, ["date", dayAfter(today, row.inDays)]]);
}

const SUNSET: Scene = {
  sky: { top: [74, 64, 134], bottom: [255, 186, 142] },
  sun: { x: 690, y: 470, radius: 150, color: [255, 236, 205] },
  hills: [
    { color: [196, 116, 118], height: 640, swell: 50, length: 330, shift: 0.4 },
    { color: [128, 74, 104], height: 770, swell: 64, length: 250, shift: 2.6 },
    { color: [58, 44, 78], height: 915, swell: 46, length: 300, shift: 4.4 },
  ],
};

/**
 * The picture of the sample calendar: a sunset over hills, 1080 by 1080 pixels, which every network shows uncropped.
 * Drawing it here avoids a binary file in the package.
 *
 * @returns a PNG file of some 20 kB
 */
export function samplePicture(): Uint8Array {
  return drawLandscape(SUNSET, { width: SCENE_SIDE, height: SCENE_SIDE });
}
