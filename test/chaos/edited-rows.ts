/** Rows under edit. Each row has a unique text, so that a test can identify its posts. */
import type { ModelRow } from "./calendar-model.ts";
import type { Edit } from "./random-mixture.ts";

const PLATFORMS = [["linkedin"], ["twitter"], ["linkedin", "twitter"], ["bluesky", "mastodon"]] as const;
const FILES = ["calendars/a.csv", "calendars/b.yaml", "calendars/deep/c.csv"] as const;

interface Row extends ModelRow {
  readonly number: number;
  readonly version: number;
}

export class EditedRows {
  #rows: readonly Row[];
  #made = 0;
  #renamed = 0;

  constructor(count: number) {
    this.#rows = Array.from({ length: count }, (_, index) => this.#newRow(index));
  }

  get rows(): readonly ModelRow[] {
    return this.#rows;
  }

  #newRow(value: number): Row {
    this.#made += 1;
    const number = this.#made;
    const row = {
      number,
      version: 1,
      file: FILES[value % FILES.length] ?? FILES[0],
      content: text(number, 1),
      platforms: PLATFORMS[(value + number) % PLATFORMS.length] ?? [],
      scheduledAt: day(number + value),
      media: value % 3 === 0 ? [1 + (value % 5)] : [],
    };
    // An id may be any text, even the name of a property that every object inherits.
    return value % 2 === 0 ? { ...row, id: number === 2 ? "constructor" : `row-${number}` } : row;
  }

  edit({ kind, row, value }: Edit): void {
    const index = row % this.#rows.length;
    switch (kind) {
      case "add":
        this.#rows = [...this.#rows, this.#newRow(value)];
        return;
      case "remove":
        // The last row is never removed, because a guard would stop that run.
        if (this.#rows.length > 1) this.#rows = this.#rows.filter((_, each) => each !== index);
        return;
      case "turn around":
        this.#rows = [...this.#rows].reverse();
        return;
      case "rename file": {
        const old = this.#rows[index]?.file;
        this.#renamed += 1;
        const file = `calendars/renamed-${this.#renamed}.${value % 2 === 0 ? "csv" : "yaml"}`;
        this.#rows = this.#rows.map((each) => (each.file === old ? { ...each, file } : each));
        return;
      }
      default:
        this.#rows = this.#rows.map((each, at) => (at === index ? changed(each, kind, value) : each));
    }
  }
}

function changed(
  row: Row,
  kind: Exclude<Edit["kind"], "add" | "remove" | "turn around" | "rename file">,
  value: number,
): Row {
  switch (kind) {
    case "change text":
      return said(row, row.version + 1);
    case "take the text back":
      return said(row, Math.max(1, row.version - 1));
    case "move":
      return { ...row, scheduledAt: day(row.number + value) };
    case "change platforms":
      return { ...row, platforms: PLATFORMS[value % PLATFORMS.length] ?? [] };
    case "change picture":
      return { ...row, media: value % 4 === 0 ? [] : [1 + (value % 5), ...(value % 3 === 0 ? [9] : [])] };
    case "to another file":
      return { ...row, file: FILES[value % FILES.length] ?? FILES[0] };
    case "give id":
      return { ...row, id: `given-${row.number}` };
    case "take id": {
      const { id: _gone, ...rest } = row;
      return rest;
    }
  }
}

function said(row: Row, version: number): Row {
  return { ...row, version, content: text(row.number, version) };
}

function text(number: number, version: number): string {
  return `Row ${number}, version ${version}: café, 🌱\nand "more"`;
}

function day(value: number): string {
  return new Date(Date.UTC(2036, 2, 1 + (value % 40), 9)).toISOString().replace(".000Z", "Z");
}
