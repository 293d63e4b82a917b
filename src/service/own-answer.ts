import { bodyOf } from "./decode-error.ts";
import type { HttpAnswer } from "./http.ts";
import { unreadable } from "./record.ts";

/** Whether the service itself may have given an answer: it answers in JSON, or with nothing. A network's sign-in page does not. */
export function isOwnAnswer(answer: HttpAnswer): boolean {
  return answer.text.trim() === "" || bodyOf(answer) !== undefined;
}

/** An answer of the service itself. Throws a Failure for any other. */
export function ownAnswer(answer: HttpAnswer, endpoint: string): HttpAnswer {
  if (isOwnAnswer(answer)) return answer;
  throw unreadable(endpoint, {}, "an object");
}
