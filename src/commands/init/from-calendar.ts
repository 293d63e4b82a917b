/**
 * Finds the settings for a calendar that a team already has: reads it, asks what only the team can know, and reads it
 * again with the answers.
 */

import { type Question, questionKey } from "../../model/problem.ts";
import { askedQuestion } from "../../report/init/questions.ts";
import { type ProjectSettings } from "../../settings/config.ts";
import type { Ask } from "../shell/ask.ts";
import { type CalendarReading, readWith } from "./calendar-reading.ts";
import { nextQuestion, possibleAnswers, settled, textInstead } from "./next-question.ts";

/**
 * Reads a calendar until no question is left, or one has no answer.
 * @param file relative to the root, with `/`
 * @param given settings that are known before the first reading
 * @param ask undefined if nobody can be asked
 */
export async function understandCalendar(
  root: string,
  file: string,
  given: ProjectSettings,
  ask: Ask | undefined,
): Promise<CalendarReading> {
  const asked = new Set<string>();
  const further: Question[] = [];
  let settings = given;
  for (;;) {
    const reading = await readWith(root, file, settings);
    const question = ask === undefined ? undefined : nextQuestion(reading, further, asked);
    if (question === undefined || ask === undefined) return reading;
    asked.add(questionKey(question));
    const answer = await ask(possibleAnswers(askedQuestion(question, reading.column), settings));
    if (answer !== undefined) settings = withAnswer(settings, settled(question, answer, reading));
    further.push(...textInstead(question, answer, reading));
  }
}

/** The settings, plus the settings of an answer. */
function withAnswer(settings: ProjectSettings, answer: ProjectSettings): ProjectSettings {
  const { columns, status_values, platforms, defaults, carry, only } = answer;
  return {
    ...settings,
    ...answer,
    ...(columns === undefined ? {} : { columns: { ...settings.columns, ...columns } }),
    ...(status_values === undefined
      ? {}
      : { status_values: { ...settings.status_values, ...status_values } }),
    ...(platforms === undefined ? {} : { platforms: { ...settings.platforms, ...platforms } }),
    ...(only === undefined ? {} : { only: { ...settings.only, ...only } }),
    ...(carry === undefined ? {} : { carry: [...(settings.carry ?? []), ...carry] }),
    ...(defaults === undefined ? {} : { defaults: { ...settings.defaults, ...defaults } }),
  };
}
