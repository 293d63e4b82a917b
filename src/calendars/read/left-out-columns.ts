/**
 * Columns of a table that plancast does not use: what their cells show about them. Some hold what somebody expects to
 * be published, or decide which rows may be.
 */

import { IGNORE, yamlKey } from "../../model/columns.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import { clipped, isBlank, rowsText } from "../../model/text.ts";
import { isDotted } from "../../checks/when/doubtful-times.ts";
import { holdsBack } from "../../settings/languages/languages.ts";
import { dayIn, weekdayIn } from "../columns/cell-kinds.ts";
import { isTranslatedText, speaksOf, suggestedFieldOf, textPartNamed } from "../columns/column-names.ts";
import { missingColumns } from "../columns/columns.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import { columnName } from "./header-problems.ts";
import { heldBack } from "./read-row.ts";
import { columnKey } from "./table-columns.ts";
import type { Header } from "./table-header.ts";
import {
  type Finding,
  type SeenCells,
  type TableFacts,
  MAX_NAMED,
  fieldsToFind,
  findingIn,
  accountIn,
  isOther,
  mayHoldText,
  networkOf,
  noteCell,
  nothingSeen,
  textColumns,
} from "./left-out-cells.ts";
import { type NamedColumn, type StopTable, stopAt } from "./left-out-stops.ts";

/** More contradictions show nothing new. */
const MAX_WRONG_DAYS = 100;

/** Different cells of a column that wait until they are noted. */
const MAX_WAITING = 200;

interface WaitingCells {
  readonly column: number;
  readonly seen: SeenCells;
  /** How many rows have each cell. */
  readonly rows: Map<string, number>;
}

export class LeftOutColumns {
  readonly #header: Header;
  readonly #textColumns: readonly number[];
  #hasText = false;
  #hasMedia = false;
  readonly #columns: ReadonlyMap<number, SeenCells>;
  /** Columns whose cells may be notes about their rows. */
  readonly #notes: readonly number[];
  /** Cells that are not noted yet, with their rows: many columns repeat a few of them. */
  readonly #waiting: readonly WaitingCells[];
  /** Whether a date had a time of day. */
  #hasClock = false;
  readonly #options: Pick<ReadOptions, "date_order" | "timezone">;
  /** The column of dates; -1 without one. */
  readonly #dates: number;
  readonly #media: readonly number[];
  readonly #facts: TableFacts;

