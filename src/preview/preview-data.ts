/**
 * What the preview's page is made of, as inert JSON. Text of calendars in it is for people: what would not be seen is
 * made visible. The page's code in src/preview/page reads this and nothing else.
 */

import type { Action } from "../model/plan.ts";
import type { Severity } from "../model/problem.ts";

/** What a plan would do with a post; without a plan, what the row says of it. */
export type PreviewStatus = Action | "keep" | "hold" | "ready" | "past" | "draft" | "skip";

export interface PreviewData {
  readonly title: string;
  /** IANA zone of every day and clock. */
  readonly timezone: string;
  /** When it was made, as `2027-03-01 09:00` in the zone. */
  readonly madeAt: string;
  /** The day on which it was made, `YYYY-MM-DD` in the zone. */
  readonly today: string;
  /** What the reader is told first: why there is no plan, or why apply would refuse it. */
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
  /** As people call it. */
  readonly title: string;
}

export interface PreviewMedia {
  /** The file's name, an id, or an address as it is shown. */
  readonly name: string;
  /** Of media that the row names by id or address nothing is known. */
  readonly kind: "picture" | "video" | "unknown";
  /** `1.2 MB` */
  readonly size?: string;
  /** Px. */
  readonly width?: number;
  readonly height?: number;
  /** `0:34` */
  readonly length?: string;
  /** Where the page gets the picture: within itself, beside itself, or from the server that it came from. */
  readonly source?: string;
  /** Why it is not shown; with a source, why it is not where it cannot be had. */
  readonly why?: string;
}

interface PreviewProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** `calendars/march.csv:4:12`; empty where it is about no file. */
  readonly place: string;
}

/** How much of a network's limit a text takes. */
export interface Meter {
  /** Place in `platforms`. */
  readonly platform: number;
  readonly used: number;
  readonly limit: number;
  readonly unit: "characters" | "bytes";
}

export interface PreviewDifference {
  /** `text`, `time` … */
  readonly field: string;
  /** Absent where the service does not tell it. */
  readonly before?: string;
  readonly after: string;
}

export interface PreviewPost {
  readonly status: PreviewStatus;
  /** `YYYY-MM-DD` and `HH:mm` in the zone, with the zone's offset then, such as `+01:00`. */
  readonly day: string;
  readonly clock: string;
  readonly offset: string;
  /** Absent where no person chose one. */
  readonly id?: string;
  /** `calendars/march.csv:4` */
  readonly place: string;
  /** Places in `platforms`, `media` and `problems`. */
  readonly platforms: readonly number[];
  readonly media: readonly number[];
  readonly problems: readonly number[];
  /** Absent where the service does not tell the text of a post to be cancelled. */
  readonly content?: string;
  readonly meters: readonly Meter[];
  /** Of a post that is replaced. */
  readonly differences: readonly PreviewDifference[];
  /** Why, where that is not obvious. */
  readonly reason?: string;
}
