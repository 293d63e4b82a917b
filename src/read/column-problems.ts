import { problem, type Problem } from "../calendar/problem.ts";
import { FIELDS, type Field } from "../calendar/row.ts";
import type { Columns } from "./columns.ts";
import type { TableSource } from "./table-source.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";

interface HeaderRow {
  readonly names: readonly string[];
  /** Its number in the source. */
  readonly record: number;
  readonly columns: Columns;
}

/** Every post needs one of each. Platforms and times may come from the project's defaults. */
const NEEDED: readonly { readonly oneOf: readonly Field[]; readonly name: string }[] = [
  { oneOf: ["content", "media"], name: "`content` or `media`" },
  { oneOf: ["scheduled_at", "date"], name: "`scheduled_at` or `date`" },
];

/** What is wrong with a header: columns twice, columns missing. */
export function headerProblems(source: TableSource, header: HeaderRow): Problem[] {
  const { names, record, columns } = header;
  const twice = columns.duplicates.map(({ column, first, field }) => {
    const message = `\`${show(names[column])}\` and \`${show(names[first])}\` both stand for \`${field}\`. Rename or remove one.`;
    return problem("csv/duplicate-header", message, source.at(record, column));
  });
  const missing = missingColumns(columns);
  return missing.length === 0 ? twice : [missingHeader(source, header, missing), ...twice];
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
  { names, record, columns }: HeaderRow,
  missing: readonly string[],
): Problem {
  const seen = names.map((name) => `\`${show(name)}\``).join(", ");
  const remedy =
    "Name it in the header, or say under `columns:` in the project file which header stands for it.";
  const place = source.at(record);
  if (columns.fields.every((field) => field === undefined)) {
    const message = `The first row names no column that plancast knows; it needs ${missing.join(", and ")}. Its cells are ${seen}. ${remedy}`;
    return problem("csv/no-header", message, place);
  }
  const message = `The header has no column for ${missing.join(", and none for ")}. Its columns are ${seen}. ${remedy}`;
  return problem("csv/missing-header", message, place);
}

/** One warning for all columns that are ignored; `filled` are those without a name that hold something. */
export function unknownColumns(
  source: TableSource,
  header: HeaderRow,
  filled: ReadonlySet<number>,
): Problem[] {
  const { names, record, columns } = header;
  const ignored = [...columns.unknown, ...filled].sort((a, b) => a - b);
  const [first] = ignored;
  // A first row that names nothing is reported as no header; that its cells are ignored is then no news.
  if (first === undefined || columns.fields.every((field) => field === undefined)) return [];
  const free = FIELDS.filter((field) => !columns.fields.includes(field));
  const list = ignored.map((column) => {
    const name = names[column] ?? "";
    if (name.trim() === "") return `column ${column + 1}`;
    return `\`${show(name)}\`${didYouMean(nearest(name, free)).replace(/ D(.*)/, " (d$1)")}`;
  });
  const message = `${ignored.length === 1 ? "This column is" : "These columns are"} ignored: ${list.join(", ")}.`;
  return [problem("csv/unknown-column", message, source.at(record, first))];
}

/** A header cell as it is named in a message: short, on one line. */
function show(name = ""): string {
  const line = name.trim().replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
