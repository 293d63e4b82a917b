/**
 * Reasons that say no more than the action itself. Text for people leaves them out, so that the reasons which do say
 * more (drift, a replacement that was cut short) are noticed; JSON gives every reason.
 */
export const OBVIOUS_REASONS: ReadonlySet<string> = new Set([
  "The row is new.",
  "The row has changed.",
  "The row is gone.",
]);
