/** --only: which rows a command is about. */
import { Failure } from "../calendar/failure.ts";
import { parseConditions, FilterFault, parseFilters, type Only } from "../calendar/row-filter.ts";
import { NO_NAMES } from "./command.ts";

export interface OnlyFlag {
  readonly only: string[];
}

/** In yargs' form. One value each time, so that a calendar may follow. */
export const ONLY_OPTION = {
  type: "string",
  array: true,
  nargs: 1,
  default: NO_NAMES,
  describe: "Rows alone of which this holds: NAME=VALUE, platform=linkedin, date=2027-03-01..2027-03-31",
} as const;

/** What the flags say; undefined without any. Throws a Failure for what is no filter. */
export function parseOnly(texts: readonly string[]): Only | undefined {
  if (texts.length === 0) return undefined;
  try {
    const only = parseFilters(texts);
    parseConditions(only);
    return only;
  } catch (error) {
    if (error instanceof FilterFault) throw new Failure("usage/arguments", error.message);
    throw error;
  }
}
