/** What a person may change of a post in its calendar, and the cells of its row that say so. Pure. */

import { type CalendarReading, platformNames, readingOf } from "../../checks/calendar-reading.ts";
import { checkRow } from "../../checks/check-row.ts";
import { repeatOf } from "../../checks/check-series.ts";
import { type Aliases, LEFT_OUT, identify } from "../../checks/networks/network-names.ts";
import { PLATFORM_SEPARATOR, platformsByText, platformsNamed } from "../../checks/platforms.ts";
import { RowView } from "../../checks/row-view.ts";
import { whenCells } from "../../checks/schedule.ts";
import { rowsByPlatform } from "../../checks/variants.ts";
import { canonicalPlatforms } from "../../model/canonical.ts";
import type { Field } from "../../model/fields.ts";
import type { Post } from "../../model/post.ts";
import type { Cell, RawRow, RowVariant } from "../../model/row.ts";
import { isBlank, sameList } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Config } from "../../settings/config.ts";
import type { ColumnName } from "../formats/written-row.ts";
import { type EditableStatus, editableStatus } from "./edit-status.ts";
import { type NewTime, TAKES_SLOT, timeCells, withCells } from "./edit-time.ts";
import { type RowEdit, placeColumns } from "../formats/row-edit.ts";

/** What to change of a post. */
export interface PostChange {
  readonly when?: NewTime;
  readonly text?: string;
  /** Identifiers. */
  readonly platforms?: readonly string[];
  /** One of the words of the row's status. */
  readonly status?: string;
}

/** A part that can be edited, with its value; or why it cannot, and what to do. */
export type EditablePart<Value> = { readonly value: Value } | { readonly why: string };

type Cells = Map<ColumnName, Cell>;

/** The parts of a post that can be edited. */
export type EditedPart = "text" | "platforms" | "when" | "status";

/** One post of a row, for editing. */
export class PostEdit {
  readonly row: number;
  /** The posts of the row. */
  readonly posts: readonly Post[];
  readonly post: Post;
  readonly #calendar: Calendar;
  readonly #row: RawRow;
  readonly #alike: readonly RawRow[];
  readonly #reading: CalendarReading;
  /** Whether each account has a post of its own. */
  readonly #isSplit: boolean;

  /**
   * Undefined if the row has no post for exactly these platforms. If each account has a post of its own, this is the
   * post of all accounts that share its cells.
   * @param row index of the row
   * @param alike rows that are written like it, if they are not those of the calendar
   */
  static of(
    calendar: Calendar,
    row: number,
    platforms: readonly string[],
    config: Pick<Config, "platforms"> & Partial<Pick<Config, "accounts" | "service">>,
    alike: readonly RawRow[] = calendar.rows,
  ): PostEdit | undefined {
    const raw = calendar.rows[row];
    if (raw === undefined) return undefined;
    const names = platformNames(config);
    const isSplit = names.hasOneAccountPerPost;
    const reading = { ...readingOf(calendar, names), hasOneAccountPerPost: false };
    const { posts } = checkRow(new RowView(raw, calendar), reading);
    const [account = "", ...others] = platforms;
    const post = posts.find((each) =>
      isSplit && others.length === 0 ? each.platforms.includes(account) : sameList(each.platforms, platforms),
    );
    return post && new PostEdit({ calendar, row, raw, alike, reading, posts, post, isSplit });
  }

  private constructor(parts: {
    readonly calendar: Calendar;
    readonly row: number;
    readonly raw: RawRow;
    readonly alike: readonly RawRow[];
    readonly reading: CalendarReading;
    readonly posts: readonly Post[];
    readonly post: Post;
    readonly isSplit: boolean;
  }) {
    this.#calendar = parts.calendar;
    this.row = parts.row;
    this.#row = parts.raw;
    this.#alike = parts.alike;
    this.#reading = parts.reading;
    this.posts = parts.posts;
    this.post = parts.post;
    this.#isSplit = parts.isSplit;
  }

  /** How many posts these are in a plan, where each network may be a post of its own. */
  count(posts: readonly Post[] = [this.post]): number {
    return this.#isSplit ? posts.reduce((sum, { platforms }) => sum + platforms.length, 0) : posts.length;
  }

