/**
 * Makes one change on the service: uploads its media, then sends it. The journal gets a line after each request, and also
 * before a request that must not be repeated.
 */

import { utcMs, utcTime } from "../../model/canonical.ts";
import type { Clock } from "../../model/clock.ts";
import { filledExtras } from "../../model/extras.ts";
import { type PendingCreate, getOwn, keptExtras } from "../../model/lockfile.ts";
import type { Change, Outcome, OutcomeReason, StepResult } from "../../model/plan.ts";
import { type RemotePost, type UtcTime, isSamePart, sentMedia, withMediaIds } from "../../model/post.ts";
import type { Code } from "../../problems/catalogue.ts";
import type { CancelResult, PostDraft, Service } from "../../service/service.ts";
import { fingerprint, notUpdatedParts, storedDifferences } from "../plan/compare.ts";
import type { OpenState } from "../state/project-state.ts";
import { type Uploads, fromService, refusedStep } from "./upload-media.ts";

export interface StepTools {
  readonly service: Service;
  readonly state: OpenState;
  readonly uploads: Uploads;
  readonly clock: Clock;
}

/** How a change ended. After a `fatal` end, no further request can succeed. */
export type ChangeResult = Outcome & { readonly fatal?: boolean };

/** Makes one change. Throws a Failure only if the disk fails. */
export async function runChange(change: Change, tools: StepTools): Promise<ChangeResult> {
  switch (change.action) {
    case "adopt":
      return { key: change.key, action: "adopt", status: "done", postId: change.remote.id };
    case "create":
      return outcomeOf(change, await create(change, tools));
    case "cancel":
      return cancelOutcome(change, await cancelPost(change.key, change.remote.id, tools, change.hold));
    case "replace":
      return replace(change, tools);
  }
}

type Replace = Extract<Change, { action: "replace" }>;

async function replace(change: Replace, tools: StepTools): Promise<ChangeResult> {
  const updatePost = tools.service.updatePost?.bind(tools.service);
  const { remote, desired } = change;
  const isKept = isSamePart("platforms", remote, desired) || tools.service.updatesKeepNetworks !== true;
  if (updatePost !== undefined && isKept) return outcomeOf(change, await update(change, tools, updatePost));
  const due = change.remote.scheduledAt ?? getOwn(tools.state.lockfile.posts, change.key)?.scheduled_at;
  if (replaceOrder(due, tools.clock.now()) === "create-first") {
    const made = await create(change, tools);
    return made.result === "done" ? finishReplace(change, made.value, tools) : outcomeOf(change, made);
  }
  // Uploads first, to keep the time without any post on the service short.
  const media = await tools.uploads.idsOf(sentMedia(change.desired));
  if (media.result !== "done") return outcomeOf(change, media);
  const { gone, isOthers } = await cancelOld(change, tools);
  if (gone.result !== "done") return outcomeOf(change, fromService(gone));
  const wasDue = due !== undefined && due <= utcTime(tools.clock.now());
  if (gone.value === "published" || (gone.value === "already-gone" && wasDue)) {
    return failed(change, { kind: "published-before-replace" });
  }
  if (isOthers) {
    await tools.state.record({ event: "old-gone", key: change.key, post_id: change.remote.id });
    return failed(change, { kind: "old-gone", oldId: change.remote.id }, "apply/half-replaced");
  }
  return afterCancel(change, await create(change, tools, true));
}

/** The result for the new post if the old one was cancelled first: in this case, the row has no other post. */
function afterCancel(change: Replace, made: StepResult<string>): ChangeResult {
  const notScheduled = (why: OutcomeReason | undefined): OutcomeReason => ({
    kind: "new-not-scheduled",
    oldId: change.remote.id,
    why,
  });
  switch (made.result) {
    case "done":
    case "unknown":
      return outcomeOf(change, made);
    case "refused":
      return { ...failed(change, notScheduled(made.reason), made.code), fatal: made.fatal };
    case "not_started":
      return failed(change, notScheduled(undefined), "apply/half-replaced");
  }
}

/** The second half of a replacement, after the new post was created. */
export async function finishReplace(
  change: Replace,
  postId: string,
  tools: StepTools,
): Promise<ChangeResult> {
  const { key, action } = change;
  const ids = { oldId: change.remote.id, newId: postId };
  const old = await cancelOld(change, tools);
  if (old.isOthers) return withdraw(change, postId, tools);
  const gone = fromService(old.gone);
  switch (gone.result) {
    case "done":
      if (gone.value !== "published") return { key, action, status: "done", postId };
      return failed(change, { kind: "both-published", ...ids });
    case "refused": {
      const { code, reason: why, fatal } = gone;
      return { ...failed(change, { kind: "old-not-cancelled", ...ids, why }, code), fatal };
    }
    case "unknown":
    case "not_started": {
      const why = gone.result === "unknown" ? gone.reason : undefined;
      return { key, action, status: "unknown", reason: { kind: "old-not-cancelled", ...ids, why } };
    }
  }
}

