/** The codes with which the service refuses, by its interface, section 7. */
export const ERROR_CODES = [
  "unauthorized",
  "forbidden",
  "not_found",
  "validation_error",
  "rate_limit_exceeded",
  "platform_error",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
