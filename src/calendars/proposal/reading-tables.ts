/**
 * The tables about a whole file: how to read it at all (its sheet, its encoding), and what its rows leave out, such as the
 * time zone or a network.
 */

import { LEFT_OUT } from "../../checks/networks/network-names.ts";
import { shownZone, suggestZone, zoneMeant } from "../../checks/when/local-time.ts";
import { inLatinDigits } from "../../checks/when/written-forms.ts";
import { groupBy } from "../../model/data.ts";
import type { DateOrder } from "../../model/fields.ts";
import { type Problem, type Question } from "../../model/problem.ts";
import { didYouMean } from "../../model/text.ts";
import type { ProjectSettings } from "../../settings/config.ts";
import { patternFor } from "../find.ts";
import type { Choice, ProposalLine, ProposalTable } from "./proposal.ts";
import { typedNetworks } from "./value-tables.ts";

const HEADS = { name: "", examples: "", answer: "plancast takes" };

/**
 * A question that comes before the columns, because another sheet or encoding has others.
 * @param files the pattern of its calendar: only this calendar has the setting
 */
function fileLine(question: Question, files: string): ProposalLine | undefined {
  switch (question.topic) {
    case "sheet":
      return line(["calendars", files, "sheet"], "The sheet with the calendar", [
        ...(question.areSeveral ? [ofFile(files, "all of them", { sheet: "*" }, "*")] : []),
        ...question.sheets.map((sheet) => ofFile(files, sheet, { sheet }, sheet)),
      ]);
    case "encoding":
      return line(["calendars", files, "encoding"], "The right letters", [
        ...question.samples.map(({ encoding, text }) =>
          ofFile(files, `${text} (${encoding})`, { encoding }, encoding),
        ),
        { word: "fix", text: "none of these: I will save it as CSV UTF-8", settings: {} },
      ]);
    case "positions":
      return {
        ...proposed(["calendars", files, "header_row"], "The first row", [
          ofFile(files, "a post: no row names the columns", { header_row: "none" }, "none"),
          { word: "header", text: "the names of the columns", settings: {} },
        ]),
        examples: question.samples,
      };
    case "preset":
      return line(["calendars", files, "preset"], `A file of ${question.title}?`, [
        ofFile(files, "yes: read it with its preset", { preset: question.name }, question.name),
        { word: "none", text: "no", settings: {} },
      ]);
    default:
      return undefined;
  }
}

/**
 * A question about what rows leave out.
 * @param rows how many problems ask it @param filled the fields that have a value in some row
 */
function rowsLine(question: Question, rows: number, filled: ReadonlySet<string>): ProposalLine | undefined {
  const above = (field: string): readonly Choice[] =>
    filled.has(field)
      ? [{ word: "above", text: "the same as in the row above", settings: { carry: [field] } }]
      : [];
  switch (question.topic) {
    case "date-order": {
      const { text, likely } = question;
      const [path, name, choices] = [
        ["date_order"],
        `Dates such as ${text}`,
        orderChoices(text, likely),
      ] as const;
      return likely === undefined
        ? line(path, name, choices)
        : { ...proposed(path, name, choices), examples: ["as the other dates of the file"] };
    }
    case "platforms":
      return {
        ...line(["defaults", "platforms"], "Rows without a network", [
          ...above("platforms"),
          { word: LEFT_OUT, text: "leave them out", settings: { defaults: { platforms: [LEFT_OUT] } } },
          WILL_FILL_IN,
        ]),
        rows,
        typed: typedNetworks((platforms) => ({ defaults: { platforms: [...platforms] } })),
      };
    case "time":
      return {
        ...line(["defaults", "time"], "Rows without a time", [
          ...["09:00", "10:00", "12:00"].map(timeChoice),
          ...above("time"),
          WILL_FILL_IN,
        ]),
        rows,
        typed: {
          prompt: "a time, such as 18:30",
          read: (text) => (/^([01]?\d|2[0-3]):[0-5]\d$/.test(text) ? timeChoice(text) : undefined),
        },
      };
    case "date":
      return filled.has("date")
        ? { ...line(["carry"], "Rows without a date", [WILL_FILL_IN, ...above("date")]), rows }
        : undefined;
    case "merged-cells":
      return line(["merged_cells"], "Merged cells", [
        { word: "carry", text: "all their rows have the value", settings: { merged_cells: "carry" } },
        { word: "refuse", text: "only the first row has it", settings: { merged_cells: "refuse" } },
      ]);
    case "hidden-rows":
      return {
        ...line(["hidden_rows"], "Hidden rows", [
          { word: "skip", text: "leave them out", settings: { hidden_rows: "skip" } },
          { word: "read", text: "read them like the others", settings: { hidden_rows: "read" } },
        ]),
        rows: question.rows,
      };
    default:
      return undefined;
  }
}

const WILL_FILL_IN: Choice = { word: "fix", text: "I will fill them in", settings: {} };

/** The line of each question, once, with the number of problems that ask it. */
function linesOf(
  problems: readonly Problem[],
  lineOf: (question: Question, files: string, rows: number) => ProposalLine | undefined,
): ProposalLine[] {
  const asked = problems.flatMap(({ file = "", questions = [] }) =>
    questions.map((question) => ({ question, files: patternFor(file) })),
  );
  const same = groupBy(asked, ({ question, files }) => lineOf(question, files, 1)?.path.join("\n") ?? "");
  return [...same.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : (lineOf(first.question, first.files, more.length + 1) ?? []),
  );
}

