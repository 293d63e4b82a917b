/** What the cells of a column that plancast does not use show about it. */

import { isFilePage } from "../../model/address.ts";
import { foldValue } from "../../model/row-filter.ts";
import { STATUSES } from "../../model/fields.ts";
import { statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import { SERVICE_NAMES, networksIn } from "../../checks/networks/network-names.ts";
import {
  type CellKind,
  NO_ALIASES,
  namesANetwork,
  mentionsNetwork,
  namesDay,
  repeats,
  showsKind,
} from "../columns/cell-kinds.ts";
import {
  additionNamed,
  isAccountName,
  isFormatName,
  isFurtherText,
  isOtherFormat,
  isTranslatedText,
  meaningOf,
  namesState,
  speaksOf,
  isApproverName,
  textPartNamed,
  speaksOfPublishing,
  type SpokenOf,
  spokenOf,
  suggestedFieldOf,
} from "../columns/column-names.ts";
import { isSameZone, usesAbbreviation, zoneNamed } from "../../checks/when/zone-names.ts";
import type { Header } from "./table-header.ts";

/** What the cells of one column show. */
export interface SeenCells {
  readonly kind:
    "account" | "question" | "state" | "format" | "translation" | "network" | "hashtags" | "other" | "plain";
  filled: number;
  /** Cells that are what `speaksOf` says. */
  fitting: number;
  /** Cells with several words, which may be the text of a post. */
  sentences: number;
  /** Cells that begin with a date, if no column has the date. */
  days: number;
  /** Length of all cells, in UTF-16 units. */
  units: number;
  /** Cells that hold a web address, and those of them that are pages of services such as Google Drive. */
  addresses: number;
  filePages: number;
  /** Fields without a column that every cell could belong to. */
  fits: readonly CellKind[];
  /** Cells that show a field; `x` is a mark as often as a network. */
  shown: number;
  /** Short cells with the name of a network among other words, such as `LinkedIn only`. */
  mentions: number;
  /** The time zones in its cells. */
  readonly zones: Set<string>;
  /** Whether every cell is a day of the week; and the cells that contradict the row's date. */
  areWeekdays: boolean;
  /** Whether every date beside it is a Sunday or a Monday, so that it may be the first day of a week. */
  areWeekStarts: boolean;
  readonly weekdays: Set<string>;
  readonly wrongDays: { readonly number: number; readonly message: string }[];
  /** For a question or a state: whether every cell says yes or no; or says that, or is a date. */
  isYesOrNo: boolean;
  areDates: boolean;
  /** Whether its name is about a part of the text, which is in another column; or about media. */
  readonly isTextPart: boolean;
  readonly isAboutMedia: boolean;
  /** Whether its name says that its cells name who approved the rows. */
  readonly isApprover: boolean;
  /** Blank cells. */
  blank: number;
  /** Whether its name suggests a second text, next to the one that plancast publishes. */
  readonly isFurtherText: boolean;
  /** What its name says about its cells, if they are dates, networks or addresses. */
  readonly speaksOf: SpokenOf | undefined;
  /** Whether its cells may be notes about their rows. */
  readonly mayHoldNotes: boolean;
  /** Whether its name says that it may be the time, which no other column has. */
  mayBeTime: boolean;
  /** Cells that take their row out of the plan, such as `Cancelled`. */
  skips: number;
  /**
   * The cells with a known status, if no column is the status. Also the first cells that would keep a row out of the
   * plan.
   */
  statuses: number;
  readonly unready: Set<string>;
  /** For a column of formats: the values that are not ordinary posts. */
  readonly unusual: Map<string, { readonly text: string; rows: number }>;
  /** For an account, a state or a format: its values, and how many rows have each. */
  readonly values: Map<string, { readonly text: string; rows: number }>;
}

/** `Photo credit`, `Crédit photo`, `Créditos de la foto`: who made the picture. */
const CREDIT = /\bcr[eé]dit/i;

/** @param fits what a column of the table may hold because no other does @param hasContent whether another has the text */
export function nothingSeen(name: string, fits: readonly CellKind[], hasContent: boolean): SeenCells {
  // Next to a column of platforms, a column with a network's name contains notes.
  const isNetwork = fits.includes("platforms") && networkOf(name) !== undefined;
  const kind = isNetwork ? "network" : kindOf(name, hasContent);
  return {
    kind,
    fits,
    mayBeTime: kind === "plain" && fits.includes("time") && speaksOf(name, "time"),
    isTextPart: hasContent && ["opening", "body"].includes(textPartNamed(name) ?? ""),
    isAboutMedia: speaksOf(name, "media") && !CREDIT.test(name),
    isApprover: isApproverName(name),
    blank: 0,
    isFurtherText: hasContent && isFurtherText(name),
    speaksOf: OTHER.has(kind) ? spokenOf(name) : undefined,
    mayHoldNotes: NOTES.has(kind) && !isFurtherText(name) && suggestedFieldOf(name) !== "content",
    filled: 0,
    fitting: 0,
    sentences: 0,
    days: 0,
    units: 0,
    addresses: 0,
    filePages: 0,
    shown: 0,
    mentions: 0,
    statuses: 0,
    skips: 0,
    isYesOrNo: true,
    areDates: true,
    areWeekdays: true,
    areWeekStarts: true,
    values: new Map(),
    unusual: new Map(),
    zones: new Set(),
    unready: new Set(),
    weekdays: new Set(),
    wrongDays: [],
  };
}

/** Which columns that plancast uses say something about rows. */
export interface TableFacts {
  /** Whether a column has the status in words, and whether columns of yes and no say which rows are ready. */
  readonly hasStatus: boolean;
  readonly hasSwitch: boolean;
  /** Whether any column says for which networks a row is. */
  readonly hasNetworks: boolean;
  readonly hasDate: boolean;
}

/**
 * Looks at one more cell that is not blank.
 * @param rows how many rows have it
 * @param hasMedia for a column of formats: whether the row has media
 */
export function noteCell(
  seen: SeenCells,
  text: string,
  rows: number,
  { hasStatus, hasSwitch, hasNetworks, hasDate }: TableFacts,
  hasMedia = false,
): void {
  const { kind } = seen;
  seen.filled += rows;
  seen.units += text.length * rows;
  if (isSentence(text)) seen.sentences += rows;
  if (!hasDate && (namesDay(text) || (text.length <= LONGEST_WHEN && beginsWithDay(text)))) seen.days += rows;
  if (isAddress(text)) seen.addresses += rows;
  if (isFilePage(text)) seen.filePages += rows;
  if (seen.speaksOf !== undefined && SHOWS[seen.speaksOf](text)) seen.fitting += rows;
  if (VALUED.has(kind)) countValue(seen.values, text, rows);
  if (kind === "format" && isOtherFormat(text, hasMedia)) countValue(seen.unusual, text, rows);
  if (kind === "question") seen.isYesOrNo &&= saysYesOrNo(text);
  else if (kind === "state") noteState(seen, text);
  // A number in a network's column counts its posts, or is a mark.
  else if (kind === "network") seen.isYesOrNo &&= saysYesOrNo(text) || /^\s*\d+\s*$/.test(text);
  if (kind === "plain" && !hasNetworks && mentionsNetwork(text)) seen.mentions += rows;
  if (FITTING.has(kind) && seen.fits.length > 0) countFits(seen, text, rows);
  if (!hasStatus && OTHER.has(kind) && (kind === "state" || !hasSwitch)) countStatus(seen, text, rows);
}

const SHOWS: Readonly<Record<SpokenOf, (text: string) => boolean>> = {
  "published-links": isAddress,
  "new-dates": namesDay,
  "further-dates": namesDay,
  exclusions: (text) => networksIn(text.trim().toLowerCase().replaceAll(",", " "), NO_ALIASES) !== undefined,
};

/** Values of an account column that are counted. Further examples would not make the message clearer. */
export const MAX_VALUES = 100;
/** Values that a message names. */
export const MAX_NAMED = 4;

/** A longer text would show nothing new, in UTF-16 units. */
const LONGEST_SENTENCE = 1_000;

const FOUR_WORDS = /^\S+(?:\s+\S+){3}/;

/** At least four words, or a long text in a script without spaces. */
function isSentence(text: string): boolean {
  const start = text.slice(0, LONGEST_SENTENCE).trim();
  if (FOUR_WORDS.test(start)) return start.length > LONGEST_WHEN || !beginsWithDay(start);
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{8}/u.test(start);
}

/** A date with a time is not longer, in UTF-16 units. */
const LONGEST_WHEN = 30;

/** Whether a text begins like `3 Mar 2027 at noon`: it says when, even if plancast cannot read the whole text. */
function beginsWithDay(text: string): boolean {
  const [start = ""] = /^\S+\s+\S+\s+\S+/.exec(text) ?? [];
  return namesDay(start.replace(/,$/, ""));
}

/** The columns whose cells are texts of posts, or prompts for them. */
export function textColumns({ fields, variants, appended }: Header["columns"]): readonly number[] {
  const whole = [...fields.keys()].filter((column) => isText(fields[column]));
  const parts = [
    ...variants.filter(({ field }) => isText(field)),
    ...appended.filter(({ field }) => isText(field)),
  ].map(({ column }) => column);
  return [...whole, ...parts];
}

function isText(field: string | undefined): boolean {
  return field === "content" || field === "pool" || field === "thread" || field === "prompt";
}

/** A column that plancast already uses does not count. `Post idea` speaks of publishing, and answers nothing. */
export function isOther({ kind, isYesOrNo }: SeenCells): boolean {
  return kind === "plain" || (OTHER.has(kind) && !isYesOrNo);
}

/** Kinds whose cells may also be something else. */
const OTHER: ReadonlySet<SeenCells["kind"]> = new Set(["plain", "question", "state"]);
const FITTING: ReadonlySet<SeenCells["kind"]> = new Set([...OTHER, "account"]);
/** Kinds whose cells may be notes. A topic or another version of the text says nothing about its row. */
const NOTES: ReadonlySet<SeenCells["kind"]> = new Set([...OTHER, "network"]);
const VALUED: ReadonlySet<SeenCells["kind"]> = new Set(["account", "state", "format"]);

export function mayHoldText(name: string, { filled, sentences }: SeenCells): boolean {
  const isNamedSo = suggestedFieldOf(name) === "content" || meaningOf(name)?.field === "content";
  return filled > 0 && (isNamedSo || sentences * 2 > filled);
}

function kindOf(name: string, hasContent: boolean): SeenCells["kind"] {
  if (isAccountName(name)) return "account";
  if (isFormatName(name)) return "format";
  if (hasContent && isTranslatedText(name)) return "translation";
  const addition = additionNamed(name);
  if (addition !== undefined) return addition;
  if (namesState(name) || isApproverName(name)) return "state";
  return speaksOfPublishing(name) ? "question" : "plain";
}

function noteState(seen: SeenCells, text: string): void {
  const isYesOrNo = yesOrNo(text) !== undefined;
  seen.isYesOrNo &&= isYesOrNo;
  seen.areDates &&= isYesOrNo || namesDay(text);
}

/** The maximum number of words for a state in one column, and the length of the longest one in UTF-16 units. */
const MAX_STATES = 8;
const LONGEST_STATE = 40;

/** Whether a column with a name about the state of the rows has only dates, or a few words. */
function showsState({ filled, areDates, sentences, addresses, values }: SeenCells): boolean {
  if (areDates) return true;
  const words = [...values.values()].map(({ text }) => text);
  const areWords = words.every(
    (text) => text.length <= LONGEST_STATE && /\p{L}/u.test(text) && !showsKind(text, "media"),
  );
  // Each word of a longer list is about its own row.
  const areRepeated = words.length <= 3 || words.length * 2 <= filled;
  return areWords && areRepeated && words.length <= MAX_STATES && sentences + addresses === 0;
}

/** Values that identify a field clearly. A value such as `newsletter` or `once` only fits it. */
const SHOWN_BY: Partial<Record<CellKind, (text: string) => boolean>> = {
  platforms: namesANetwork,
  repeat: repeats,
};

function countFits(seen: SeenCells, text: string, rows: number): void {
  if (yesOrNo(text) !== undefined) return;
  seen.fits = seen.fits.filter((kind) => showsKind(text, kind));
  if (seen.fits.some((kind) => SHOWN_BY[kind]?.(text) ?? true)) seen.shown += rows;
  if (seen.fits.includes("timezone") && seen.zones.size < MAX_VALUES)
    seen.zones.add(text.trim().toUpperCase());
}

function countStatus(seen: SeenCells, text: string, rows: number): void {
  const word = text.trim();
  const meaning = STATUSES.find((status) => status === word.toLowerCase()) ?? statusWord(word);
  if (meaning === undefined) return;
  seen.statuses += rows;
  if (meaning === "skip" && word.toLowerCase() !== "live") seen.skips += rows;
  if (meaning !== "ready" && seen.unready.size < MAX_NAMED) seen.unready.add(word);
}

/**
 * At least half of the cells are words for a status. One word, repeated, may be about something else, but a single
 * `Cancelled` is enough.
 */
function showsStatus(seen: SeenCells): boolean {
  const { filled, skips, statuses, unready } = seen;
  return isOther(seen) && (skips > 0 || (unready.size > 0 && statuses > 1 && statuses * 2 >= filled));
}

/** The network that a column is named after. */
export function networkOf(name: string): string | undefined {
  // `X (280)` is a column for X.
  const bare = name.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, " ").trim();
  const [network, ...more] = networksIn(bare.toLowerCase(), NO_ALIASES) ?? [];
  return more.length > 0 ? undefined : network;
}

