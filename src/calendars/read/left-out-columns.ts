/**
 * Columns of a table that plancast does not use: what their cells show about them. Some hold what somebody expects to
 * be published, or decide which rows may be.
 */

import { yamlKey } from "../../model/columns.ts";
import { type Problem, type Question, problem } from "../../model/problem.ts";
import { formatNumber, isBlank } from "../../model/text.ts";
import { type CellKind, dayIn, weekdayIn } from "../columns/cell-kinds.ts";
import { isOtherFormat, speaksOf } from "../columns/column-names.ts";
import type { ReadOptions, TableSource } from "./format.ts";
import { columnName } from "./header-problems.ts";
import { columnKey } from "./table-columns.ts";
import type { Header } from "./table-header.ts";
import {
  type SeenCells,
  FITTING,
  MAX_NAMED,
  MAX_VALUES,
  MAX_WRONG_DAYS,
  NOTHING_SEEN,
  OTHER,
  VALUED,
  contradictsDates,
  countFits,
  countStatus,
  countValue,
  fieldsToFind,
  isOther,
  isReported,
  isSentence,
  isUnusedTime,
  kindOf,
  mayHoldText,
  networkOf,
  noteState,
  saysYesOrNo,
  showsField,
  showsState,
  showsStatus,
  textColumns,
} from "./left-out-cells.ts";

