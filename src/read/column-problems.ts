import { didYouMean } from "../calendar/nearest.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import type { Field } from "../calendar/row.ts";
import { isIgnoredByDefault } from "../calendar/table-columns.ts";
import { columnKey, columnName, showName } from "./column-name.ts";
import type { Columns } from "./columns.ts";
import type { Header } from "./table-header.ts";
import type { TableSource } from "./table-source.ts";
import { understoodColumns, type SeenColumns } from "./understood-table.ts";

/** Every post needs one of each. Platforms and times may come from the project's defaults. */
const NEEDED: readonly { readonly oneOf: readonly Field[]; readonly name: string }[] = [
  { oneOf: ["content", "media", "prompt", "image_prompt"], name: "`content` or `media`" },
  { oneOf: ["scheduled_at", "date", "time"], name: "`scheduled_at` or `date`" },
];

/** Most columns that one message names. An export of a scheduler has a hundred. */
const MAX_NAMED = 12;

const BY_POSITION =
  "`header_row: none` and `columns: { 1: scheduled_at, 2: content }` in the project file say by position what the columns are";

/** What is wrong with a header: columns twice, columns missing. `hint`: whose file it may be, with a blank in front. */
export function headerProblems(source: TableSource, header: Header, hint: string): Problem[] {
  const { record, columns, isNamed } = header;
  const twice = columns.duplicates.map(({ column, first, field }) => {
    const [name, other] = [columnName(header, column), columnName(header, first)];
    const way = isNamed
      ? `Say in the project file which one to leave out, for example \`columns: { ${columnKey(header, column)}: ignore }\`, or rename or remove it.`
      : "Keep one of them under `columns:` in the project file.";
    const message = `${name} and ${other} both stand for \`${field}\`. ${way}`;
    return problem("csv/duplicate-header", message, source.at(record, column));
  });
  const missing = missingColumns(columns);
  return missing.length === 0 ? twice : [missingHeader(source, header, missing, hint), ...twice];
}

/** Whether the columns that every post needs are there. */
export function isComplete(columns: Columns): boolean {
  return missingColumns(columns).length === 0;
}

function missingColumns({ fields }: Columns): string[] {
  const missing = NEEDED.filter(({ oneOf }) => !oneOf.some((field) => fields.includes(field)));
  return missing.map((each) => each.name);
}

function missingHeader(
  source: TableSource,
  header: Header,
  missing: readonly string[],
  hint: string,
): Problem {
  const { names, record, columns } = header;
  const place = source.at(record);
  if (!header.isNamed) {
    const message = `No column stands for ${missing.join(", and none for ")}. With \`header_row: none\`, say by position what the columns are, for example \`columns: { 1: scheduled_at, 2: content }\`.`;
    return problem("csv/missing-header", message + hint, place);
  }
  const seen = shortList(names.map((name) => `\`${showName(name)}\``));
  const remedy =
    "Name it in the header, or say under `columns:` in the project file which header stands for it.";
  if (columns.fields.every((field) => field === undefined)) {
    const message = `No row names a column that plancast knows; it needs ${missing.join(", and ")}. The cells of this one are ${seen}. ${remedy} If there is no header, ${BY_POSITION}.`;
    return problem("csv/no-header", message + hint, place);
  }
  const message = `The header has no column for ${missing.join(", and none for ")}. Its columns are ${seen}. ${remedy}`;
  return problem("csv/missing-header", message + hint, place);
}

/** One warning for all columns that are ignored. `hint`: whose file it may be, with a blank in front. */
export function unknownColumns(source: TableSource, seen: SeenColumns, hint: string): Problem[] {
  const { header } = seen;
  // A header that names nothing is reported as none; that its cells are ignored is then no news.
  if (header.columns.fields.every((field) => field === undefined)) return [];
  const ignored = understoodColumns(seen).filter(isIgnoredByDefault);
  const [first] = ignored;
  if (first === undefined) return [];
  const list = ignored.map(({ column, suggestion }) => {
    const near = didYouMean(suggestion).replace(/ D(.*)/, " (d$1)");
    return `${columnName(header, column)}${near}`;
  });
  const message = `${ignored.length === 1 ? "This column is" : "These columns are"} ignored: ${shortList(list)}.${hint}`;
  const place = source.at(header.record, header.isNamed ? first.column : undefined);
  return [problem("csv/unknown-column", message, place)];
}

function shortList(list: readonly string[]): string {
  if (list.length <= MAX_NAMED + 1) return list.join(", ");
  return `${list.slice(0, MAX_NAMED).join(", ")} and ${list.length - MAX_NAMED} more (\`plancast columns\` names all)`;
}
