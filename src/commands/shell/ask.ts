/** Asks at a terminal what only the team knows about its calendar, one question at a time. */

import { Failure } from "../../model/failure.ts";
import { didYouMean } from "../../model/text.ts";
import { suggestZone, zoneMeant } from "../../checks/when/local-time.ts";
import type { Answer, AskedQuestion } from "../../report/init/asked-question.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

/** Asks one question. Resolves to its answer; undefined if there is none. */
export type Ask = (question: AskedQuestion) => Promise<Answer["settings"] | undefined>;

/** Asks until the answer is a time zone. @param likely the zone of this machine */
export async function askZone(likely: string, shell: Shell): Promise<string> {
  shell.stderr.write("\n");
  for (;;) {
    const answer = await answerTo(`In which time zone are the times? [${likely}] `, shell);
    const zone = answer === "" ? likely : zoneMeant(answer);
    if (zone !== undefined) {
      if (zone !== (answer || likely)) shell.stderr.write(terminalText([`The time zone is ${zone}.`]));
      return zone;
    }
    const way =
      didYouMean(suggestZone(answer)) ||
      " Type a large city, such as Berlin, or a name such as Europe/Paris.";
    shell.stderr.write(terminalText([`"${escapeTerminal(answer)}" is not a time zone.${way}`]));
  }
}

/** Asks at a terminal. */
export function askAtTerminal(shell: Shell, console: Console): Ask {
  return async (question) => (await choose(question, shell, console))?.settings;
}

/** Shows the answers with numbers, and asks until one is chosen. A blank line takes the first. */
async function choose(
  question: AskedQuestion,
  shell: Shell,
  { errorStyle }: Console,
): Promise<Answer | undefined> {
  const { text, answers, typed } = question;
  shell.stderr.write(terminalText(["", ...paragraph(text, errorStyle)]));
  for (const [index, answer] of answers.entries())
    shell.stderr.write(terminalText(paragraph(`${index + 1}. ${answer.text}`, errorStyle, "  ")));
  for (;;) {
    const line = await answerTo(`${promptOf(question)} `, shell);
    if (line === "" && answers.length > 0) return answers[0];
    const settings = typed?.read(line);
    const numbered = /^\d+$/.test(line) ? answers[Number(line) - 1] : undefined;
    const chosen = numbered ?? (settings === undefined ? undefined : { text: line, settings });
    if (chosen !== undefined) return chosen;
    const why =
      line === "?" ? helpText(question) : (typed?.why?.(line) ?? `"${line}" is not one of the answers.`);
    shell.stderr.write(terminalText(paragraph(escapeTerminal(why), errorStyle)));
  }
}

function helpText({ answers, typed }: Pick<AskedQuestion, "answers" | "typed">): string {
  const number = answers.length === 0 ? "" : "the number of an answer";
  const all = [number, typed?.prompt ?? ""].filter((text) => text !== "").join(", or ");
  return `Type ${all}. Then press Enter. Ctrl-C ends the questions, and nothing is written.`;
}

function promptOf({ answers, typed }: Pick<AskedQuestion, "answers" | "typed">): string {
  const numbers = answers.length > 1 ? `1 to ${answers.length} (Enter for 1)` : "1 (or Enter)";
  if (typed === undefined) return `Type ${numbers}:`;
  return answers.length === 0 ? `Type ${typed.prompt}:` : `Type ${numbers}, or ${typed.prompt}:`;
}

/** Whether the shown posts are right. If not, the person wants to answer again. */
export async function askIfRight(shell: Shell, console: Console): Promise<boolean> {
  const yes = { text: "yes, write it", settings: {} };
  const no = { text: "no, answer again", settings: {} };
  return (await choose({ text: "Write plancast.yaml?", answers: [yes, no] }, shell, console)) === yes;
}

/** Throws a Failure if the person leaves. */
async function answerTo(question: string, shell: Shell): Promise<string> {
  const answer = await shell.ask(question);
  if (answer !== undefined) return answer;
  // The terminal still is in the line of the question.
  shell.stderr.write("\n");
  throw new Failure("run/needs-yes", "There was no answer. Nothing was written.", "Run it again.");
}
