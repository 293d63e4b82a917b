/**
 * What a column may hold whose name plancast does not know exactly. These are guesses. They feed only the proposal, which a
 * person answers, and never a row. To add a guess, add a line to `HINTS`; to add a word, add it to its language.
 */

import { isOtherChannel, networkNamed, networksIn } from "../../checks/networks/network-names.ts";
import { statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import { NO_ALIASES, mentionsNetwork, namesANetwork, namesDay, repeats, showsKind } from "./cell-kinds.ts";
import {
  additionNamed,
  isAccountName,
  isApproverName,
  isFurtherText,
  isTeamNote,
  isTranslatedText,
  meaningOf,
  namesState,
  questionOf,
  speaksOf,
  speaksOfPublishing,
  spokenOf,
  suggestedFieldOf,
  textPartNamed,
} from "./column-names.ts";

/** What a hint is made from. */
export interface HintedColumn {
  /** As in the header; empty without one. */
  readonly name: string;
  readonly filled: number;
  readonly blank: number;
  /** Some different cells. */
  readonly examples: readonly string[];
  /** All different cells with their rows; absent if there are many. */
  readonly values?: readonly { readonly text: string; readonly rows: number }[] | undefined;
}

export interface ColumnHint {
  /** The word for `columns:`. */
  readonly target: string;
  /** Whether its cells may decide which rows are published. */
  readonly decides: boolean;
  /** What only the team knows. With a question, the target is not a proposal, only the likely answer. */
  readonly question?: string;
  /** What its values mean, if it is a status. `*` is every other filled cell, and the empty text a blank one. */
  readonly values?: Readonly<Record<string, string>>;
}

interface HintRow extends Omit<ColumnHint, "target" | "decides"> {
  readonly when: (column: HintedColumn, cells: readonly string[]) => boolean;
  readonly target: string | ((column: HintedColumn) => string);
  readonly decides?: true;
}

/** The first line that fits counts. Lines that keep rows back come before lines that publish something. */
const HINTS: readonly HintRow[] = [
  {
    when: ({ name }, cells) => spokenOf(name) === "published-links" && cells.every(isAddress),
    target: "status",
    decides: true,
    question: "Is a row with an address already published?",
    values: { "*": "skip", "": "ready" },
  },
  {
    when: ({ name }) => isApproverName(name),
    target: "status",
    decides: true,
    values: { "*": "ready", "": "draft" },
  },
  {
    when: ({ name }) => networkWithin(name) !== undefined && namesState(name),
    target: ({ name }) => `status:${networkWithin(name) ?? ""}`,
    decides: true,
  },
  {
    when: ({ name, values }) => isAccountName(name) && values?.length !== 1,
    target: "status",
    decides: true,
    question: "Should plancast publish all of them, or only some?",
  },
  {
    when: ({ name }) => suggestedFieldOf(name) === "type",
    target: "type",
    decides: true,
  },
  { when: ({ name }) => additionNamed(name) !== undefined, target: "content+" },
  { when: ({ name }) => textPartNamed(name) !== undefined, target: "content+" },
  {
    when: ({ name }) => isTranslatedText(name) || isFurtherText(name),
    target: "content",
    question: "Is this the text to publish?",
  },
  {
    when: ({ name }) => spokenOf(name) === "new-dates",
    target: "date",
    question: "Do these dates replace the others?",
  },
  {
    when: ({ name }) => spokenOf(name) === "further-dates",
    target: "ignore",
    question: "plancast publishes each row once. Is that right here?",
  },
  {
    when: ({ name }, cells) => spokenOf(name) === "exclusions" && cells.every(namesANetwork),
    target: "ignore",
    question: "plancast leaves out no networks of a row. Is that right here?",
    decides: true,
  },
  {
    when: ({ name }, cells) =>
      cells.length > 0 && cells.every(isShort) && (namesState(name) || speaksOfPublishing(name)),
    target: "status",
    decides: true,
  },
  { when: ({ name }) => questionOf(name) !== undefined, target: "status", decides: true },
  {
    when: ({ name }, cells) => networkOf(name) !== undefined && cells.every(isMark),
    target: ({ name }) => `platforms:${networkOf(name) ?? ""}`,
    decides: true,
  },
  {
    when: ({ name }) => networkOf(name) !== undefined,
    target: ({ name }) => `content:${networkOf(name) ?? ""}`,
  },
  {
    when: (_column, cells) => cells.some(isUnready) && cells.every(isShort),
    target: "status",
    decides: true,
  },
  {
    when: ({ name }) => suggestedFieldOf(name) !== undefined,
    target: ({ name }) => suggestedFieldOf(name) ?? "",
  },
  {
    when: ({ name }) => meaningOf(name) !== undefined,
    target: ({ name }) => meaningOf(name)?.field ?? "",
  },
  { when: ({ name }, cells) => speaksOf(name, "media") && cells.some(isAddress), target: "media" },
  { when: ({ name }, cells) => speaksOf(name, "date") && cells.every(namesDay), target: "date" },
  { when: ({ name }) => speaksOf(name, "time"), target: "time" },
  { when: shows(namesANetwork, isChannel), target: "platforms" },
  { when: shows((text) => showsKind(text, "media")), target: "media" },
  { when: shows((text) => showsKind(text, "time")), target: "time" },
  { when: shows((text) => /^\s*[ap]\.?\s?m\.?\s*$/i.test(text)), target: "time+" },
  { when: shows(namesDay), target: "date" },
  { when: shows(repeats, (text) => showsKind(text, "repeat")), target: "repeat" },
  { when: shows((text) => showsKind(text, "timezone") && text.trim().length > 2), target: "timezone" },
  {
    when: (_column, cells) => cells.length > 0 && cells.every(mentionsNetwork),
    target: "platforms",
    question: "Does it say for which networks a row is?",
  },
  {
    when: (column, cells) => !isTeamNote(column.name) && areFewWords(column, cells),
    target: "ignore",
    decides: true,
    question: "Does it say which rows are ready?",
  },
];

/** What a column may hold; undefined if nothing shows that it is more than a note for the team. */
export function hintFor(column: HintedColumn): ColumnHint | undefined {
  const cells = column.values?.map(({ text }) => text) ?? column.examples;
  const found = HINTS.find(({ when }) => when(column, cells));
  if (found === undefined) return undefined;
  const { target, decides = false, question, values } = found;
  return {
    target: typeof target === "string" ? target : target(column),
    decides,
    ...(question === undefined ? {} : { question }),
    ...(values === undefined ? {} : { values }),
  };
}

/** Whether some cell clearly shows a field, and every other cell may. */
function shows(
  clearly: (text: string) => boolean,
  perhaps = clearly,
): (column: HintedColumn, cells: readonly string[]) => boolean {
  return (_column, cells) =>
    cells.some((text) => yesOrNo(text) === undefined && clearly(text)) &&
    cells.every((text) => clearly(text) || perhaps(text));
}

function isChannel(text: string): boolean {
  return isOtherChannel(text.trim().toLowerCase());
}

function isAddress(text: string): boolean {
  return /^\s*https?:\/\/\S/i.test(text);
}

/** A longer cell is a text and no state, in UTF-16 units. */
const LONGEST_STATE = 40;

function isShort(text: string): boolean {
  return text.length <= LONGEST_STATE && text.trim().split(/\s+/u).length <= 4;
}

/** In the column of a network: a yes or a no, or a number of posts. */
function isMark(text: string): boolean {
  return yesOrNo(text) !== undefined || /^\s*\d+\s*$/.test(text);
}

/** A word that keeps a row back. `Live` is also a kind of video. */
function isUnready(text: string): boolean {
  const meaning = statusWord(text);
  return (meaning === "skip" || meaning === "draft") && text.trim().toLowerCase() !== "live";
}

/** The most words that a column about the state of its rows has. */
const MOST_STATES = 8;

/** Whether a column repeats a few words. If each row has its own, they say nothing about its state. */
function areFewWords({ filled, values }: HintedColumn, cells: readonly string[]): boolean {
  return (
    values !== undefined &&
    cells.length > 0 &&
    cells.length <= MOST_STATES &&
    (cells.length <= 3 || cells.length * 2 <= filled) &&
    cells.every((text) => isShort(text) && /\p{L}/u.test(text))
  );
}

/** The network that a column is named after: `X (280)` is for X. */
function networkOf(name: string): string | undefined {
  const bare = name.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, " ").trim();
  const [network, ...more] = networksIn(bare.toLowerCase(), NO_ALIASES) ?? [];
  return more.length > 0 ? undefined : network;
}

/** The network among the words of a name, such as `LinkedIn status`. */
function networkWithin(name: string): string | undefined {
  const words = name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
  const found = words.flatMap((word) =>
    word === "x" && words.length > 2 ? [] : (networkNamed(word)?.names[0] ?? []),
  );
  return words.length > 1 && found.length === 1 ? found[0] : undefined;
}
