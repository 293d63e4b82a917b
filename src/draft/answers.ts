/**
 * Asks the service, and keeps its answers that are not in a calendar yet. An answer may have cost money, so it is saved
 * to disk before anything else happens, and stays there until it is in its calendar.
 */

import { z } from "zod";
import { AppendLog, readLog } from "../disk/append-log.ts";
import { removeFile } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { type StateFolder, STATE_FOLDER } from "../disk/state-folder.ts";
import { Failure, reasonOf } from "../model/failure.ts";
import pLimit from "p-limit";
import { canonicalContent } from "../model/canonical.ts";
import type { NotDone, TextRecord, WriteResult } from "../service/records.ts";
import type { FullService } from "../service/service.ts";
import type { DraftTask } from "./tasks.ts";

const image = z.object({
  mediaId: z.string().optional(),
  url: z.string().optional(),
  base64: z.string().optional(),
});

const answerSchema = z.object({
  event: z.literal("answered"),
  request: z.string(),
  /** The calendar. */
  file: z.string(),
  text: z.string().optional(),
  image: image.optional(),
  /** Line of the row at the time of the request. */
  name: z.string().optional(),
  platform: z.string().optional(),
  /** The content at the time of the request, which the answer replaces. */
  before: z.string().optional(),
});

const eventSchema = z.discriminatedUnion("event", [
  answerSchema,
  /** It is in its calendar, or is not wanted any more. */
  z.object({ event: z.literal("settled"), request: z.string() }),
  /** A person has seen that the answer cannot be written into its calendar. */
  z.object({ event: z.literal("stuck"), request: z.string() }),
]);

export interface DraftAnswer extends Omit<z.infer<typeof answerSchema>, "event"> {
  /** Its calendar cannot contain this answer. People know that, and may ask for another answer. */
  readonly isStuck?: true;
}

/** The waiting answers, by request, without changing them. Throws a Failure if the log cannot be read. */
export async function waitingAnswers(state: StateFolder): Promise<ReadonlyMap<string, DraftAnswer>> {
  const place = logPlace(state);
  return openIn((await readLog(place)).records, state.nameOf(place));
}

function logPlace(state: StateFolder): Place {
  return state.in("drafts.log");
}

function openIn(records: readonly unknown[], name: string): Map<string, DraftAnswer> {
  const open = new Map<string, DraftAnswer>();
  for (const record of records) {
    const event = eventSchema.safeParse(record).data;
    if (event === undefined) throw unknownEntry(name);
    const { request } = event;
    if (event.event === "answered") open.set(request, event);
    else if (event.event === "settled") open.delete(request);
    else setStuck(open, request);
  }
  return open;
}

function setStuck(open: Map<string, DraftAnswer>, request: string): void {
  const answer = open.get(request);
  if (answer !== undefined) open.set(request, { ...answer, isStuck: true });
}

/** Only one process at a time: the one that holds the run lock. */
export class DraftAnswers {
  readonly #place: Place;
  readonly #log: AppendLog;
  readonly #open: Map<string, DraftAnswer>;

  private constructor(place: Place, log: AppendLog, open: Map<string, DraftAnswer>) {
    this.#place = place;
    this.#log = log;
    this.#open = open;
  }

  /** Throws a Failure if the log cannot be read or written. */
  static async open(state: StateFolder): Promise<DraftAnswers> {
    const place = logPlace(state);
    const contents = await readLog(place);
    const open = openIn(contents.records, state.nameOf(place));
    try {
      return new DraftAnswers(place, await AppendLog.open(place, contents), open);
    } catch (error) {
      throw notWritable(error);
    }
  }

  /** Waiting answers, by request. */
  get waiting(): ReadonlyMap<string, DraftAnswer> {
    return this.#open;
  }

  /** Resolves when the answer is on the disk. */
  async keep(answer: Omit<DraftAnswer, "isStuck">): Promise<void> {
    await this.#append({ event: "answered", ...answer });
    this.#open.set(answer.request, answer);
  }

