/** The tables of a proposal on a terminal, and the choices for one of their lines. */

import type { ProposalLine, ProposalTable } from "../../calendars/proposal/proposal.ts";
import { formatNumber, rowsText } from "../../model/text.ts";
import { escapeTerminal } from "../text/escape.ts";
import { type Style, oneLine } from "../text/style.ts";
import { clipText, clipToWidth, paragraph, tableLines } from "../text/wrap.ts";

/** A line with its number, as the table shows it. */
interface NumberedLine {
  readonly number: number;
  readonly line: ProposalLine;
}

/** The maximum number of characters of a cell. */
const SHOWN_CELL = 34;

export function proposalTableLines({ title, heads, lines }: ProposalTable, style: Style): string[] {
  const { colors, marks } = style;
  const rows = lines.map((line, index): NumberedLine => ({ number: index + 1, line }));
  const width = String(lines.length).length;
  return [
    "",
    colors.bold(escapeTerminal(title)),
    ...tableLines(
      rows,
      [
        {
          title: "",
          cell: ({ number, line }) =>
            `${line.chosen === undefined ? "?" : " "} ${String(number).padStart(width)}`,
          paint: ({ line }, text) => (line.chosen === undefined ? colors.yellow(text) : text),
        },
        { title: heads.name, cell: ({ line }) => line.name, mayTruncate: true },
        {
          title: heads.examples,
          cell: ({ line }) => examplesText(line, ` ${marks.separator} `),
          mayTruncate: true,
        },
        {
          title: heads.answer,
          cell: ({ line: { chosen } }) => chosen?.text ?? "?",
          paint: ({ line }, text) => painter(line, style)(text),
        },
      ],
      style,
    ),
  ];
}

function examplesText({ examples, rows }: ProposalLine, separator: string): string {
  const shown = examples.map((text) => clipText(text, SHOWN_CELL)).join(separator);
  return rows === undefined
    ? shown
    : [formatNumber(rows), shown].filter((text) => text !== "").join(separator);
}

function painter({ chosen, certainty }: ProposalLine, { colors }: Style): (text: string) => string {
  if (chosen === undefined) return colors.yellow;
  if (chosen.word === "ignore" || chosen.word === "skip") return colors.dim;
  return certainty === "certain" ? colors.green : (text) => text;
}

/** What a person reads about one line before the choices. */
export function lineAboutText({ name, examples, rows, question }: ProposalLine, style: Style): string[] {
  const about = [
    ...(rows === undefined ? [] : [rowsText(rows)]),
    ...examples.map((text) => clipText(text, SHOWN_CELL)),
  ];
  const shown = about.length === 0 ? name : `${name}: ${about.join(` ${style.marks.separator} `)}`;
  return [
    "",
    style.colors.bold(clipToWidth(oneLine(shown, style), style.width, style.marks.ellipsis)),
    ...(question === undefined ? [] : paragraph(question, style)),
  ];
}

export function choiceLines({ choices }: ProposalLine, style: Style): string[] {
  return choices.flatMap(({ text }, index) => paragraph(`${index + 1}. ${text}`, style, "  "));
}
