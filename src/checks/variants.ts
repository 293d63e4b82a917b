/**
 * One row for several networks: the values of the row for each platform. Platforms with the same content share one
 * post.
 */

import { type Problem, problem } from "../model/problem.ts";
import type { Cell, RawRow, RowVariant } from "../model/row.ts";
import type { Field } from "../model/fields.ts";
import { type Aliases, IDENTIFIER, LEFT_OUT, identify } from "./networks/network-names.ts";

/** A row with the values that apply to some of its platforms. */
export interface PlatformRow {
  readonly platforms: readonly string[];
  readonly row: RawRow;
  /** Whether some of its content is only for these platforms. */
  readonly isOwn: boolean;
}

/**
 * The row with the platforms that have no content of their own, then one view for each other platform.
 * @param platforms the row's own, in canonical form
 */
export function rowsByPlatform(
  row: RawRow,
  platforms: readonly string[],
  aliases: Aliases,
): { readonly rows: readonly PlatformRow[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const own = new Map<string, RowVariant>();
  // A status decides only whether the row goes to the platform.
  const variants = row.variants.filter((each) => fieldsOf(each).some((field) => field !== "status"));
  for (const variant of variants) {
    const [field] = fieldsOf(variant);
    const name = identify(variant.platform, aliases);
    if (name === LEFT_OUT) continue;
    const at = field === undefined ? row.at() : variant.at(field);
    if (own.has(name)) {
      const message = `The row already has this value for "${variant.platform}", under another name of that platform. Keep one of them.`;
      problems.push(problem("row/value-twice", message, at));
    } else if (platforms.includes(name)) own.set(name, variant);
    else problems.push(unusedValue(variant.platform, name, platforms, at));
  }
  const others = platforms.filter((name) => !own.has(name));
  const shared = others.length === 0 ? [] : [{ platforms: others, row, isOwn: false }];
  const each = [...own].map(([name, variant]) => {
    return { platforms: [name], row: new VariantRow(row, variant), isOwn: true };
  });
  return { rows: [...shared, ...each], problems };
}

/** @param written what the row calls the platform `name` */
export function unusedValue(
  written: string,
  name: string,
  platforms: readonly string[],
  at: ReturnType<RawRow["at"]>,
): Problem {
  const where = IDENTIFIER.test(name) ? `the row goes to ${platforms.join(", ")}` : "that is not a platform";
  const message = `This is only for ${written}, but ${where}, so plancast does not use it.`;
  return problem("row/unused-value", message, at);
}

function fieldsOf({ cells }: RowVariant): Field[] {
  // TypeScript returns the keys of a literal type as strings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(cells) as Field[];
}

/** The row with the values for the platform of one of its variants. */
export function rowForVariant(row: RawRow, variant: RowVariant): RawRow {
  return new VariantRow(row, variant);
}

/** A row in which the cells for one platform replace the cells for all platforms. */
class VariantRow implements RawRow {
  readonly file: string;
  readonly cells: Readonly<Partial<Record<Field, Cell>>>;
  readonly variants = [];
  readonly #row: RawRow;
  readonly #variant: RowVariant;

  constructor(row: RawRow, variant: RowVariant) {
    this.file = row.file;
    this.#row = row;
    this.#variant = variant;
    this.cells = {
      ...withoutOtherMedia(withoutOtherTime(row.cells, variant.cells), variant.cells),
      ...variant.cells,
    };
  }

  get sheet(): string | undefined {
    return this.#row.sheet;
  }

  get line(): number {
    return this.#row.line;
  }

  get occurrence(): RawRow["occurrence"] {
    return this.#row.occurrence;
  }

  at(field?: Field, item?: number): ReturnType<RawRow["at"]> {
    const isOwn = field !== undefined && fieldsOf(this.#variant).includes(field);
    return isOwn ? this.#variant.at(field, item) : this.#row.at(field, item);
  }
}

/** The time for a platform replaces the time of the row, whatever form both are written in. */
function withoutOtherTime(
  cells: RawRow["cells"],
  own: RowVariant["cells"],
): Readonly<Partial<Record<Field, Cell>>> {
  if (own.scheduled_at !== undefined) {
    const { date: _date, time: _time, ...rest } = cells;
    return rest;
  }
  if (own.date === undefined && own.time === undefined) return cells;
  const { scheduled_at: _whole, ...rest } = cells;
  return rest;
}

/** The row's alt texts describe the row's media, not a platform's own. Media of a thread belong to its texts. */
function withoutOtherMedia(cells: RawRow["cells"], own: RowVariant["cells"]): RawRow["cells"] {
  const hidden: Field[] = [
    ...(own.media === undefined ? [] : (["alt"] as const)),
    ...(own.thread_media === undefined ? [] : (["thread_alt"] as const)),
    ...(own.thread === undefined ? [] : (["thread_media", "thread_alt"] as const)),
  ];
  if (hidden.length === 0) return cells;
  return Object.fromEntries(Object.entries(cells).filter(([name]) => !hidden.some((each) => each === name)));
}
