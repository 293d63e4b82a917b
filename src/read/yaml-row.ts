import type { Position } from "../calendar/problem.ts";
import { FIELDS, type Cell, type Field, type RawRow } from "../calendar/row.ts";
import { isBlank } from "./csv-cells.ts";
import { valueAt } from "./schema-issues.ts";
import type { YamlDocument, YamlPath } from "./yaml-document.ts";

/** A post of a YAML calendar, or its defaults. */
export class YamlRow implements RawRow {
  readonly file: string;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly #document: YamlDocument;
  readonly #path: YamlPath;

  constructor(file: string, document: YamlDocument, path: YamlPath, post: unknown) {
    this.file = file;
    this.#document = document;
    this.#path = path;
    this.cells = toCells(post);
  }

  get line(): number {
    return this.at().line ?? 1;
  }

  at(field?: Field, item?: number): Position {
    if (field === undefined || this.cells[field] === undefined) {
      const { file, line = 1, column = 1 } = this.#document.at(this.#path);
      return { file, line, column };
    }
    return this.#document.at([...this.#path, field, ...(item === undefined ? [] : [item])]);
  }
}

function toCells(post: unknown): Partial<Record<Field, Cell>> {
  const cells: Partial<Record<Field, Cell>> = {};
  for (const field of FIELDS) {
    const cell = toCell(valueAt(post, [field]));
    if (cell !== undefined) cells[field] = cell;
  }
  return cells;
}

function toCell(value: unknown): Cell | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String);
  return typeof value !== "string" || isBlank(value) ? undefined : value;
}