/** How to read the file at all. Undefined if nothing is unclear. */
export function fileTable(problems: readonly Problem[]): ProposalTable | undefined {
  const lines = linesOf(problems, fileLine);
  return lines.length === 0
    ? undefined
    : { id: "file", title: "How should plancast read the file?", heads: HEADS, lines };
}

/** A zone that the times may be in, and what shows it. */
interface SaidZone {
  readonly zone: string;
  readonly from: string;
  readonly isSaid: boolean;
}

/** What the last table proposes besides the questions of problems. */
export interface ReadingFacts {
  /** Undefined if somebody named the zone. The likely one is first. */
  readonly zones: readonly SaidZone[] | undefined;
  /** What names a zone that is not one zone, or contradicts another name; empty if the zone is clear. */
  readonly unclearZone: readonly string[];
  /** Fields that have a value in some row. */
  readonly filled: ReadonlySet<string>;
  /** The title above the table. */
  readonly title: string | undefined;
  /** The folder with pictures that the rows name. */
  readonly pictures: { readonly folders: readonly string[]; readonly found: number } | undefined;
}

export const READING_TABLE = "reading";

export function readingTable(problems: readonly Problem[], facts: ReadingFacts): ProposalTable | undefined {
  const lines = [
    ...(facts.zones === undefined ? [] : [zoneLine(facts.zones, facts.unclearZone)]),
    ...linesOf(problems, (question, _files, rows) => rowsLine(question, rows, facts.filled)),
    ...(facts.pictures === undefined ? [] : [picturesLine(facts.pictures)]),
    ...(facts.title === undefined ? [] : [titleLine(facts.title)]),
  ];
  return lines.length === 0
    ? undefined
    : { id: READING_TABLE, title: "How should plancast read the rows?", heads: HEADS, lines };
}

function zoneLine(zones: readonly SaidZone[], unclear: readonly string[]): ProposalLine {
  const isOpen = unclear.length > 0;
  const choices = [...new Set(zones.map(({ zone }) => zone))].map(zoneChoice);
  return {
    ...(isOpen ? line : proposed)(["timezone"], "Time zone", choices),
    // The zone of this machine is what a new project always has.
    ...(isOpen ? {} : { certainty: zones.some(({ isSaid }) => isSaid) ? "proposed" : "certain" }),
    examples: isOpen ? [...new Set(unclear)] : zones.slice(0, 1).map(({ from }) => from),
    typed: {
      prompt: "a large city, such as Berlin, or a name such as Europe/Paris",
      read: (text) => {
        const zone = zoneMeant(text.trim());
        return zone === undefined ? undefined : zoneChoice(zone);
      },
      why: (text) => `"${text}" is not a time zone.${didYouMean(suggestZone(text))}`,
    },
  };
}

function titleLine(title: string): ProposalLine {
  return {
    ...proposed(["project"], "Name of the project", [
      nameChoice(title),
      { word: "none", text: "no name", settings: {} },
    ]),
    certainty: "extra",
    examples: ["the title of the sheet"],
    typed: {
      prompt: "another name",
      read: (text) => (text.trim() === "" ? undefined : nameChoice(text.trim())),
    },
  };
}

function picturesLine({ folders, found }: NonNullable<ReadingFacts["pictures"]>): ProposalLine {
  return {
    ...proposed(["media", "folders"], "Folder of the pictures", [
      { word: folders.join(", "), text: folders.join(", "), settings: { media: { folders: [...folders] } } },
      { word: "none", text: "no folder", settings: {} },
    ]),
    certainty: "extra",
    examples: [found === 1 ? "1 picture is there" : `${found} pictures are there`],
  };
}

function line(path: readonly string[], name: string, choices: readonly Choice[]): ProposalLine {
  return { path, name, examples: [], certainty: "open", chosen: undefined, choices };
}

function proposed(path: readonly string[], name: string, choices: readonly Choice[]): ProposalLine {
  return { ...line(path, name, choices), certainty: "proposed", chosen: choices[0] };
}

function ofFile(
  files: string,
  text: string,
  settings: Omit<ProjectSettings, "calendars">,
  word: string,
): Choice {
  return { word, text, settings: { calendars: [{ files, ...settings }] } };
}

function zoneChoice(timezone: string): Choice {
  return { word: timezone, text: shownZone(timezone), settings: { timezone } };
}

function nameChoice(project: string): Choice {
  return { word: project, text: project, settings: { project } };
}

function orderChoice(order: DateOrder, text: string): Choice {
  return { word: order, text, settings: { date_order: order } };
}

function timeChoice(time: string): Choice {
  return { word: time, text: time, settings: { defaults: { time } } };
}

function orderChoices(text: string, likely: DateOrder | undefined): readonly Choice[] {
  const [first, second] = (inLatinDigits(text).match(/\d+/g) ?? []).map(Number);
  if ((first ?? 0) > 31) return [orderChoice("ymd", "year, month, day")];
  const dayFirst = orderChoice("dmy", `day ${first}, month ${second}`);
  const monthFirst = orderChoice("mdy", `month ${first}, day ${second}`);
  return (likely ?? (/[ap]\.?m\b/i.test(text) ? "mdy" : "dmy")) === "mdy"
    ? [monthFirst, dayFirst]
    : [dayFirst, monthFirst];
}
