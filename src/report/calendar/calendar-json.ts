/** Makes the document of `calendar --format json`, which documents/calendar.ts defines. */

import { displayAddress } from "../../model/address.ts";
import type { ListedMedia, ListedPost } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import type { calendarSchema } from "../documents/calendar.ts";
import type { DocumentOf } from "../documents/parts.ts";
import { slotDocument, sourceDocument } from "../plan/plan-json.ts";
import { problemDocument } from "../problems/problems-json.ts";

export function calendarDocument(
  posts: readonly ListedPost[],
  problems: readonly Problem[],
  timezone?: string,
): DocumentOf<typeof calendarSchema> {
  return {
    version: 1,
    timezone,
    posts: posts.map(
      ({ key, status, source, campaign, slot, series, content, platforms, scheduledAt, media }) => ({
        key,
        status,
        source: sourceDocument(source),
        ...(campaign === undefined ? {} : { campaign }),
        ...slotDocument(slot),
        ...(series === undefined ? {} : { series }),
        post: { content, platforms, scheduled_at: scheduledAt, media: media.map(mediaText) },
      }),
    ),
    problems: problems.map(problemDocument),
  };
}

function mediaText(media: ListedMedia): string {
  if (media.kind === "url") return displayAddress(media.url);
  return media.kind === "id" ? media.id : media.path;
}
