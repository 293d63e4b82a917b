/** The output of a command that ran for several projects (--all). */

import { escapeTerminal, terminalText } from "./text/escape.ts";
import { escapeMarkdown } from "./text/markdown.ts";
import { counted, plural } from "./text/numbers.ts";
import type { Style } from "./text/style.ts";
import { paragraph } from "./text/wrap.ts";

/** How the run for one project ended. */
export interface ProjectResult {
  /** The project's folder, relative to the working folder, with `/`. */
  readonly project: string;
  /** Undefined if the run was stopped before this project. */
  readonly exitCode: number | undefined;
  /** The document that the command prints for one project with --format json; undefined if it printed none. */
  readonly document: object | undefined;
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

/** `--all --format json`: a contract with scripts. Each entry is the command's document for one project. */
export function projectsDocument(results: readonly ProjectResult[]): object {
  return {
    version: 1,
    projects: results.map(({ project, exitCode, document }) => ({
      project,
      ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      ...document,
    })),
  };
}
