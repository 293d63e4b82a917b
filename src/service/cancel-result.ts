/** What became of a cancel: the answer's word where it can be trusted, else what the post itself says. */
import { Failure } from "../calendar/failure.ts";
import type { CallResult } from "./call-result.ts";
import { bodyOf } from "./decode-error.ts";
import { isObject } from "./decode-list.ts";
import { decodePost } from "./decode-post.ts";
import type { HttpAnswer } from "./http.ts";
import { stateOf } from "./post-state.ts";
import { recordOf } from "./record.ts";
import { toWriteResult } from "./results.ts";
import type { CancelResult, PostState } from "./service.ts";

/**
 * A service that takes a cancel says so in JSON, or in nothing. Any other answer is not trusted: a refusal may come
 * because the post is gone, or published already; a page of a network's sign-in says nothing at all; and a success that
 * says in its body that it is none may be either. Then the post itself is asked for.
 * @param ask for the post as the service has it now; undefined where that cannot be read
 */
export async function cancelResult(
  result: CallResult,
  ask: () => Promise<PostState | undefined>,
): Promise<CancelResult> {
  const said = result.kind === "answer" ? outcomeIn(result.answer) : undefined;
  if (said !== undefined) return { result: "done", value: said };
  const told = unconfirmed(result);
  const isTelling =
    result.kind === "refused" && !["not_found", "validation_error"].includes(result.error.code);
  if ((result.kind !== "answer" && result.kind !== "refused") || isTelling) return told;
  const wasNotFound = result.kind === "refused" && result.error.code === "not_found";
  const state = await ask();
  switch (state?.state) {
    case "published":
      return { result: "done", value: "published" };
    case "gone":
      return { result: "done", value: result.kind === "answer" ? "cancelled" : "already-gone" };
    case "scheduled":
      return told;
    case "unclear":
    case undefined:
      // The next list tells.
      return wasNotFound ? { result: "unknown", message: NOT_FOUND_UNCONFIRMED } : told;
  }
}

const NOT_FOUND_UNCONFIRMED =
  "the service does not find the post to cancel, but does not tell that it is gone";

/** Undefined where the answer is not JSON, or says something else: a promise for later, a failure, the post as it stands. */
function outcomeIn(answer: HttpAnswer): "cancelled" | "published" | undefined {
  if (answer.status === ACCEPTED) return undefined;
  if (answer.text.trim() === "") return "cancelled";
  const body = bodyOf(answer);
  if (body === undefined || (isObject(body) && saysFailure(body))) return undefined;
  const state = stateInAnswer(answer);
  if (state === "scheduled") return undefined;
  return state === "published" ? "published" : "cancelled";
}

/** For what is still to be done. */
const ACCEPTED = 202;
const OUTCOME_KEYS = ["success", "ok", "deleted", "cancelled", "canceled"];

function saysFailure(body: Readonly<Record<string, unknown>>): boolean {
  const { error } = body;
  return (
    (error !== undefined && error !== null && error !== false) ||
    OUTCOME_KEYS.some((key) => body[key] === false)
  );
}

/** What the answer's record says of the post; undefined where it holds none. */
function stateInAnswer(answer: HttpAnswer): PostState["state"] | undefined {
  try {
    const endpoint = "DELETE /v1/posts";
    return stateOf(decodePost(recordOf(answer, endpoint), endpoint)).state;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function unconfirmed(result: CallResult): CancelResult {
  return toWriteResult<never>(result, () => {
    throw new Failure("service/unreadable", "its answer does not say that the post is cancelled");
  });
}