  /** @param kept columns that a filter uses */
  constructor(
    header: Header,
    kept: ReadonlySet<number>,
    options: Pick<ReadOptions, "date_order" | "timezone">,
  ) {
    this.#header = header;
    this.#options = options;
    this.#dates = header.columns.fields.findIndex((field) => field === "date" || field === "scheduled_at");
    this.#textColumns = textColumns(header.columns);
    const { fields, switches, variants, unknown, unnamed } = header.columns;
    this.#media = [...fields.keys()].filter((column) => fields[column] === "media");
    this.#facts = {
      hasDate: this.#dates !== -1,
      hasStatus: fields.includes("status"),
      // A column that says which rows are already out does not say which other rows are ready.
      hasSwitch: switches.some(({ field, value }) => field === "status" && value !== "skip"),
      hasNetworks:
        fields.includes("platforms") ||
        variants.length > 0 ||
        switches.some(({ field }) => field === "platforms"),
    };
    const fits = fieldsToFind(header.columns);
    const unused = [...unknown, ...unnamed].filter((column) => !kept.has(column));
    this.#columns = new Map(
      unused.map((column) => {
        const name = header.isNamed ? (header.names[column] ?? "") : "";
        return [column, nothingSeen(name, fits, fields.includes("content"))];
      }),
    );
    this.#notes = unused.filter((column) => this.#columns.get(column)?.mayHoldNotes);
    this.#waiting = [...this.#columns].map(([column, seen]) => ({ column, seen, rows: new Map() }));
  }

  /** Counts one more record. @param number of the record in the source */
  note(cells: readonly string[], number: number): void {
    if (this.#waiting.length === 0) return;
    if (!this.#hasClock) this.#noteDate(cells[this.#dates] ?? "");
    this.#hasText ||= this.#textColumns.some((column) => !isBlank(cells[column] ?? ""));
    const hasMedia = this.#media.some((column) => !isBlank(cells[column] ?? ""));
    this.#hasMedia ||= hasMedia;
    for (const waiting of this.#waiting) {
      const { column, seen } = waiting;
      const text = cells[column] ?? "";
      if (isBlank(text)) {
        seen.blank += 1;
        continue;
      }
      if (seen.kind === "format") noteCell(seen, text, 1, this.#facts, hasMedia);
      else this.#wait(waiting, text);
      if (seen.areWeekdays) this.#noteWeekday(seen, text, cells[this.#dates] ?? "", number);
    }
  }

  #wait(waiting: WaitingCells, text: string): void {
    const { rows } = waiting;
    rows.set(text, (rows.get(text) ?? 0) + 1);
    if (rows.size >= MAX_WAITING) this.#settle(waiting);
  }

  /** Notes the cells that wait. */
  #settle({ seen, rows }: WaitingCells): void {
    for (const [text, times] of rows) noteCell(seen, text, times, this.#facts);
    rows.clear();
  }

  #seen(): ReadonlyMap<number, SeenCells> {
    for (const each of this.#waiting) this.#settle(each);
    return this.#columns;
  }

  /** Beside a date with a time of day, a column of times is about something else. */
  #noteDate(text: string): void {
    if (!/\d\s?(?::\s?\d\d|h\b|[ap]\.?\s?m|uhr)/i.test(text)) return;
    this.#hasClock = true;
    for (const seen of this.#seen().values()) {
      seen.fits = seen.fits.filter((kind) => kind !== "time");
      seen.mayBeTime = false;
    }
  }

  #noteWeekday(seen: SeenCells, text: string, date: string, number: number): void {
    const said = weekdayIn(text);
    seen.areWeekdays = said !== undefined;
    if (said !== undefined) seen.weekdays.add(text.trim().toLowerCase());
    const order = this.#options.date_order ?? (isDotted(date) ? "dmy" : undefined);
    const day = said === undefined ? undefined : dayIn(date, order);
    if (day !== undefined) seen.areWeekStarts &&= day.weekday === 1 || day.weekday === 7;
    if (day === undefined || day.weekday === said || seen.wrongDays.length >= MAX_WRONG_DAYS) return;
    const message = `"${text.trim()}" contradicts the date: ${day.shown}.`;
    seen.wrongDays.push({ number, message });
  }

  /** The problems of a record whose notes say that it must not be published. */
  holds(cells: readonly string[], number: number, source: TableSource): Problem[] {
    return this.#notes.flatMap((column) => {
      const text = cells[column] ?? "";
      if (!holdsBack(text)) return [];
      const key = this.#key(column);
      const why = `${columnName(this.#header, column)} says "${clipped(text.trim())}"`;
      const way = `clear the note, or set \`columns: { ${key}: ignore }\` in plancast.yaml`;
      return [heldBack(why, way, source.at(number, column))];
    });
  }

  /** How many cells of each column hold a web address. */
  get addresses(): ReadonlyMap<number, number> {
    return new Map([...this.#seen()].map(([column, { addresses }]) => [column, addresses]));
  }

  /** Columns that have a separate problem, so the list of ignored columns leaves them out. */
  get reported(): ReadonlySet<number> {
    return new Set([...this.#seen()].flatMap(([column, seen]) => (this.#findingIn(seen) ? [column] : [])));
  }

  #findingIn(seen: SeenCells): Finding | undefined {
    return findingIn(seen, this.#options.timezone, this.#facts, this.#hasMedia);
  }

  problems(source: TableSource): Problem[] {
    if (this.#columns.size === 0) return [];
    const stops = [...this.#seen()].flatMap(([column, seen]) => {
      const finding = this.#findingIn(seen);
      if (finding === undefined || isAddition(finding)) return [];
      if (finding === "weekday") return this.#wrongDays(column, seen, source);
      const name = this.#header.names[column] ?? "";
      const network = networkOf(name) ?? accountIn(name);
      const named = { ...this.#named(column), network };
      const { code = "csv/unused-column", message, question } = stopAt(finding, named, seen, this.#table());
      const found = problem(code, message, source.at(this.#header.record, column));
      return question === undefined ? [found] : [{ ...found, questions: [question] }];
    });
    return [...stops, ...this.#missingDate(source), ...this.#missingText(source), ...this.#additions(source)];
  }

  /** Without a column for the date, an unused column with dates may hold it. */
  #missingDate(source: TableSource): Problem[] {
    if (!this.#header.isNamed || this.#facts.hasDate) return [];
    // The error about the missing column proposes these columns.
    const isNamed = this.#header.names.some((name) =>
      ["date", "scheduled_at"].includes(suggestedFieldOf(name) ?? ""),
    );
    if (isNamed) return [];
    const isCalled = (column: number): boolean => speaksOf(this.#header.names[column] ?? "", "date");
    const likely = [...this.#columns]
      .filter(([, { days, filled }]) => filled > 0 && days === filled)
      .toSorted(([one], [other]) => Number(isCalled(other)) - Number(isCalled(one)));
    const [first] = likely;
    if (first === undefined) return [];
    const list = likely.slice(0, MAX_NAMED).map(([column]) => columnName(this.#header, column));
    const which = likely.length === 1 ? "they say" : "those of the first column say";
    const message = `The cells of ${list.join(", ")} are dates. If ${which} when posts go out, set \`columns: { ${this.#key(first[0])}: date }\` in plancast.yaml.`;
    const columns = likely.map(([column]) => columnKey(this.#header, column));
    const questions: Question[] = [{ topic: "column", field: "date", columns }];
    return [
      { ...problem("csv/missing-header", message, source.at(this.#header.record, first[0])), questions },
    ];
  }

  /**
   * Without a column for the text, plancast would publish only the media, although an unused column may hold the text.
   * Its name or its cells say so.
   */
  #missingText(source: TableSource): Problem[] {
    if (!this.#header.isNamed || this.#hasText) return [];
    const hasNothing = missingColumns(this.#header.columns).some(({ field }) => field === "content");
    // That error proposes these columns.
    if (hasNothing && this.#header.names.some((name) => suggestedFieldOf(name) === "content")) return [];
    const likely = [...this.#columns]
      .filter(([column, seen]) => isOther(seen) && mayHoldText(this.#header.names[column] ?? "", seen))
      .sort(([, one], [, other]) => other.units - one.units);
    const [first] = likely;
    if (first === undefined) return [];
    const list = likely.slice(0, MAX_NAMED).map(([column]) => columnName(this.#header, column));
    const isText = isTranslatedText(this.#header.names[first[0]] ?? "");
    const others = likely
      .slice(1)
      .filter(([column]) => isText && isTranslatedText(this.#header.names[column] ?? ""));
    const lines = [
      `${this.#key(first[0])}: content`,
      ...others.map(([column]) => `${this.#key(column)}: ${IGNORE}`),
    ];
    const set = `set \`columns: { ${lines.join(", ")} }\` in plancast.yaml.`;
    const message = hasNothing
      ? `The cells of ${list.join(", ")} look like the texts of the posts. If they are, ${set}`
      : `${this.#textColumns.length === 0 ? "The header has no column for `content`" : "The column for `content` is blank throughout"}, so plancast would publish the media without a text. ${list.join(", ")} may hold it. ` +
        `If so, ${set} If the posts have no text, set \`ignore\` instead of \`content\`${likely.length > 1 ? " for each of these columns" : ""}.`;
    const columns = likely.map(([column]) => columnKey(this.#header, column));
    const questions: Question[] = [{ topic: "column", field: "content", columns }];
    return [{ ...problem("csv/missing-header", message, source.at(this.#header.record)), questions }];
  }

  #key(column: number): string {
    return yamlKey(columnKey(this.#header, column));
  }

  #named(column: number): NamedColumn {
    return { name: columnKey(this.#header, column), shown: columnName(this.#header, column) };
  }

  #table(): StopTable {
    const content = this.#header.columns.fields.indexOf("content");
    return {
      date: this.#dates === -1 ? undefined : this.#named(this.#dates),
      content: content === -1 ? undefined : this.#named(content),
      textParts: this.#textParts(content),
    };
  }

  /** The columns that make up the text, if it is split: the one with its beginning is first. */
  #textParts(content: number): readonly NamedColumn[] {
    const partOf = (column: number): string | undefined => textPartNamed(this.#header.names[column] ?? "");
    const filled = [...this.#columns].flatMap(([column, seen]) =>
      seen.filled > 0 && partOf(column) !== undefined ? [column] : [],
    );
    const all = [content, ...filled].toSorted((one, other) => one - other);
    const first = all.find((column) => partOf(column) === "opening") ?? content;
    return [first, ...all.filter((column) => column !== first)].map((column) => this.#named(column));
  }

  #wrongDays(column: number, seen: SeenCells, source: TableSource): Problem[] {
    const { wrongDays, areWeekStarts, filled } = seen;
    const key = this.#key(column);
    const isInWeek = areWeekStarts && wrongDays.length * 2 > filled;
    const way =
      `Correct one of them, or set \`columns: { ${key}: ignore }\` in plancast.yaml.` +
      (isInWeek ? ` If the date is the first day of a week, set \`columns: { ${key}: date+ }\`.` : "");
    const question: Question = { topic: "vague", field: "date+", column: columnKey(this.#header, column) };
    return wrongDays.map(({ number, message }) => ({
      ...problem("schedule/weekday", `${message} ${way}`, source.at(number, column)),
      ...(isInWeek ? { questions: [question] } : {}),
    }));
  }

  #additions(source: TableSource): Problem[] {
    const those = [...this.#columns].filter(([, seen]) => isAddition(this.#findingIn(seen)));
    const [first] = those;
    if (first === undefined) return [];
    const list = those.map(
      ([column, { filled }]) => `${columnName(this.#header, column)} (${rowsText(filled)})`,
    );
    const lines = those.map(([column]) => `${this.#key(column)}: content+`);
    const message =
      `plancast does not publish what is in ${list.join(", ")}. To append it to the text, set \`columns: { ${lines.join(", ")} }\` in plancast.yaml. ` +
      `To stop this warning, write \`ignore\` instead of \`content+\`.`;
    const questions = those.map(([column, { filled }]): Question => {
      return { topic: "left-out", column: columnKey(this.#header, column), rows: filled };
    });
    return [{ ...problem("csv/left-out", message, source.at(this.#header.record, first[0])), questions }];
  }
}

/** Something that belongs to the post, such as hashtags. One warning names all of these columns. */
function isAddition(finding: Finding | undefined): finding is "hashtags" | "other" {
  return finding === "hashtags" || finding === "other";
}
