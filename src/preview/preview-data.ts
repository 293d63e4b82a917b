/**
 * The data of the preview's page, as inert JSON. Invisible characters in texts of calendars are made visible. The
 * page's code in src/preview/page reads only this.
 */

import type { Action } from "../model/plan.ts";
import type { Severity } from "../model/problem.ts";

/** What a plan would do with a post. Without a plan, the row's status. */
export type PreviewStatus = Action | "keep" | "hold" | "ready" | "past" | "draft" | "skip";

export interface PreviewData {
  readonly title: string;
  /** IANA zone of all days and times. */
  readonly timezone: string;
  /** Time of creation, as `2027-03-01 09:00` in the zone. */
  readonly madeAt: string;
  /** Day of creation, `YYYY-MM-DD` in the zone. */
  readonly today: string;
  /** Shown first: why there is no plan, or why apply would refuse it. */
  readonly notices: readonly Notice[];
  readonly platforms: readonly PreviewPlatform[];
  readonly media: readonly PreviewMedia[];
  readonly problems: readonly PreviewProblem[];
  /** Earliest first. */
  readonly posts: readonly PreviewPost[];
}

export interface Notice {
  readonly kind: "note" | "alert";
  readonly text: string;
}

export interface PreviewPlatform {
  /** The service's identifier. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
}

export interface PreviewMedia {
  /** The file's name, an id, or an address that is safe to show. */
  readonly name: string;
  /** Unknown for media that the row names by id or address. */
  readonly kind: "picture" | "video" | "unknown";
  /** `1.2 MB` */
  readonly size?: string;
  /** Px. */
  readonly width?: number;
  readonly height?: number;
  /** `0:34` */
  readonly length?: string;
  /** Source of the picture: inside the page, beside it, or on its server. */
  readonly source?: string;
  /** Why it is not shown; with a source, shown if that fails. */
  readonly why?: string;
}

interface PreviewProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** `calendars/march.csv:4:12`; empty if it is not about a file. */
  readonly place: string;
}

/** How much of a network's limit a text uses. */
export interface Meter {
  /** Index in `platforms`. */
  readonly platform: number;
  readonly used: number;
  readonly limit: number;
  readonly unit: "characters" | "bytes";
}

export interface PreviewDifference {
  /** `text`, `time` … */
  readonly field: string;
  /** Absent if the service does not return it. */
  readonly before?: string;
  readonly after: string;
}

export interface PreviewPost {
  readonly status: PreviewStatus;
  /** `YYYY-MM-DD` and `HH:mm` in the zone, with the zone's offset then, such as `+01:00`. */
  readonly day: string;
  readonly clock: string;
  readonly offset: string;
  /** Absent if no person chose one. */
  readonly id?: string;
  /** `calendars/march.csv:4` */
  readonly place: string;
  /** Indexes in `platforms`, `media` and `problems`. */
  readonly platforms: readonly number[];
  readonly media: readonly number[];
  readonly problems: readonly number[];
  /** Absent if the service does not return the text of a post to cancel. */
  readonly content?: string;
  readonly meters: readonly Meter[];
  /** For a replaced post. */
  readonly differences: readonly PreviewDifference[];
  /** The reason, unless it is obvious. */
  readonly reason?: string;
}
