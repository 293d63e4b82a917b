/** Makes the document of `plan --format json`, which documents/runs.ts defines. */

import { hash } from "node:crypto";
import type { RowCounts } from "../../calendars/row-groups.ts";
import { filledExtras } from "../../model/extras.ts";
import { addressKey } from "../../model/lockfile.ts";
import { displayAddress } from "../../model/address.ts";
import type { Change, Keep, MissingRow, Plan, Summary } from "../../model/plan.ts";
import type {
  BodyPart,
  ListedMedia,
  RemotePost,
  ResolvedMedia,
  ResolvedPost,
  UtcTime,
} from "../../model/post.ts";
import { type Problem, errorsFirst } from "../../model/problem.ts";
import type { DocumentOf } from "../documents/parts.ts";
import type { planSchema } from "../documents/runs.ts";
import { missingRowText } from "../../problems/plan-texts.ts";
import { changeReason, guardMessage } from "./decisions.ts";
import type { PlanRun } from "./plan-view.ts";
import { problemDocument } from "../problems/problems-json.ts";

export type PlanDocument = DocumentOf<typeof planSchema>;
type ChangeDocument = PlanDocument["changes"][number];
type PostDocument = ChangeDocument["post"];
type SummaryDocument = PlanDocument["summary"];

export interface PlanDocumentOptions {
  /** Also lists kept posts, after the changes. */
  readonly verbose: boolean;
  /** Facts about rows outside the plan, for the summary of a run without a plan. */
  readonly counts?: Partial<Pick<Summary, "past" | "expired" | "draft" | "skipped">> | undefined;
}

/** `plan --format json`. */
export function planRunDocument({ planned, problems, counts, verbose, now }: PlanRun): PlanDocument {
  const document = planDocument(planned?.plan, problems, { verbose, counts: counts && unplanned(counts) });
  return now === undefined ? document : { ...document, now };
}

/** The counts of a run without a plan. */
function unplanned({ past, expired, drafts, skipped }: RowCounts): PlanDocumentOptions["counts"] {
  return { past: past + expired, expired, draft: drafts, skipped };
}

const NOTHING: SummaryDocument = {
  create: 0,
  replace: 0,
  cancel: 0,
  adopt: 0,
  missing: 0,
  held: 0,
  keep: 0,
  past: 0,
  expired: 0,
  draft: 0,
  skipped: 0,
  unmanaged: 0,
};

/**
 * The document of a plan, or of a run that problems stopped. `problems`: all of the run, including those of the plan,
 * in display order.
 */
export function planDocument(
  plan: Plan | undefined,
  problems: readonly Problem[],
  { verbose, counts = {} }: PlanDocumentOptions,
): PlanDocument {
  return {
    version: 1,
    hash: plan?.hash() ?? "",
    // In the order of the contract.
    summary: { ...NOTHING, ...(plan?.summary ?? counts) },
    guards: (plan?.guards ?? []).map((guard) => ({ code: guard.code, message: guardMessage(guard) })),
    ...(plan?.afterApply === undefined ? {} : { after_apply: { ...plan.afterApply } }),
    uploads: (plan?.uploads ?? []).map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    changes: [...(plan?.changes ?? []), ...(verbose ? (plan?.kept ?? []) : [])].map(changeDocument),
    missing: (plan?.missing ?? []).map(missingDocument),
    problems: errorsFirst(problems).map(problemDocument),
  };
}

function changeDocument(change: Change | Keep): ChangeDocument {
  const { action, key } = change;
  if (change.action === "cancel")
    return {
      action,
      key,
      source: { file: change.file },
      post: remotePost(change.remote, change.dueAt),
      post_id: change.remote.id,
      ...reasonOf(change),
    };
  return {
    action,
    key,
    ...desired(change.desired),
    ...(change.action === "create" ? {} : { post_id: change.remote.id }),
    ...(change.action === "replace"
      ? { fields: change.fields.map((part) => FIELD_NAMES[part] ?? part) }
      : {}),
    ...reasonOf(change),
  };
}

function reasonOf(change: Change | Keep): Pick<ChangeDocument, "reason"> {
  return change.action === "keep" ? {} : { reason: changeReason(change) };
}

function missingDocument(row: MissingRow): PlanDocument["missing"][number] {
  const { key, create, postId, besides } = row;
  return {
    key,
    ...desired(create.desired),
    ...(postId === undefined ? {} : { post_id: postId }),
    besides: besides.map(({ id }) => id),
    reason: missingRowText(row),
  };
}

/** Parts are named like the calendar's columns, except these. */
const FIELD_NAMES: Partial<Record<BodyPart, string>> = { scheduledAt: "scheduled_at", mediaIds: "media" };

/** Where a row is. Only workbooks have sheets. */
export function sourceDocument({ file, sheet, line }: ResolvedPost["source"]): ChangeDocument["source"] {
  return { file, ...(sheet === undefined ? {} : { sheet }), line };
}

function desired({
  source,
  content,
  platforms,
  scheduledAt,
  media,
  campaign,
  slot,
  series,
  ...rest
}: ResolvedPost): Pick<ChangeDocument, "source" | "post" | "campaign" | "slot" | "series" | "media_digest"> {
  return {
    source: sourceDocument(source),
    post: {
      content,
      platforms,
      scheduled_at: scheduledAt,
      media: media.map(mediaName),
      ...filledExtras(rest),
    },
    ...(campaign === undefined ? {} : { campaign }),
    ...slotDocument(slot),
    ...(series === undefined ? {} : { series }),
    ...(media.length === 0 ? {} : { media_digest: mediaDigest(media) }),
  };
}

/** Whether the row has its slot by now. Absent for a row that says its time. */
export function slotDocument(slot: ResolvedPost["slot"]): Pick<ChangeDocument, "slot"> {
  return slot === undefined ? {} : { slot: slot.isTaken ? "kept" : "next" };
}

function mediaDigest(media: readonly ResolvedMedia[]): string {
  const parts = media.map((each) => [
    each.kind,
    each.kind === "id" ? each.id : "",
    each.kind === "file" ? each.sha256 : "",
    each.kind !== "id" && each.url !== undefined ? addressKey(each.url) : "",
  ]);
  return `sha256:${hash("sha256", JSON.stringify(parts))}`;
}

/** A file by its path, and an address without its query. */
export function mediaName(media: ListedMedia): string {
  if (media.kind === "url") return displayAddress(media.url);
  return media.kind === "id" ? media.id : media.path;
}

function remotePost(
  { content, platforms, scheduledAt, mediaIds, ...rest }: RemotePost,
  dueAt: UtcTime,
): PostDocument {
  return {
    ...(content === undefined ? {} : { content }),
    ...(platforms === undefined ? {} : { platforms }),
    scheduled_at: scheduledAt ?? dueAt,
    ...(mediaIds === undefined ? {} : { media: mediaIds }),
    ...filledExtras(rest),
  };
}
