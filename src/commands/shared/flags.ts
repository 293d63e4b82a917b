/** --only: which rows a command is about. */

import { Failure } from "../../model/failure.ts";
import type { Problem } from "../../model/problem.ts";
import { type Only, FilterFault, parseConditions, parseFilters } from "../../model/row-filter.ts";
import { NO_NAMES, formatOption } from "./command.ts";
import type { Console } from "./console.ts";

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

/** --refresh-media: what addresses of media give is looked at anew. */

export interface RefreshFlag {
  readonly "refresh-media": boolean;
}

/** In yargs' form. */
export const REFRESH_OPTION = {
  type: "boolean",
  default: false,
  describe: "Look again at media given as addresses, also at those that are known",
} as const;

/** What commands that ask the service about its own records have in common. */

export const FORMAT_OPTION = formatOption("json");

export const YES_OPTION = {
  alias: ["y", "auto-approve"],
  type: "boolean",
  default: false,
  describe: "Do not ask",
} as const;

/** The document of a run that ended before it had a result. */
export async function printProblemsJson(
  problems: readonly Problem[],
  format: string | undefined,
  console: Console,
): Promise<void> {
  if (format !== "json") return;
  const { problemDocument } = await import("../../report/problems/problems-json.ts");
  console.json({ version: 1, problems: problems.map(problemDocument) });
}

/** The one name that an action needs. Throws a Failure for none or several. */
export function requireOneName(names: readonly string[], action: string, what: string): string {
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  throw new Failure(
    "usage/arguments",
    `plancast ${action} takes one ${what}${names.length === 0 ? "" : `, not ${names.length}`}.`,
    `Say which: plancast ${action} ID.`,
  );
}

/** Throws a Failure where names were given to an action that takes none. */
export function rejectNames(names: readonly string[], action: string): void {
  if (names.length > 0)
    throw new Failure("usage/arguments", `plancast ${action} takes no names.`, `Run plancast ${action}.`);
}

/** The value of a flag that an action cannot do without. Throws a Failure where it is not given, or blank. */
export function requireFlag(
  value: string | undefined,
  action: string,
  flag: string,
  example: string,
): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new Failure(
    "usage/arguments",
    `plancast ${action} needs --${flag}.`,
    `Say --${flag} ${example}, for example.`,
  );
}
