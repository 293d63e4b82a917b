/** The table of columns: what each may hold. Its lines are proposals; a person answers them. */

import { networkTitle } from "../../checks/networks/network-names.ts";
import type { CalendarAccount, ColumnAccount } from "../../model/column-account.ts";
import { IGNORE, columnTarget, targetText } from "../../model/columns.ts";
import { ALL_NETWORKS, optionFacts, splitOption } from "../../model/options/catalogue.ts";
import type { Field } from "../../model/fields.ts";
import { groupBy } from "../../model/data.ts";
import { foldName } from "../../model/text.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import { type ProposedColumn, longestCells, proposedColumns } from "../columns/propose-columns.ts";
import type { Choice, ProposalLine, ProposalTable } from "./proposal.ts";

/** What each column holds, over all calendars: a header means the same in all of them. Undefined if no calendar has columns. */
export function columnTable(calendars: readonly Pick<Calendar, "account">[]): ProposalTable | undefined {
  const lengths = longestCells(calendars.flatMap(({ account }) => account?.columns ?? []));
  const all = calendars.flatMap(({ account }) =>
    account === undefined ? [] : columnLines(account, lengths),
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
function columnLines(account: CalendarAccount, lengths: ReturnType<typeof longestCells>): ProposalLine[] {
  const proposed = proposedColumns(account, lengths);
  return account.columns.flatMap((column): ProposalLine[] => {
    const { use } = column;
    switch (use.kind) {
      case "repeats":
      case "filter":
        return [];
      case "blank":
        return column.name === "" ? [] : [lineOf(column, [IGNORE], "certain")];
      case "ignored":
        return [alreadySaid(lineOf(column, [IGNORE], "certain"))];
      case "used": {
        const line = lineOf(column, [targetText(use.as)], "certain");
        return [use.evidence.by === "name" || use.evidence.by === "synonym" ? line : alreadySaid(line)];
      }
      case "unaccounted": {
        const { answers, certainty, question } = proposed.get(column) ?? NO_PROPOSAL;
        const line = lineOf(column, Object.keys(answers), certainty, question);
        return [certainty === "open" ? { ...line, choices: answerChoices(column.key, answers) } : line];
      }
      default:
        return use satisfies never;
    }
  });
}

const NO_PROPOSAL: ProposedColumn = { answers: { [IGNORE]: undefined }, certainty: "open" };

/** What the settings say is not written again. */
function alreadySaid(line: ProposalLine): ProposalLine {
  return line.chosen === undefined ? line : { ...line, chosen: { ...line.chosen, settings: {} } };
}

function lineOf(
  { key, examples, filled }: ColumnAccount,
  targets: readonly string[],
  certainty: ProposalLine["certainty"],
  question?: string,
): ProposalLine {
  const words = [...new Set([...targets, ...USUAL])];
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

/** The answers to a question. */
function answerChoices(key: string, answers: ProposedColumn["answers"]): readonly Choice[] {
  return Object.entries(answers).map(([word, text]) => {
    const choice = columnChoice(key, word);
    // The column stays unexplained until somebody has changed the calendar.
    return { ...choice, ...(word === "fix" && { settings: {} }), text: text ?? choice.text };
  });
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
  thread_media: "pictures and videos of these replies",
  thread_alt: "alt texts of these pictures",
  repeat: "how often the post repeats",
  id: "the id of the row",
  campaign: "the campaign",
};

const YES_MEANS: Readonly<Partial<Record<string, string>>> = {
  ready: "publish it",
  draft: "not ready",
  skip: "already published, or cancelled",
};

/** `all.visibility` is for every network of a row. */
function optionLabel(name: string): string {
  const { platform = "", option = "" } = splitOption(name) ?? {};
  const where = platform === ALL_NETWORKS ? "each network that has it" : networkTitle(platform);
  return `${optionFacts(platform, option)?.what ?? option}, on ${where}`;
}

/** What `columns:` says, for people. */
function targetLabel(word: string): string {
  const target = columnTarget(word);
  if (typeof target === "object" && target.kind === "variant")
    return `${LABELS[target.field] ?? target.field} for ${networkTitle(target.platform)}`;
  if (typeof target === "object" && target.kind === "switch")
    return target.field === "platforms"
      ? `a mark: it goes to ${networkTitle(target.value)}`
      : `a yes means: ${YES_MEANS[target.value] ?? target.value}`;
  if (typeof target === "object" && target.kind === "option") return optionLabel(target.name);
  const known: Readonly<Partial<Record<string, string>>> = LABELS;
  return known[word] ?? word;
}
