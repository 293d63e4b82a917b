import { problem, type Problem } from "../calendar/problem.ts";
import type { RawCalendar } from "../calendar/row.ts";
import { foldName } from "../calendar/fold-name.ts";
import { isBlank } from "./csv-cells.ts";
import { inFileOrder } from "./file-order.ts";
import { valueAt } from "./schema-issues.ts";
import { SourceText } from "./source-text.ts";
import { YamlDocument } from "./yaml-document.ts";
import { YamlRow } from "./yaml-row.ts";
import { checkShape, type ShapeFault } from "./yaml-shape.ts";

/** Reads a YAML calendar: a list of posts, or `{ timezone?, defaults?, posts: [...] }`. */
export function readYaml(file: string, text: string): RawCalendar {
  const source = new SourceText(file, text);
  const document = new YamlDocument(source, { schema: "failsafe", keyName: foldName });
  const sourceLine = (line: number): string | undefined => source.line(line);
  if (document.value === undefined) return { file, rows: [], problems: document.problems, sourceLine };
  if (document.value === null) {
    const empty = problem("calendar/empty", "The calendar holds no posts.", { file });
    return { file, rows: [], problems: [...document.problems, empty], sourceLine };
  }
  const faults = checkShape(document);
  const rows = readPosts(file, document, faults);
  const problems = [...document.problems, ...faults.map((fault) => fault.problem)];
  problems.push(...rows.flatMap((row) => lostHashtagProblems(row, source)));
  if (rows.length === 0 && problems.length === 0) {
    problems.push(problem("calendar/empty", "The calendar holds no posts.", { file }));
  }
  return { file, rows, ...readShared(file, document, faults), problems: inFileOrder(problems), sourceLine };
}

/** In YAML ` #` begins a comment, so `content: Look #spring` says just "Look". Nobody means that. */
function lostHashtagProblems(row: YamlRow, source: SourceText): Problem[] {
  if (row.cells.content === undefined) return [];
  const { line = 1, column = 1, length = 0 } = row.at("content");
  const text = source.line(line) ?? "";
  const [, tag] = /^\s+(#[^\s#]+)/.exec(text.slice(column - 1 + length)) ?? [];
  if (tag === undefined || /["'|>]/.test(text.charAt(column - 1))) return [];
  const message = `YAML takes ${tag} and what follows for a comment, so it is not part of the text. Put the text in quotes.`;
  return [problem("yaml/lost-hashtag", message, { file: row.file, line, column, length })];
}

/** The posts whose shape is as it should be. */
function readPosts(file: string, document: YamlDocument, faults: readonly ShapeFault[]): YamlRow[] {
  const path = Array.isArray(document.value) ? [] : ["posts"];
  const posts = valueAt(document.value, path);
  if (!Array.isArray(posts)) return [];
  const broken = new Set(faults.map((fault) => fault.path?.[path.length]));
  return posts.flatMap((post: unknown, index) =>
    broken.has(index) ? [] : [new YamlRow(file, document, [...path, index], post)],
  );
}

/** The zone and the defaults that stand beside `posts`. */
function readShared(
  file: string,
  document: YamlDocument,
  faults: readonly ShapeFault[],
): Pick<RawCalendar, "timezone" | "defaults"> {
  const broken = new Set(faults.map((fault) => fault.path?.[0]));
  const timezone = valueAt(document.value, ["timezone"]);
  const defaults = valueAt(document.value, ["defaults"]);
  const hasZone = typeof timezone === "string" && !isBlank(timezone);
  const hasDefaults = typeof defaults === "object" && defaults !== null && !broken.has("defaults");
  return {
    ...(hasZone ? { timezone: { text: timezone, at: document.at(["timezone"]) } } : {}),
    ...(hasDefaults ? { defaults: new YamlRow(file, document, ["defaults"], defaults) } : {}),
  };
}
