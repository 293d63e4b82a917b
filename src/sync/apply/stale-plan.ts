/** Why a plan that waits for its merge no longer shows what the merge would do. Pure. */

import type { Lockfile } from "../../model/lockfile.ts";
import { utcTime } from "../../model/canonical.ts";
import { stalePlanText } from "../../problems/plan-texts.ts";
import type { SavedPlan } from "./saved-plan.ts";

/**
 * Undefined if nothing shows that the plan is out of date.
 * @param lockfile of the branch that it would be merged into @param now Unix time, in ms
 */
export function whyStale({ changes }: SavedPlan, { posts }: Lockfile, now: number): string | undefined {
  const owned = new Set(Object.values(posts).map(({ post_id }) => post_id));
  const isPast = (post: unknown): boolean => {
    const at: unknown = typeof post === "object" && post !== null ? Reflect.get(post, "scheduled_at") : "";
    return typeof at === "string" && at !== "" && at <= utcTime(now);
  };
  const past = changes.filter(({ action, post }) => action !== "cancel" && isPast(post));
  const done = changes.filter(({ action, key }) => action === "create" && Object.hasOwn(posts, key));
  const gone = changes.filter(
    ({ action, post_id: id }) =>
      action !== "create" && action !== "adopt" && id !== undefined && !owned.has(id),
  );
  const counts = { past: past.length, done: done.length, gone: gone.length };
  return Object.values(counts).every((count) => count === 0) ? undefined : stalePlanText(counts);
}
