/** Asks at a terminal what only the team knows about its calendar, one question at a time. */

import { Failure } from "../../model/failure.ts";
import { didYouMean } from "../../model/text.ts";
import { findZone, suggestZone } from "../../checks/when/local-time.ts";
import type { Answer, AskedQuestion } from "../../report/init-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { paragraph } from "../../report/text/wrap.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

/** Asks one question. Resolves to its answer; undefined if there is none. */
export type Ask = (question: AskedQuestion) => Promise<Answer["settings"] | undefined>;

/** How often somebody may type something that is not an answer. Then the question stays open. */
const MAX_TRIES = 3;

/** @param likely the zone of this machine */
export async function askZone(likely: string, shell: Shell): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await answerTo(`In which time zone are the times? [${likely}] `, shell);
    const zone = answer === "" ? likely : answer;
    if (findZone(zone) !== undefined) return zone;
    shell.stderr.write(
      terminalText([
        `"${escapeTerminal(zone)}" is not a time zone.${didYouMean(suggestZone(zone)) || " Use a name such as Europe/Paris."}`,
      ]),
    );
  }
  return likely;
}

/** Shows the answers with numbers. A blank line takes the first. */
export function askAtTerminal(shell: Shell, { errorStyle }: Console): Ask {
  return async ({ text, answers, typed }) => {
    shell.stderr.write(terminalText(["", ...paragraph(text, errorStyle)]));
    for (const [index, answer] of answers.entries())
      shell.stderr.write(terminalText(paragraph(`${index + 1}. ${answer.text}`, errorStyle, "  ")));
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const line = await answerTo(`${promptOf({ answers, typed })} `, shell);
      const numbered = line === "" ? answers[0] : /^\d+$/.test(line) ? answers[Number(line) - 1] : undefined;
      const settings = numbered?.settings ?? typed?.read(line);
      if (settings !== undefined) return settings;
      if (line === "") return undefined;
      shell.stderr.write(terminalText([`"${escapeTerminal(line)}" is not one of the answers.`]));
    }
    return undefined;
  };
}

function promptOf({ answers, typed }: Pick<AskedQuestion, "answers" | "typed">): string {
  const numbers = answers.length > 1 ? `1 to ${answers.length} (Enter for 1)` : "1 (or Enter)";
  if (typed === undefined) return `Type ${numbers}:`;
  return answers.length === 0 ? `Type ${typed.prompt}:` : `Type ${numbers}, or ${typed.prompt}:`;
}

/** Whether the shown posts are right. If not, the person wants to answer again. */
export async function askIfRight(shell: Shell): Promise<boolean> {
  const answer = await answerTo("Write plancast.yaml? Type no to answer again. [yes] ", shell);
  return !/^n/i.test(answer.trim());
}

/** Throws a Failure if the person leaves. */
async function answerTo(question: string, shell: Shell): Promise<string> {
  const answer = await shell.ask(question);
  if (answer !== undefined) return answer;
  throw new Failure("run/needs-yes", "There was no answer. Nothing was written.", "Run it again.");
}
