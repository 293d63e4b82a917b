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
  const realRoot = await realpath(root);
  const places = await Promise.all(
    matched.sort().map(async (file) => ({ file, real: await realFile(realRoot, root, file) })),
  );
  const files = withoutSecondNames(
    places.flatMap(({ file, real }) => (typeof real === "string" ? [{ file, real }] : [])),
  );
  const outside = places.filter(({ real }) => real === OUTSIDE).map(({ file }) => outsideProject(file));
  const nothing = files.length === 0 && outside.length === 0;
  return { files, problems: nothing ? [noneFound(patterns)] : outside };
}

const OUTSIDE = Symbol("outside");

/**
 * The file's own name relative to the root, links resolved. A file that cannot be looked at keeps its name:
 * whoever reads it says why.
 */
async function realFile(realRoot: string, root: string, file: string): Promise<string | typeof OUTSIDE> {
  const path = await realpath(join(root, file)).catch(() => join(realRoot, file));
  const real = relative(realRoot, path);
  const isOutside = real === ".." || real.startsWith(`..${sep}`) || isAbsolute(real);
  return isOutside ? OUTSIDE : real.split(sep).join("/");
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
