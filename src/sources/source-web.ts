/**
 * Requests for sheets. They follow the rules for media from the web: only public hosts, or those that the project and
 * the environment allow; limited in time and size.
 */

import { request } from "undici";
import type { Clock } from "../model/clock.ts";
import { displayAddress } from "../model/address.ts";
import { networkReason } from "../model/failure.ts";
import {
  type GetRules,
  type HostConnections,
  type MediaAnswer,
  bodyParts,
  firstValue,
  getChecked,
} from "../media/checked-request.ts";
import type { DownloadBudget } from "../media/download-budget.ts";

/** Largest file of a sheet, in bytes. Google exports at most 10 MB. */
const MAX_BYTES = 64 * 1_048_576;
/** Largest answer to a question for a token, in bytes. */
const MAX_ANSWER_BYTES = 100_000;
/** Tries of one request that the host refuses for now. */
const TRIES = 3;
/** A longer wait that a host asks for ends the command, ms. */
const LONGEST_WAIT_MS = 60_000;
/** The wait if the host does not say how long, ms. */
const USUAL_WAIT_MS = 5_000;

/** Why a sheet cannot be had, and what to do. Never has a credential, or the query of an address. */
export interface SourceFault {
  readonly message: string;
}

export interface SourceAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** How long to wait before the next try, ms, if the host says so. */
  readonly retryAfterMs: number | undefined;
}

export interface SourceWebOptions extends Omit<GetRules, "dispatcherFor" | "authorization" | "budget"> {
  readonly budget: DownloadBudget;
  readonly clock: Clock;
  readonly connections: HostConnections;
  /** Called before a wait that the host asked for, in ms. */
  readonly onWait: (host: string, ms: number) => void;
}

export class SourceWeb {
  readonly #options: SourceWebOptions;

  constructor(options: SourceWebOptions) {
    this.#options = options;
  }

  /**
   * Gets an address, and waits if the host asks for that. Throws only if the run is interrupted.
   * @param authorization for these origins and no other, also after redirects
   */
  get(
    address: URL,
    authorization?: { readonly value: string; readonly origin: string },
  ): Promise<SourceAnswer | SourceFault> {
    return this.#patiently(address, () => this.#once(address, authorization));
  }

  async #patiently(
    address: URL,
    ask: () => Promise<SourceAnswer | SourceFault>,
  ): Promise<SourceAnswer | SourceFault> {
    const { clock, stop, onWait, budget } = this.#options;
    for (let tried = 1; ; tried += 1) {
      const answer = await ask();
      if ("message" in answer || !isBusy(answer) || tried === TRIES) return answer;
      const ms = answer.retryAfterMs ?? USUAL_WAIT_MS;
      if (ms > LONGEST_WAIT_MS) return answer;
      onWait(address.host, ms);
      // A file of settings may name many sheets.
      const isOver = await budget.during(async (noTimeLeft) => {
        await clock.sleep(ms, AbortSignal.any([stop, noTimeLeft]));
        return stop.aborted || noTimeLeft.aborted;
      });
      if (isOver) return answer;
    }
  }

  async #once(
    address: URL,
    authorization: { readonly value: string; readonly origin: string } | undefined,
  ): Promise<SourceAnswer | SourceFault> {
    const { connections, budget, ...rules } = this.#options;
    return budget.during((noTimeLeft) =>
      getChecked(
        address.href,
        { accept: "*/*" },
        {
          ...rules,
          budget,
          noTimeLeft,
          dispatcherFor: (url) => connections.for(url),
          authorization: (url) => (url.origin === authorization?.origin ? authorization.value : undefined),
        },
        (answer) => receive(answer, address, budget),
      ),
    );
  }

  /** Sends a form, and follows no redirect. */
  post(address: URL, form: Readonly<Record<string, string>>): Promise<SourceAnswer | SourceFault> {
    const type = "application/x-www-form-urlencoded";
    return this.#send(address, new URLSearchParams(form).toString(), { "content-type": type });
  }

  /**
   * Sends JSON, and follows no redirect. Waits if the host asks for that, so what is sent twice must do the same as once.
   * @param authorization for this address only
   */
  postJson(address: URL, body: object, authorization: string): Promise<SourceAnswer | SourceFault> {
    const headers = { "content-type": "application/json", authorization };
    return this.#patiently(address, () => this.#send(address, JSON.stringify(body), headers));
  }

  async #send(
    address: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<SourceAnswer | SourceFault> {
    const { connections, stop, userAgent, budget } = this.#options;
    try {
      const answer = await budget.during((noTimeLeft) =>
        request(address, {
          method: "POST",
          headers: { ...headers, "user-agent": userAgent },
          body,
          dispatcher: connections.for(address),
          signal: AbortSignal.any([stop, noTimeLeft, AbortSignal.timeout(LONGEST_WAIT_MS)]),
        }),
      );
      const bytes = await bytesOf(answer, MAX_ANSWER_BYTES);
      if (bytes === undefined) return { message: `${address.host} answers more than plancast reads.` };
      return { status: answer.statusCode, bytes, retryAfterMs: retryAfterMs(answer) };
    } catch (error) {
      if (stop.aborted) throw error;
      return { message: `plancast cannot reach ${address.host}: ${networkReason(error)}. Run again later.` };
    }
  }
}

function isBusy({ status }: SourceAnswer): boolean {
  return status === 429 || status === 503;
}

async function receive(
  answer: MediaAnswer,
  address: URL,
  budget: DownloadBudget,
): Promise<SourceAnswer | SourceFault> {
  const bytes = await bytesOf(answer, MAX_BYTES);
  if (bytes === undefined || !budget.take(bytes.byteLength))
    return { message: `"${displayAddress(address.href)}" is larger than a calendar can be.` };
  return { status: answer.statusCode, bytes, retryAfterMs: retryAfterMs(answer) };
}

function retryAfterMs({ headers }: Pick<MediaAnswer, "headers">): number | undefined {
  const seconds = Number(firstValue(headers["retry-after"]) ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Undefined if there are more. */
async function bytesOf(answer: MediaAnswer, most: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bodyParts(answer)) {
    length += part.byteLength;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}
