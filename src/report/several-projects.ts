/**
 * The output of several projects. After a command with --all, it is a summary; after a job, one comment or summary
 * with what was chosen and why, a table, and a section for each project.
 */

import { guarded } from "../calendars/columns/formula-guard.ts";
import { csvText } from "../calendars/formats/csv/write-csv.ts";
import { formatNumber } from "../model/text.ts";
import type { ProjectsDocument } from "./documents/all-documents.ts";
import { escapeTerminal, terminalText, withoutHashCommands } from "./text/escape.ts";
import { escapeMarkdown, markdownTable } from "./text/markdown.ts";
import { counted, plural } from "./text/numbers.ts";
import type { Style } from "./text/style.ts";
import { clipText, paragraph } from "./text/wrap.ts";

/** How the run for one project ended. */
export interface ProjectResult {
  /** The project's folder, relative to the working folder, with `/`. */
  readonly project: string;
  /** Undefined if the run was stopped before this project. */
  readonly exitCode: number | undefined;
  /** The document that the command prints for one project with --format json; undefined if it printed none. */
  readonly document: object | undefined;
  /** What it prints with `--format csv`: a header, and lines without line breaks in cells. */
  readonly csv?: string;
}

/** The line before the output of a project. */
export function projectHeading(project: string, style: Style): string {
  return terminalText([style.colors.bold(`Project ${escapeTerminal(project)}`)]);
}

export function projectHeadingMarkdown(project: string): string {
  return `## ${escapeMarkdown(project)}\n\n`;
}

/** The meaning of each exit code of a project, in the order in which the summary counts them. */
const ENDS: readonly (readonly [exitCode: number | undefined, words: string])[] = [
  [0, "done"],
  [2, "with changes"],
  [1, "failed"],
  [3, "with an unknown outcome"],
  [130, "interrupted"],
  [undefined, "not started"],
];

/** `8 projects: 7 done, 1 failed.` Then the projects that are not done. */
export function projectsSummary(results: readonly ProjectResult[], style: Style): string {
  const ends = ENDS.map(([exitCode, words]) => ({
    words,
    names: results.filter((each) => each.exitCode === exitCode).map(({ project }) => project),
  }));
  const counts = counted(ends.map(({ words, names }) => [names.length, words]));
  const others = ends.filter(({ words, names }) => words !== "done" && names.length > 0);
  return terminalText([
    "",
    `${plural(results.length, "project")}: ${counts}.`,
    ...others.flatMap(({ words, names }) =>
      paragraph(`${words}: ${names.map(escapeTerminal).join(", ")}`, style, "  "),
    ),
  ]);
}

/** `--all --format csv`: one table, with the project as its first column. */
export function projectsCsv(results: readonly ProjectResult[]): string {
  const tables = results.map(({ project, csv = "" }) => ({
    project,
    lines: csv.split(/\r?\n/).filter(Boolean),
  }));
  const header = tables.find(({ lines }) => lines.length > 0)?.lines[0];
  if (header === undefined) return "";
  const rows = tables.flatMap(({ project, lines }) => {
    const cell = csvText([[guarded(withoutHashCommands(escapeTerminal(project)))]]).trimEnd();
    return lines.slice(1).map((line) => `${cell},${line}`);
  });
  return [`project,${header}`, ...rows].map((line) => `${line}\n`).join("");
}

/** `--all --format json`: a contract with scripts. Each entry is the command's document for one project. */
export function projectsDocument(results: readonly ProjectResult[]): ProjectsDocument {
  return {
    version: 1,
    projects: results.map(({ project, exitCode, document }) =>
      exitCode === undefined ? { project } : { project, exit_code: exitCode, ...document },
    ),
  };
}

/** The result of one project in a job for several. */
export interface ProjectSection {
  /** Its folder in the checkout. */
  readonly project: string;
  /** The output `result`; undefined if the job was stopped before this project. */
  readonly result: string | undefined;
  readonly changes: number;
  readonly errors: number;
  readonly warnings: number;
  /** The result in Markdown. */
  readonly markdown: string;
}

/** Why a job runs these projects of all that its input names. */
export interface ProjectChoice {
  /** How many projects the input names. */
  readonly all: number;
  readonly why:
    | { readonly kind: "touched" | "named" | "all" | "unknown" }
    /** A changed file that concerns every project. */
    | { readonly kind: "shared"; readonly file: string };
  /** Folders of projects that the pull request removes. */
  readonly removed: readonly string[];
}

