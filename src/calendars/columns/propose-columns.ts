/**
 * What plancast proposes for the columns that nobody has named, each seen beside the others. The settings to paste in an error
 * and the table of `init` show the same proposal.
 */

import {
  type CalendarAccount,
  type ColumnAccount,
  type UnaccountedColumn,
  unaccounted,
} from "../../model/column-account.ts";
import { IGNORE, targetText } from "../../model/columns.ts";
import { FIELDS, JOINED_FIELDS, SHARED_FIELDS } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { foldName } from "../../model/text.ts";
import { namesDay } from "./cell-kinds.ts";
import { nameTextFiles } from "./hints.ts";

/** The proposal for one column. */
export interface ProposedColumn {
  /** For `columns:`, with its text if that is special. The likely answer is first. */
  readonly answers: Readonly<Record<string, string | undefined>>;
  /** `note`: nothing shows that it is more than a note for the team. `open`: only the team knows, so no answer is proposed. */
  readonly certainty: "note" | "proposed" | "open";
  /** What to know before answering. */
  readonly question?: string | undefined;
}

/** The length of the longest cell of each column in letters, by its folded key. */
type Lengths = ReadonlyMap<string, number>;

/**
 * The proposal for each unaccounted column.
 * @param lengths of the cells in all calendars
 */
export function proposedColumns(
  account: CalendarAccount,
  lengths: Lengths = longestCells(account.columns),
): ReadonlyMap<ColumnAccount, ProposedColumn> {
  const open = unaccounted(account);
  const used = account.columns.flatMap(({ key, use }) =>
    use.kind === "used" && use.as.kind !== "append" ? [{ key, as: use.as }] : [],
  );
  const holders = new Map<string, string>(used.map(({ key, as }) => [targetText(as), key]));
  const targets = new Map(open.map((column) => [column, column.use.hint?.target]));
  const isFree = (...fields: readonly string[]): boolean =>
    !used.some(({ as }) => fields.includes(as.field)) &&
    // `content:linkedin` is a text, too.
    ![...targets.values()].some((target = "") => fields.includes(target.split(":")[0] ?? ""));
  if (isFree("content")) {
    const text = longestText(open, lengths);
    if (text !== undefined) targets.set(text, "content");
  }
  if (isFree("date", "scheduled_at", "repeat"))
    for (const column of open)
      if (column.filled > 0 && column.examples.every(namesDay)) targets.set(column, "date");
  const claimants = groupBy(targets.keys(), (column) => targets.get(column));
  const lacksText = isFree("content");
  return new Map(
    open.map((column) => {
      const target = targets.get(column);
      const proposal = proposalFor(column, target, holders, claimants.get(target) ?? []);
      const { answers, certainty } = proposal;
      const isAsked = lacksText && certainty === "open" && mayBeText(column);
      return [column, isAsked ? { ...proposal, answers: { ...answers, content: undefined } } : proposal];
    }),
  );
}

/** @param holders the keys of the columns in use, by their targets @param same all columns with this target */
function proposalFor(
  { use: { hint, rival } }: UnaccountedColumn,
  target: string | undefined,
  holders: ReadonlyMap<string, string>,
  same: readonly ColumnAccount[],
): ProposedColumn {
  const isOnlyOnce = target !== undefined && isExclusive(target);
  // A date with a time is a date, too.
  const held = target === "date" ? [target, "scheduled_at"] : [target ?? ""];
  const holder = rival?.key ?? (isOnlyOnce ? held.map((each) => holders.get(each)).find(Boolean) : undefined);
  const { question, answers } = hint ?? {};
  if (rival !== undefined || (holder !== undefined && answers === undefined)) {
    const also = target === undefined ? {} : { [target]: undefined };
    const question = `"${holder ?? ""}" already holds this.`;
    return { answers: { [IGNORE]: undefined, ...also }, certainty: "proposed", question };
  }
  if (target === undefined) return { answers: { [IGNORE]: undefined }, certainty: "note" };
  if (isOnlyOnce && holder === undefined) {
    if (same.length === 1 || isJoined(target))
      return { answers: { [target]: undefined }, certainty: "proposed" };
    const names = same.map(({ key }) => `"${key}"`).join(", ");
    return {
      answers: { [target]: undefined, [IGNORE]: undefined, ...answers },
      certainty: "open",
      question: `Only one of these can be the ${target}: ${names}.`,
    };
  }
  if (answers !== undefined) return { answers, certainty: "open", question };
  return { answers: { [target]: undefined }, certainty: "proposed" };
}

/** Whether only one column can hold it. Several columns may have the status, pictures or alt texts. */
function isExclusive(target: string): boolean {
  return FIELDS.some((field) => field === target && !SHARED_FIELDS.has(field));
}

/** Whether several columns can hold it together. */
function isJoined(target: string): boolean {
  return [...JOINED_FIELDS].some((field) => field === target);
}

/** The lengths over several calendars: the text is the same column in all of them. */
export function longestCells(columns: readonly ColumnAccount[]): Lengths {
  return new Map(
    [...groupBy(columns, ({ key }) => foldName(key))].map(([key, same]) => [
      key,
      Math.max(0, ...same.flatMap(({ examples }) => examples.map(lengthInLetters))),
    ]),
  );
}

/** A column with shorter cells does not look like texts, in letters. */
const SHORTEST_TEXT = 12;

/** A sign of Chinese, Japanese or Korean says as much as a few letters. */
function lengthInLetters(text: string): number {
  return (
    text.length +
    2 * (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? []).length
  );
}

/** If no name suggests the text: the column whose cells are the longest. */
function longestText(open: readonly UnaccountedColumn[], lengths: Lengths): UnaccountedColumn | undefined {
  const length = ({ key }: ColumnAccount): number => lengths.get(foldName(key)) ?? 0;
  const [longest] = open
    .filter((column) => column.filled > 0 && mayBeText(column) && length(column) > SHORTEST_TEXT)
    .toSorted((one, other) => length(other) - length(one));
  return longest;
}

/** Whether nothing shows another field. A column with a word for a status whose cells never repeat may be the text. */
function mayBeText({ use, values, filled, examples }: UnaccountedColumn): boolean {
  const target = use.hint?.target ?? IGNORE;
  if (nameTextFiles(examples) || examples.every((text) => text.includes("://"))) return false;
  return target === IGNORE || (target === "status" && (values === undefined || values.length === filled));
}
