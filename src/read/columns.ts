import type { Field } from "../calendar/row.ts";
import { fieldNamed, foldName } from "../calendar/fold-name.ts";

/** Names that other schedulers and people give to columns. */
const SYNONYMS: ReadonlyMap<string, Field> = new Map(
  Object.entries({
    caption: "content",
    text: "content",
    message: "content",
    post: "content",
    image: "media",
    images: "media",
    picture: "media",
    pictures: "media",
    photo: "media",
    photos: "media",
    video: "media",
    videos: "media",
    image_url: "media",
    image_urls: "media",
    media_url: "media",
    media_urls: "media",
    platform: "platforms",
    network: "platforms",
    networks: "platforms",
    channel: "platforms",
    channels: "platforms",
    publish_at: "scheduled_at",
    schedule: "scheduled_at",
    datetime: "scheduled_at",
    date_and_time: "scheduled_at",
    tz: "timezone",
    time_zone: "timezone",
  } satisfies Record<string, Field>),
);

/** What `columns:` says of a column that is no field. */
export const IGNORE = "ignore";

/** The field that a name other than its own commonly stands for. */
export function fieldMeant(name: string): Field | undefined {
  return SYNONYMS.get(foldName(name));
}

/** What the columns of a table stand for. Columns are counted from 0. */
export interface Columns {
  /** The field of each column; undefined where it has none. */
  readonly fields: readonly (Field | undefined)[];
  /** Columns whose name stands for nothing. */
  readonly unknown: readonly number[];
  /** Columns without a name. */
  readonly unnamed: readonly number[];
  /** Columns whose field an earlier one has already. */
  readonly duplicates: readonly { readonly column: number; readonly first: number; readonly field: Field }[];
}

/**
 * Finds each column's field. `mapping` is the project's own (header to field) and goes first; a column named as
 * the field itself, or mapped to it, wins over a synonym, which is then unknown.
 */
export function mapColumns(header: readonly string[], mapping: Readonly<Record<string, string>>): Columns {
  const mapped = new Map(Object.entries(mapping).map(([name, field]) => [foldName(name), fieldNamed(field)]));
  const named = header.map((name) => mapped.get(foldName(name)) ?? fieldNamed(name));
  const fields: (Field | undefined)[] = [];
  const unknown: number[] = [];
  const unnamed: number[] = [];
  const duplicates: { column: number; first: number; field: Field }[] = [];
  for (const [column, name] of header.entries()) {
    const synonym = fieldMeant(name);
    const field = named[column] ?? (named.includes(synonym) ? undefined : synonym);
    const first = field === undefined ? -1 : fields.indexOf(field);
    if (field !== undefined && first !== -1) duplicates.push({ column, first, field });
    else if (name.trim() === "") unnamed.push(column);
    else if (field === undefined) unknown.push(column);
    fields.push(first === -1 ? field : undefined);
  }
  return { fields, unknown, unnamed, duplicates };
}
