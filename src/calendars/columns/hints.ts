/**
 * What a column may hold whose name plancast does not know exactly. These are guesses. They feed only the proposal, which a
 * person answers, and never a row. To add a guess, add a line to `HINTS`; to add a word, add it to its language.
 */

import type { ColumnCells, Hint } from "../../model/column-account.ts";
import { ROW_STYLE, STRUCK_THROUGH } from "../../model/columns.ts";
import { type Field, FIELDS } from "../../model/fields.ts";
import { nearest } from "../../model/text.ts";
import { isOtherChannel, networkNamed, networksIn } from "../../checks/networks/network-names.ts";
import { PLATFORM_SEPARATOR } from "../../checks/platforms.ts";
import { saysNothing, statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import {
  NO_ALIASES,
  isRule,
  isTime,
  mentionsNetwork,
  namesANetwork,
  namesDay,
  namesMedia,
  namesZone,
  repeats,
  weekdayIn,
} from "./cell-kinds.ts";
import {
  hintedBy,
  isHashtags,
  meaningOf,
  nameWords,
  namesDatePart,
  namesState,
  networkPartOf,
  numberedName,
  optionOfHeader,
  questionOf,
  speaksOf,
  suggestedFieldOf,
} from "./column-names.ts";

interface HintRow extends Omit<Hint, "target" | "decides"> {
  /** Without it, the line fits if its target does. */
  readonly when?: (column: ColumnCells, cells: readonly string[]) => boolean;
  /** A function gives undefined for a name that the line does not fit. */
  readonly target: string | ((column: ColumnCells) => string | undefined);
  readonly decides?: true;
}

/** Pages of programs in which teams design pictures, or share them. They are not the pictures. */
const SHARED_PAGE =
  /^https?:\/\/(?:drive\.google|docs\.google|www\.canva|canva|www\.dropbox|www\.figma)\.com\//i;

function leadsToPage(text: string): boolean {
  return SHARED_PAGE.test(text.trim());
}

function speaksOfLanguage(name: string): boolean {
  return nameWords(name).some((word) => ["language", "lang", "locale"].includes(word));
}

function isLanguageCode(text: string): boolean {
  return /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(text.trim());
}

const DECIDING_FIELDS = ["status", "type", "platforms"] as const;

/** `post_url`, `FB Post Link` */
const POST_ADDRESS = /\b(?:post|tweet|reel)[ _-]?(?:url|link)\b/i;

/** The first line that fits counts. Lines that keep rows back come before lines that publish something. */
const HINTS: readonly HintRow[] = [
  {
    when: ({ name }, cells) => name === ROW_STYLE && cells.every((text) => text === STRUCK_THROUGH),
    target: "status",
    decides: true,
    values: { [STRUCK_THROUGH]: "skip", "": "ready" },
  },
  {
    when: ({ name }) => name === ROW_STYLE,
    target: "status",
    decides: true,
    question: "Do the colours say which rows are published?",
    answers: { status: "yes: plancast asks what each colour means", ignore: "no" },
    values: { [STRUCK_THROUGH]: "skip" },
  },
  {
    // A name that says nothing else may be `Foilsithe (nasc)`.
    when: ({ name }, cells) =>
      (namesPublished(name) || POST_ADDRESS.test(name) || isUnknownWord(name)) &&
      cells.length > 0 &&
      cells.every(isAddress) &&
      !cells.some(namesMedia) &&
      !cells.some(leadsToPage),
    target: "status",
    decides: true,
    question: "Is a row with an address already published?",
    answers: {
      status: "yes: leave these rows out",
      "content+": "no: add the address to the text",
      media: "no: these are the pictures or videos",
      ignore: "no: publish these rows, without the address",
    },
    values: { "*": "skip", "": "ready" },
  },
  {
    when: ({ name }) => hintedBy(name) === "approver",
    target: "status",
    decides: true,
    values: { "*": "ready", "": "draft" },
  },
  {
    // `Created time`, `Last edited`
    when: ({ name }, cells) => hintedBy(name) === "ignore" && cells.every(namesDay),
    target: "ignore",
  },
  {
    // `Go live`, `Schedule`: the dates of the posts, unless another column has them.
    when: ({ name }, cells) =>
      questionOf(name) === undefined && namesState(name) && cells.length > 0 && cells.every(namesDay),
    target: "date",
    decides: true,
    question: "What do these dates say?",
    answers: {
      status: "that a row is approved or published: plancast asks which",
      ignore: "nothing that plancast needs",
      fix: "when the posts are due: I will write the right dates into one column",
    },
  },
  {
    when: ({ name }, cells) => namesState(name) && mayBeState(cells),
    target: ({ name }) => withNetwork("status", networkWithin(name)),
    decides: true,
  },
  { target: ({ name }) => networkPartOf(name) },
  {
    when: ({ name }, cells) => speaksOfLanguage(name) && cells.length > 0 && cells.every(isLanguageCode),
    target: "all.language",
    decides: true,
    question: "Do networks get the language of each post?",
    answers: {
      "all.language": "yes: Mastodon and Bluesky",
      ignore: "no: publish all rows, without it",
      status: "no: publish only the rows in some languages; plancast asks which",
    },
  },
  {
    // `CW` may be the calendar week.
    when: (_column, cells) => !cells.every((text) => /^\s*(?:cw\s*)?\d{1,2}\s*$/i.test(text)),
    target: ({ name }) => optionOfHeader(name),
    decides: true,
  },
  {
    when: ({ name, values }) => hintedBy(name) === "accounts" && values?.length !== 1,
    target: "status",
    decides: true,
    question: "Should plancast publish the rows of all, or only of some?",
    answers: {
      status: "only of some: plancast asks which",
      ignore: "of all, on the same accounts",
      accounts: "of all, each on its own account of the service",
    },
  },
  {
    target: ({ name }) => DECIDING_FIELDS.find((field) => field === suggestedFieldOf(name)),
    decides: true,
  },
  {
    // `Choice A`, `Poll option 2`
    when: ({ name }) => /\b(?:choice|option|answer)[ _-]?(?:\d|[a-f])$/i.test(name.trim()),
    target: "poll",
    question: "Is it a choice of a poll?",
    answers: { poll: "yes", ignore: "no: it is not published" },
  },
  { when: ({ name }) => isHashtags(name), target: "content+" },
  {
    when: ({ name }) => hintedBy(name) === "content+",
    target: "content+",
    question: "Is it published with the text?",
    answers: { "content+": "yes: added at the end of the text", ignore: "no: it is not in the post" },
  },
  {
    when: (_column, cells) => cells.length > 0 && cells.every(leadsToPage),
    target: "ignore",
    decides: true,
    question: "These addresses lead to pages, not to pictures.",
    answers: {
      fix: "I will write the names of the picture files",
      ignore: "publish the posts without them",
    },
  },
  {
    // Days that agree with the dates need no answer, so these do not.
    when: (_column, cells) => cells.length > 0 && cells.every((text) => weekdayIn(text) !== undefined),
    target: "ignore",
    decides: true,
    question: "These days are not the days of the dates.",
    answers: { fix: "I will correct them", ignore: "the dates are right" },
  },
  {
    // `Tweet 1`, `Tweet 2`
    when: ({ name }) => numberedText(name) === 1,
    target: "content",
  },
  {
    when: ({ name }, cells) => (numberedText(name) ?? 0) > 1 && !cells.every(isShort),
    target: "thread",
    question: "Is it a reply that follows the post, or another text?",
    answers: { thread: "a reply: a part of a thread", ignore: "it is not published" },
  },
  {
    // `Caption FR`, `Revised caption`, or a summary in sentences
    when: ({ name }, cells) =>
      (speaksOf(name, "content") && !cells.every(isShort)) ||
      (suggestedFieldOf(name) === "content" && cells.some(isSentence)),
    target: "content",
    question: "Is this the text to publish?",
    answers: { ignore: "no: another column has it", content: "yes" },
  },
  {
    when: ({ name }, cells) =>
      cells.every(isShort) && mayBeState(cells) && suggestedFieldOf(name) !== "content" && namesState(name),
    target: "status",
    decides: true,
  },
  {
    when: ({ name }, cells) => hintedBy(name) === "ignore" && cells.some(isUnready) && cells.every(isShort),
    target: "status",
    decides: true,
    // Other notes keep no row back.
    values: { "*": "ready", "": "ready" },
  },
  { when: ({ name }) => questionOf(name) !== undefined, target: "status", decides: true },
  {
    // `LinkedIn` above words such as `Approved`
    when: (_column, cells) =>
      cells.some((text) => yesOrNo(text) === undefined && statusWord(text) !== undefined) &&
      cells.every((text) => statusWord(text) !== undefined || saysNothing(text)),
    target: ({ name }) => withNetwork("status", networkOf(name)),
    decides: true,
  },
  {
    when: (column, cells) => cells.every(isMark) || areShortMarks(column, cells),
    target: ({ name }) => withNetwork("platforms", networkOf(name)),
    decides: true,
  },
  {
    // `Medium` may be the network, or the column of all networks.
    when: (_column, cells) => !cells.every(namesANetwork),
    target: ({ name }) => withNetwork("content", networkOf(name)),
  },
  {
    // `Telegram` and another word, above texts
    when: (_column, cells) => cells.some((text) => !isShort(text) && /\s/.test(text.trim())),
    target: ({ name }) => withNetwork("content", networkWithin(name)),
  },
  {
    when: (_column, cells) => cells.some(isUnready) && cells.every(isShort),
    target: "status",
    decides: true,
  },
  { target: ({ name }) => suggestedFieldOf(name) ?? meaningOf(name)?.field },
  {
    when: ({ name }, cells) =>
      speaksOf(name, "media") && hintedBy(name) !== "ignore" && cells.some(isAddress),
    target: "media",
  },
  { when: shows((text) => namesZone(text) && text.trim().length > 1), target: "timezone" },
  {
    when: ({ name }, cells) =>
      speaksOf(name, "time") && cells.some((text) => /\d/.test(text)) && !cells.every(namesDay),
    target: "time",
  },
  {
    when: (_column, cells) => nameTextFiles(cells),
    target: "ignore",
    question:
      "These are names of files. plancast does not read texts from them, but a Markdown file can be a post of its own.",
    answers: {
      fix: "I will write the texts into the calendar",
      ignore: "they are not the texts of the posts",
    },
  },
  {
    when: (_column, cells) =>
      cells.filter((text) => namesANetwork(text) || isChannel(text)).length * 2 > cells.length &&
      cells.some((text) => yesOrNo(text) === undefined && namesANetwork(text)) &&
      cells.every(isShort),
    target: "platforms",
    decides: true,
    question: "Another column has networks, too.",
    answers: {
      platforms: "the post goes to the networks of both",
      ignore: "the other column is right",
      fix: "I will write all networks into one column",
    },
  },
  { when: shows(namesMedia, mayBeMedia), target: "media" },
  { when: shows(isTime, isShort), target: "time" },
  { when: ({ name }) => namesDatePart(name, "day"), target: "date" },
  { when: ({ name }) => namesDatePart(name, "month") || namesDatePart(name, "year"), target: "date+" },
  { when: shows((text) => /^\s*[ap]\.?\s?m\.?\s*$/i.test(text)), target: "time+" },
  {
    // `New date`, `Second date`. A day such as `Created at` is a note.
    when: ({ name }, cells) => speaksOf(name, "date") && cells.every(namesDay),
    target: "date",
    question: "Which dates count? plancast publishes each row once.",
    answers: { fix: "I will write the right dates into one column", ignore: "those of the other column" },
  },
  { when: shows(namesDay), target: "date" },
  { when: shows(repeats, isRule), target: "repeat" },
  {
    when: ({ name }, cells) => {
      const names = cells.flatMap((text) => text.split(PLATFORM_SEPARATOR));
      const share = hintedBy(name) === "ignore" ? 1 : LEAST_MENTIONS;
      return (
        names.filter(mentionsNetwork).length * share >= Math.max(1, names.length) && names.every(isShort)
      );
    },
    target: "platforms",
    question: "Does it say for which networks a row is?",
    answers: { platforms: "yes: plancast asks about each name", ignore: "no" },
  },
  // The field whose name it misspells. A short name is near to several.
  { when: ({ name }) => name.length > SHORTEST_MISSPELT, target: ({ name }) => nearest(name, FIELDS) },
  {
    when: (column, cells) =>
      namesState(column.name) || (hintedBy(column.name) !== "ignore" && areFewWords(column, cells)),
    target: "ignore",
    decides: true,
    question: "Does it say which rows are published?",
    answers: {
      ignore: "no: it is a note for the team",
      status: "yes: plancast asks what each value means",
      type: "no: it is the kind of post, such as reel or story",
      platforms: "no: it says to which networks a row goes",
    },
  },
];

/** What a column may hold; undefined if nothing shows that it is more than a note for the team. */
export function hintFor(column: ColumnCells): Hint | undefined {
  const cells = column.values?.map(({ text }) => text) ?? column.examples;
  for (const { when, target: said, decides = false, ...more } of HINTS) {
    if (when?.(column, cells) === false) continue;
    const target = typeof said === "string" ? said : said(column);
    if (target !== undefined) return { target, decides, ...more };
  }
  return undefined;
}

function withNetwork(field: Field, network: string | undefined): string | undefined {
  return network === undefined ? undefined : `${field}:${network}`;
}

/** Whether some cell clearly shows a field, and every other cell may. */
function shows(
  clearly: (text: string) => boolean,
  perhaps = clearly,
): (column: ColumnCells, cells: readonly string[]) => boolean {
  return (_column, cells) =>
    cells.some((text) => yesOrNo(text) === undefined && clearly(text)) &&
    cells.every((text) => clearly(text) || perhaps(text));
}

/** The number of a text: 2 for `Tweet 2`. */
function numberedText(name: string): number | undefined {
  const base = numberedName(name);
  const isText =
    base !== undefined && (meaningOf(base)?.field === "content" || suggestedFieldOf(base) === "content");
  return isText ? Number(/\d+/.exec(name)?.[0]) : undefined;
}

/** Whether no known word says what the column holds. */
function isUnknownWord(name: string): boolean {
  const words = nameWords(name);
  return (
    hintedBy(name) === undefined &&
    optionOfHeader(name) === undefined &&
    !words.some((word) => hintedBy(word) !== undefined || meaningOf(word) !== undefined)
  );
}

/** `Live link`, `Permalink` */
function namesPublished(name: string): boolean {
  return nameWords(name).some((word) => word === "permalink" || statusWord(word) === "skip");
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

function isSentence(text: string): boolean {
  return !isShort(text) && /[.!?…。]$/u.test(text.trim());
}

/** A picture, or a word such as `n/a` for none. */
function mayBeMedia(text: string): boolean {
  return namesMedia(text) || saysNothing(text);
}

/** Whether cells may name the state of a row. `LinkedIn post` with only long cells is a text, and `Poster` a picture. */
function mayBeState(cells: readonly string[]): boolean {
  return (cells.length === 0 || cells.some(isShort)) && !cells.some(namesMedia);
}

/** A yes and a no in a language that plancast does not know: they repeat. */
function areShortMarks({ filled }: ColumnCells, cells: readonly string[]): boolean {
  const longest = cells.length < filled ? 8 : 4;
  return cells.length > 0 && cells.length <= 3 && cells.every((text) => text.length <= longest);
}

/** In the column of a network: a yes or a no, nothing, or a number of posts. */
function isMark(text: string): boolean {
  return yesOrNo(text) !== undefined || saysNothing(text) || /^\s*\d+\s*$/.test(text);
}

/** Whether all cells are names of files with a text. */
export function nameTextFiles(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((text) => /\.(?:md|txt|docx?|rtf)$/i.test(text.trim()));
}

/** In UTF-16 units. */
const SHORTEST_MISSPELT = 3;

/** A word that keeps a row back. `Live` is also a kind of video. */
function isUnready(text: string): boolean {
  const meaning = statusWord(text);
  return (meaning === "skip" || meaning === "draft") && text.trim().toLowerCase() !== "live";
}

/** The most words that a column about the state of its rows has. */
const MOST_STATES = 8;

/** So few words may all be different in a short calendar. */
const FEW_STATES = 5;

/** Whether a column repeats a few words or signs. If each row has its own, they say nothing about its state. */
function areFewWords({ filled, values }: ColumnCells, cells: readonly string[]): boolean {
  return (
    values !== undefined &&
    cells.length > 0 &&
    cells.length <= MOST_STATES &&
    (cells.length <= FEW_STATES || cells.length < filled) &&
    cells.every(
      (text) =>
        isShort(text) && (yesOrNo(text) !== undefined || /\p{L}|\p{Extended_Pictographic}/u.test(text)),
    )
  );
}

/** Of this many different cells, one must have the name of a network. Others may be names that only the team uses. */
const LEAST_MENTIONS = 3;

/** The network that a column is named after: `X (280)` is for X, and `linkedin/brand` for one of its accounts. */
function networkOf(name: string): string | undefined {
  const bare = name.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, " ").trim();
  const [, service = ""] = /^([\w.-]{1,40})\/[\w-]{1,40}$/.exec(bare) ?? [];
  if (networkNamed(service) !== undefined) return bare.toLowerCase();
  const [network, ...more] = networksIn(bare.toLowerCase(), NO_ALIASES) ?? [];
  return more.length > 0 ? undefined : network;
}

/** Names of networks that are also ordinary words: `First line`. */
const OTHER_WORDS: ReadonlySet<string> = new Set(["line", "medium", "ghost", "slack"]);

/** The network among the words of a name, such as `LinkedIn status`. */
function networkWithin(name: string): string | undefined {
  const words = name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
  const found = words.flatMap((word) =>
    (word === "x" && words.length > 2) || OTHER_WORDS.has(word) ? [] : (networksIn(word, NO_ALIASES) ?? []),
  );
  return words.length > 1 && found.length === 1 ? found[0] : undefined;
}
