/** What rows ask of the service: one text for each platform that has none yet, and one picture. Pure. */
import { hasErrors, type Problem } from "../calendar/problem.ts";
import type { CalendarFile } from "../edit/edit-calendar.ts";
import type { Aliases, ReadPlatforms } from "../validate/platforms.ts";
import { RowFilter } from "../validate/filter-rows.ts";
import { readStatus } from "../validate/status.ts";
import type { Only } from "../calendar/row-filter.ts";
import { tasksOfRow } from "./asking-row.ts";

/** One thing that the service is to be asked for, with the row that it is for. */
export interface DraftTask {
  readonly file: CalendarFile;
  /** Index of the row. */
  readonly row: number;
  /** How people name the row: its id, else where it stands. */
  readonly name: string;
  readonly kind: "text" | "image";
  readonly prompt: string;
  /** All that the row goes to. */
  readonly platforms: readonly string[];
  /** Of a text: the platform that it is for. */
  readonly platform: string | undefined;
  /** The tone of a text, or the size of a picture. */
  readonly manner: string | undefined;
  /** The same for the same row and the same words, in every run. */
  readonly request: string;
  /** What stands there now, where it is to be made again. */
  readonly current: string | undefined;
  /** Another one is asked for, whatever is there. */
  readonly isAgain: boolean;
}

export interface DraftTasks {
  readonly wanted: readonly DraftTask[];
  /** All that rows ask for and have; by request. */
  readonly had: ReadonlyMap<string, DraftTask>;
  /** The requests of all rows, also of those that are left out. */
  readonly known: ReadonlySet<string>;
  /** Calendars of which some row's wishes cannot be read. */
  readonly unsure: ReadonlySet<string>;
  /** How the rows with a prompt may be named, also those that this run is not about by their names. */
  readonly names: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

export interface DraftSelection {
  readonly aliases: Aliases;
  readonly read: ReadPlatforms;
  readonly only: Only | undefined;
  readonly again: RedraftSelection;
}

/** What is to be made again, although it is there. */
export interface RedraftSelection {
  /** Whether the run is about a row, by its names. */
  readonly includesRow: (names: readonly string[]) => boolean;
  /** Whether that holds of it. `isOpen`: it is a draft, or is not there yet: nobody has made it ready. */
  readonly includesTask: (isOpen: boolean) => boolean;
}

export function findDraftTasks(files: readonly CalendarFile[], wish: DraftSelection): DraftTasks {
  const wanted: DraftTask[] = [];
  const had = new Map<string, DraftTask>();
  const problems: Problem[] = [];
  const known = new Set<string>();
  const unsure = new Set<string>();
  const allNames = new Set<string>();
  for (const file of files) {
    const { calendar } = file;
    if (hasErrors(calendar.problems)) unsure.add(calendar.file);
    const filter = RowFilter.of([calendar.settings.only, wish.only], wish);
    const seen = new Map<string, number>();
    for (const row of calendar.rows.keys()) {
      const asking = tasksOfRow(file, row, wish, seen);
      if (asking === undefined) continue;
      const { view, asked } = asking;
      for (const { request } of asked) known.add(request);
      if (asking.problems.length > 0) unsure.add(calendar.file);
      const status = readStatus(view.value("status"), calendar.settings.status_values);
      if (status === "skip" || filter?.fitsCells(view) === false) continue;
      const own = [asking.name, view.own("id")?.text, `${calendar.file}:${view.row.line}`];
      const names = own.flatMap((name) => name ?? []);
      for (const name of names) allNames.add(name);
      if (!wish.again.includesRow(names)) continue;
      if (typeof status === "object") problems.push(status);
      problems.push(...asking.problems);
      for (const each of asked) {
        const isAgain = wish.again.includesTask(status === "draft" || each.current === undefined);
        if (typeof status !== "object" && (each.current === undefined || isAgain))
          wanted.push({ ...each, isAgain });
        else had.set(each.request, each);
      }
    }
  }
  return { wanted, had, known, unsure, names: allNames, problems };
}