export class LeftOutColumns {
  readonly #header: Header;
  readonly #textColumns: readonly number[];
  #hasText = false;
  readonly #columns: ReadonlyMap<number, SeenCells>;
  readonly #options: Pick<ReadOptions, "date_order" | "timezone">;
  /** The column of dates, if there is exactly one. */
  readonly #dates: number;
  /** Whether a column has the status in words, or columns of yes and no have it. */
  readonly #hasStatus: boolean;
  readonly #hasSwitch: boolean;

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
    this.#hasStatus = header.columns.fields.includes("status");
    this.#hasSwitch = header.columns.switches.some(({ field }) => field === "status");
    const { unknown, unnamed } = header.columns;
    const fits = fieldsToFind(header.columns);
    const hasNoPlatforms = fits.includes("platforms");
    const hasContent = header.columns.fields.includes("content");
    const unused = [...unknown, ...unnamed].filter((column) => !kept.has(column));
    this.#columns = new Map(
      unused.map((column) => {
        const name = header.isNamed ? (header.names[column] ?? "") : "";
        // Next to a column of platforms, a column with a network's name contains notes.
        const isNetwork = hasNoPlatforms && networkOf(name) !== undefined;
        const kind = isNetwork ? "network" : kindOf(name, hasContent);
        return [
          column,
          {
            ...NOTHING_SEEN,
            mayBeTime: kind === "plain" && fits.includes("time") && speaksOf(name, "time"),
            kind,
            fits,
            values: new Map(),
            unusual: new Map(),
            zones: new Set(),
            unready: new Set(),
            weekdays: new Set(),
            wrongDays: [],
          },
        ];
      }),
    );
  }

  /** Looks at one more record. @param number of the record in the source */
  note(cells: readonly string[], number: number): void {
    this.#noteDate(cells[this.#dates] ?? "");
    this.#hasText ||= this.#textColumns.some((column) => !isBlank(cells[column] ?? ""));
    for (const [column, seen] of this.#columns) {
      const text = cells[column] ?? "";
      if (isBlank(text)) continue;
      seen.filled += 1;
      seen.units += text.length;
      if (isSentence(text)) seen.sentences += 1;
      if (VALUED.has(seen.kind)) countValue(seen.values, text);
      if (seen.kind === "format" && isOtherFormat(text, this.#hasMedia(cells)))
        countValue(seen.unusual, text);
      if (seen.kind === "question") seen.isYesOrNo &&= saysYesOrNo(text);
      else if (seen.kind === "state") noteState(seen, text);
      // A number in a network's column counts its posts, or is a mark.
      else if (seen.kind === "network") seen.isYesOrNo &&= saysYesOrNo(text) || /^\s*\d+\s*$/.test(text);
      if (FITTING.has(seen.kind) && seen.fits.length > 0) countFits(seen, text);
      if (!this.#hasStatus && OTHER.has(seen.kind) && (seen.kind === "state" || !this.#hasSwitch))
        countStatus(seen, text);
      if (seen.areWeekdays) this.#noteWeekday(seen, text, cells[this.#dates] ?? "", number);
      if (/^\s*https?:\/\/\S/i.test(text)) seen.addresses += 1;
    }
  }

  #hasMedia(cells: readonly string[]): boolean {
    return this.#header.columns.fields.some(
      (field, column) => field === "media" && !isBlank(cells[column] ?? ""),
    );
  }

  /** Beside a date with a time of day, a column of times is about something else. */
  #noteDate(text: string): void {
    if (!/\d\s?(?::\s?\d\d|h\b|[ap]\.?\s?m|uhr)/i.test(text)) return;
    for (const seen of this.#columns.values()) {
      seen.fits = seen.fits.filter((kind) => kind !== "time");
      seen.mayBeTime = false;
    }
  }

  #noteWeekday(seen: SeenCells, text: string, date: string, number: number): void {
    const said = weekdayIn(text);
    seen.areWeekdays = said !== undefined;
    if (said !== undefined) seen.weekdays.add(text.trim().toLowerCase());
    const day = said === undefined ? undefined : dayIn(date, this.#options.date_order);
    if (day === undefined || day.weekday === said || seen.wrongDays.length >= MAX_WRONG_DAYS) return;
    const message = `"${text.trim()}" contradicts the date: ${day.shown}.`;
    seen.wrongDays.push({ number, message });
  }

  /** How many cells of each column hold a web address. */
  get addresses(): ReadonlyMap<number, number> {
    return new Map([...this.#columns].map(([column, { addresses }]) => [column, addresses]));
  }

  /** Columns that have a separate problem, so the list of ignored columns leaves them out. */
  get reported(): ReadonlySet<number> {
    return new Set([...this.#columns].flatMap(([column, seen]) => (this.#isReported(seen) ? [column] : [])));
  }

  #isReported(seen: SeenCells): boolean {
    return (
      contradictsDates(seen) ||
      isReported(seen, this.#options.timezone) ||
      (!this.#hasStatus && !this.#hasSwitch && showsState(seen))
    );
  }

  problems(source: TableSource): Problem[] {
    const errors = [...this.#columns].flatMap(([column, seen]) => {
      if (!this.#isReported(seen)) return [];
      if (contradictsDates(seen)) return this.#wrongDays(column, seen, source);
      if (showsStatus(seen)) return [this.#status(column, seen, source)];
      if (showsField(seen, this.#options.timezone)) return [this.#unused(column, seen.fits, source)];
      if (isUnusedTime(seen)) return [this.#time(column, source)];
      if (seen.kind === "account") return [this.#accounts(column, seen, source)];
      if (seen.kind === "format") return [this.#formats(column, seen, source)];
      if (seen.kind === "translation") return [this.#translation(column, seen, source)];
      if (seen.kind === "network") return [this.#network(column, seen, source)];
      if (seen.kind === "state" && !seen.isYesOrNo) return [this.#state(column, seen, source)];
      return seen.kind === "question" || seen.kind === "state" ? [this.#question(column, source)] : [];
    });
    return [...errors, ...this.#missingText(source), ...this.#additions(source)];
  }

  /**
   * Without a column for the text, plancast would publish only the media, although an unused column may hold the text.
   * Its name or its cells say so.
   */
  #missingText(source: TableSource): Problem[] {
    if (!this.#header.isNamed || this.#hasText) return [];
    const likely = [...this.#columns]
      .filter(([column, seen]) => isOther(seen) && mayHoldText(this.#header.names[column] ?? "", seen))
      .sort(([, one], [, other]) => other.units - one.units);
    const [first] = likely;
    if (first === undefined) return [];
    const list = likely.slice(0, MAX_NAMED).map(([column]) => columnName(this.#header, column));
    const key = this.#key(first[0]);
    const message =
      `${this.#textColumns.length === 0 ? "The header has no column for `content`" : "The column for `content` is blank throughout"}, so plancast would publish the media without a text. ${list.join(", ")} may hold it. ` +
      `If so, set \`columns: { ${key}: content }\` in plancast.yaml. If the posts have no text, set \`ignore\` instead of \`content\`${likely.length > 1 ? " for each of these columns" : ""}.`;
    const columns = likely.map(([column]) => columnKey(this.#header, column));
    const questions: Question[] = [{ topic: "column", field: "content", columns }];
    return [{ ...problem("csv/missing-header", message, source.at(this.#header.record)), questions }];
  }

  #key(column: number): string {
    return yamlKey(columnKey(this.#header, column));
  }

  #accounts(column: number, { values }: SeenCells, source: TableSource): Problem {
    const all = [...values.values()];
    const list = all.slice(0, MAX_NAMED).map(({ text, rows }) => `"${text}" (${rowsText(rows)})`);
    const more =
      all.length > MAX_NAMED
        ? ` and ${all.length === MAX_VALUES ? "many" : all.length - MAX_NAMED} more`
        : "";
    const [key, first] = [this.#key(column), JSON.stringify(all[0]?.text ?? "")];
    const message =
      `${columnName(this.#header, column)} holds several values, but plancast would publish all rows to the same account: ${list.join(", ")}${more}. ` +
      `To use the rows of one, set \`only: { ${key}: ${first} }\` in plancast.yaml. If each is an account, set \`columns: { ${key}: accounts }\` and \`platforms: { ${first}: linkedin }\`. ` +
      `If it does not matter, set \`columns: { ${key}: ignore }\`.`;
    const questions: Question[] = [
      { topic: "accounts", column: columnKey(this.#header, column), values: all.map(({ text }) => text) },
    ];
    return { ...problem("csv/several-accounts", message, source.at(this.#header.record, column)), questions };
  }

  #question(column: number, source: TableSource): Problem {
    const key = this.#key(column);
    const message =
      `${columnName(this.#header, column)} says yes or no, but not what a yes means. Under \`columns:\` in plancast.yaml, set \`${key}: status:ready\` if a yes means that the row may be published, ` +
      `\`${key}: status:skip\` if it is already published, \`${key}: platforms:linkedin\` if it chooses a network, or \`${key}: ignore\`.`;
    const questions: Question[] = [{ topic: "yes-or-no", column: columnKey(this.#header, column) }];
    return { ...problem("csv/unclear-question", message, source.at(this.#header.record, column)), questions };
  }

  /** Without this check, a default time would apply although a column such as `Time slot` has others. */
  #time(column: number, source: TableSource): Problem {
    const key = this.#key(column);
    const message =
      `${columnName(this.#header, column)} may hold the time of the posts, but plancast does not use this column, and no other has the time. ` +
      `Set \`columns: { ${key}: time }\` in plancast.yaml, or \`${key}: ignore\` there.`;
    const questions: Question[] = [
      { topic: "vague", field: "time", column: columnKey(this.#header, column) },
    ];
    return { ...problem("csv/unused-column", message, source.at(this.#header.record, column)), questions };
  }

  /** A column such as `Client feedback`, with a few words or dates that may say which rows are ready. */
  #state(column: number, { areDates, values }: SeenCells, source: TableSource): Problem {
    const key = this.#key(column);
    const at = source.at(this.#header.record, column);
    const name = columnKey(this.#header, column);
    if (areDates && this.#dates === -1) {
      const message = `${columnName(this.#header, column)} holds dates, and no other column has the date of the posts. Set \`columns: { ${key}: date }\` in plancast.yaml, or \`${key}: ignore\` there.`;
      const questions: Question[] = [{ topic: "vague", field: "date", column: name }];
      return { ...problem("csv/unused-column", message, at), questions };
    }
    if (areDates) {
      const message =
        `${columnName(this.#header, column)} holds dates, but plancast does not know what they mean for the row. Under \`columns:\` in plancast.yaml, set \`${key}: status:skip\` if a row with a date is already published, ` +
        `\`${key}: status:ready\` if only rows with a date may be published, or \`${key}: ignore\`.`;
      const questions: Question[] = [{ topic: "yes-or-no", column: name, areDates: true }];
      return { ...problem("csv/unclear-question", message, at), questions };
    }
    const words = [...values.values()].map(({ text, rows }) => `"${text}" (${rowsText(rows)})`).join(", ");
    const message =
      `${columnName(this.#header, column)} may say which rows are ready: ${words}. plancast does not use this column, so it would plan all rows. ` +
      `If it does, set \`columns: { ${key}: status }\` in plancast.yaml. If not, \`${key}: ignore\` there.`;
    const questions: Question[] = [{ topic: "vague", field: "status", column: name }];
    return { ...problem("csv/unused-column", message, at), questions };
  }

  /** plancast publishes only ordinary posts. */
  #formats(column: number, { values, unusual }: SeenCells, source: TableSource): Problem {
    const key = this.#key(column);
    const others = [...unusual.values()];
    const plain = [...values].flatMap(([folded, { text }]) => (unusual.has(folded) ? [] : [text]));
    const list = others.slice(0, MAX_NAMED).map(({ text, rows }) => `"${text}" (${rowsText(rows)})`);
    const only = plain
      .slice(0, MAX_NAMED)
      .map((text) => JSON.stringify(text))
      .join(", ");
    const message =
      `${columnName(this.#header, column)} says that some rows are not ordinary posts: ${list.join(", ")}. plancast publishes each row as an ordinary post. ` +
      `If that is right, set \`columns: { ${key}: ignore }\` in plancast.yaml. ` +
      (plain.length === 0
        ? "If not, give these rows the status skip."
        : `To leave these rows out, set \`only: { ${key}: [${only}] }\` there.`);
    const name = columnKey(this.#header, column);
    const questions: Question[] = [
      { topic: "formats", column: name, plain, others: others.map(({ text }) => text) },
    ];
    return { ...problem("csv/unused-column", message, source.at(this.#header.record, column)), questions };
  }

  /** The text in another language, beside the text that plancast publishes. */
  #translation(column: number, { filled }: SeenCells, source: TableSource): Problem {
    const key = this.#key(column);
    const content = this.#header.columns.fields.indexOf("content");
    const own = this.#key(content);
    const message =
      `${columnName(this.#header, column)} may be the text of the post in one language (${rowsText(filled)}), but plancast publishes only ${columnName(this.#header, content)}. ` +
      `If that is right, set \`columns: { ${key}: ignore }\` in plancast.yaml. To publish this text instead, set \`columns: { ${own}: ignore, ${key}: content }\`.`;
    const questions: Question[] = [
      {
        topic: "duplicate",
        field: "content",
        columns: [content, column].map((each) => columnKey(this.#header, each)),
      },
    ];
    return { ...problem("csv/unused-column", message, source.at(this.#header.record, column)), questions };
  }

  /** Without this check, plancast would publish rows that are not ready. */
  #status(column: number, { unready }: SeenCells, source: TableSource): Problem {
    const key = this.#key(column);
    const words = [...unready].map((word) => JSON.stringify(word)).join(", ");
    const message =
      `${columnName(this.#header, column)} looks like the status of the posts (${words}), but plancast does not use this column, so it would plan all rows. ` +
      `Set \`columns: { ${key}: status }\` in plancast.yaml, or \`${key}: ignore\` there.`;
    const questions: Question[] = [
      { topic: "vague", field: "status", column: columnKey(this.#header, column) },
    ];
    return { ...problem("csv/unused-column", message, source.at(this.#header.record, column)), questions };
  }

  #unused(column: number, [field = "platforms"]: SeenCells["fits"], source: TableSource): Problem {
    const key = this.#key(column);
    const at = source.at(this.#header.record, column);
    const found = `Each cell of ${columnName(this.#header, column)} ${SHOWN[field]}, but plancast does not use this column.`;
    if (field === "half") {
      const message = `${found} Write it after the time, such as 7:30 pm, and set \`columns: { ${key}: ignore }\` in plancast.yaml.`;
      return problem("csv/unused-column", message, at);
    }
    const message = `${found} Set \`columns: { ${key}: ${field} }\` in plancast.yaml, or \`${key}: ignore\` there.`;
    const questions: Question[] = [{ topic: "vague", field, column: columnKey(this.#header, column) }];
    return { ...problem("csv/unused-column", message, at), questions };
  }

  #wrongDays(column: number, { wrongDays }: SeenCells, source: TableSource): Problem[] {
    const way = `Correct one of them, or set \`columns: { ${this.#key(column)}: ignore }\` in plancast.yaml.`;
    return wrongDays.map(({ number, message }) =>
      problem("schedule/weekday", `${message} ${way}`, source.at(number, column)),
    );
  }

  #network(column: number, { isYesOrNo }: SeenCells, source: TableSource): Problem {
    const key = this.#key(column);
    const network = networkOf(this.#header.names[column] ?? "") ?? "";
    const message =
      `${columnName(this.#header, column)} is the name of a network, and plancast does not use this column. Under \`columns:\` in plancast.yaml, set \`${key}: platforms:${network}\` if it marks the posts for the network, ` +
      `\`${key}: content:${network}\` if it holds their text, or \`${key}: ignore\`.`;
    const questions: Question[] = [
      { topic: "network-column", column: columnKey(this.#header, column), network, isText: !isYesOrNo },
    ];
    return { ...problem("csv/unused-column", message, source.at(this.#header.record, column)), questions };
  }

  #additions(source: TableSource): Problem[] {
    const those = [...this.#columns].filter(
      ([, seen]) => this.#isReported(seen) && (seen.kind === "hashtags" || seen.kind === "other"),
    );
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

const SHOWN: Readonly<Record<CellKind, string>> = {
  platforms: "names networks or other channels",
  media: "names a picture or a video",
  time: "is a time of day",
  timezone: "is a time zone",
  half: "says am or pm",
};

function rowsText(rows: number): string {
  return rows === 1 ? "1 row" : `${formatNumber(rows)} rows`;
}
