/** A post of somebody else in the project's account. */
import type { Lockfile } from "../../../src/model/lockfile.ts";
import { fingerprint } from "../../../src/sync/plan/compare.ts";
import { CALENDAR } from "./action-world.ts";

export const FOREIGN = {
  content: "A post of others.",
  platforms: ["linkedin"],
  scheduled_at: "2036-05-01T08:00:00Z",
};

/** The entry that it would have in the lockfile if it were the project's. */
export function foreignEntry(post_id: string): Lockfile["posts"][string] {
  const { content, platforms, scheduled_at: scheduledAt } = FOREIGN;
  return {
    post_id,
    fingerprint: fingerprint({ content, platforms, scheduledAt, mediaIds: [] }),
    scheduled_at: scheduledAt,
    file: CALENDAR,
  };
}
