/** The table of values: what each value of a deciding column means, and which networks people's names for them are. */

import { LEFT_OUT, networkTitles, networksIn, nearestNetwork } from "../../checks/networks/network-names.ts";
import type { AccountedValue, CalendarAccount, DecidingColumn, Hint } from "../../model/column-account.ts";
import { groupBy } from "../../model/data.ts";
import type { Problem } from "../../model/problem.ts";
import { didYouMean, foldName } from "../../model/text.ts";
import type { ValueWord } from "../../settings/calendar-settings.ts";
import { POST_TYPES, POST_TYPE_NAMES, isPostType } from "../../settings/post-types.ts";
import { yesOrNo } from "../../settings/languages/languages.ts";
import { NO_ALIASES, namesDay } from "../columns/cell-kinds.ts";
import { countTogether } from "../columns/account-for.ts";
import { questionOf } from "../columns/column-names.ts";
import { hintFor } from "../columns/hints.ts";
import type { Choice, ProposalLine, ProposalTable, TypedAnswer } from "./proposal.ts";

export const VALUE_TABLE = "values";

/**
 * The values of all deciding columns with a value that somebody must explain, and the names of networks that plancast does not
 * know. The same header is one column for all calendars. Undefined if nothing is unclear.
 * @param unsure networks that plancast knows only by name, with the number of their posts
 */
export function valueTable(
  accounts: readonly CalendarAccount[],
  problems: readonly Problem[],
  unsure: ReadonlyMap<string, number>,
): ProposalTable | undefined {
  const deciding = accounts.flatMap(({ columns, deciding: all }) =>
    all.map((each) => ({ ...each, hint: hintOf(each, columns) })),
  );
  const lines = [...groupBy(deciding, ({ key }) => foldName(key)).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || !same.some((each) => each.values.some((value) => isAsked(each, value))))
      return [];
    return valueLines(first, countTogether(same.flatMap((each) => each.values)));
  });
  const all = [
    ...lines,
    ...networkLines(problems),
    ...[...unsure].map(([name, posts]) => unsureNetworkLine(name, posts)),
  ];
  if (all.length === 0) return undefined;
  return {
    id: VALUE_TABLE,
    title: "What do these values mean?",
    heads: { name: "value", examples: "rows", answer: "plancast reads it as" },
    lines: all,
  };
}

/** Whether somebody must say what a value means. A type that plancast never publishes is asked about, too. */
function isAsked({ kind }: Pick<DecidingColumn, "kind">, { meaning, by }: AccountedValue): boolean {
  if (meaning === undefined) return true;
  return (
    kind === "type" && by !== "settings" && isPostType(meaning) && POST_TYPES[meaning].publishedAs === "never"
  );
}

type HintedDeciding = DecidingColumn & { readonly hint: Hint | undefined };

function hintOf({ column }: DecidingColumn, columns: CalendarAccount["columns"]): Hint | undefined {
  const found = columns.find((each) => each.column === column);
  return found === undefined ? undefined : hintFor(found);
}

/** A column with more values than this that all mean the same gets one line for them, and so do dates and addresses. */
const MOST_ALIKE = 6;

