/** Consecutive rows with the same text and time, one for each picture: they become one post. */

import {
  type Field,
  DECISIVE_FIELDS,
  FIELDS,
  MEDIA_LIST_FIELDS,
  RESULT_PARTS,
  TIME_FIELDS,
  resultField,
} from "../../model/fields.ts";
import { type Problem, problem, rowName } from "../../model/problem.ts";
import { type Cell, cellText } from "../../model/row.ts";
import type { TableRow } from "./rows-table.ts";

/** Two rows with equal values in these fields are one post. */
const KEY_FIELDS: readonly Field[] = ["content", ...TIME_FIELDS];
/** Each row of a carousel has its own. Nothing reads a result. */
const OWN_FIELDS: ReadonlySet<Field> = new Set([...MEDIA_LIST_FIELDS, ...RESULT_PARTS.map(resultField)]);
/** The rows must not differ in any other field. */
const COMPARED_FIELDS = FIELDS.filter((field) => !KEY_FIELDS.includes(field) && !OWN_FIELDS.has(field));

/**
 * Whether a row continues the post of the previous one: both have media, the later row's are new, and text and time are
 * the same. A row that repeats everything is a duplicate, not a continuation.
 */
export function continuesPost(before: TableRow, row: TableRow): boolean {
  if (!KEY_FIELDS.every((field) => textOf(before.cells[field]) === textOf(row.cells[field]))) return false;
  const known = new Set(before.mediaItems.map(({ text }) => text));
  return known.size > 0 && row.mediaItems.some(({ text }) => !known.has(text));
}

/** The differences between two rows that should be one post. */
export function carouselProblems(before: TableRow, row: TableRow): Problem[] {
  // The later row may leave out what a post need not have: the first row says it.
  const said = COMPARED_FIELDS.filter(
    (field) => DECISIVE_FIELDS.has(field) || row.cells[field] !== undefined,
  );
  const fields = said.map((field) => ({
    name: field as string,
    values: [textOf(before.cells[field]), textOf(row.cells[field])],
    at: row.at(field),
  }));
  const others = Object.entries(row.others).map(([name, value]) => ({
    name,
    values: [textOf(before.others[name]), textOf(value)],
    at: row.at("media"),
  }));
  const variants = [before, row].map((each) =>
    JSON.stringify(each.variants.map(({ platform, cells }) => [platform, cells])),
  );
  const all = [
    ...fields,
    ...others,
    { name: "the part for one platform", values: variants, at: row.at("media") },
  ];
  return all
    .filter(({ values: [one, other] }) => one !== other)
    .map(({ name, at }) => {
      const message =
        `This row has the same text and time as ${rowName(before, before.at())}, like the rows of one carousel, but \`${name}\` differs. ` +
        "Make them the same to get one post, or give this row another time.";
      return problem("row/carousel", message, at);
    });
}

function textOf(cell: Cell | undefined): string {
  return cellText(cell).replaceAll(/\r\n?/g, "\n").trim();
}
