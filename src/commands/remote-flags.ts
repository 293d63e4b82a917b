/** What commands that ask the service about its own records have in common. */
import type { Problem } from "../calendar/problem.ts";
import { Failure } from "../calendar/failure.ts";
import { formatOption } from "./command.ts";
import type { Console } from "./console.ts";

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
  const { problemDocument } = await import("../report/problem-document.ts");
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
