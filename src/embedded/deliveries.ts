/** Delivers events to webhooks, again and again until they are taken or given up. The store keeps a log of it. */
import type { StoredDelivery } from "./records.ts";
import { isOnThisMachine, sendEvent, type AttemptResult } from "./send-event.ts";
import type { Store } from "./store.ts";

/** How long after each attempt that failed the next one is due, ms. After the last, the event is given up. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/** After an event that got no answer, the others for that address are not tried at that time: each would wait as long. */
const SKIPPED: AttemptResult = { error: "Not sent: the address did not answer the event before." };

const NOT_LOCAL: AttemptResult = { error: "Not sent: the embedded service sends nothing to other machines." };

export interface Deliveries {
  /** When the next attempt is due, ms; Infinity when none is. */
  next(): number;
  /** Makes every attempt that is due: to each webhook one after the other, in the order of their events. Rejects once closed. */
  attemptDue(): Promise<void>;
  /** Ends what is under way. It is attempted again when the store is opened next. */
  close(): Promise<void>;
}

export interface DeliveryOptions {
  readonly store: Store;
  /** Unix time, ms. */
  readonly now: () => number;
  /** How long an answer is waited for, ms. */
  readonly patienceMs: number;
}

export function openDeliveries(options: DeliveryOptions): Deliveries {
  const { store, now } = options;
  const stop = new AbortController();
  let last = Promise.resolve();
  /** Waits for its turn, and will do all that is due by then. */
  let queued: Promise<void> | undefined;
  const pass = async (): Promise<void> => {
    queued = undefined;
    stop.signal.throwIfAborted();
    const due = store.waitingDeliveries().filter((each) => nextAttemptTime(each) <= now());
    const webhooks = [...new Set(due.map((each) => each.webhook_id))];
    const byWebhook = webhooks.map((id) => due.filter((each) => each.webhook_id === id));
    await Promise.all(byWebhook.map((each) => attemptAll(each, options, stop.signal)));
  };
  return {
    next: () =>
      store.waitingDeliveries().reduce((least, each) => Math.min(least, nextAttemptTime(each)), Infinity),
    attemptDue() {
      queued ??= last.then(pass);
      // What fails is told to who waits for it; the next attempts go on.
      last = queued.catch(() => undefined);
      return queued;
    },
    async close() {
      stop.abort();
      await last;
    },
  };
}

async function attemptAll(
  deliveries: readonly StoredDelivery[],
  { store, now, patienceMs }: DeliveryOptions,
  stop: AbortSignal,
): Promise<void> {
  let isSilent = false;
  for (const delivery of deliveries) {
    const { url, event } = delivery;
    const isLocal = isOnThisMachine(url);
    const send = (): Promise<AttemptResult> => sendEvent(url, event, patienceMs, stop);
    // One after the other, so that they arrive in their order.
    // oxlint-disable-next-line no-await-in-loop
    const attempted: AttemptResult = !isLocal ? NOT_LOCAL : isSilent ? SKIPPED : await send();
    isSilent ||= "error" in attempted;
    // oxlint-disable-next-line no-await-in-loop
    await store.append({ delivery: afterAttempt(delivery, attempted, now(), isLocal) });
  }
}

/** The delivery after an attempt at that time, ms. */
function afterAttempt(
  { id, webhook_id, url, event, attempts: before }: StoredDelivery,
  attempted: AttemptResult,
  at: number,
  mayRetry: boolean,
): StoredDelivery {
  const wait = mayRetry ? RETRY_DELAYS_MS[before.length] : undefined;
  const attempts = [...before, { at: new Date(at).toISOString(), ...attempted }];
  const delivery = { id, webhook_id, url, event, attempts };
  if ("status" in attempted && attempted.status >= 200 && attempted.status < 300) {
    return { ...delivery, state: "delivered" };
  }
  if (wait === undefined) return { ...delivery, state: "given_up" };
  return { ...delivery, state: "waiting", next_attempt_at: new Date(at + wait).toISOString() };
}

function nextAttemptTime({ next_attempt_at }: StoredDelivery): number {
  return next_attempt_at === undefined ? Infinity : Date.parse(next_attempt_at);
}
