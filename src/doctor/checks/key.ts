/** The key, and what it may do as far as that shows without writing anything. */

import { Failure } from "../../model/failure.ts";
import { EMBEDDED } from "../../settings/config.ts";
import { ownAnswersIn } from "../answers.ts";
import { type Check, NEEDS_ADDRESS, failing, ok, skipped } from "../check.ts";
import type { ServiceFacts } from "../facts.ts";

export const keyCheck: Check = {
  name: "key",
  looksAt:
    "Whether the service accepts the key for reading. Whether it may write cannot be seen without writing.",
  run: ({ service }) => {
    if (service === undefined || typeof service.address !== "string") return skipped(NEEDS_ADDRESS);
    if (service.address === EMBEDDED) return ok("The embedded service needs none.");
    const { closed } = service;
    if (closed !== undefined && ["service/no-key", "service/key"].includes(closed.code))
      return failing(closed.message, closed.hint);
    const refused = [service.posts, service.accounts].find(
      (each) => each instanceof Failure && ["service/unauthorized", "service/forbidden"].includes(each.code),
    );
    if (refused instanceof Failure) return failing(refused.message, refused.hint);
    if (!ownAnswersIn(service).some(({ result }) => result.status < 300))
      return skipped("there is one; what it may do needs an answer of the service.");
    return ok(`The service accepts it for reading. ${scopeOf(service)}`);
  },
};

/** The interface shows no way to ask for a key's scope; a header may tell it. */
function scopeOf({ exchanges }: ServiceFacts): string {
  for (const { result } of exchanges) {
    if (result.kind !== "answer") continue;
    const [, told] = Object.entries(result.headers).find(([name]) => /scope/.test(name)) ?? [];
    if (typeof told === "string" && told !== "") return `Its scope, as the service tells it: ${told}.`;
  }
  return "Whether it may write shows only in an apply: the service does not tell a key's scope.";
}
