/** The posts of a schedule as records of a service: what was published, where, and what failed. */

import { resultOf } from "../embedded/publishing/publication-steps.ts";
import { withoutUndefined } from "../model/data.ts";
import { filledExtras } from "../model/extras.ts";
import type { UtcTime } from "../model/post.ts";
import { isOverOnAccount } from "../model/publication.ts";
import { compareText } from "../model/text.ts";
import type { AccountName } from "../networks/open-accounts.ts";
import type { PostRecord } from "../service/records.ts";
import type { PostState } from "../service/service.ts";
import { type ScheduledPost, accountOf, isBegun, mediaId, otherAccount, publicationOn } from "./schedule.ts";

export function postRecord(id: string, post: ScheduledPost, accounts: readonly AccountName[]): PostRecord {
  const { content, platforms, scheduled_at: scheduledAt, media } = post;
  const { status, results: ended } = statusOf(post, accounts);
  const results = [...ended, ...post.platforms.flatMap((platform) => triedOn(post, platform))];
  const mediaIds = media.map(mediaId);
  const shown = { id, status, content, platforms };
  return {
    ...shown,
    scheduledAt,
    mediaIds,
    record: {
      ...shown,
      scheduled_at: scheduledAt,
      media_ids: mediaIds,
      media: media.map(({ path }) => path),
      ...filledExtras(post),
      ...(results.length === 0 ? {} : { results }),
      ...(status === "published" ? { published_at: publishedAt(post) } : {}),
    },
  };
}

export function postState(post: ScheduledPost, accounts: readonly AccountName[]): PostState {
  const { status } = statusOf(post, accounts);
  // Too late to cancel it, and not published yet.
  return status === "publishing" ? { state: "unknown", status } : { state: status };
}

/** The result on an account, in the form that the embedded service has. */
interface PlatformResult {
  readonly platform: string;
  readonly status: "published" | "failed" | "scheduled";
  readonly url?: string | undefined;
  readonly note?: string | undefined;
  readonly error?: string | { readonly code: "expired"; readonly message: string };
}

interface Status {
  readonly status: "scheduled" | "publishing" | "published" | "failed";
  readonly results: readonly PlatformResult[];
}

/** If one platform fails, the whole post fails; its results show which one. */
function statusOf(post: ScheduledPost, accounts: readonly AccountName[]): Status {
  const results = post.platforms.flatMap((platform) => resultOn(post, platform, accounts) ?? []);
  if (results.length < post.platforms.length)
    return { status: isBegun(post) || results.length > 0 ? "publishing" : "scheduled", results };
  return { status: results.every(({ status }) => status === "published") ? "published" : "failed", results };
}

/** When the last platform published it. */
function publishedAt({ publications = {} }: ScheduledPost): UtcTime | undefined {
  return Object.values(publications)
    .map(({ sent_at: at }) => at)
    .sort(compareText)
    .at(-1);
}

/** Undefined as long as something may still happen. */
function resultOn(
  post: ScheduledPost,
  platform: string,
  accounts: readonly AccountName[],
): PlatformResult | undefined {
  const publication = publicationOn(post, platform);
  if (publication === undefined || !isOverOnAccount(publication))
    return accountOf(post, platform, accounts) === undefined
      ? { platform, status: "failed", error: otherAccount(platform) }
      : undefined;
  const { error, code, url, note } = resultOf(platform, publication);
  if (error === undefined) return withoutUndefined({ platform, status: "published" as const, url, note });
  return { platform, status: "failed", error: code === undefined ? error : { code, message: error } };
}

/** An attempt that failed, and may be made again. */
function triedOn(post: ScheduledPost, platform: string): readonly PlatformResult[] {
  const { state, reason: note } = publicationOn(post, platform) ?? {};
  return state === "waiting" && note !== undefined ? [{ platform, status: "scheduled", note }] : [];
}