  async settle(requests: readonly string[]): Promise<void> {
    await Promise.all(requests.map((request) => this.#append({ event: "settled", request })));
    for (const request of requests) this.#open.delete(request);
  }

  /** For answers that cannot be written into their calendars. */
  async markStuck(requests: readonly string[]): Promise<void> {
    const fresh = requests.filter((request) => this.#open.get(request)?.isStuck !== true);
    await Promise.all(fresh.map((request) => this.#append({ event: "stuck", request })));
    for (const request of fresh) setStuck(this.#open, request);
  }

  /** Closes it. A log without waiting answers is removed. */
  async close(): Promise<void> {
    await this.#log.close();
    if (this.#open.size === 0) await removeFile(this.#place);
  }

  async #append(event: z.infer<typeof eventSchema>): Promise<void> {
    try {
      await this.#log.append(event);
    } catch (error) {
      throw notWritable(error);
    }
  }
}

function unknownEntry(name: string): Failure {
  return new Failure(
    "journal/invalid",
    `${name} contains an entry that this version of plancast does not know.`,
    "Use the version that wrote it. Or move the file away: plancast then requests its answers again.",
  );
}

function notWritable(error: unknown): Failure {
  return new Failure(
    "disk/not-writable",
    `plancast cannot write to the folder ${STATE_FOLDER} in the project, so it could not keep answers: ${reasonOf(error)}`,
    "Check its permissions and the free space on the disk, then run again.",
  );
}

/** Requests at the same time: if the machine crashes, these may be paid for and lost. */
const AT_ONCE = 4;

/** Who writes the drafts: the service, or a language model. */
export interface DraftSource extends Pick<FullService, "generateText" | "generateImage"> {
  /** Writes the alt text of a task's picture. Only a language model can do that. */
  readonly describe?: (task: DraftTask) => Promise<WriteResult<TextRecord>>;
}

export type GenerateResult = { readonly result: "done"; readonly answer: DraftAnswer } | NotDone;

/**
 * Sends the requests; only one until an answer could be read. Stops after an answer that cannot be read or saved, or
 * that means that no other can succeed, such as a bad key. Throws a Failure if an answer could not be saved, after all
 * open requests have ended.
 */
export async function generateDrafts(
  wanted: readonly DraftTask[],
  source: DraftSource,
  answers: DraftAnswers,
): Promise<ReadonlyMap<DraftTask, GenerateResult>> {
  const limit = pLimit(1);
  let isOver = false;
  const asking = wanted.map((each) =>
    limit(async (): Promise<[DraftTask, GenerateResult]> => {
      try {
        const came: GenerateResult = isOver ? { result: "not_started" } : await generateOne(each, source);
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

async function keep(wanted: DraftTask, answer: DraftAnswer, answers: DraftAnswers): Promise<void> {
  try {
    await answers.keep(answer);
  } catch (error) {
    if (error instanceof Failure) throw new NotStoredError(lostText(wanted, answer), error);
    throw error;
  }
}

/** Answers that exist only in this message. */
function lostText({ file, name, kind, platform }: DraftTask, { text, image }: DraftAnswer): string {
  const what = { text: `the text for ${platform}`, image: "the picture", alt: "the alt text" }[kind];
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

async function generateOne(wanted: DraftTask, source: DraftSource): Promise<GenerateResult> {
  const { kind, prompt, platform = "", manner } = wanted;
  const about = {
    request: wanted.request,
    file: wanted.file.calendar.file,
    name: wanted.name,
    platform: wanted.platform,
    before: wanted.current,
  };
  if (kind === "image") {
    const made = await source.generateImage({ prompt, size: manner });
    return toResult(made, ({ record: _record, ...image }) => ({ ...about, image }));
  }
  const written =
    kind === "alt"
      ? await describePicture(wanted, source)
      : await source.generateText({ prompt, platform, tone: manner });
  return toResult(written, ({ text }) => ({ ...about, text: canonicalContent(text.trimStart()) }));
}

function describePicture(wanted: DraftTask, { describe }: DraftSource): Promise<WriteResult<TextRecord>> {
  if (describe === undefined) throw new Error("Nobody can describe pictures here.");
  return describe(wanted);
}

function toResult<T>(written: WriteResult<T>, answer: (value: T) => DraftAnswer): GenerateResult {
  return written.result === "done" ? { result: "done", answer: answer(written.value) } : written;
}
