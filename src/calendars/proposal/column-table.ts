/** The table of columns: what each may hold. Its lines are proposals; a person answers them. */

import { networkTitle } from "../../checks/networks/network-names.ts";
import type { CalendarAccount, ColumnAccount } from "../../model/column-account.ts";
import { IGNORE, columnTarget, targetText } from "../../model/columns.ts";
import { FIELDS, type Field, SHARED_FIELDS } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { foldName } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { hintFor, nameTextFiles } from "../columns/hints.ts";
import type { Choice, ProposalLine, ProposalTable } from "./proposal.ts";

/** What each column holds, over all calendars: a header means the same in all of them. Undefined if no calendar has columns. */
export function columnTable(
  calendars: readonly Pick<Calendar, "account" | "rows">[],
): ProposalTable | undefined {
  const lengths = longestCells(calendars.flatMap(({ account }) => account?.columns ?? []));
  const all = calendars.flatMap(({ account, rows }) =>
    // The text of a post can be below its front matter.
    account === undefined
      ? []
      : columnLines(
          account,
          lengths,
          rows.some(({ cells }) => cells.content !== undefined),
        ),
  );
  const lines = [...groupBy(all, ({ name }) => foldName(name)).values()].flatMap(
    (same) => same.find(({ examples }) => examples.length > 0) ?? same[0] ?? [],
  );
  if (lines.length === 0) return undefined;
  return {
    id: "columns",
    title: "What is in each column?",
    heads: { name: "column", examples: "examples", answer: "plancast reads it as" },
    lines,
    doubt: doubtAbout,
  };
}

/** What every post needs, and no column holds. */
function doubtAbout(lines: readonly ProposalLine[]): string | undefined {
  const fields = new Set<string>(
    lines.flatMap(({ chosen }) => {
      const target = columnTarget(chosen?.word ?? IGNORE);
      return typeof target === "object" ? target.field : [];
    }),
  );
  const lacks = (...names: readonly Field[]): boolean => !names.some((name) => fields.has(name));
  const missing = [
    ...(lacks("content", "media", "thread", "pool", "prompt") ? ["the text"] : []),
    ...(lacks("date", "scheduled_at", "repeat") ? ["the date"] : []),
  ];
  return missing.length === 0 ? undefined : `No column holds ${missing.join(" or ")}. Change a line.`;
}

/** The columns of one calendar. A column that only repeats another one needs no answer. */
function columnLines({ columns }: CalendarAccount, lengths: Lengths, hasText: boolean): ProposalLine[] {
  const held = new Set<string>(
    columns.flatMap(({ use }) => (use.kind === "used" && use.as.kind !== "append" ? use.as.field : [])),
  );
  const text = hasText || held.has("content") ? undefined : likelyText(columns, lengths);
  return columns.flatMap((column): ProposalLine[] => {
    const { use } = column;
    switch (use.kind) {
      case "repeats":
      case "filter":
        return [];
      case "blank":
        return column.name === "" ? [] : [lineOf(column, IGNORE, "certain")];
      case "ignored":
        return [alreadySaid(lineOf(column, IGNORE, "certain"))];
      case "used": {
        const line = lineOf(column, targetText(use.as), "certain");
        return [use.evidence.by === "name" || use.evidence.by === "synonym" ? line : alreadySaid(line)];
      }
      case "unaccounted": {
        if (column === text) return [lineOf(column, take("content", held), "proposed")];
        const hint = hintFor(column);
        if (use.rival !== undefined)
          return [lineOf(column, IGNORE, "proposed", rivalText(use.rival.key), hint?.target)];
        if (hint === undefined) return [lineOf(column, IGNORE, "note")];
        const isFree = isExclusive(hint.target) && !held.has(hint.target);
        if (hint.answers !== undefined && !isFree) return [questionLine(column, hint.question, hint.answers)];
        if (isExclusive(hint.target) && !isFree) {
          const holder = columns.find(
            (each) => each.use.kind === "used" && targetText(each.use.as) === hint.target,
          );
          return [lineOf(column, IGNORE, "proposed", rivalText(holder?.key ?? hint.target), hint.target)];
        }
        return [lineOf(column, take(hint.target, held), "proposed")];
      }
      default:
        return use satisfies never;
    }
  });
}

function rivalText(key: string): string {
  return `"${key}" already holds this.`;
}

/** What the settings say is not written again. */
function alreadySaid(line: ProposalLine): ProposalLine {
  return line.chosen === undefined ? line : { ...line, chosen: { ...line.chosen, settings: {} } };
}

/** Remembers that a column holds the field. */
function take(target: string, held: Set<string>): string {
  held.add(target);
  return target;
}

