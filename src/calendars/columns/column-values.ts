/** What the values of a deciding column mean: by the settings first, then by the words that plancast knows exactly. */

import { readStatus } from "../../checks/statuses.ts";
import type { AccountedValue, CountedValue, DecidingKind } from "../../model/column-account.ts";
import type { UsedAs } from "../../model/columns.ts";
import { type Status, STATUSES, isStatus } from "../../model/fields.ts";
import { foldName } from "../../model/text.ts";
import { isPostType, postTypeNamed } from "../../settings/post-types.ts";
import { saysNothing, statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import { namesDay } from "./cell-kinds.ts";
import type { Columns } from "./columns.ts";

/** The header of a table, or the keys of posts. */
export interface NamedColumns {
  readonly names: readonly string[];
  readonly columns: Pick<Columns, "meanings" | "fields">;
  /** The name of a column under `columns:`. */
  readonly keyOf: (column: number) => string;
}

/** What the settings say about values. */
export interface ValueSettings {
  /** By header, or by field. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  readonly status_values?: Readonly<Record<string, Status>> | undefined;
}

/** What one value means; undefined if nobody has said it. */
type Explained = Pick<AccountedValue, "meaning" | "by">;

/** What each kind of column can say. */
const MEANINGS: Readonly<Record<DecidingKind, (word: string) => boolean>> = {
  status: isStatus,
  answer: (word) => word === "yes" || word === "no",
  type: (word) => isPostType(word) || word === "draft" || word === "skip",
};

/** In `values:`, every other cell that is not blank. */
const OTHERS = "*";

/** The values of one deciding column. */
export class ColumnValues {
  readonly kind: DecidingKind;
  readonly as: UsedAs;
  /** Whether `values:` gives words of this column a meaning. */
  readonly hasOwnWords: boolean;
  readonly #words: ReadonlyMap<string, string>;
  /** Whether a known name, and not `columns:`, says what the column is. */
  readonly #isKnownName: boolean;

  constructor(
    kind: DecidingKind,
    as: UsedAs,
    words: ReadonlyMap<string, string>,
    isKnownName: boolean,
    hasOwnWords: boolean,
  ) {
    this.kind = kind;
    this.as = as;
    this.hasOwnWords = hasOwnWords;
    this.#words = words;
    this.#isKnownName = isKnownName;
  }

  /** What one cell means. A blank cell says nothing: the other values decide. */
  read(written: string): Explained {
    const text = written.trim();
    const own = this.#words.get(foldName(text)) ?? (text === "" ? undefined : this.#words.get(OTHERS));
    // `ready` says nothing in a yes-or-no column.
    if (own !== undefined) return MEANINGS[this.kind](own) ? { meaning: own, by: "settings" } : {};
    if (text === "") return {};
    switch (this.kind) {
      case "status": {
        const reading = readStatus({ text }, {});
        if (reading === "unknown") return {};
        return {
          meaning: reading,
          by: STATUSES.some((each) => each === foldName(text)) ? "own" : "language",
        };
      }
      case "type": {
        const name = postTypeNamed(text);
        return name === undefined ? {} : { meaning: name, by: "language" };
      }
      case "answer":
        return this.#readAnswer(text);
    }
  }

  /**
   * In a column that `columns:` names, the date or the address of a published post means yes. In a column for the status,
   * so does a word such as `Approved`.
   */
  #readAnswer(text: string): Explained {
    const isStatus = this.as.field === "status";
    const said = yesOrNo(text) ?? (isStatus ? this.#statusAnswer(text) : undefined);
    if (said !== undefined) return { meaning: said ? "yes" : "no", by: "language" };
    // In the column of a network, `n/a` is not a mark.
    if (this.as.field === "platforms" && saysNothing(text)) return { meaning: "no", by: "language" };
    const saysWhen = isStatus && !this.#isKnownName && (namesDay(text) || /^https?:\/\/\S+$/i.test(text));
    return saysWhen ? { meaning: "yes", by: "own" } : {};
  }

  #statusAnswer(text: string): boolean | undefined {
    const wanted = this.as.kind === "switch" ? this.as.value : "";
    const word = statusWord(text);
    if (word === wanted) return true;
    return wanted === "ready" && word !== undefined ? false : undefined;
  }

  /** All values of a column with their meanings. */
  explain(values: readonly CountedValue[]): readonly AccountedValue[] {
    const explained = values.map((each): AccountedValue => ({ ...each, ...this.read(each.text) }));
    const areKnown = explained.every(({ text, by }) => text === "" || by === "own" || by === "language");
    const blank = areKnown || this.#isBlankCareful() ? this.#blank() : undefined;
    return explained.map((each) =>
      each.text === "" && each.meaning === undefined && blank !== undefined
        ? { ...each, meaning: blank, by: "own" }
        : each,
    );
  }

  /** Whether a blank cell keeps a row back, or from a network: then it needs no answer. */
  #isBlankCareful(): boolean {
    const { as } = this;
    return (
      this.kind === "answer" && as.kind === "switch" && (as.field === "platforms" || as.value === "ready")
    );
  }

  /** What a blank cell means beside values that plancast knows exactly; undefined if that is unclear. */
  #blank(): string | undefined {
    switch (this.kind) {
      case "status":
        return this.#isKnownName ? "ready" : undefined;
      case "answer":
        return "no";
      case "type":
        return "post";
    }
  }
}

/** The values of a column; undefined if it decides nothing. */
export function valuesOf(
  { columns, names, keyOf }: NamedColumns,
  column: number,
  { values = {}, status_values = {} }: ValueSettings,
): ColumnValues | undefined {
  const meaning = columns.meanings[column];
  if (meaning?.kind !== "used") return undefined;
  const kind = decidingKind(meaning.as);
  if (kind === undefined) return undefined;
  const named = new Set([foldName(keyOf(column)), foldName(names[column] ?? "")]);
  const own = Object.entries(values).flatMap(([name, words]) => (named.has(foldName(name)) ? [words] : []));
  const shared = Object.entries(values).flatMap(([name, words]) => (foldName(name) === kind ? [words] : []));
  const layers = [...(kind === "status" ? [status_values] : []), ...shared, ...own];
  const words = new Map(
    layers.flatMap((layer) => Object.entries(layer).map(([word, said]) => [foldName(word), said] as const)),
  );
  const { by } = meaning.evidence;
  return new ColumnValues(
    kind,
    meaning.as,
    words,
    by === "name" || by === "synonym",
    own.length + shared.length > 0,
  );
}

/** What the values of a column with this use decide; undefined if they decide nothing. */
export function decidingKind(as: UsedAs): DecidingKind | undefined {
  if (as.kind === "switch") return "answer";
  if (as.kind === "append" || as.kind === "option") return undefined;
  return as.field === "status" || as.field === "type" ? as.field : undefined;
}

/** A yes-or-no column for a status, without words of its own. @param value what a yes means */
export function answerColumn(value: string): ColumnValues {
  return new ColumnValues("answer", { kind: "switch", field: "status", value }, new Map(), false, false);
}