  /** The text as the cell has it. */
  text(): EditablePart<string> {
    if (this.#isSeries()) return { why: REPEATS };
    const view = this.#view();
    if (view === undefined) return { why: SEVERAL_CELLS };
    const own = view.own.content;
    if (own === undefined && view.own.thread !== undefined) return { why: IN_THREAD };
    return this.#ifColumn({ value: withPlainEnds(own?.written ?? "") }, this.#nameOf("content"));
  }

  platforms(): EditablePart<readonly string[]> {
    if (this.#isSeries()) return { why: REPEATS };
    const view = new RowView(this.#row, this.#calendar);
    const own = view.own.platforms;
    if (this.posts.length > 1) return { why: severalPosts(this.posts.length) };
    const isMarked = own?.isList === true && this.#calendar.table !== undefined;
    if (isMarked || this.#row.namesAccounts === true || platformsByText(view) !== undefined)
      return { why: BY_COLUMNS };
    return this.#ifColumn({ value: this.post.platforms }, "platforms");
  }

  /** The number of posts that share the cells of this time. */
  when(): EditablePart<{ readonly posts: number }> {
    if (this.#isSeries()) return { why: REPEATS };
    const view = this.#view();
    if (view === undefined || this.#row.isJoined === true) return { why: SEVERAL_CELLS };
    if (this.post.slot !== undefined) return { why: TAKES_SLOT };
    const names = this.#whenNames(view);
    const alike = this.posts.filter((each) => {
      const other = this.#view(each);
      return other !== undefined && this.#whenNames(other, each).some((name) => names.includes(name));
    });
    const missing = names.map((name) => this.#ifColumn({ value: 0 }, name)).find((each) => "why" in each);
    return missing !== undefined && "why" in missing ? missing : { value: { posts: this.count(alike) } };
  }

  /** The words to choose from. The row's posts share them. */
  status(): EditablePart<EditableStatus> {
    const found = editableStatus(this.#row, this.#calendar, this.#alike);
    return "why" in found ? found : this.#ifColumn({ value: found }, found.column);
  }

  #isSeries(): boolean {
    return repeatOf(new RowView(this.#row, this.#calendar)) !== undefined;
  }

  /** Cells for a trial that shows whether plancast can write them: the present values, and another status. */
  trialCells(): ReadonlyMap<EditedPart, RowEdit> {
    const view = this.#view();
    const found = new Map<EditedPart, RowEdit>();
    const put = (part: EditedPart, cells: Cells): void => {
      if (cells.size > 0) found.set(part, { row: this.row, cells });
    };
    const status = this.status();
    const other = "value" in status ? otherWord(status.value) : undefined;
    if ("value" in status && other !== undefined) put("status", new Map([[status.value.column, other]]));
    if (view === undefined) return found;
    const same = (fields: readonly Field[]): Cells =>
      new Map(
        fields.flatMap((field): [ColumnName, Cell][] => {
          const cell = view.row.cells[field];
          if (cell === undefined) return [];
          const text = typeof cell === "string" ? withPlainEnds(cell) : cell;
          return [[this.#nameOf(field), text]];
        }),
      );
    put("text", same(["content"]));
    put("platforms", same(["platforms"]));
    put("when", same(whenCells(view, this.#reading.orders).cells.map(({ field }) => field)));
    return found;
  }

  /** The new cells of the row that change; or why plancast cannot write them, and what to do. */
  cells({
    when,
    text,
    platforms,
    status,
  }: PostChange): { readonly cells: Cells } | { readonly message: string } {
    const cells: Cells = new Map();
    const parts = [
      when === undefined ? undefined : this.#whenCells(when, cells),
      text === undefined ? undefined : this.#textCells(text, cells),
      platforms === undefined ? undefined : this.#networkCells(platforms, cells),
      status === undefined ? undefined : this.#statusCells(status, cells),
    ];
    const message = parts.find((each) => each !== undefined);
    return message === undefined ? { cells } : { message };
  }

  #whenCells(wanted: NewTime, cells: Cells): string | undefined {
    const view = this.#view();
    const editable = this.when();
    if ("why" in editable || view === undefined) return "why" in editable ? editable.why : SEVERAL_CELLS;
    const found = timeCells(view, this.#reading.orders, wanted);
    if ("message" in found) return found.message;
    for (const [field, text] of found.cells) {
      const name = this.#nameOf(field);
      const placed = this.#ifColumn({ value: 0 }, name);
      if ("why" in placed) return placed.why;
      cells.set(name, text);
    }
    return undefined;
  }

  #textCells(text: string, cells: Cells): string | undefined {
    const editable = this.text();
    if ("why" in editable) return editable.why;
    const replies = this.post.thread ?? [];
    if (isBlank(text) && this.post.media.length === 0 && replies.length === 0) return NO_TEXT;
    if (text !== editable.value) cells.set(this.#nameOf("content"), text);
    return undefined;
  }

  #networkCells(platforms: readonly string[], cells: Cells): string | undefined {
    const editable = this.platforms();
    if ("why" in editable) return editable.why;
    if (platforms.length === 0) return NO_NETWORK;
    if (sameList(canonicalPlatforms(platforms), this.post.platforms)) return undefined;
    const cell = networksCell(this.#row.cells.platforms, platforms, this.#reading.aliases);
    const view = new RowView(withCells(this.#row, new Map([["platforms", cell]])), this.#calendar);
    const read = this.#reading.read(view);
    if (!sameList(read.names, canonicalPlatforms(platforms)))
      return read.problems[0]?.message ?? "plancast cannot write these networks. Change them in the file.";
    const { posts, problems } = checkRow(view, this.#reading, read);
    if (posts.length !== 1) return problems[0]?.message ?? severalPosts(posts.length);
    cells.set("platforms", cell);
    return undefined;
  }

  #statusCells(word: string, cells: Cells): string | undefined {
    const editable = this.status();
    if ("why" in editable) return editable.why;
    const { column, words, word: own } = editable.value;
    if (words.every((each) => each.word !== word)) return NO_SUCH_WORD;
    if (word !== own) cells.set(column, word);
    return undefined;
  }

  #ifColumn<Value>(part: { readonly value: Value }, name: ColumnName): EditablePart<Value> {
    const { table, file } = this.#calendar;
    if (table === undefined) return part;
    const wanted = { row: this.row, cells: new Map([[name, ""]]) };
    const { added } = placeColumns(table, [wanted], (each) => identify(each, this.#reading.aliases), 0);
    return added.length === 0
      ? part
      : { why: `${file} has no column for this. Add one, or change it in the file.` };
  }

  #whenNames(view: RowView, post = this.post): ColumnName[] {
    return whenCells(view, this.#reading.orders).cells.map(({ field }) => this.#nameOf(field, post));
  }

  /** The row as the post's platforms see it; undefined if several cells hold the same for several of them. */
  #view(post = this.post): RowView | undefined {
    const view = new RowView(this.#row, this.#calendar);
    if (this.#row.variants.length === 0) return view;
    const all = this.posts.flatMap((each) => each.platforms);
    const { rows } = rowsByPlatform(this.#row, canonicalPlatforms(all), this.#reading.aliases);
    const [own, ...more] = rows.filter(({ platforms }) =>
      platforms.some((name) => post.platforms.includes(name)),
    );
    return own === undefined || more.length > 0 ? undefined : view.as(own.row);
  }

  /** The column of a field: the column for the post's platform, if there is one. */
  #nameOf(field: Field, post = this.post): ColumnName {
    const variant = this.#row.variants.find(
      ({ platform }) =>
        post.platforms.length === 1 && identify(platform, this.#reading.aliases) === post.platforms[0],
    );
    return variant !== undefined && isOwn(variant, field) ? variantName(field, variant) : field;
  }
}

/** A word with the other meaning. */
function otherWord({ word: own, words }: EditableStatus): string | undefined {
  const means = words.find(({ word }) => word === own)?.means;
  return words.find((each) => each.means !== means)?.word;
}

/** Line ends as edits have them. When plancast writes a file, it restores the file's own line ends. */
function withPlainEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function isOwn({ cells }: RowVariant, field: Field): boolean {
  return Object.hasOwn(cells, field);
}

function variantName(field: Field, { platform }: RowVariant): ColumnName {
  // A variant has only fields that a column can have for one platform.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `${field}:${platform}` as ColumnName;
}

const REPEATS =
  "This row repeats, so it makes several posts. Change it in the file; `except` moves or leaves out a single post.";
const SEVERAL_CELLS = "Several cells of the row hold this value. Change them in the file.";
const IN_THREAD = "The text of this post is in its thread. Change it in the file.";
const BY_COLUMNS = "Several columns name the networks of this row. Change them in the file.";
const NO_TEXT = "A post without pictures or videos needs a text.";
const NO_NETWORK = "Choose at least one network.";
const NO_SUCH_WORD = "The calendar does not use this status. Choose another one.";

function severalPosts(count: number): string {
  return `This row makes ${count} posts, one for each text or time. Change its networks in the file.`;
}

/**
 * The cell with exactly these networks. Names that remain keep their spelling, and the first separator stays. New names
 * follow, as the project names them.
 * @param wanted identifiers
 */
function networksCell(cell: Cell | undefined, wanted: readonly string[], aliases: Aliases): Cell {
  const nameOf = (network: string): string =>
    [...aliases].find(([, target]) => target === network)?.[0] ?? network;
  const own = typeof cell === "object" ? cell : partsOf(cell ?? "");
  const kept = own.flatMap((typed) => {
    const means = platformsNamed(typed, aliases) ?? [];
    if (means.every((name) => wanted.includes(name) || name === LEFT_OUT)) return [typed];
    return means.filter((name) => wanted.includes(name)).map(nameOf);
  });
  const named = new Set(kept.flatMap((typed) => platformsNamed(typed, aliases) ?? []));
  const added = wanted.filter((name) => !named.has(name)).map(nameOf);
  const names = [...new Set([...kept, ...added])];
  return typeof cell === "object" ? names : names.join(separatorIn(cell ?? "") ?? ", ");
}

function partsOf(text: string): readonly string[] {
  return text
    .split(PLATFORM_SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The first separator with the spaces around it; undefined if there is none. */
function separatorIn(cell: string): string | undefined {
  const text = cell.trim();
  const at = text.search(PLATFORM_SEPARATOR);
  if (at === -1) return undefined;
  const rest = text.slice(at + 1);
  return text.slice(text.slice(0, at).trimEnd().length, text.length - rest.trimStart().length);
}
