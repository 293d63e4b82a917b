/** Refusals of the embedded service, in the one shape that the interface gives errors (section 7). */

import type { ErrorCode } from "../../model/service-interface.ts";

/** The interface names no HTTP statuses; these are the usual ones. */
export const ERROR_STATUS = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  validation_error: 422,
  rate_limit_exceeded: 429,
  platform_error: 502,
} as const satisfies Record<ErrorCode, number>;

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode] | 400 | 405 | 413 | 431 | 500;

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** Whole seconds until the next attempt may succeed. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, more: { status?: ErrorStatus; retryAfter?: number } = {}) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.status = more.status ?? ERROR_STATUS[code];
    this.retryAfter = more.retryAfter;
  }

  /** The JSON body of the answer. */
  body(): { error: { code: ErrorCode; message: string; retry_after?: number } } {
    const { code, message, retryAfter } = this;
    return { error: { code, message, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) } };
  }
}

/** What the caller is told of any error: a refusal as it is; of a fault nothing that is inside. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(
    "platform_error",
    "The embedded service failed. Look whether its disk is full or its folder was removed, then try again.",
    { status: 500 },
  );
}
