/** The key, and what it may do as far as that can be known without writing anything. */
import { EMBEDDED } from "../../calendar/config.ts";
import { Failure } from "../../calendar/failure.ts";
import { NEEDS_ADDRESS, ok, skipped, failing, type Check } from "../check.ts";
import type { ServiceFacts } from "../facts.ts";
import { ownAnswersIn } from "./answers.ts";

export const keyCheck: Check = ({ service }) => {
  if (service === undefined || typeof service.address !== "string") return skipped("key", NEEDS_ADDRESS);
  if (service.address === EMBEDDED) return ok("key", "The embedded service needs none.");
  const { closed } = service;
  if (closed !== undefined && ["service/no-key", "service/key"].includes(closed.code))
    return failing("key", closed.message, closed.hint);
  const refused = [service.posts, service.accounts].find(
    (each) => each instanceof Failure && ["service/unauthorized", "service/forbidden"].includes(each.code),
  );
  if (refused instanceof Failure) return failing("key", refused.message, refused.hint);
  if (!ownAnswersIn(service).some(({ result }) => result.status < 300))
    return skipped("key", "there is one; what it may do needs an answer of the service.");
  return ok("key", `The service accepts it for reading. ${scopeOf(service)}`);
};

/** The interface shows no way to ask for a key's scope; a header may tell it. */
function scopeOf({ heard }: ServiceFacts): string {
  for (const { result } of heard) {
    if (result.kind !== "answer") continue;
    const [, told] = Object.entries(result.headers).find(([name]) => /scope/.test(name)) ?? [];
    if (typeof told === "string" && told !== "") return `Its scope, as the service tells it: ${told}.`;
  }
  return "Whether it may write shows only in an apply: the service does not tell a key's scope.";
}
