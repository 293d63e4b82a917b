import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { glob } from "tinyglobby";
import { problem, type Problem } from "../calendar/problem.ts";

/** Folders that hold no calendars of the project, and the files with which Excel marks one that is open. */
const IGNORED = ["**/node_modules/**", "**/.git/**", "**/.plancast/**", "**/~$*"];

export interface FoundCalendars {
  /** Relative to the root, with `/`, sorted. A file that two names lead to is there once. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Finds the calendars that the patterns match. `root` is absolute. A file that a link leads to is taken when it
 * lies within the project, and refused with a problem when it does not.
 */
export async function findCalendars(root: string, patterns: readonly string[]): Promise<FoundCalendars> {
  const matched = await glob([...patterns], {
    cwd: root,
    ignore: IGNORED,
    expandDirectories: false,
    onlyFiles: true,
  });
  if (matched.length === 0) return { files: [], problems: [noneFound(patterns)] };
  const realRoot = await realpath(root);
  const places = await Promise.all(
    matched.sort().map(async (file) => ({ file, real: await realFile(realRoot, join(root, file)) })),
  );
  const outside = places.filter(({ real }) => real === undefined);
  return {
    files: withoutSecondNames(
      places.flatMap(({ file, real }) => (real === undefined ? [] : [{ file, real }])),
    ),
    problems: outside.map(({ file }) => outsideProject(file)),
  };
}

/** The file's own name relative to the root, links resolved; undefined when it lies outside. */
async function realFile(realRoot: string, path: string): Promise<string | undefined> {
  const real = relative(realRoot, await realpath(path));
  const isInside = real !== ".." && !real.startsWith(`..${sep}`) && !isAbsolute(real);
  return isInside ? real.split(sep).join("/") : undefined;
}

/** One name for each file: its own, or else the first. */
function withoutSecondNames(places: readonly { readonly file: string; readonly real: string }[]): string[] {
  const names = new Map<string, string>();
  for (const { file, real } of places) {
    if (file === real || !names.has(real)) names.set(real, file);
  }
  return [...names.values()].sort();
}

function outsideProject(file: string): Problem {
  const message = "A link leads from here out of the project. Put the calendar itself into the project.";
  return problem("calendar/outside-project", message, { file });
}

function noneFound(patterns: readonly string[]): Problem {
  const list = patterns.map((pattern) => `\`${pattern}\``).join(", ");
  const message = `No file matches ${list}. Add a calendar, or correct \`calendars:\` in the project file.`;
  return problem("calendar/none-found", message);
}
