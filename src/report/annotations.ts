/** Problems as GitHub shows them beside the lines of a pull request: commands to its runner, one a line. */
import type { Problem } from "../calendar/problem.ts";
import { clipText } from "./clip-text.ts";
import { escapeTerminal, withoutHashCommands } from "./escape-terminal.ts";
import { plural } from "./plural.ts";
import { problemsSummary } from "./problems-text.ts";
import { worstFirst } from "./worst-first.ts";

/** A problem, or what became of a post: then the code is the service's own. */
export type Annotation = Omit<Problem, "code"> & { readonly code: string };

/** GitHub shows so many annotations of a kind for one step, and drops the others without a word. */
const SHOWN = 10;

/** Graphemes of a message; GitHub cuts what is longer than 4 kB. */
const MAX_MESSAGE = 900;

/**
 * Worst first. What is beyond the ten is counted in a notice, which is of a kind of its own and so never dropped.
 * @param folder the project's, seen from the repository's; empty where it is that one
 */
export function annotations(problems: readonly Annotation[], folder: string): string {
  const sorted = worstFirst(problems);
  const left = sorted.slice(SHOWN);
  const lines = sorted.slice(0, SHOWN).map((each) => annotation(each, folder));
  if (left.length > 0) lines.push(command("notice", { title: moreTitle(left) }, moreText(left)));
  return lines.map((line) => `${line}\n`).join("");
}

function moreTitle(left: readonly Annotation[]): string {
  return `and ${plural(left.length, "more problem")}`;
}

function moreText(left: readonly Annotation[]): string {
  return `${problemsSummary(left)}, beyond the ${SHOWN} that are shown here. The job's summary names them.`;
}

function annotation(
  { severity, code, message, file, line, column, cell }: Annotation,
  folder: string,
): string {
  // GitHub has no lines to show of a workbook: there the cell's name says where.
  const place = cell === undefined ? { line, col: column } : {};
  const title = cell === undefined ? code : `${code} in ${cell}`;
  const path = file === undefined || folder === "" ? file : `${folder}/${file}`;
  return command(severity, { file: path, ...place, title }, message);
}

/** Source of the escaping: actions/toolkit, packages/core/src/command.ts. */
function command(
  name: string,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${property(String(value))}`);
  return withoutHashCommands(`::${name} ${given.join(",")}::${data(clipText(message, MAX_MESSAGE))}`);
}

function data(text: string): string {
  return escapeTerminal(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