/** The account of a service that a header names: `LinkedIn/Brand` is `linkedin/brand`. */
export function accountIn(name: string): string | undefined {
  const [account, ...more] = networksIn(name.trim().toLowerCase(), SERVICE_NAMES) ?? [];
  return more.length === 0 && account?.includes("/") === true ? account : undefined;
}

/** Whether a column of weekdays does not fit the dates. A few words of two letters, such as `FR`, may be countries. */
function contradictsDates({ areWeekdays, wrongDays, weekdays }: SeenCells): boolean {
  const areClear = weekdays.size > 2 || [...weekdays].some((word) => word.length > 2);
  return (
    areWeekdays &&
    wrongDays.length > 0 &&
    (areClear || [...weekdays].some((word) => /[\u0250-\uffff]/.test(word)))
  );
}

/** The field that an unused column may hold, because no other column holds it. */
export function fieldsToFind({ fields, variants }: Header["columns"]): readonly CellKind[] {
  const hasNo = (...names: string[]): boolean =>
    !names.some(
      (name) => fields.some((field) => field === name) || variants.some(({ field }) => field === name),
    );
  return [
    ...(["platforms", "media"] as const).filter((field) => !fields.includes(field)),
    ...(hasNo("time", "scheduled_at") ? (["time"] as const) : []),
    ...(hasNo("timezone") ? (["timezone"] as const) : []),
    ...(hasNo("repeat") ? (["repeat"] as const) : []),
    "half",
  ];
}

