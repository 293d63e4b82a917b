/** `calendar --format json`: a contract with scripts. Its names and meanings never change; new ones may be added. */

import { displayAddress } from "../../model/media-address.ts";
import type { ListedMedia, ListedPost, UtcTime } from "../../model/post.ts";
import type { Problem } from "../../model/problem.ts";
import { slotDocument, sourceDocument } from "../plan/plan-json.ts";
import { type ProblemDocument, problemDocument } from "../problems/problems-json.ts";

interface CalendarDocument {
  readonly version: 1;
  /** IANA zone of the project. Absent if plancast.yaml cannot be read. */
  readonly timezone?: string | undefined;
  /** Earliest first. */
  readonly posts: readonly {
    readonly key: string;
    readonly status: ListedPost["status"];
    readonly source: ReturnType<typeof sourceDocument>;
    /** Absent for a row without one. */
    readonly campaign?: string;
    /** As in plan --format json. Absent for a row that says its time. */
    readonly slot?: "next" | "kept";
    readonly post: {
      readonly content: string;
      readonly platforms: readonly string[];
      readonly scheduled_at: UtcTime;
      /** Paths relative to the project root, ids of the service, or addresses without their queries. */
      readonly media: readonly string[];
    };
  }[];
  /** Rows with errors are not among the posts. */
  readonly problems: readonly ProblemDocument[];
}

export function calendarDocument(
  posts: readonly ListedPost[],
  problems: readonly Problem[],
  timezone?: string,
): CalendarDocument {
  return {
    version: 1,
    timezone,
    posts: posts.map(({ key, status, source, campaign, slot, content, platforms, scheduledAt, media }) => ({
      key,
      status,
      source: sourceDocument(source),
      ...(campaign === undefined ? {} : { campaign }),
      ...slotDocument(slot),
      post: { content, platforms, scheduled_at: scheduledAt, media: media.map(mediaText) },
    })),
    problems: problems.map(problemDocument),
  };
}

function mediaText(media: ListedMedia): string {
  if (media.kind === "url") return displayAddress(media.url);
  return media.kind === "id" ? media.id : media.path;
}
