/**
 * Problems as GitHub shows them: beside the lines of a pull request, by commands to its runner, and as Markdown in a
 * comment or a step summary.
 */

import { posix } from "node:path";
import type { RowCounts } from "../../calendars/row-groups.ts";
import { type Problem, errorsFirst } from "../../model/problem.ts";
import { escapeTerminal, visibleText, withoutCommands, withoutHashCommands } from "../text/escape.ts";
import { type RepositoryLinks, escapeMarkdown, placeMarkdown } from "../text/markdown.ts";
import { plural } from "../text/numbers.ts";
import { clipText } from "../text/wrap.ts";
import {
  countsText,
  problemsSummary,
  shortenProblems,
  similarSentence,
  withoutUnexplained,
} from "./problems-text.ts";

/** A problem, or the result for a post: then the code is the service's own. */
export type Annotation = Omit<Problem, "code"> & { readonly code: string };

/** How many annotations of a kind GitHub shows for one step. It silently drops the others. */
const SHOWN = 10;

/** Graphemes of a message; GitHub cuts what is longer than 4 kB. */
const MAX_MESSAGE = 900;

/**
 * Errors first. Beyond ten, they are counted in a notice, which is a separate kind and so never dropped.
 * @param folder the project's, relative to the repository; empty if they are the same
 */
export function annotations(problems: readonly Annotation[], folder: string): string {
  const sorted = errorsFirst(problems);
  const left = sorted.slice(SHOWN);
  const lines = sorted.slice(0, SHOWN).map((each) => annotation(each, folder));
  if (left.length > 0) {
    const title = `and ${plural(left.length, "more problem")}`;
    const text = `${problemsSummary(left)} more than the ${SHOWN} here. The job's summary lists them.`;
    lines.push(command("notice", { title }, text));
  }
  return lines.map((line) => `${line}\n`).join("");
}

function annotation(
  { severity, code, message, file, line, column, cell }: Annotation,
  folder: string,
): string {
  // GitHub cannot show lines of a workbook, so the cell's name shows the place.
  const place = cell === undefined ? { line, col: column } : {};
  const title = cell === undefined ? code : `${code} in ${cell}`;
  // A file that plancast.yaml extends starts with `../`.
  const path = file === undefined ? file : posix.join(folder, file);
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

/** Settings to paste, as a block of code inside the list. Each line starts with a key, so none can end the block. */
function settingsMarkdown({ settings }: Problem): string {
  if (settings === undefined) return "";
  const lines = settings.split("\n").map((line) => `  ${withoutCommands(visibleText(line))}\n`);
  return `\n  \`\`\`yaml\n${lines.join("")}  \`\`\`\n\n`;
}

/** Further problems are only counted: nobody reads more in a comment or a step summary. */
const LISTED = 100;

interface ProblemsMarkdownOptions {
  readonly title?: string;
  readonly links?: RepositoryLinks | undefined;
  readonly counts?: RowCounts | undefined;
}

/** The problems that stopped a plan, for a comment or a step summary: errors first, many of one kind counted. */
export function problemsMarkdown(
  problems: readonly Problem[],
  { title = "No plan", links, counts }: ProblemsMarkdownOptions = {},
): string {
  const explained = withoutUnexplained(problems);
  const shown = shortenProblems(errorsFirst(explained)).slice(0, LISTED);
  const left = explained.length - shown.reduce((sum, { more }) => sum + 1 + (more?.count ?? 0), 0);
  return [
    `**${title}: ${problemsSummary(explained)}**\n\n`,
    counts === undefined ? "" : `${countsText(counts)}.\n\n`,
    ...shown.map(
      ({ problem, more }) =>
        problemLine(problem, links) + (more === undefined ? "" : `  ${similarSentence(more)}\n`),
    ),
    left === 0 ? "" : `\n… and ${plural(left, "more problem")}\n`,
  ].join("");
}

function problemLine(problem: Problem, links: RepositoryLinks | undefined): string {
  const { severity, code, message } = problem;
  const place = placeMarkdown(problem, links);
  const sign = severity === "error" ? "🛑" : "⚠️";
  const where = place === "" ? "" : ` ${place}:`;
  return `- ${sign} **${severity}**${where} ${escapeMarkdown(message)} <small>${escapeMarkdown(code)}</small>\n${settingsMarkdown(problem)}`;
}
