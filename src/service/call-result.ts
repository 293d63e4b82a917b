import { Failure } from "../calendar/failure.ts";
import type { ServiceError } from "./decode-error.ts";
import type { HttpAnswer } from "./http.ts";

/** How a call ended. `unsent`: it never arrived; with `stopped` because the run is ending. `late`: its time had passed. */
export type CallResult =
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  | { readonly kind: "late" }
  | { readonly kind: "refused"; readonly error: ServiceError }
  | {
      readonly kind: "unsent";
      readonly why: string;
      readonly stopped: boolean;
      /** Why the run was stopped, where that is not the user's wish. */
      readonly failure?: Failure;
    }
  | { readonly kind: "unknown"; readonly why: string };

/** The result of a call that was not sent because the run is ending. */
export function stoppedCall(stop: AbortSignal): CallResult {
  const reason: unknown = stop.reason;
  const stopped = { kind: "unsent", why: "the run was stopped", stopped: true } as const;
  return reason instanceof Failure ? { ...stopped, failure: reason } : stopped;
}
