/** Converts the end of a call to a result or a Failure. Also the Failures for lists that cannot be proved whole. */

import { Failure } from "../../model/failure.ts";
import type { ErrorCode } from "../../model/service-interface.ts";
import type { Code } from "../../problems/catalogue.ts";
import { type ServiceError, bodyOf } from "../http/refusal.ts";
import type { HttpAnswer } from "../http/request.ts";
import type { CallResult } from "../http/transport.ts";
import type { Listed, WriteResult } from "../records.ts";
import { RUN_DOCTOR } from "./record.ts";

type Unanswered = Exclude<CallResult, { kind: "answer" }>;

/** Reading failed: nothing can be planned. */
export function readFailure(endpoint: string, result: Unanswered): Failure {
  switch (result.kind) {
    case "refused":
      return refusal(endpoint, result.error, result.answer !== undefined);
    case "late":
      throw new Error(`${endpoint} has no due time, so it cannot be late.`);
    case "unsent":
    case "unknown":
      if (result.kind === "unsent" && result.failure !== undefined) return result.failure;
      return new Failure(
        "service/unreachable",
        `${endpoint}: ${result.why}. Nothing was changed.`,
        "Check service.url, the network, and that the service is up. Then run again.",
      );
  }
}

const FAILURES: Readonly<Record<ErrorCode, { code: Code; hint: string }>> = {
  unauthorized: {
    code: "service/unauthorized",
    hint: "The service does not accept the key. Put a valid one into PLANCAST_API_KEY, or into the variable that service.key_env names.",
  },
  forbidden: {
    code: "service/forbidden",
    hint: "The key has no permission for this. Make one with the right scope (plan: read, apply: write).",
  },
  not_found: {
    code: "service/refused",
    hint: "Check that service.url is the address of the publishing service.",
  },
  validation_error: {
    code: "service/refused",
    hint: "The service did not accept the request. Check the values in its answer.",
  },
  rate_limit_exceeded: {
    code: "service/rate-limited",
    hint: "Wait until the limit allows more, then run again.",
  },
  platform_error: { code: "service/refused", hint: "A connected platform has a fault. Run again later." },
};

/** @param isAnswered whether the service said it to this request; otherwise, the request was not sent */
function refusal(endpoint: string, error: ServiceError, isAnswered: boolean): Failure {
  const known = isErrorCode(error.code) ? FAILURES[error.code] : undefined;
  const message = isAnswered
    ? `${endpoint} was refused (${error.code}). The service says: "${error.message}"`
    : `${endpoint} was not sent. ${error.message}`;
  return new Failure(
    known?.code ?? "service/refused",
    message,
    known?.hint ?? "Check service.url, then run again.",
  );
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(FAILURES, code);
}

/** The result of a write. If the service accepted a write but its answer cannot be read, the outcome is unknown. */
export function toWriteResult<T>(result: CallResult, decode: (answer: HttpAnswer) => T): WriteResult<T> {
  switch (result.kind) {
    case "answer":
      return decoded(result.answer, decode);
    case "refused": {
      const { code, message } = result.error;
      // The limit will stay closed for longer than the run waits.
      const fatal = code === "unauthorized" || code === "rate_limit_exceeded";
      return { result: "refused", code, message, fatal };
    }
    case "late": {
      const message = "its time passed while it waited for the rate limit";
      return { result: "refused", code: "schedule/past", message, fatal: false };
    }
    case "unsent":
      if (result.stopped) return { result: "not_started" };
      return { result: "refused", code: "service/unreachable", message: result.why, fatal: true };
    case "unknown":
      return { result: "unknown", message: result.why };
  }
}

function decoded<T>(answer: HttpAnswer, decode: (answer: HttpAnswer) => T): WriteResult<T> {
  try {
    return { result: "done", value: decode(answer) };
  } catch (error) {
    if (error instanceof Failure) return { result: "unknown", message: error.message };
    throw error;
  }
}

/**
 * Whether the answer may come from the service itself: its answers are JSON or empty. A network's sign-in page is
 * neither.
 */
export function isJsonOrEmpty(answer: HttpAnswer): boolean {
  return answer.text.trim() === "" || bodyOf(answer) !== undefined;
}

/** An answer from the service itself. Throws a Failure for any other. */
export function requireJsonOrEmpty(answer: HttpAnswer, endpoint: string): HttpAnswer {
  if (isJsonOrEmpty(answer)) return answer;
  throw new Failure(
    "service/unreadable",
    `${endpoint} returned text that is not JSON, such as a sign-in page.`,
    RUN_DOCTOR,
  );
}

/** For optional lists: an unreadable answer counts as no list. Other failures end the run. */
export async function ifReadable<T>(list: Promise<Listed<T>>): Promise<Listed<T> | undefined> {
  try {
    return await list;
  } catch (error) {
    const isOnlyUnreadable =
      error instanceof Failure &&
      ["service/unreadable", "service/list-not-whole", "service/refused", "service/forbidden"].includes(
        error.code,
      );
    if (isOnlyUnreadable) return undefined;
    throw error;
  }
}

const RUN_AGAIN = "Run again in a moment. If it still fails, check the scheduled posts on the service.";
/** For lists without a visible end. */
export const SET_LIST_LIMIT =
  "If you know the largest page that the service gives, set service.list_limit to it in plancast.yaml.";

/** For lists that mention more pages in a way that plancast cannot follow. */
export const RUN_DOCTOR_FOR_PAGES =
  "`plancast doctor` shows what the answers say about the next page, and the lines to fill in under service.shape.";
/** For answers in which unknown words may announce more pages. */
export const RUN_DOCTOR_OR_SET_LIMIT = `${RUN_DOCTOR_FOR_PAGES} If these are all posts, set service.list_limit in plancast.yaml to the largest page that the service gives.`;
/** For lists of posts without statuses. */
export const MAP_STATUS_AND_PAGES = `${SET_LIST_LIMIT} If the answers use other names for the status or the next page, set them under service.shape; plancast doctor helps.`;

/**
 * Ends the run, because creating or cancelling needs the whole list.
 * @param list its name for people, such as its endpoint
 * @param why what follows "it"
 */
export function incompleteList(list: string, why: string, hint = RUN_AGAIN): Failure {
  return new IncompleteList(list, why, hint);
}

class IncompleteList extends Failure {
  constructor(list: string, why: string, hint: string) {
    const message = `The list of ${list} may be incomplete: ${why}. Nothing was changed.`;
    super("service/list-not-whole", message, hint);
  }
}

/** A list that mentions more pages in a way that plancast cannot follow. */
export class UnfollowablePages extends IncompleteList {}