/** Whether most cells are addresses, of pictures by the column's name or by the service in the address. */
function showsPictures({ filled, addresses, filePages, isAboutMedia }: SeenCells): boolean {
  return addresses * 2 > filled && (isAboutMedia || filePages * 2 > filled);
}

/** Whether every cell of a column looks like a field that no column has. */
function showsField({ shown, fits, zones }: SeenCells, timezone: string | undefined): boolean {
  const [kind] = fits;
  if (shown === 0 || kind === undefined) return false;
  return kind !== "timezone" || namesOtherZone([...zones], timezone);
}

/** Whether some zone differs from the project's zone. One short word may also be a code of a language or country. */
function namesOtherZone(zones: readonly string[], timezone: string | undefined): boolean {
  if (zones.length < 2 && zones.every((zone) => zone.length < 3)) return false;
  return zones.some((text) => {
    const zone = zoneNamed(text);
    if (zone === undefined || timezone === undefined) return true;
    return zone.kind === "exact" ? !isSameZone(zone.zone, timezone) : !usesAbbreviation(timezone, zone);
  });
}

/** The findings that are worth a problem. Most are named after the kind of the column. */
export type Finding =
  | Exclude<SeenCells["kind"], "plain">
  | "weekday"
  | "approver"
  | "status"
  | "field"
  | "time"
  /** Another version of the text, or a second text. */
  | "version"
  /** Names of networks among other words. */
  | "networks"
  /** Only dates in a column about the state of rows. */
  | "dates"
  /** A part of the text, such as its first line. */
  | "text-part"
  /** Addresses of pictures, which no column holds. */
  | "pictures"
  | SpokenOf;

