/** The model of a network between a process and the service. */

import { Dispatcher } from "undici";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Service, SimulatedReply } from "./service.ts";

/** What happens to one request. */
interface Fate {
  /** Whether a connection is made, so that something is sent. */
  readonly connects: boolean;
  /** How often the service gets the request. A proxy may repeat requests that change nothing twice. */
  readonly arrives: 0 | 1 | 2;
  /** How long the request is under way at most, in ms. */
  readonly delayMs: number;
  readonly answer: "whole" | "late" | "cut" | "none" | "reset" | "gateway";
  /** Only for requests that may be repeated. */
  readonly isRepeat?: true;
}

/** A request that nobody waits for any more arrives before the settling time is over. */
const LATE_MS = 100_000;
const USUAL_MS = 400;

const FATES = {
  usual: { connects: true, arrives: 1, delayMs: USUAL_MS, answer: "whole" },
  "slow answer": { connects: true, arrives: 1, delayMs: 9_000, answer: "late" },
  "no connection": { connects: false, arrives: 0, delayMs: 0, answer: "none" },
  "request lost": { connects: true, arrives: 0, delayMs: 0, answer: "none" },
  "connection reset, nothing arrived": { connects: true, arrives: 0, delayMs: 0, answer: "reset" },
  "answer lost": { connects: true, arrives: 1, delayMs: USUAL_MS, answer: "none" },
  "connection reset after the work": { connects: true, arrives: 1, delayMs: USUAL_MS, answer: "reset" },
  "request arrives late": { connects: true, arrives: 1, delayMs: LATE_MS, answer: "reset" },
  "answer cut": { connects: true, arrives: 1, delayMs: USUAL_MS, answer: "cut" },
  "gateway fails before": { connects: true, arrives: 0, delayMs: 0, answer: "gateway" },
  "gateway fails after": { connects: true, arrives: 1, delayMs: USUAL_MS, answer: "gateway" },
  "arrives twice": { connects: true, arrives: 2, delayMs: USUAL_MS, answer: "whole", isRepeat: true },
} as const satisfies Record<string, Fate>;

type FateName = keyof typeof FATES;

const TROUBLED: Readonly<Record<FateName, number>> = {
  usual: 60,
  "slow answer": 4,
  "no connection": 4,
  "request lost": 4,
  "connection reset, nothing arrived": 4,
  "answer lost": 4,
  "connection reset after the work": 4,
  "request arrives late": 4,
  "answer cut": 4,
  "gateway fails before": 2,
  "gateway fails after": 4,
  "arrives twice": 2,
};

export interface NetworkUse {
  readonly scheduler: Scheduler;
  readonly process: Process;
  readonly service: Service;
  readonly random: Random;
  /** Whether fates other than the usual one happen. */
  readonly isTroubled: boolean;
  /** Called with each request and what became of it. */
  readonly onEvent: (told: string) => void;
}

export class Network extends Dispatcher {
  readonly #use: NetworkUse;

  constructor(use: NetworkUse) {
    super();
    this.#use = use;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { random, isTroubled, service } = this.#use;
    const mayRepeat = options.method !== "POST";
    // It arrives, and is in lists, before the settling time is over.
    const longestMs = Math.max(USUAL_MS, LATE_MS - service.traits.listLagMs);
    const drawn = isTroubled ? random.weighted(TROUBLED) : "usual";
    const name = "isRepeat" in FATES[drawn] && !mayRepeat ? "usual" : drawn;
    void this.#send(options, handler, name, longestMs);
    return true;
  }

  async #send(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    name: FateName,
    longestMs: number,
  ): Promise<void> {
    const { scheduler, process, service, random, onEvent } = this.#use;
    const fate: Fate = FATES[name];
    const request = {
      method: options.method,
      target: options.path,
      body: await textOf(options.body),
    };
    const told = `${request.method} ${request.target.replace(/\?.*/, "")}${request.body && ` ${contentIn(request.body)}`}`;
    let isOver = false;
    const fail = (error = new Error("aborted")): void => {
      if (isOver) return;
      isOver = true;
      handler.onError?.(error);
    };
    if (!fate.connects) {
      await scheduler.wait(process, random.below(USUAL_MS), () => onEvent(`${told}: ${name}`));
      fail(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
      return;
    }
    const replies: SimulatedReply[] = [];
    const travel = (): void => {
      for (let copy = 0; copy < fate.arrives; copy += 1)
        scheduler.at(scheduler.now + random.below(Math.max(1, Math.min(fate.delayMs, longestMs))), () => {
          replies.push(service.handle(request));
          onEvent(
            `${told}: ${name === "usual" ? "" : `${name}, `}the service answers ${replies.at(-1)?.status}`,
          );
        });
    };
    await scheduler.wait(
      process,
      random.below(USUAL_MS),
      () => {
        handler.onConnect?.(fail);
        if (isOver) return;
        if (fate.arrives === 0) onEvent(`${told}: ${name}`);
        travel();
      },
      () => void (random.percent(50) && travel()),
    );
    if (isOver) return;
    await this.#answer(options, handler, fate, replies, () => isOver, fail);
    isOver = true;
  }

  /** Gives the handler what comes back. */
  async #answer(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    fate: Fate,
    replies: readonly SimulatedReply[],
    isOver: () => boolean,
    fail: (error: Error) => void,
  ): Promise<void> {
    const { scheduler, process, random } = this.#use;
    const wait = (ms: number): Promise<void> => scheduler.wait(process, ms, () => undefined);
    switch (fate.answer) {
      case "none":
        await wait(options.headersTimeout ?? 30_000);
        return fail(Object.assign(new Error("Headers Timeout Error"), { code: "UND_ERR_HEADERS_TIMEOUT" }));
      case "reset":
        await wait(random.below(2_000));
        return fail(Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }));
      case "gateway":
        await wait(fate.delayMs + random.below(2_000));
        if (!isOver()) give(handler, { status: 502, headers: {}, body: "<h1>Bad Gateway</h1>" });
        return;
      case "whole":
      case "late":
      case "cut": {
        await wait(fate.delayMs + random.below(USUAL_MS));
        const reply = replies[0];
        if (isOver() || reply === undefined) return;
        if (fate.answer !== "cut") return give(handler, reply);
        give(handler, { ...reply, body: reply.body.slice(0, random.below(reply.body.length)) }, true);
        return fail(Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }));
      }
    }
  }

  override close(): Promise<void>;
  override close(after: () => void): void;
  override close(after?: () => void): Promise<void> | void {
    return after === undefined ? Promise.resolve() : after();
  }

  override destroy(...given: readonly unknown[]): Promise<void> {
    const after = given.find((each) => typeof each === "function");
    if (typeof after === "function") Reflect.apply(after, undefined, []);
    return Promise.resolve();
  }
}

function give(
  handler: Dispatcher.DispatchHandler,
  { status, headers, body }: SimulatedReply,
  isCut = false,
): void {
  const raw = Object.entries(headers)
    .flat()
    .map((text) => Buffer.from(text));
  handler.onHeaders?.(status, raw, () => undefined, "");
  if (body !== "") handler.onData?.(Buffer.from(body));
  if (!isCut) handler.onComplete?.([]);
}

async function textOf(body: unknown): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  return "";
}

function contentIn(body: string): string {
  const { content, scheduled_at: at }: { content?: string; scheduled_at?: string } = JSON.parse(body);
  return `${JSON.stringify(content)} for ${at}`;
}
