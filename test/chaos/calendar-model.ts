/** Rows as a test thinks of them, the files that hold them, and what the service must hold for them. */
import { stringify } from "yaml";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";
import type { Wanted } from "./invariants.ts";

export interface ModelRow {
  readonly id?: string;
  readonly file: string;
  readonly content: string;
  readonly platforms: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  readonly scheduledAt: string;
  /** Seeds of pictures. */
  readonly media: readonly number[];
}

const COLUMNS = ["id", "scheduled_at", "platforms", "content", "media"] as const;

/** The calendars, by path, in the order of the rows, and the pictures. Names ending in `.csv` are CSV, others YAML. */
export function calendarFiles(rows: readonly ModelRow[]): Record<string, string | Uint8Array> {
  const files = new Map<string, ModelRow[]>();
  for (const row of rows) files.set(row.file, [...(files.get(row.file) ?? []), row]);
  const seeds = [...new Set(rows.flatMap((row) => row.media))];
  return {
    ...Object.fromEntries([...files].map(([file, held]) => [file, textOf(file, held)])),
    ...Object.fromEntries(seeds.map((seed) => [pictureName(seed), tinyPng(seed)])),
  };
}

function textOf(file: string, rows: readonly ModelRow[]): string {
  const records = rows.map(({ id = "", scheduledAt, platforms, content, media }) => ({
    id,
    scheduled_at: scheduledAt,
    platforms: platforms.join(" "),
    content,
    media: media.map(pictureName).join("|"),
  }));
  if (file.endsWith(".csv")) {
    return csv(COLUMNS, ...records.map((record) => COLUMNS.map((column) => record[column])));
  }
  return stringify(
    records.map((record) => Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== ""))),
  );
}

function pictureName(seed: number): string {
  return `media/${seed}.png`;
}

export function wantedOf(rows: readonly ModelRow[]): Wanted[] {
  return rows.map(({ content, platforms, scheduledAt, media }) => ({
    content,
    platforms,
    scheduledAt,
    media: media.map((seed) => tinyPng(seed)),
  }));
}
