/**
 * Creates events, and delivers them to webhooks until they are accepted or given up. The store has a log of deliveries.
 * Source of the events and their envelope: the interface, section 6.
 */

import { Agent, fetch } from "undici";
import type { Random } from "../../model/random.ts";
import { withoutPauses } from "../../media/connections.ts";
import type { EventEnvelope } from "../../model/service-interface.ts";
import { outboxPath } from "./paths.ts";
import { type StoredDelivery, type StoredPost, type StoredRun, freeId } from "../store/records.ts";
import { DELIVERY_LANE, indexOf } from "../store/store-index.ts";
import type { Entry, Store } from "../store/store.ts";
import { compareText } from "../../model/text.ts";

/** Waits after each failed attempt, in ms. After the last one, the event is given up. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/**
 * If an event gets no answer, others for the same address are not tried at that time, because each would wait as long.
 */
const SKIPPED: AttemptResult = { error: "Not sent: the address did not answer the previous event." };

const NOT_LOCAL: AttemptResult = {
  error: "Not sent: the embedded service sends events only to this machine.",
};

export interface Deliveries {
  /** When the next attempt is due, in ms; Infinity if none is. */
  next(): Promise<number>;
  /**
   * Makes every attempt that is due, to each webhook one after the other, in the order of their events. Rejects after
   * closing.
   */
  attemptDue(): Promise<void>;
  /** Aborts what is under way. It is tried again when the store is opened next. */
  close(): Promise<void>;
}

interface DeliveryOptions {
  readonly store: Store;
  /** Unix time, in ms. */
  readonly now: () => number;
  /** Longest wait for an answer, in ms. */
  readonly timeoutMs: number;
}

export function openDeliveries(options: DeliveryOptions): Deliveries {
  const { store, now } = options;
  const stop = new AbortController();
  let last = Promise.resolve();
  /** A call that waits for its turn, and then makes all attempts that are due. */
  let queued: Promise<void> | undefined;
  const pass = async (): Promise<void> => {
    queued = undefined;
    stop.signal.throwIfAborted();
    const due = [...(await store.due("delivery", { lane: DELIVERY_LANE, at: now() }))].sort(inOrder);
    const webhooks = [...new Set(due.map((each) => each.webhook_id))];
    const byWebhook = webhooks.map((id) => due.filter((each) => each.webhook_id === id));
    await Promise.all(byWebhook.map((each) => attemptAll(each, options, stop.signal)));
  };
  return {
    next: () => store.nextDue("delivery", [DELIVERY_LANE]),
    attemptDue() {
      queued ??= last.then(pass);
      // The caller gets the error; the next attempts continue.
      last = queued.catch(() => undefined);
      return queued;
    },
    async close() {
      stop.abort();
      await last;
    },
  };
}

/** In the order of their events. */
function inOrder(one: StoredDelivery, other: StoredDelivery): number {
  return compareText(indexOf("delivery", one).place, indexOf("delivery", other).place);
}

async function attemptAll(
  deliveries: readonly StoredDelivery[],
  { store, now, timeoutMs }: DeliveryOptions,
  stop: AbortSignal,
): Promise<void> {
  let isSilent = false;
  for (const delivery of deliveries) {
    const { url, event } = delivery;
    const isLocal = isOnThisMachine(url);
    const send = (): Promise<AttemptResult> => sendEvent(url, event, timeoutMs, stop);
    if (store.isShared && !(await isClaimed(delivery, store, now(), timeoutMs))) continue;
    // One after the other, so that they arrive in order.
    const attempted: AttemptResult = !isLocal ? NOT_LOCAL : isSilent ? SKIPPED : await send();
    isSilent ||= "error" in attempted;
    await store.update("delivery", delivery.id, (newest) => ({
      record: afterAttempt(newest, attempted, now(), isLocal),
    }));
  }
}

/** Keeps other processes away from a delivery while this one tries it. False if another one was first. */
async function isClaimed(
  { id, next_attempt_at: seen }: StoredDelivery,
  store: Store,
  at: number,
  timeoutMs: number,
): Promise<boolean> {
  const until = new Date(at + 2 * timeoutMs).toISOString();
  const claimed = await store.update("delivery", id, (newest) =>
    newest.state === "waiting" && newest.next_attempt_at === seen
      ? { record: { ...newest, next_attempt_at: until } }
      : undefined,
  );
  return claimed !== undefined;
}