/** What the cells of a column show; undefined if it only needs to be named among the ignored columns. */
export function findingIn(
  seen: SeenCells,
  timezone: string | undefined,
  { hasStatus, hasSwitch, hasDate, hasNetworks }: TableFacts,
  hasMedia: boolean,
): Finding | undefined {
  const { kind, filled, isYesOrNo, areDates, unusual, values } = seen;
  if (filled === 0) return undefined;
  if (contradictsDates(seen)) return "weekday";
  if (showsStatus(seen)) return "status";
  if (showsField(seen, timezone)) return "field";
  const hasField = {
    "published-links": true,
    "new-dates": hasDate,
    "further-dates": hasDate,
    exclusions: hasNetworks,
  };
  if (seen.speaksOf !== undefined && seen.fitting === filled && hasField[seen.speaksOf]) return seen.speaksOf;
  if (seen.isTextPart) return "text-part";
  if (!hasMedia && OTHER.has(kind) && showsPictures(seen)) return "pictures";
  if (seen.isFurtherText && seen.sentences * 2 > filled) return "version";
  switch (kind) {
    case "plain":
      if (seen.mayBeTime) return "time";
      return seen.sentences === 0 && seen.mentions * 2 > filled ? "networks" : undefined;
    case "account":
      return values.size > 1 ? kind : undefined;
    case "format":
      return unusual.size > 0 ? kind : undefined;
    case "question":
      return isYesOrNo ? kind : undefined;
    case "state":
      if (isYesOrNo) return "question";
      if (hasStatus || hasSwitch) return undefined;
      if (areDates) return "dates";
      if (seen.isApprover) return seen.blank > 0 ? "approver" : undefined;
      return showsState(seen) ? kind : undefined;
    default:
      return kind;
  }
}

function countValue(values: SeenCells["values"], text: string, rows: number): void {
  const folded = foldValue(text);
  const known = values.get(folded);
  if (known !== undefined) known.rows += rows;
  else if (values.size < MAX_VALUES) values.set(folded, { text: text.trim().slice(0, 60), rows });
}

/** A single digit may be a number, such as the number of a post. */
function saysYesOrNo(text: string): boolean {
  return yesOrNo(text) !== undefined && !/^\s*\d\s*$/.test(text);
}

function isAddress(text: string): boolean {
  return /^\s*https?:\/\/\S/i.test(text);
}