function valueLines(column: HintedDeciding, values: readonly AccountedValue[]): ProposalLine[] {
  const filled = values.filter(({ text }) => text !== "");
  const open = filled.filter((value) => isAsked(column, value));
  const others =
    column.hint?.values?.["*"] ??
    (open.every(({ text }) => namesDay(text)) ? datedMeaning(column) : undefined);
  const areOwn = open.every(({ text }) => namesDay(text) || /^https?:\/\//i.test(text));
  const areAlike = others !== undefined && open.length > 0 && (areOwn || open.length > MOST_ALIKE);
  const listed = areAlike ? filled.filter((each) => !open.includes(each)) : filled;
  const sum = open.reduce((rows, each) => rows + each.rows, 0);
  return [
    ...(areAlike ? [valueLine(column, { text: "*", rows: sum }, others)] : []),
    ...listed.map((value) =>
      valueLine(column, value, proposedMeaning(column, value) ?? column.hint?.values?.[value.text] ?? others),
    ),
    ...values
      .filter(({ text }) => text === "")
      .map((value) =>
        valueLine(
          column,
          value,
          value.meaning ?? column.hint?.values?.[""] ?? (column.kind === "answer" ? "no" : undefined),
        ),
      ),
  ];
}

/** What a date in a status column means, by the column's name: it was published then, or approved. */
function datedMeaning({ key, kind }: DecidingColumn): string | undefined {
  if (kind !== "status") return undefined;
  return questionOf(key)?.yes;
}

/** What plancast knows of a value, and what a yes or a no means in a column of a status with a known question. */
function proposedMeaning(column: DecidingColumn, value: AccountedValue): string | undefined {
  if (!isAsked(column, value)) return value.meaning;
  if (column.kind === "type" && value.meaning !== undefined) return "skip";
  const said = yesOrNo(value.text);
  if (column.kind !== "status" || said === undefined) return undefined;
  const yes = questionOf(column.key)?.yes;
  if (said || yes === undefined) return yes;
  return yes === "ready" ? "draft" : "ready";
}

function valueLine(
  column: DecidingColumn,
  value: AccountedValue,
  proposed: string | undefined,
): ProposalLine {
  const { text, rows } = value;
  const choices = choicesFor(column).map(([word, label]): Choice => {
    return { word, text: label, settings: { values: { [column.key]: { [text]: word } } } };
  });
  const found = choices.find(({ word }) => word === proposed);
  // What the settings say is not written again.
  const chosen = found !== undefined && value.by === "settings" ? { ...found, settings: {} } : found;
  return {
    path: ["values", column.key, text],
    name: `${column.key}: ${text === "" ? "(blank)" : text === "*" ? "(any other)" : text}`,
    examples: [],
    rows,
    certainty: isAsked(column, value) ? (chosen === undefined ? "open" : "proposed") : "certain",
    chosen,
    choices: found === undefined ? choices : [found, ...choices.filter((each) => each !== found)],
  };
}

/** The meanings that a value can have. The first publishes nothing. */
function choicesFor({ kind, as }: DecidingColumn): readonly (readonly [word: ValueWord, text: string])[] {
  switch (kind) {
    case "status":
      return STATUS_CHOICES;
    case "answer":
      return as.kind === "switch" && as.field === "status" && as.value !== "ready"
        ? [
            ["yes", "yes"],
            ["no", "no"],
          ]
        : [
            ["no", "no"],
            ["yes", "yes"],
          ];
    case "type":
      return [
        ["skip", "leave the row out"],
        ["draft", "not ready: keep it back"],
        ...POST_TYPE_NAMES.map((name) => [name, TYPE_TEXTS[POST_TYPES[name].publishedAs](name)] as const),
      ];
    default:
      return kind satisfies never;
  }
}

const STATUS_CHOICES = [
  ["draft", "not ready: keep it back"],
  ["ready", "ready: publish it at its time"],
  ["skip", "leave it out: already published, or cancelled"],
] as const;

const TYPE_TEXTS = {
  post: (name: string) => `${name}: an ordinary post`,
  video: (name: string) => `${name}: an ordinary post with a video`,
  poll: (name: string) => `${name}: an ordinary post with a poll`,
  never: (name: string) => `${name}: plancast cannot publish it`,
} as const;

/** The names in the columns of networks that plancast does not know. */
function networkLines(problems: readonly Problem[]): ProposalLine[] {
  const asked = problems.flatMap(({ questions = [] }) =>
    questions.flatMap((each) => (each.topic === "platform-name" ? [each] : [])),
  );
  return [...groupBy(asked, ({ name }) => name).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [networkLine(first.name, first.isChannel, more.length + 1)],
  );
}

function networkLine(name: string, isChannel: boolean, rows: number): ProposalLine {
  const choice = (word: string, text: string): Choice => ({
    word,
    text,
    settings: { platforms: { [name]: word } },
  });
  const leftOut = choice(LEFT_OUT, "leave it out: not published there");
  return {
    path: ["platforms", name],
    name: `Network: ${name}`,
    examples: [],
    rows,
    certainty: isChannel ? "proposed" : "open",
    chosen: isChannel ? leftOut : undefined,
    choices: [leftOut],
    typed: {
      prompt: "the network, such as linkedin, or the service's name for it",
      read: (text) => {
        const names = networksTyped(text);
        if (names.length > 0) return choice(names.join(", "), networkTitles(names));
        return isServiceName(text) ? choice(text.trim().toLowerCase(), text.trim()) : undefined;
      },
      why: unknownNetwork,
    },
  };
}

/** `WhatsApp`: teams plan messages there that they send by hand. */
function unsureNetworkLine(name: string, posts: number): ProposalLine {
  const line = networkLine(name, false, posts);
  const publish = { word: name, text: "publish there", settings: { platforms: { [name]: name } } };
  return { ...line, choices: [...line.choices, publish], question: "Does your service publish there?" };
}

/** An answer that names one or more networks. */
export function typedNetworks(settings: (platforms: readonly string[]) => Choice["settings"]): TypedAnswer {
  return {
    prompt: "one or more networks, such as linkedin, instagram",
    read: (text) => {
      const names = networksTyped(text);
      return names.length === 0
        ? undefined
        : { word: names.join(", "), text: networkTitles(names), settings: settings(names) };
    },
    why: unknownNetwork,
  };
}

/** The networks of a text as people type them, in their order; none if plancast does not know one of its words. */
function networksTyped(text: string): string[] {
  const found = text
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => networksIn(part, NO_ALIASES) ?? []);
  return found.some((each) => each.length === 0) ? [] : [...new Set(found.flat())];
}

/** A name that only the service knows. A number is probably the number of an answer. */
function isServiceName(text: string): boolean {
  const name = text.trim().toLowerCase();
  return /^[a-z][a-z0-9_.-]{0,39}$/.test(name) && nearestNetwork(name, NO_ALIASES) === undefined;
}

/** About a text that names no network. */
function unknownNetwork(text: string): string | undefined {
  const parts = text.toLowerCase().split(/[,;\s]+/);
  const unknown = parts.find((part) => part !== "" && networksIn(part, NO_ALIASES) === undefined);
  if (unknown === undefined) return undefined;
  return `"${unknown}" is not a network that plancast knows.${didYouMean(nearestNetwork(unknown, NO_ALIASES))}`;
}