/** The delivery after an attempt at that time, in ms. */
function afterAttempt(
  { id, webhook_id, url, event, order, attempts: before }: StoredDelivery,
  attempted: AttemptResult,
  at: number,
  mayRetry: boolean,
): StoredDelivery {
  const wait = mayRetry ? RETRY_DELAYS_MS[before.length] : undefined;
  const attempts = [...before, { at: new Date(at).toISOString(), ...attempted }];
  const delivery = { id, webhook_id, url, event, order, attempts };
  if ("status" in attempted && attempted.status >= 200 && attempted.status < 300) {
    return { ...delivery, state: "delivered" };
  }
  if (wait === undefined) return { ...delivery, state: "given_up" };
  return { ...delivery, state: "waiting", next_attempt_at: new Date(at + wait).toISOString() };
}

/** One event for each platform. `origin` is the address of the service, which shows posts that are on no network. */
export function eventsOfPost(
  { id, published_at, results, accounts }: StoredPost,
  origin: string,
): EventEnvelope[] {
  if (published_at === undefined || results === undefined) return [];
  return results.map(({ platform, error, url }) => {
    const about = { post_id: id, platform };
    const shown = accounts === undefined ? `${origin}${outboxPath(id, platform)}` : url;
    return error === undefined
      ? {
          event: "post.published",
          timestamp: published_at,
          data: { ...about, ...(shown === undefined ? {} : { url: shown }) },
        }
      : {
          event: "post.failed",
          timestamp: published_at,
          data: { ...about, error: { code: "platform_error", message: error } },
        };
  });
}

export function eventsOfRun({
  id,
  automation_id,
  status,
  result,
  error,
  completed_at,
}: StoredRun): EventEnvelope[] {
  const data = { automation_id, run_id: id, status, ...(result && { result }), ...(error && { error }) };
  return [{ event: "automation.completed", timestamp: completed_at, data }];
}

/** A delivery of each event to each webhook that asks for it, due at that time, in ms. */
export async function deliveriesOf(
  events: readonly EventEnvelope[],
  { store, random }: { readonly store: Store; readonly random: Random },
  at: number,
): Promise<readonly Entry[]> {
  if (events.length === 0) return [];
  const next_attempt_at = new Date(at).toISOString();
  const entries: Entry[] = [];
  for (const [order, event] of events.entries()) {
    for (const { id: webhook_id, url, events: wanted } of await store.list("webhook")) {
      if (!wanted.includes(event.event)) continue;
      const id = await freeId(
        "delivery",
        random,
        async (each) => (await store.get("delivery", each)) !== undefined,
      );
      const about = { id, webhook_id, url, event, order, attempts: [], next_attempt_at };
      entries.push({ kind: "delivery", record: { ...about, state: "waiting" } });
    }
  }
  return entries;
}

/** The status of the answer, or why there is none. */
type AttemptResult = { readonly status: number } | { readonly error: string };

/** The embedded service sends nothing to other machines. */
function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Sends the event, without following redirects. Rejects when `stop` aborts: then it is unknown whether the event
 * arrived.
 * @param timeoutMs how long to wait for an answer
 */
async function sendEvent(
  url: string,
  event: EventEnvelope,
  timeoutMs: number,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const attempt = new AbortController();
  // Combined signals can be garbage-collected before they abort, so this one is referenced until then.
  const cut = new Promise<never>((_resolve, reject) => {
    attempt.signal.addEventListener("abort", () => reject(attempt.signal.reason), { once: true });
  });
  const timer = setTimeout(() => attempt.abort(new NoAnswerError()), timeoutMs);
  const end = (): void => attempt.abort(stop.reason);
  stop.addEventListener("abort", end, { once: true });
  try {
    stop.throwIfAborted();
    return await Promise.race([postEvent(url, event, attempt.signal), cut]);
  } catch (error) {
    stop.throwIfAborted();
    return { error: error instanceof NoAnswerError ? `No answer within ${timeoutMs} ms.` : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

/** There was no answer in time. */
class NoAnswerError extends Error {}

/** Receivers are usually on this machine, and Node's own `fetch` may be configured to use a proxy for everything. */
const direct = new Agent().compose(withoutPauses);

async function postEvent(url: string, event: EventEnvelope, signal: AbortSignal): Promise<AttemptResult> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "plancast-embedded" },
    body: JSON.stringify(event),
    redirect: "manual",
    signal,
    dispatcher: direct,
  });
  await answer.body?.cancel();
  return { status: answer.status };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return code === undefined ? "The connection failed." : `The connection failed: ${code}.`;
}
