/** One attempt to deliver an event. */
import type { EventEnvelope } from "../calendar/service-event.ts";

/** The status of the answer, or why there is none. */
export type Attempted = { readonly status: number } | { readonly error: string };

/** The embedded service is this machine's own: nothing that it does leaves it. */
export function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
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
): Promise<Attempted> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "plancast-embedded" },
      body: JSON.stringify(event),
      redirect: "manual",
      signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]),
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    stop.throwIfAborted();
    return { error: reasonOf(error, patienceMs) };
  }
}

function reasonOf(error: unknown, patienceMs: number): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `No answer within ${patienceMs} ms.`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return code === undefined ? "The connection failed." : `The connection failed: ${code}.`;
}
