/** What a fetch found in sheets, for people. */

import type { FetchDocument } from "../documents/calendars.ts";
import { terminalText } from "../text/escape.ts";
import { plural } from "../text/numbers.ts";
import { type Style, oneLine } from "../text/style.ts";
import { advice, clipText, paragraph } from "../text/wrap.ts";

type Calendar = FetchDocument["calendars"][number];
type Change = Calendar["changes"][number];

/** Rows shown of one calendar. The plan shows all of them as posts. */
const MOST_ROWS = 20;
/** Shown of one cell, letters. */
const CELL_LENGTH = 60;

/** @param isCheck nothing was written */
export function fetchedText({ calendars }: FetchDocument, isCheck: boolean, style: Style): string {
  return terminalText(calendars.flatMap((each) => calendarLines(each, isCheck, style)));
}

function calendarLines(calendar: Calendar, isCheck: boolean, style: Style): string[] {
  const { file, changes } = calendar;
  const shown = changes.slice(0, MOST_ROWS).flatMap((each) => changeLines(each, style));
  const more = changes.length - Math.min(changes.length, MOST_ROWS);
  return [
    ...paragraph(`${file}: ${sentence(calendar, isCheck)}`, style),
    ...shown,
    ...(more === 0 ? [] : advice(`${plural(more, "more row", "more rows")} differ.`, style)),
  ];
}

function sentence({ state, source, changes }: Calendar, isCheck: boolean): string {
  switch (state) {
    case "new":
      return isCheck ? `${source} has it, and there is no copy yet.` : `copied from ${source}.`;
    case "changed":
      return `${isCheck ? `newer in ${source}` : `fetched from ${source}`}: ${rowCounts(changes)}.`;
    case "same":
      return "nothing new.";
    case "kept":
      return "kept as it is, until the sheet changes again.";
    case "edited":
      return `nothing new in the sheet. The file was edited here: ${rowCounts(changes)}. Make the same edits in the sheet, or undo them with --take sheet.`;
    case "conflict":
      return `not fetched. This is how the sheet differs from the file: ${rowCounts(changes)}.`;
    case "failed":
      return "not fetched.";
    default:
      return state satisfies never;
  }
}

const WORDS: Readonly<Record<Change["kind"], string>> = { added: "added", changed: "changed", gone: "gone" };

/** `2 rows added, 1 row gone`. */
function rowCounts(changes: readonly Change[]): string {
  const parts = (["added", "changed", "gone"] as const).flatMap((kind) => {
    const count = changes.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : [`${plural(count, "row")} ${WORDS[kind]}`];
  });
  // Moved rows, and notes beside cells.
  return parts.length === 0 ? "the order of rows, or notes beside them" : parts.join(", ");
}

function changeLines(change: Change, style: Style): string[] {
  const head = `${WORDS[change.kind].padEnd(7)}  row ${change.line}`;
  const clipped = (text: string): string => clipText(oneLine(text, style), CELL_LENGTH);
  if (change.cells === undefined) return paragraph(`${head}  ${clipped(change.text ?? "")}`, style, "  ");
  return change.cells.flatMap(({ column, before, after }, index) =>
    paragraph(
      `${index === 0 ? head : " ".repeat(head.length)}  ${column}: ${quoted(clipped(before))} ${style.marks.arrow} ${quoted(clipped(after))}`,
      style,
      "  ",
    ),
  );
}

function quoted(text: string): string {
  return text === "" ? "(blank)" : `“${text}”`;
}
