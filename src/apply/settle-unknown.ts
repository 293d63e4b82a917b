/** At the end of a run one whole list decides what became of the creates in doubt. */
import type { Change } from "../calendar/change.ts";
import { getOwn } from "../calendar/entry.ts";
import { Failure } from "../calendar/failure.ts";
import type { Outcome } from "../calendar/outcome.ts";
import { reconcilePendingCreates } from "../plan/settle.ts";
import { finishReplace, type StepResult, type StepTools } from "./steps.ts";

/** Tells of each change in doubt that the list decides; the others stay in doubt. Throws a Failure when the disk fails. */
export async function confirmPendingCreates(
  changes: readonly Change[],
  outcomes: ReadonlyMap<Change, Outcome>,
  tools: StepTools,
  onSettled: (change: Change, result: StepResult) => void,
): Promise<void> {
  const { state } = tools;
  const open = changes.filter(
    (change) =>
      Object.hasOwn(state.lockfile.unknown, change.key) && outcomes.get(change)?.status === "unknown",
  );
  if (open.length === 0) return;
  const found = await reconcileWithList(tools);
  for (const change of open) {
    if (found === undefined || Object.hasOwn(found.unknown, change.key)) continue;
    const postId = getOwn(found.posts, change.key)?.post_id;
    if (postId === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop
    await state.record({ event: "created", key: change.key, post_id: postId });
    const { key, action } = change;
    const done: StepResult = { key, action, status: "done", postId };
    // oxlint-disable-next-line no-await-in-loop
    onSettled(change, action === "replace" ? await finishReplace(change, postId, tools) : done);
  }
}

/** The lockfile with what the list shows to exist; undefined when no whole list is to be had, and doubt remains. */
async function reconcileWithList({ service, state }: StepTools) {
  try {
    const { posts } = await service.listScheduled();
    return reconcilePendingCreates(state.lockfile, posts);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
