/**
 * Writes what became of posts into the sheets that people keep elsewhere. It goes into plancast's own columns, beside rows
 * that are found by their cells in the sheet as it is now.
 */

import type { CalendarFile } from "../../calendars/edit/edit-calendar.ts";
import { type SheetTab, readTab } from "../../calendars/sheet-copy.ts";
import { type PlannedResults, plannedResults } from "../../calendars/sheet-results.ts";
import { groupBy } from "../../model/data.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { type StatusDocument, type StatusRow, sheetResults } from "../../report/status/status-data.ts";
import { type SheetCopy, sheetCopies } from "../../settings/calendar-settings.ts";
import type { Config } from "../../settings/config.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import type { CalendarSource, SourceAccess } from "../../sources/source.ts";
import { sheetBytes, withProjectSources } from "../project/sheets.ts";
import type { ProjectRun } from "../shell/command.ts";

/** The copies of sheets into which results can be written. */
export function writableSheets({ calendars }: Pick<Config, "calendars">): readonly SheetCopy[] {
  return sheetCopies(calendars).filter(({ from }) => sourceOf(new URL(from)).write !== undefined);
}

/** What was written, and what was not. */
export interface WrittenResults {
  readonly written: NonNullable<StatusDocument["written"]>;
  readonly problems: readonly Problem[];
}

export async function writeIntoSheets(
  run: ProjectRun,
  files: readonly CalendarFile[],
  statuses: readonly StatusRow[],
): Promise<WrittenResults> {
  const sheets = writableSheets(run.project.config).flatMap((copy) => {
    const file = files.find(({ calendar }) => calendar.file === copy.file);
    return file === undefined ? [] : [{ copy, file }];
  });
  if (sheets.length === 0) return { written: [], problems: [] };
  return withProjectSources(run, async (access) => {
    const written: WrittenResults["written"][number][] = [];
    const problems: Problem[] = [];
    for (const { copy, file } of sheets) {
      const results = sheetResults(file.calendar.rows, statuses);
      for (const [tab, rows] of groupBy(results, ({ sheet }) => sheet)) {
        const done = await new TabWriter(run, copy, access).write({ file, tab, rows });
        problems.push(...done.problems);
        if (done.rows > 0) written.push({ file: copy.file, rows: done.rows });
      }
    }
    return { written, problems };
  });
}

/** How often a sheet may change while it is read. */
const TRIES = 3;

interface TabResults {
  readonly file: CalendarFile;
  readonly tab: string | undefined;
  readonly rows: ReturnType<typeof sheetResults>;
}

interface Done {
  readonly rows: number;
  readonly problems: readonly Problem[];
}

class TabWriter {
  readonly #run: ProjectRun;
  readonly #copy: SheetCopy;
  readonly #access: SourceAccess;
  readonly #source: CalendarSource;
  readonly #address: URL;

  constructor(run: ProjectRun, copy: SheetCopy, access: SourceAccess) {
    this.#run = run;
    this.#copy = copy;
    this.#access = access;
    this.#address = new URL(copy.from);
    this.#source = sourceOf(this.#address);
  }

  async write({ file, tab, rows }: TabResults): Promise<Done> {
    const { look, write } = this.#source;
    const before = await this.#tabOf(file.bytes, file, tab);
    if (look === undefined || write === undefined || before === undefined)
      return this.#refused("plancast does not understand its header. Run plancast validate.");
    for (let tries = 1; tries <= TRIES; tries += 1) {
      // The export says where each row is. It counts only if the sheet was the same before and after it.
      const first = await look(this.#address, tab, this.#access);
      if ("message" in first) return this.#refused(first.message);
      const fetched = await sheetBytes(this.#copy, this.#access);
      if ("message" in fetched) return this.#refused(fetched.message);
      const now = await this.#tabOf(fetched.bytes, file, tab);
      if (now === undefined) return this.#refused("The sheet has another header now. Fetch it first.");
      const planned = plannedResults(before, now, rows);
      if (planned.cells.length === 0) return this.#done(planned, 0, tab);
      if (!(await this.#mayAdd(planned))) return this.#refused(withoutColumns(planned.added));
      const second = await look(this.#address, tab, this.#access);
      if ("message" in second) return this.#refused(second.message);
      if (second.cells !== first.cells) continue;
      const { cells } = planned;
      const done = await write(this.#address, { tab: first.tab, cells }, this.#access);
      if (done !== "written") return this.#refused(done.message);
      return this.#done(
        planned,
        new Set(cells.map(({ row }) => row).filter((row) => row > now.header)).size,
        tab,
      );
    }
    return this.#refused("Somebody edits the sheet now. Run the command again later.");
  }

  #tabOf(
    bytes: Uint8Array,
    { calendar }: CalendarFile,
    tab: string | undefined,
  ): Promise<SheetTab | undefined> {
    return readTab(this.#copy.file, bytes, calendar.settings, tab);
  }

  async #mayAdd({ added }: PlannedResults): Promise<boolean> {
    const { shell } = this.#run;
    if (added.length === 0) return true;
    const names = added.map((name) => `“${name}”`).join(" and ");
    return (
      shell.isInteractive &&
      (await shell.confirm(`Add the columns ${names} to the right end of the sheet? [y/N] `))
    );
  }

  #refused(message: string): Done {
    return { rows: 0, problems: [problem("write/not-written", message, { file: this.#copy.file })] };
  }

  #done({ refused }: PlannedResults, rows: number, tab: string | undefined): Done {
    const problems = refused.map(({ line, why }) => {
      const at = { file: this.#copy.file, line, ...(tab === undefined ? {} : { sheet: tab }) };
      return problem(
        "write/row-changed",
        `The result of this row was not written into the sheet: ${why}.`,
        at,
      );
    });
    return { rows, problems };
  }
}

function withoutColumns(added: readonly string[]): string {
  const names = added.map((name) => `“${name}”`).join(" and ");
  return `The sheet has no columns ${names}. Write these names into its header, or run plancast status --write in a terminal: it asks, and adds them.`;
}
