/**
 * Shows a table of proposals at a terminal. Enter accepts it, a number changes a line, and b goes back to the table before.
 * Reads whole lines, so that it works in every terminal and with screen readers.
 */

import type { Choice, ProposalLine, ProposalTable } from "../../calendars/proposal/proposal.ts";
import { Failure } from "../../model/failure.ts";
import { foldName } from "../../model/text.ts";
import { choiceLines, lineAboutText, proposalTableLines } from "../../report/proposal/table-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

/** Typed to go back. */
const BACK = "b";

/**
 * Asks until every line has an answer and the person accepts them.
 * @param mayGoBack whether there is a table before
 * @returns the lines with their answers; undefined to go back
 */
export async function askTable(
  table: ProposalTable,
  mayGoBack: boolean,
  shell: Shell,
  { errorStyle: style }: Console,
): Promise<readonly ProposalLine[] | undefined> {
  let { lines } = table;
  let isWarned = false;
  for (;;) {
    write(shell, proposalTableLines({ ...table, lines }, style));
    const typed = await typedAt(`${promptFor(lines, mayGoBack)} `, shell);
    if (typed === "") {
      const answered = await answerOpen(lines, shell, style);
      const doubt: string | undefined = isWarned ? undefined : table.doubt?.(answered);
      if (doubt === undefined && answered.every(({ chosen }) => chosen !== undefined)) return answered;
      if (doubt !== undefined)
        write(shell, ["", ...paragraph(`${doubt} Or press Enter again to go on.`, style)]);
      isWarned = doubt !== undefined;
      lines = answered;
      continue;
    }
    if (foldName(typed) === BACK && mayGoBack) return undefined;
    const change = changeIn(typed, lines.length);
    if (change === undefined) {
      write(
        shell,
        paragraph(
          typed === "?" ? HELP : `${escapeTerminal(`"${typed}"`)} is not the number of a line. ${HELP}`,
          style,
        ),
      );
      continue;
    }
    const [at] = change.numbers;
    const first = at === undefined ? undefined : lines[at];
    if (first === undefined) continue;
    const word = change.word === "" ? (await askLine(first, shell, style))?.word : change.word;
    if (word === undefined) continue;
    lines = lines.map((line, index) =>
      change.numbers.includes(index) ? withWord(line, word, shell, style) : line,
    );
  }
}

function promptFor(lines: readonly ProposalLine[], mayGoBack: boolean): string {
  const open = lines.filter(({ chosen }) => chosen === undefined).length;
  const enter =
    open === 0
      ? "Enter accepts this."
      : `Enter answers the ${open === 1 ? "line" : `${open} lines`} with "?".`;
  const number = lines.length === 1 ? "1 changes the line." : "A number changes a line.";
  return `${enter} ${number}${mayGoBack ? " b goes back." : ""}`;
}

const HELP =
  'Type the number of a line to see its choices, or several numbers with a choice, such as "3 ignore" or "4-9 draft". Ctrl-C ends the questions, and nothing is written.';

/** Longer lines are cut, in UTF-16 units. */
const LONGEST_LINE = 200;

/** `3`, `3 ignore`, `2,4-6 draft`: the indexes of lines, and the choice for them. */
function changeIn(
  typed: string,
  count: number,
): { readonly numbers: readonly number[]; readonly word: string } | undefined {
  const [, list = "", word = ""] =
    /^(\d+(?:\s{0,9}[-,]\s{0,9}\d+)*)(?:\s{1,9}(.*))?$/.exec(typed.slice(0, LONGEST_LINE)) ?? [];
  const numbers = list.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return from > to || to > count
      ? []
      : Array.from({ length: to - from + 1 }, (_none, index) => from + index - 1);
  });
  return numbers.length === 0 || numbers.some((each) => each < 0)
    ? undefined
    : { numbers, word: word.trim() };
}

/** The line with the choice that a word names. Says so if the line does not have this choice. */
function withWord(
  line: ProposalLine,
  word: string,
  shell: Shell,
  style: Console["errorStyle"],
): ProposalLine {
  const chosen = choiceNamed(line, word);
  if (chosen === undefined) write(shell, paragraph(whyNot(line, word), style));
  return chosen === undefined ? line : { ...line, chosen };
}

function choiceNamed({ choices, typed }: ProposalLine, word: string): Choice | undefined {
  return (
    choices.find(
      (each) => foldName(each.word) === foldName(word) || foldName(each.text) === foldName(word),
    ) ?? typed?.read(word)
  );
}

/** Asks each open line. Choices that the line before had too are not shown again. Stops if the person goes back to the table. */
async function answerOpen(
  lines: readonly ProposalLine[],
  shell: Shell,
  style: Console["errorStyle"],
): Promise<readonly ProposalLine[]> {
  const answered = [...lines];
  let shown = "";
  for (const [index, line] of lines.entries()) {
    if (line.chosen !== undefined) continue;
    const choices = line.choices.map(({ text }) => text).join("\n");
    const chosen = await askLine(line, shell, style, choices === shown);
    if (chosen === undefined) break;
    shown = choices;
    answered[index] = { ...line, chosen };
  }
  return answered;
}

/** Asks until one line has an answer. Undefined if the person goes back to the table. */
async function askLine(
  line: ProposalLine,
  shell: Shell,
  style: Console["errorStyle"],
  areShown = false,
): Promise<Choice | undefined> {
  const { choices, chosen, typed } = line;
  write(shell, [...lineAboutText(line, style), ...(areShown ? [] : choiceLines(line, style))]);
  const first = chosen ?? (typed === undefined || choices.length > 1 ? choices[0] : undefined);
  const numbers = choices.length === 1 ? "1" : `1 to ${choices.length}`;
  const enter = first === undefined ? "" : ` (Enter for ${choices.indexOf(first) + 1 || first.text})`;
  for (;;) {
    const text = await typedAt(
      `Type ${numbers}${enter}${typed === undefined ? "" : `, or ${typed.prompt}`}: `,
      shell,
    );
    if (text === "" && first !== undefined) return first;
    if (foldName(text) === BACK) return undefined;
    const found =
      (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined) ??
      (text === "" ? undefined : choiceNamed(line, text));
    if (found !== undefined) return found;
    write(shell, paragraph(whyNot(line, text), style));
  }
}

function whyNot({ typed }: ProposalLine, text: string): string {
  return escapeTerminal(typed?.why?.(text) ?? `"${text}" is not one of the answers.`);
}

/** Whether the person agrees. Undefined to go back. */
export async function askToWrite(shell: Shell): Promise<boolean> {
  return foldName(await typedAt("\nEnter writes plancast.yaml. b goes back. ", shell)) !== BACK;
}

function write(shell: Shell, lines: readonly string[]): void {
  shell.stderr.write(terminalText(lines));
}

/** Throws a Failure if the person leaves. */
async function typedAt(prompt: string, shell: Shell): Promise<string> {
  const answer = await shell.ask(prompt);
  if (answer !== undefined) return answer;
  // The terminal still is in the line of the question.
  shell.stderr.write("\n");
  throw new Failure("run/needs-yes", "There was no answer. Nothing was written.", "Run it again.");
}
