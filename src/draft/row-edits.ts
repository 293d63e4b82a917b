/** What is written into the rows: the answers, each in its column, and the status of a draft. Pure. */
import { STATUSES } from "../calendar/calendar-settings.ts";
import { readStatus } from "../validate/status.ts";
import { RowView } from "../validate/row-view.ts";
import { variantColumn, type ColumnName } from "../write/column-name.ts";
import type { Calendar } from "../calendar/row.ts";
import type { RowEdit } from "../edit/edit.ts";
import type { IdentifyPlatform } from "../edit/place-columns.ts";
import type { DraftTask } from "./wanted.ts";

/** What came for a row, as it is to be written: a text, or the name of a picture's file. */
export interface GeneratedValue {
  readonly wanted: DraftTask;
  readonly value: string;
}

/** A row's edit, with what was got in it. */
export interface DraftedRow {
  readonly edit: RowEdit;
  readonly got: readonly GeneratedValue[];
}

/**
 * A row for one platform gets its text as `content`, and so does one whose platforms all get the same; else each
 * platform gets its own, so that a text that is still missing shows.
 * @param got of one row
 */
export function draftRowEdit(
  calendar: Calendar,
  row: number,
  got: readonly GeneratedValue[],
  identify: IdentifyPlatform,
): DraftedRow {
  const raw = calendar.rows[row];
  const cells = new Map<ColumnName, string>();
  const texts = got.filter(({ wanted }) => wanted.kind === "text");
  const own = new Set(
    raw?.variants.flatMap(({ platform, cells: { content } }) =>
      content === undefined ? [] : identify(platform),
    ),
  );
  const shared = texts.filter(({ wanted }) => !own.has(wanted.platform ?? ""));
  const [first] = shared;
  // Where one of them is still to come, what the row says for all must not be what another platform got.
  const isWhole = first?.wanted.platforms.filter((name) => !own.has(name)).length === shared.length;
  const isSame = isWhole && shared.every(({ value }) => value === first?.value);
  for (const each of texts) {
    const isContent = isSame
      ? shared.includes(each)
      : isWhole && each === first && raw?.cells.content !== undefined;
    const name = isContent ? "content" : variantColumn("content", each.wanted.platform ?? "");
    cells.set(name, each.value);
  }
  const picture = got.find(({ wanted }) => wanted.kind === "image");
  if (picture !== undefined) cells.set("media", picture.value);
  const status = draftStatus(calendar, row);
  if (status !== undefined) cells.set("status", status);
  return { edit: { row, cells }, got };
}

/** The team's word for a draft; undefined where the row is one already. */
function draftStatus(calendar: Calendar, row: number): string | undefined {
  const raw = calendar.rows[row];
  const { status_values: words } = calendar.settings;
  if (raw === undefined || readStatus(new RowView(raw, calendar).value("status"), words) === "draft")
    return undefined;
  const known = [...Object.keys(words).filter((word) => word.trim() !== ""), ...STATUSES];
  return known.find((text) => {
    const value = { text, items: [text], isList: false, at: () => raw.at() };
    return readStatus(value, words) === "draft";
  });
}
