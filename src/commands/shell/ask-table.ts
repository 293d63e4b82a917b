/**
 * Shows a table of proposals at a terminal. Enter accepts it, a number changes a line, and b goes back to the table before.
 * Reads whole lines, so that it works in every terminal and with screen readers.
 */

import {
  type Choice,
  type ProposalLine,
  type ProposalTable,
  choiceNamed,
} from "../../calendars/proposal/proposal.ts";
import { Failure } from "../../model/failure.ts";
import { IGNORE } from "../../model/columns.ts";
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
 * @param mayGoBack whether there is a table before @param enter what Enter does if every line has an answer
 * @returns the lines with their answers; undefined to go back
 */
export async function askTable(
  table: ProposalTable,
  mayGoBack: boolean,
  shell: Shell,
  { errorStyle: style }: Console,
  enter = "Enter accepts this.",
): Promise<readonly ProposalLine[] | undefined> {
  let { lines } = table;
  let isWarned = false;
  for (;;) {
    write(shell, proposalTableLines({ ...table, lines }, style));
    const typed = await typedAt(`${promptFor(lines, mayGoBack, enter)} `, shell);
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
    const changes = changesIn(typed, lines.length);
    if (changes.length === 0) {
      write(
        shell,
        paragraph(
          typed === "?" ? HELP : `${escapeTerminal(`"${typed}"`)} is not the number of a line. ${HELP}`,
          style,
        ),
      );
      continue;
    }
    const hadOpen = lines.some(isOpen);
    for (const { numbers, word } of changes) {
      const first = lines[numbers[0] ?? 0];
      const said = word === "" && first !== undefined ? (await askLine(first, shell, style))?.word : word;
      if (said === undefined) continue;
      lines = lines.map((line, index) =>
        numbers.includes(index) ? withWord(line, said, shell, style) : line,
      );
    }
    if (hadOpen && !lines.some(isOpen) && table.doubt?.(lines) === undefined) return lines;
  }
}

function isOpen({ chosen }: ProposalLine): boolean {
  return chosen === undefined;
}

function promptFor(lines: readonly ProposalLine[], mayGoBack: boolean, accept: string): string {
  const open = lines.flatMap((line, index) => (isOpen(line) ? [index + 1] : []));
  const [first = 1] = open;
  const word = lines[first - 1]?.choices[0]?.word ?? IGNORE;
  const enter =
    open.length === 0
      ? accept
      : `Enter asks about the ${open.length === 1 ? "line" : `${open.length} lines`} with "?".`;
  const alike = open.filter((each) => lines[each - 1]?.choices[0]?.word === word).slice(0, MOST_IN_EXAMPLE);
  const number =
    open.length === 0
      ? lines.length === 1
        ? "1 changes the line."
        : "A number changes a line."
      : `Or type "${alike.join(",")} ${word}".`;
  return `${enter} ${number}${mayGoBack ? " b goes back." : ""}`;
}

/** Lines in the example of what to type. */
const MOST_IN_EXAMPLE = 5;

const HELP =
  'Type the number of a line to see its choices, or numbers with choices, such as "3 ignore" or "2 ready, 4-9 draft". Ctrl-C ends the questions, and nothing is written.';

/** Longer lines are cut, in UTF-16 units. */
const LONGEST_LINE = 200;

/** Lines by their indexes, and the choice for them; an empty word if it is not said. */
interface Change {
  readonly numbers: readonly number[];
  readonly word: string;
}

/** Reads `3`, `3 ignore`, `2,4-6 draft`, `3 ready, 4-6 draft`. Empty if it is anything else. */
function changesIn(typed: string, count: number): readonly Change[] {
  const changes: Change[] = [];
  let numbers: number[] = [];
  for (const part of typed.slice(0, LONGEST_LINE).split(/,(?=\s{0,9}\d)/)) {
    const [, from, to = from, word = ""] =
      /^\s{0,9}(\d{1,4})(?:\s{0,9}-\s{0,9}(\d{1,4}))?(?:\s{1,9}(.*))?$/.exec(part) ?? [];
    const [start, end] = [Number(from), Number(to)];
    if (from === undefined || start < 1 || start > end || end > count) return [];
    numbers = [...numbers, ...Array.from({ length: end - start + 1 }, (_none, index) => start + index - 1)];
    if (word.trim() === "") continue;
    changes.push({ numbers, word: word.trim() });
    numbers = [];
  }
  return numbers.length === 0 ? changes : [...changes, { numbers, word: "" }];
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
  const numbers = choices.length === 1 ? "1" : `1 to ${choices.length}`;
  // Enter answers nothing that only the team knows.
  const enter = chosen === undefined ? "" : ` (Enter for ${choices.indexOf(chosen) + 1 || chosen.text})`;
  for (;;) {
    const text = await typedAt(
      `Type ${numbers}${enter}${typed === undefined ? "" : `, or ${typed.prompt}`}: `,
      shell,
    );
    if (text === "" && chosen !== undefined) return chosen;
    if (foldName(text) === BACK) return undefined;
    const found =
      (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined) ??
      (text === "" ? undefined : choiceNamed(line, text));
    if (found !== undefined) return found;
    write(shell, paragraph(whyNot(line, text), style));
  }
}

function whyNot({ typed }: ProposalLine, text: string): string {
  if (text === "") return "Only your team knows this. b goes back to the table.";
  return escapeTerminal(typed?.why?.(text) ?? `"${text}" is not one of the answers.`);
}

/** What Enter does at the end. */
export const ENTER_WRITES = "Enter writes plancast.yaml.";

/** Whether the person agrees. */
export async function askToWrite(shell: Shell): Promise<boolean> {
  return foldName(await typedAt(`\n${ENTER_WRITES} b goes back. `, shell)) !== BACK;
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
  throw new Failure("run/needs-terminal", "There was no answer. Nothing was written.", "Run it again.");
}
