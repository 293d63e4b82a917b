/** What an assistant can read: the rows of the project's calendars, and the documentation of plancast. */

import { readFile, readdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { findCalendars } from "../../calendars/find.ts";
import { SELECT_ALL, selectCalendars } from "../../calendars/select.ts";
import { statsOf } from "../../disk/place.ts";
import { Failure } from "../../model/failure.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import { loadProject } from "../project/project.ts";
import type { Run } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";

export async function calendarNames(run: Run): Promise<readonly string[]> {
  const { root, config } = await loadProject(run.flags, run.shell);
  return (await findCalendars(root, config.calendars)).files;
}

/**
 * Prints the rows of a calendar as JSON. Throws a Failure if no calendar has this name.
 * @param say gets the number of rows
 */
export async function readCalendarRows(
  run: Run,
  name: string,
  say: (rows: number) => void,
): Promise<ExitCode> {
  const project = await loadProject(run.flags, run.shell);
  const { calendars } = await selectCalendars(project, SELECT_ALL, project.root);
  const named = calendars.filter(({ file }) => file === name);
  if (named.length === 0)
    throw new Failure(
      "calendar/not-in-project",
      `${JSON.stringify(name)} is not one of the project's calendars.`,
      "List the resources to see the names of the calendars.",
    );
  const rows = named.flatMap((calendar) =>
    calendar.rows.map(({ sheet, line, cells, variants }) => ({
      sheet,
      line,
      ...cells,
      ...Object.fromEntries(
        variants.flatMap(({ platform, cells: own }) =>
          Object.entries(own).map(([field, cell]) => [`${field}:${platform}`, cell]),
        ),
      ),
    })),
  );
  say(rows.length);
  const problems = named.flatMap((calendar) => calendar.problems.map(problemDocument));
  run.console.json({ version: 1, calendar: name, rows, problems });
  return 0;
}

/** Folders of docs/ for people who change plancast, not for those who use it, and pictures. */
const NOT_FOR_USERS = /^(?:change|pictures)\//;

/** Paths of the pages below docs/, with `/`. Empty if the package was installed without them. */
export async function docPages(): Promise<readonly string[]> {
  const folder = await docsFolder();
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .map((each) => each.split(sep).join("/"))
    .filter((each) => each.endsWith(".md") && !NOT_FOR_USERS.test(each))
    .sort();
}

/** @param page one of `docPages` */
export async function readDocPage(page: string): Promise<string> {
  return readFile(join((await docsFolder()) ?? "", page), "utf8");
}

/** docs/ of the package that contains this file: built files and sources are at different depths. */
async function docsFolder(folder = dirname(fileURLToPath(import.meta.url))): Promise<string | undefined> {
  if ((await statsOf(join(folder, "package.json"))) !== undefined) return join(folder, "docs");
  return dirname(folder) === folder ? undefined : docsFolder(dirname(folder));
}