/**
 * Sends a whole post again that only a list showed, without the texts after it. If that fails, the next plan replaces the
 * post.
 */
export async function completePost(change: Change, postId: string, tools: StepTools): Promise<void> {
  const updatePost = tools.service.updatePost?.bind(tools.service);
  if (updatePost === undefined || (change.action !== "create" && change.action !== "replace")) return;
  const { key, desired, conflictingIds } = change;
  const again = { key, desired, conflictingIds, action: "replace", fields: [], reason: "adopted" } as const;
  await update({ ...again, remote: { id: postId } }, tools, updatePost);
}

interface OldGone {
  readonly gone: CancelResult;
  /** Whether somebody else cancelled the post: this machine did not ask for it before. */
  readonly isOthers: boolean;
}

async function cancelOld({ key, remote: { id } }: Replace, tools: StepTools): Promise<OldGone> {
  const mayBeOurs = tools.state.mayHaveCancelled(id);
  const gone = await cancelPost(key, id, tools);
  return { gone, isOthers: gone.result === "done" && gone.value === "already-gone" && !mayBeOurs };
}

/**
 * Cancels the new post of a replacement again, because somebody else cancelled the old one: perhaps they replaced it, and
 * a second new version would be published, too. A person decides about the missing post, as always.
 */
async function withdraw(change: Replace, newId: string, tools: StepTools): Promise<ChangeResult> {
  const { key, remote } = change;
  const oldId = remote.id;
  await tools.state.record({ event: "old-gone", key, post_id: oldId });
  const gone = await cancelPost(key, newId, tools);
  if (gone.result !== "done")
    return failed(change, { kind: "old-gone", oldId, newId }, "apply/half-replaced");
  return gone.value === "published"
    ? failed(change, { kind: "both-published", oldId, newId })
    : failed(change, { kind: "old-gone", oldId }, "apply/half-replaced");
}

type CreatingChange = Extract<Change, { action: "create" | "replace" }>;

/** @param isUrgent whether the row's old post is already cancelled */
async function create(
  change: CreatingChange,
  tools: StepTools,
  isUrgent = false,
): Promise<StepResult<string>> {
  const first = await createOnce(change, tools, isUrgent);
  const mayLackMedia = first.result === "refused" && ["validation_error", "not_found"].includes(first.code);
  // A refusal may mean that the service lost a file that the lockfile has an id for.
  if (mayLackMedia && (await tools.uploads.forgetMissing(sentMedia(change.desired))))
    return createOnce(change, tools, isUrgent);
  return first;
}

/** A post as it is sent, and what the journal stores of it. */
interface Prepared {
  readonly draft: PostDraft;
  readonly pending: Omit<PendingCreate, "attempted_at">;
}

/** Uploads the media first. */
async function prepare(
  change: CreatingChange,
  { uploads, state }: StepTools,
  isUrgent = false,
): Promise<StepResult<Prepared>> {
  const { key, desired: post, conflictingIds } = change;
  const media = await uploads.idsOf(sentMedia(post));
  if (media.result === "unknown")
    return refusedStep("service/unreachable", { kind: "upload-unknown", why: media.reason });
  if (media.result !== "done") return media;
  const { content, platforms, scheduledAt } = post;
  const { mediaIds, ...known } = withMediaIds(post, media.value);
  const extras = filledExtras(known);
  const draft = { content, platforms, scheduledAt, mediaIds, ...extras, isUrgent };
  const forgets =
    change.action === "create" ? (change.forgets ?? getOwn(state.lockfile.posts, key)?.post_id) : undefined;
  const pending = {
    fingerprint: fingerprint(draft),
    scheduled_at: scheduledAt,
    content,
    platforms: [...platforms],
    media_ids: [...mediaIds],
    ...keptExtras(extras),
    file: post.source.file,
    ...(post.slot === undefined ? {} : { slot: [...platforms] }),
    ...(post.series?.digest === undefined ? {} : { series: post.series.digest }),
    ...(post.series?.text === undefined ? {} : { pool_text: post.series.text }),
    ...(conflictingIds.length > 0 ? { besides: [...conflictingIds] } : {}),
    ...(forgets === undefined ? {} : { forgets }),
  };
  return { result: "done", value: { draft, pending } };
}

