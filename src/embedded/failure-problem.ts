import { AUTOMATIONS } from "./automations.ts";
import { PLATFORM_ACCOUNTS } from "./platform-accounts.ts";

/** What can be made to fail, with the names that it may have. */
const FAILURE_TARGETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["platform", PLATFORM_ACCOUNTS.map((account) => account.platform)],
  ["automation", AUTOMATIONS.map((automation) => automation.id)],
]);

/** Why this cannot be made to fail, for the end of a sentence; undefined when it can. */
export function invalidFailureReason(text: string): string | undefined {
  const [, kind = "", name = ""] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const names = FAILURE_TARGETS.get(kind);
  if (names === undefined) return "must be platform=NAME or automation=ID";
  if (names.includes(name)) return undefined;
  return `must name one of ${names.join(", ")}`;
}
