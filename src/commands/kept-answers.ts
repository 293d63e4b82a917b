/** What becomes of answers that earlier runs got and did not write. Pure. */
import type { Answer } from "../draft/answers.ts";
import type { DraftTask } from "../draft/wanted.ts";
import type { UndraftedItem } from "../report/drafted.ts";
import type { DraftRequests } from "./draft-wanted.ts";

export interface KeptAnswers {
  /** Still to be written. */
  readonly pending: readonly DraftTask[];
  /** Requests whose answers stand in their calendars. */
  readonly written: readonly string[];
  /** Requests whose answers nobody wants any more, with what is told of each before it is forgotten. */
  readonly unwanted: ReadonlyMap<string, UndraftedItem>;
}

/** An answer takes the place of what stood there when it was asked for, and of nothing that came there since. */
export function keptAnswers(found: DraftRequests, waiting: ReadonlyMap<string, Answer>): KeptAnswers {
  const still: DraftTask[] = found.wanted.filter((each) => hasUsableAnswer(each, waiting));
  const isWanted = new Set(still.map(({ request }) => request));
  const written: string[] = [];
  const unwanted = new Map<string, UndraftedItem>();
  for (const [request, answer] of waiting) {
    if (isWanted.has(request)) continue;
    const there = found.had.get(request);
    if (there === undefined) {
      if (isOrphaned(request, answer, found)) unwanted.set(request, itemFor(answer, undefined, NO_ROW));
    } else if (there.current === undefined) continue;
    else if (there.current === answer.text) written.push(request);
    else if (there.current === answer.before) still.push(there);
    else unwanted.set(request, itemFor(answer, there, CHANGED));
  }
  return { pending: still, written, unwanted };
}

/** Whether an answer waits that will do: one that a run was stopped before writing, even where another is wanted. */
export function hasUsableAnswer(
  { request, isAgain }: DraftTask,
  waiting: ReadonlyMap<string, Answer>,
): boolean {
  const answer = waiting.get(request);
  return answer !== undefined && !(isAgain && answer.isStuck === true);
}

const CHANGED =
  "something else was written there since it was asked for, and that stays. This answer is not kept any longer";
const NO_ROW = "no row asks for it any more. This answer is not kept any longer";

/** Only where the whole calendar could be read: else its row may be there all the same. */
function isOrphaned(request: string, { file }: Answer, { files, known, unsure }: DraftRequests): boolean {
  return files.some(({ calendar }) => calendar.file === file) && !unsure.has(file) && !known.has(request);
}

function itemFor(answer: Answer, there: DraftTask | undefined, message: string): UndraftedItem {
  const { file, text, image, platform, name = file } = answer;
  return {
    file,
    line: there?.file.calendar.rows[there.row]?.line,
    name: there?.name ?? name,
    kind: text === undefined ? "image" : "text",
    platform: there?.platform ?? platform,
    status: "unwanted",
    message,
    text: text ?? image?.url ?? image?.mediaId,
  };
}
