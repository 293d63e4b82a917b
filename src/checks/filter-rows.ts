/** Whether a row is in the scope of the run. */

import { utcMs } from "../model/canonical.ts";
import { getOwn } from "../model/lockfile.ts";
import type { Post } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type Condition, type Only, filterColumns, foldValue, parseConditions } from "../model/row-filter.ts";
import { fieldNamed } from "../model/fields.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import { localDay } from "./when/local-time.ts";
import type { RowView } from "./row-view.ts";
import { networkOf } from "../model/options/catalogue.ts";
import { type Aliases, identify } from "./networks/network-names.ts";

export class RowFilter {
  readonly #conditions: readonly Condition[];
  readonly #aliases: Aliases;

  private constructor(conditions: readonly Condition[], aliases: Aliases) {
    this.#conditions = conditions;
    this.#aliases = aliases;
  }

  /** A filter for rows that match all given filters; undefined if there are none. Throws a FilterFault. */
  static of(filters: readonly (Only | undefined)[], aliases: Aliases): RowFilter | undefined {
    const conditions = filters.flatMap((each) => parseConditions(each ?? {}));
    return conditions.length === 0 ? undefined : new RowFilter(conditions, aliases);
  }

  /**
   * Checks the conditions that need only the row's cells.
   * @param networks the row's
   */
  fitsCells(row: RowView, networks: readonly string[]): boolean {
    return this.#conditions.every((each) => {
      switch (each.kind) {
        case "column":
          return each.values.has(foldValue(cellText(row, each.name)));
        case "platform":
          return this.#goTo(networks, each.names);
        case "date":
          return true;
      }
    });
  }

  /** Whether a row that matches by its cells is also due in the given range, by the day in its own zone. */
  fitsDue(row: RowView, posts: readonly Post[]): boolean {
    return this.#conditions.every((each) => {
      if (each.kind !== "date" || posts.length === 0) return true;
      // A row that has no slot yet has at most a day.
      const days = posts.map(({ scheduledAt, slot }) =>
        scheduledAt === "" ? (slot?.day ?? "") : dayInRow(row, utcMs(scheduledAt)),
      );
      return each.spans.some(({ from, to }) => days.some((day) => from <= day && day <= to));
    });
  }

  /** Whether a post with a time matches. Another post of its row may not. */
  fits(row: RowView, post: Post): boolean {
    return this.fitsCells(row, post.platforms) && this.fitsDue(row, [post]);
  }

  /** The name of a network means all its accounts. */
  #goTo(networks: readonly string[], wanted: readonly string[]): boolean {
    const identifiers = wanted.map((name) => identify(name, this.#aliases));
    return networks.some((name) => identifiers.includes(name) || identifiers.includes(networkOf(name)));
  }
}

/** The cell in the column with that name, which need not be a field; blank if there is none. */
function cellText(view: RowView, name: string): string {
  const other = getOwn(view.row.others ?? {}, name);
  if (other !== undefined) return other;
  const field = fieldNamed(name);
  if (field === undefined) return "";
  return (field === "timezone" ? view.timezone : view.values[field])?.text ?? "";
}

function dayInRow(row: RowView, ms: number): string {
  const { zone } = row;
  return zone === undefined ? new Date(ms).toISOString().slice(0, 10) : localDay(zone, ms);
}

/** A filter with an unknown column would leave out every row, which would look like nothing to do. */
export function unknownFilterColumns(calendars: readonly Calendar[], only: Only | undefined): Problem[] {
  return columnsNotFound(calendars, ({ settings }) => [settings.only ?? {}, only ?? {}]).map((name) => {
    const message = `No calendar has a column "${name}". Correct the name in the filter; \`plancast columns\` shows the names.`;
    return problem("columns/not-found", message);
  });
}

/** The columns that filters of calendars name, and that no calendar has. */
export function columnsNotFound(
  calendars: readonly Calendar[],
  filtersOf: (calendar: Calendar) => readonly Only[],
): readonly string[] {
  const found = new Map<string, boolean>();
  for (const calendar of calendars) {
    for (const name of filterColumns(filtersOf(calendar))) {
      const isHere =
        fieldNamed(name) !== undefined ||
        calendar.rows.some(({ others }) => Object.hasOwn(others ?? {}, name));
      found.set(name, isHere || found.get(name) === true);
    }
  }
  return [...found].flatMap(([name, isFound]) => (isFound ? [] : name));
}