async function createOnce(
  change: CreatingChange,
  tools: StepTools,
  isUrgent: boolean,
): Promise<StepResult<string>> {
  const { key } = change;
  const { service, state, clock } = tools;
  const prepared = await prepare(change, tools, isUrgent);
  if (prepared.result !== "done") return prepared;
  const { draft, pending } = prepared.value;
  let isSent = false;
  const attemptedNow = (): Promise<void> => {
    const attempted_at = utcTime(clock.now());
    return state.record({ event: "create-started", key, attempt: { ...pending, attempted_at } });
  };
  const made = fromService(
    await service.createPost(draft, async () => {
      await attemptedNow();
      isSent = true;
    }),
  );
  if (made.result === "done") return created(key, made.value, draft, state);
  // The service may have handled the request at any time until now, so the waiting time starts here.
  if (made.result === "unknown") await attemptedNow();
  else if (isSent) await state.record({ event: "create-refused", key });
  return made;
}

/**
 * Updates a post that keeps its id. The journal gets no line before it is done. Until then, the lockfile has the old
 * fingerprint. So the next run sends the same update again, which has no further effect.
 */
async function update(
  change: Replace,
  tools: StepTools,
  updatePost: NonNullable<Service["updatePost"]>,
): Promise<StepResult<string>> {
  const prepared = await prepare(change, tools);
  if (prepared.result !== "done") return prepared;
  const { draft, pending } = prepared.value;
  const made = fromService(await updatePost(change.remote.id, draft));
  if (made.result !== "done") return made;
  const { key, remote } = change;
  const stored = getOwn(tools.state.lockfile.posts, key)?.stored;
  const parts = notUpdatedParts(draft, made.value, { remote, stored });
  if (parts.length > 0)
    return refusedStep("apply/not-updated", { kind: "not-updated", postId: remote.id, parts });
  const attempted_at = utcTime(tools.clock.now());
  await tools.state.record({ event: "create-started", key, attempt: { ...pending, attempted_at } });
  return created(key, made.value, draft, tools.state);
}

async function created(
  key: string,
  post: RemotePost,
  draft: PostDraft,
  state: OpenState,
): Promise<StepResult<string>> {
  const otherKey = state.keyOf(post.id);
  if (otherKey !== undefined && otherKey !== key)
    return { result: "unknown", reason: { kind: "id-of-other-row", postId: post.id, otherKey } };
  await state.record({ event: "created", key, post_id: post.id, stored: storedDifferences(draft, post) });
  return { result: "done", value: post.id };
}

function cancelOutcome(change: Extract<Change, { action: "cancel" }>, gone: CancelResult): ChangeResult {
  if (gone.result !== "done") return outcomeOf(change, fromService(gone));
  if (gone.value === "published") return failed(change, { kind: "published-before-cancel" });
  return outcomeOf(change, { result: "done", value: change.remote.id });
}

function outcomeOf({ key, action }: Change, result: StepResult<string>): ChangeResult {
  switch (result.result) {
    case "done":
      return { key, action, status: "done", postId: result.value };
    case "refused": {
      const { code, reason, fatal } = result;
      return { key, action, status: "failed", code, reason, fatal };
    }
    case "unknown":
      return { key, action, status: "unknown", reason: result.reason };
    case "not_started":
      return { key, action, status: "not_started" };
  }
}

/** @param code from plancast, or the service's own */
function failed(
  { key, action }: Change,
  reason: OutcomeReason,
  code: Code | (string & {}) = "apply/already-published",
): ChangeResult {
  return { key, action, status: "failed", code, reason };
}

/**
 * Cancels one post, with a journal line before and after.
 * @param key the row that owns the post; empty for none  @param hold the hold for which it is cancelled
 */
export async function cancelPost(
  key: string,
  postId: string,
  { service, state, clock }: Omit<StepTools, "uploads">,
  hold?: string,
): Promise<CancelResult> {
  await state.record({ event: "cancel-started", key, post_id: postId });
  const gone = await service.cancelPost(postId);
  // "Not found" is recorded only if a list lacks the post too. The next run checks that.
  if (gone.result === "done" && gone.value !== "already-gone")
    await state.record({ event: "cancelled", key, post_id: postId, at: utcTime(clock.now()), hold });
  return gone;
}

/** A post that is due within this time could be published between the two halves of its replacement, in ms. */
const TOO_NEAR_MS = 2 * 60_000;

/**
 * Which half of a replacement goes first. Create first keeps the old post if the service refuses the new one. An old
 * post that is due very soon must be cancelled first, or both could be published.
 * @param oldDue when the old post is due, if known
 */
function replaceOrder(oldDue: UtcTime | undefined, now: number): "create-first" | "cancel-first" {
  return oldDue !== undefined && utcMs(oldDue) - now < TOO_NEAR_MS ? "cancel-first" : "create-first";
}
