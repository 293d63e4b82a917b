import { Failure } from "../calendar/failure.ts";
import { bodyOf } from "./decode-error.ts";
import { RUN_DOCTOR } from "./decode-list.ts";
import type { HttpAnswer } from "./http.ts";

/** Whether the service itself may have given an answer: it answers in JSON, or with nothing. A network's sign-in page does not. */
export function isJsonOrEmpty(answer: HttpAnswer): boolean {
  return answer.text.trim() === "" || bodyOf(answer) !== undefined;
}

/** An answer of the service itself. Throws a Failure for any other. */
export function requireJsonOrEmpty(answer: HttpAnswer, endpoint: string): HttpAnswer {
  if (isJsonOrEmpty(answer)) return answer;
  throw new Failure(
    "service/unreadable",
    `${endpoint} answered text that is not JSON, such as a sign-in page.`,
    RUN_DOCTOR,
  );
}
