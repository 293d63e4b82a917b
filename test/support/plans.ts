/** Plans made of rows, a lockfile and the service's posts, as the commands make them. */

import type { Plan } from "../../src/model/plan.ts";
import { diff } from "../../src/sync/plan/diff.ts";
import type { DiffInput } from "../../src/sync/plan/input.ts";
import { type PlanInput, makePlan } from "../../src/sync/plan/make-plan.ts";
import { config, diffInput } from "./rows.ts";

/** A rate limit at which no post has to wait. */
const FAST = [{ free: 1_000, opensInMs: 0, perWindow: 1_000, windowMs: 60_000 }];

export function planOf(given: Partial<DiffInput> = {}, more: Partial<PlanInput> = {}): Plan {
  const input = diffInput(given);
  return makePlan({
    input,
    diff: diff(input),
    missingMedia: new Set(),
    drafts: 0,
    skipped: 0,
    timezone: "UTC",
    safety: config().safety,
    allowCancels: undefined,
    pace: FAST,
    costs: { changesPerRequest: undefined, hasUploads: true },
    problems: [],
    ...more,
  });
}