/** What each result is called, the worst first. */
const RESULTS: readonly (readonly [result: string | undefined, words: string, sign: string])[] = [
  ["interrupted", "interrupted", "⏹️ "],
  [undefined, "not started", "⏹️ "],
  ["unknown", "with an unknown outcome", "⚠️ "],
  ["failed", "failed", "🛑 "],
  ["refused", "refused", "🛑 "],
  ["invalid", "with errors", "🛑 "],
  ["alerts", "with alerts", "🔔 "],
  ["applied", "applied", ""],
  ["held", "held", ""],
  ["published", "published", ""],
  ["changes", "with changes", ""],
  ["valid", "valid", ""],
  ["nothing", "with nothing to do", ""],
];

/** The worst of several results; undefined for none. A project that was not started was interrupted. */
export function worstResult(results: readonly (string | undefined)[]): string | undefined {
  const [worst] = RESULTS.find(([result]) => results.includes(result)) ?? [];
  return results.length === 0 ? undefined : (worst ?? "interrupted");
}

/** Graphemes of a folder's name. */
const MAX_NAME = 80;

/** A table of all projects, and then the result of each. */
export function projectsMarkdown(sections: readonly ProjectSection[], choice: ProjectChoice): string {
  return [
    headMarkdown(sections, choice),
    tableMarkdown(sections),
    ...sections.map(
      ({ project, markdown }) => `\n${projectHeadingMarkdown(clipText(project, MAX_NAME))}${markdown}`,
    ),
  ].join("");
}

function headMarkdown(sections: readonly ProjectSection[], choice: ProjectChoice): string {
  const notes = notesMarkdown(sections.length, choice);
  return `## ${titleOf(sections, choice)}\n${notes.map((note) => `\n${note}\n`).join("")}`;
}

/** `2 of 8 projects: 1 failed, 1 with changes` */
function titleOf(sections: readonly ProjectSection[], { all }: ProjectChoice): string {
  if (sections.length === 0) return "No project changes";
  const counts = RESULTS.map(
    ([name, words]) => [sections.filter(({ result }) => result === name).length, words] as const,
  );
  const of = sections.length === all ? "" : `${formatNumber(sections.length)} of `;
  return `${of}${plural(all, "project")}: ${counted(counts)}`;
}

function notesMarkdown(ran: number, { all, why, removed }: ProjectChoice): string[] {
  return [...reasonMarkdown(ran, all, why), ...(removed.length === 0 ? [] : [removedMarkdown(removed)])];
}

const MAX_REMOVED = 10;

function removedMarkdown(removed: readonly string[]): string {
  const more = removed.length - MAX_REMOVED;
  const names = removed.slice(0, MAX_REMOVED).map(nameMarkdown).join(", ");
  return `⚠️ This pull request removes ${names}${more > 0 ? ` and ${plural(more, "more project")}` : ""}. Scheduled posts stay on the service. To cancel them, first delete only the rows, and let plancast apply this change.`;
}

function reasonMarkdown(ran: number, all: number, why: ProjectChoice["why"]): string[] {
  switch (why.kind) {
    case "touched":
      return ran === all ? [] : [`This pull request changes no file of the other ${countOf(all - ran)}.`];
    case "shared":
      return [`All projects run, because ${nameMarkdown(why.file)} affects each of them.`];
    case "unknown":
      return [
        "All projects run, because the checkout has too few commits to show which files changed. To run only those that the pull request touches, set `fetch-depth: 2` for actions/checkout.",
      ];
    case "named":
    case "all":
      return [];
    default:
      return why satisfies never;
  }
}

/** After `the other`. */
function countOf(projects: number): string {
  return projects === 1 ? "project" : plural(projects, "project");
}

function nameMarkdown(name: string): string {
  return `**${escapeMarkdown(clipText(name, MAX_NAME))}**`;
}

function tableMarkdown(sections: readonly ProjectSection[]): string {
  if (sections.length < 2) return "";
  const rows = sections.map(({ project, result, changes, errors, warnings }) => {
    const [, words = "", sign = ""] = RESULTS.find(([name]) => name === result) ?? [];
    return [
      escapeMarkdown(clipText(project, MAX_NAME)),
      `${sign}${words}`,
      ...[changes, errors, warnings].map((count) => (count === 0 ? "" : formatNumber(count))),
    ];
  });
  return `\n${markdownTable(["Project", "Result", "Changes", "Errors", "Warnings"], rows)}`;
}
