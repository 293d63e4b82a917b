/**
 * The service's answers that are not in a calendar yet. An answer may have cost money, so it is saved to disk before
 * anything else happens, and stays there until it is in its calendar.
 */

import { z } from "zod";
import { AppendLog, readLog } from "../disk/append-log.ts";
import { removeFile } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import { type StateFolder, STATE_FOLDER } from "../disk/state-folder.ts";
import { Failure, reasonOf } from "../model/failure.ts";

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
  /** Somebody has seen that it cannot be written as things are. */
  z.object({ event: z.literal("stuck"), request: z.string() }),
]);

export interface Answer extends Omit<z.infer<typeof answerSchema>, "event"> {
  /** Its calendar cannot hold it as it is. People know that, and may ask for another. */
  readonly isStuck?: true;
}

/** The waiting answers, by request, without changing them. Throws a Failure if the log cannot be read. */
export async function waitingAnswers(state: StateFolder): Promise<ReadonlyMap<string, Answer>> {
  const place = logPlace(state);
  return openIn((await readLog(place)).records, state.nameOf(place));
}

function logPlace(state: StateFolder): Place {
  return state.in("drafts.log");
}

function openIn(records: readonly unknown[], name: string): Map<string, Answer> {
  const open = new Map<string, Answer>();
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

function setStuck(open: Map<string, Answer>, request: string): void {
  const answer = open.get(request);
  if (answer !== undefined) open.set(request, { ...answer, isStuck: true });
}

/** Only one process at a time: the one that holds the run lock. */
export class Answers {
  readonly #place: Place;
  readonly #log: AppendLog;
  readonly #open: Map<string, Answer>;

  private constructor(place: Place, log: AppendLog, open: Map<string, Answer>) {
    this.#place = place;
    this.#log = log;
    this.#open = open;
  }

  /** Throws a Failure if the log cannot be read or written. */
  static async open(state: StateFolder): Promise<Answers> {
    const place = logPlace(state);
    const contents = await readLog(place);
    const open = openIn(contents.records, state.nameOf(place));
    try {
      return new Answers(place, await AppendLog.open(place, contents), open);
    } catch (error) {
      throw notWritable(error);
    }
  }

  /** Waiting answers, by request. */
  get waiting(): ReadonlyMap<string, Answer> {
    return this.#open;
  }

  /** Resolves when the answer is on the disk. */
  async keep(answer: Omit<Answer, "isStuck">): Promise<void> {
    await this.#append({ event: "answered", ...answer });
    this.#open.set(answer.request, answer);
  }

  async settle(requests: readonly string[]): Promise<void> {
    await Promise.all(requests.map((request) => this.#append({ event: "settled", request })));
    for (const request of requests) this.#open.delete(request);
  }

  /** For answers that cannot be written as things are. */
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
