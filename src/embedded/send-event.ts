/** One attempt to deliver an event. */
import type { EventEnvelope } from "../calendar/service-event.ts";

/** The status of the answer, or why there is none. */
export type AttemptResult = { readonly status: number } | { readonly error: string };

/** The embedded service is this machine's own: nothing that it does leaves it. */
export function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Sends the event, without following redirects. Rejects when `stop` aborts; then it is not known whether it arrived.
 * @param patienceMs how long an answer is waited for
 */
export async function sendEvent(
  url: string,
  event: EventEnvelope,
  patienceMs: number,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const attempt = new AbortController();
  // Signals that are made of others can be collected as garbage before they abort, so this one is held and waited for.
  const cut = new Promise<never>((_resolve, reject) => {
    attempt.signal.addEventListener("abort", () => reject(attempt.signal.reason), { once: true });
  });
  const timer = setTimeout(() => attempt.abort(new NoAnswerError()), patienceMs);
  const end = (): void => attempt.abort(stop.reason);
  stop.addEventListener("abort", end, { once: true });
  try {
    stop.throwIfAborted();
    return await Promise.race([postEvent(url, event, attempt.signal), cut]);
  } catch (error) {
    stop.throwIfAborted();
    return { error: error instanceof NoAnswerError ? `No answer within ${patienceMs} ms.` : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

/** Nobody answered in time. */
class NoAnswerError extends Error {}

async function postEvent(url: string, event: EventEnvelope, signal: AbortSignal): Promise<AttemptResult> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "plancast-embedded" },
    body: JSON.stringify(event),
    redirect: "manual",
    signal,
  });
  await answer.body?.cancel();
  return { status: answer.status };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return code === undefined ? "The connection failed." : `The connection failed: ${code}.`;
}
