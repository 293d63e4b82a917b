import type { Code } from "../calendar/codes.ts";

/** What is wrong with a media part: data for a problem, whose place the row knows. */
export interface MediaFault {
  readonly code: Code;
  readonly message: string;
  /** The address gives no file any more, also not later. */
  readonly isGone?: boolean;
}
