/** Asks the service, and saves each answer before the next step. */

import pLimit from "p-limit";
import { canonicalContent } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import type { NotDone, WriteResult } from "../service/records.ts";
import type { FullService } from "../service/full-service.ts";
import type { Answer, Answers } from "./answers.ts";
import type { DraftTask } from "./tasks.ts";

/** Requests at the same time: if the machine crashes, these may be paid for and lost. */
const AT_ONCE = 4;

export type GenerateResult = { readonly result: "done"; readonly answer: Answer } | NotDone;

/**
 * Sends the requests; only one until an answer could be read. Stops after an answer that cannot be read or saved, or
 * that means that no other can succeed, such as a bad key. Throws a Failure if an answer could not be saved, after all
 * open requests have ended.
 */
export async function generateDrafts(
  wanted: readonly DraftTask[],
  service: Pick<FullService, "generateText" | "generateImage">,
  answers: Answers,
): Promise<ReadonlyMap<DraftTask, GenerateResult>> {
  const limit = pLimit(1);
  let isOver = false;
  const asking = wanted.map((each) =>
    limit(async (): Promise<[DraftTask, GenerateResult]> => {
      try {
        const came: GenerateResult = isOver ? { result: "not_started" } : await generateOne(each, service);
        if (came.result === "done") await keep(each, came.answer, answers);
        if (came.result === "done") limit.concurrency = AT_ONCE;
        if (stopsAll(came)) isOver = true;
        return [each, came];
      } catch (error) {
        isOver = true;
        throw error;
      }
    }),
  );
  const ended = await Promise.allSettled(asking);
  const failures = ended.flatMap((each): unknown[] => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length > 0) throw combineErrors(failures);
  return new Map(ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
}

function stopsAll(came: GenerateResult): boolean {
  return (
    (came.result === "refused" && came.fatal) || (came.result === "unknown" && came.answer !== undefined)
  );
}

class NotStoredError extends Error {
  readonly what: string;
  readonly failure: Failure;

  constructor(what: string, failure: Failure) {
    super(failure.message);
    this.what = what;
    this.failure = failure;
  }
}

async function keep(wanted: DraftTask, answer: Answer, answers: Answers): Promise<void> {
  try {
    await answers.keep(answer);
  } catch (error) {
    if (error instanceof Failure) throw new NotStoredError(lostText(wanted, answer), error);
    throw error;
  }
}

/** Answers that exist only in this message. */
function lostText({ file, name, kind, platform }: DraftTask, { text, image }: Answer): string {
  const what = kind === "text" ? `the text for ${platform}` : "the picture";
  const place = image?.url ?? image?.mediaId ?? "its bytes are lost";
  return `${file.calendar.file}, ${name}: ${what}: ${text ?? place}`;
}

/** One error for everything that failed at the same time. */
function combineErrors([first, ...others]: readonly unknown[]): unknown {
  const lost = [first, ...others].filter((each) => each instanceof NotStoredError);
  const [{ failure } = { failure: undefined }] = lost;
  if (failure === undefined) return first;
  const message = `${failure.message} These answers are not saved: ${lost.map(({ what }) => what).join("; ")}`;
  return new Failure(failure.code, message, failure.hint, { cause: failure });
}

async function generateOne(
  wanted: DraftTask,
  service: Pick<FullService, "generateText" | "generateImage">,
): Promise<GenerateResult> {
  const { kind, prompt, platform = "", manner } = wanted;
  const about = {
    request: wanted.request,
    file: wanted.file.calendar.file,
    name: wanted.name,
    platform: wanted.platform,
    before: wanted.current,
  };
  if (kind === "text") {
    const written = await service.generateText({ prompt, platform, tone: manner });
    return toResult(written, ({ text }) => ({ ...about, text: canonicalContent(text.trimStart()) }));
  }
  const made = await service.generateImage({ prompt, size: manner });
  return toResult(made, ({ record: _record, ...image }) => ({ ...about, image }));
}

function toResult<T>(written: WriteResult<T>, answer: (value: T) => Answer): GenerateResult {
  return written.result === "done" ? { result: "done", answer: answer(written.value) } : written;
}
