import type { Position } from "../calendar/problem.ts";
import {
  FIELDS,
  VARIANT_FIELDS,
  type Cell,
  type Field,
  type RawRow,
  type RowVariant,
  type VariantField,
} from "../calendar/row.ts";
import { isBlank } from "./csv-cells.ts";
import { valueAt } from "./schema-issues.ts";
import type { YamlDocument, YamlPath } from "./yaml-document.ts";

/** A post of a YAML calendar, or its defaults. */
export class YamlRow implements RawRow {
  readonly file: string;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly variants: readonly RowVariant[];
  readonly #document: YamlDocument;
  readonly #path: YamlPath;

  constructor(file: string, document: YamlDocument, path: YamlPath, post: unknown) {
    this.file = file;
    this.#document = document;
    this.#path = path;
    this.cells = toCells(post, FIELDS);
    this.variants = this.#readVariants(valueAt(post, ["variants"]));
  }

  #readVariants(variants: unknown): RowVariant[] {
    if (typeof variants !== "object" || variants === null) return [];
    const path = [...this.#path, "variants"];
    return Object.entries(variants).map(([key, variant]) => ({
      platform: this.#document.keyText(path, key),
      cells: { ...emptied(variant), ...toCells(variant, VARIANT_FIELDS) },
      at: (field, item) => this.#document.at([...path, key, field, ...(item === undefined ? [] : [item])]),
    }));
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

/** What a platform is to go without, although the others have it: `media: []`, `content: ""`. */
function emptied(variant: unknown): Partial<Record<VariantField, Cell>> {
  const content = valueAt(variant, ["content"]);
  const media = valueAt(variant, ["media"]);
  return {
    ...(content === "" ? { content } : {}),
    ...(Array.isArray(media) && media.length === 0 ? { media: [] } : {}),
  };
}

function toCells<F extends Field>(post: unknown, fields: readonly F[]): Partial<Record<F, Cell>> {
  const cells: Partial<Record<F, Cell>> = {};
  for (const field of fields) {
    const cell = toCell(valueAt(post, [field]));
    if (cell !== undefined) cells[field] = cell;
  }
  return cells;
}

function toCell(value: unknown): Cell | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String);
  return typeof value !== "string" || isBlank(value) ? undefined : value;
}
