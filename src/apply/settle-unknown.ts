/** At the end of a run one whole list decides what became of the creates in doubt. */
import type { Change } from "../calendar/change.ts";
import { Failure } from "../calendar/failure.ts";
import type { Outcome } from "../calendar/outcome.ts";
import { settle } from "../plan/settle.ts";
import { finishReplace, type StepResult, type StepTools } from "./steps.ts";

/** The changes in doubt that the list decides; those that stay in doubt are left out. */
export async function settleUnknown(
  changes: readonly Change[],
  outcomes: ReadonlyMap<Change, Outcome>,
  tools: StepTools,
): Promise<ReadonlyMap<Change, StepResult>> {
  const { state } = tools;
  const doubtful = changes.filter(
    (change) =>
      state.lockfile.unknown[change.key] !== undefined && outcomes.get(change)?.status === "unknown",
  );
  const settled = new Map<Change, StepResult>();
  if (doubtful.length === 0) return settled;
  const found = await foundIn(tools);
  for (const change of doubtful) {
    const postId = found?.posts[change.key]?.post_id;
    if (found?.unknown[change.key] !== undefined || postId === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop
    await state.record({ event: "created", key: change.key, post_id: postId });
    const { key, action } = change;
    // oxlint-disable-next-line no-await-in-loop
    settled.set(
      change,
      action === "replace"
        ? await finishReplace(change, postId, tools)
        : { key, action, status: "done", postId },
    );
  }
  return settled;
}

/** The lockfile with what the list shows to exist; undefined when no whole list is to be had, and doubt remains. */
async function foundIn({ service, state }: StepTools) {
  try {
    const { posts } = await service.listScheduled();
    return settle(state.lockfile, posts);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
