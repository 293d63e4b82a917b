/** Rows that are one post: a carousel is written as one row for each picture, with the text and the time repeated. */
import { rowName } from "../calendar/place-name.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Cell, Field } from "../calendar/row.ts";
import type { TableRow } from "./table-row.ts";

/** What makes two rows one post, and what they must not differ in then. */
const CAROUSEL_KEY_FIELDS: readonly Field[] = ["content", "scheduled_at", "date", "time"];
const CAROUSEL_SHARED_FIELDS: readonly Field[] = ["id", "timezone", "platforms", "status"];

/**
 * Whether a row continues the post of the one before it: both have media, of which the later row's are new, and the
 * text and the time are the same. A row that repeats everything is none: it is reported as a duplicate.
 */
export function continuesPost(before: TableRow, row: TableRow): boolean {
  if (!CAROUSEL_KEY_FIELDS.every((field) => textOf(before.cells[field]) === textOf(row.cells[field])))
    return false;
  const known = new Set(before.mediaItems.map(({ text }) => text));
  return known.size > 0 && row.mediaItems.some(({ text }) => !known.has(text));
}

/** Where two rows that should be one post differ. */
export function carouselProblems(before: TableRow, row: TableRow): Problem[] {
  const fields = CAROUSEL_SHARED_FIELDS.map((field) => ({
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
    { name: "what is one platform's own", values: variants, at: row.at("media") },
  ];
  return all
    .filter(({ values: [one, other] }) => one !== other)
    .map(({ name, at }) => {
      const message =
        `This row has the text and the time of ${rowName(before, before.at())}, as the rows of a carousel do, but \`${name}\` differs. ` +
        "Make them the same, so that the two are one post, or give this one another time.";
      return problem("row/carousel", message, at);
    });
}

function textOf(cell: Cell | undefined): string {
  const text = typeof cell === "string" ? cell : (cell ?? []).join(", ");
  return text.replaceAll(/\r\n?/g, "\n").trim();
}
