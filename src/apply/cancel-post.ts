import { utcTime } from "../calendar/canonical.ts";
import type { Clock } from "../calendar/clock.ts";
import type { CancelResult, Service } from "../service/service.ts";
import type { OpenState } from "../state/project-state.ts";

/** Cancels one post between two journal lines. `key`: the row whose post it is; empty for nobody's. */
export async function cancelPost(
  key: string,
  postId: string,
  { service, state, clock }: { readonly service: Service; readonly state: OpenState; readonly clock: Clock },
): Promise<CancelResult> {
  await state.record({ event: "cancel-started", key, post_id: postId });
  const gone = await service.cancelPost(postId);
  // That a post is not found is written down only when a list lacks it too: the next run sees to that.
  if (gone.result === "done" && gone.value !== "already-gone")
    await state.record({ event: "cancelled", key, post_id: postId, at: utcTime(clock.now()) });
  return gone;
}