/** Whether only one column can hold it. Several columns may have the status, pictures or alt texts. */
function isExclusive(target: string): boolean {
  return FIELDS.some((field) => field === target && !SHARED_FIELDS.has(field));
}

/** The length of the longest cell of each column in all calendars, by its folded key. */
type Lengths = ReadonlyMap<string, number>;

function longestCells(columns: readonly ColumnAccount[]): Lengths {
  const found = [...groupBy(columns, ({ key }) => foldName(key))];
  return new Map(
    found.map(([key, same]) => [key, Math.max(0, ...same.flatMap(({ examples }) => examples.map(lengthOf)))]),
  );
}

function lengthOf(text: string): number {
  return text.length;
}

/** Without a column for the text: the column whose name suggests it, or whose cells are the longest. */
function likelyText(columns: readonly ColumnAccount[], lengths: Lengths): ColumnAccount | undefined {
  const open = columns.filter(({ use, filled }) => use.kind === "unaccounted" && filled > 0);
  const named = open.find((column) => hintFor(column)?.target === "content");
  if (named !== undefined) return named;
  const length = ({ key }: ColumnAccount): number => lengths.get(foldName(key)) ?? 0;
  const [longest] = open
    .filter((column) => mayBeText(column) && length(column) > SHORTEST_TEXT)
    .toSorted((one, other) => length(other) - length(one));
  return longest;
}

/** Whether nothing shows another field. A column with a word for a status whose cells never repeat may be the text. */
function mayBeText(column: ColumnAccount): boolean {
  const target = hintFor(column)?.target ?? IGNORE;
  const { values, filled, examples } = column;
  if (nameTextFiles(examples)) return false;
  return target === IGNORE || (target === "status" && (values === undefined || values.length === filled));
}

/** A column with shorter cells does not look like texts, in UTF-16 units. */
const SHORTEST_TEXT = 12;

function lineOf(
  { key, examples, filled }: ColumnAccount,
  target: string,
  certainty: ProposalLine["certainty"],
  question?: string,
  likely?: string,
): ProposalLine {
  const words = [...new Set([target, ...(likely === undefined ? [] : [likely]), ...USUAL])];
  const choices = words.map((word) => columnChoice(key, word));
  return {
    path: ["columns", key],
    name: key,
    examples: filled === 0 ? ["(blank)"] : examples,
    certainty,
    chosen: certainty === "open" ? undefined : choices[0],
    choices,
    question,
    typed: {
      prompt: "another field, such as alt, first_comment or content:linkedin",
      read: (text) => (columnTarget(text) === undefined ? undefined : columnChoice(key, text.trim())),
    },
  };
}

/** Offered for each column. */
const USUAL = ["ignore", "content", "content+", "date", "time", "platforms", "status", "type", "media"];

/** A column that only the team can explain, with the answers to its question first. */
function questionLine(
  column: ColumnAccount,
  question: string | undefined,
  answers: Readonly<Record<string, string>>,
): ProposalLine {
  const line = lineOf(column, IGNORE, "open", question);
  const first = Object.entries(answers).map(([word, text]) => ({
    ...columnChoice(column.key, word),
    // The column stays unexplained until somebody has changed the calendar.
    ...(word === "fix" ? { settings: {} } : {}),
    text,
  }));
  return { ...line, choices: first };
}

function columnChoice(key: string, word: string): Choice {
  return { word, text: targetLabel(word), settings: { columns: { [key]: word } } };
}

const LABELS: Readonly<
  Partial<Record<Field | "ignore" | "content+" | "date+" | "time+" | "accounts" | "type", string>>
> = {
  ignore: "not published: a note for the team",
  content: "the text",
  "content+": "more text, added at the end",
  date: "the date, perhaps with a time",
  scheduled_at: "the date and time",
  time: "the time",
  "date+": "a part of the date",
  "time+": "am or pm",
  timezone: "the time zone",
  platforms: "the networks",
  accounts: "the accounts",
  status: "which rows are ready: a status or an approval",
  type: "the kind of post: photo, reel, story",
  media: "pictures and videos",
  alt: "alt texts of the pictures",
  first_comment: "the first comment",
  thread: "replies that follow the post",
  repeat: "how often the post repeats",
  id: "the id of the row",
  campaign: "the campaign",
};

/** What `columns:` says, for people. */
function targetLabel(word: string): string {
  const target = columnTarget(word);
  if (typeof target === "object" && target.kind === "variant")
    return `${LABELS[target.field] ?? target.field} for ${networkTitle(target.platform)}`;
  if (typeof target === "object" && target.kind === "switch")
    return target.field === "platforms"
      ? `a mark: it goes to ${networkTitle(target.value)}`
      : `a yes means ${target.value}`;
  const known: Readonly<Partial<Record<string, string>>> = LABELS;
  return known[word] ?? word;
}
