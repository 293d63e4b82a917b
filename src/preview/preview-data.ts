/**
 * The data of the preview's page, as inert JSON. Invisible characters in texts of calendars are made visible. The
 * page's code in src/preview/page reads only this. Also defines the requests to edit posts with their answers, and the file
 * with a client's answers.
 */

import type { Action } from "../model/plan.ts";
import type { PostSeal } from "../model/post.ts";
import type { Severity } from "../model/problem.ts";

/**
 * What a plan would do with a post, or what happened to it. Without a plan, the row's status. On a client's page, the
 * client's answer.
 */
export type PreviewStatus =
  | Action
  | "keep"
  | "missing"
  | "pending"
  | "ready"
  | "past"
  | "draft"
  | "skip"
  | "published"
  | "failed"
  | "cancelled"
  | AnswerStatus;

/** A client's answer to a post. */
export type AnswerStatus = "unanswered" | "approved" | "changes";

export interface PreviewData {
  /** On a page from a server: names this state. */
  readonly version?: string;
  readonly title: string;
  /** IANA zone of all days and times. */
  readonly timezone: string;
  /** Time of creation, as `2027-03-01 09:00` in the zone. Empty until a server has read the calendars. */
  readonly madeAt: string;
  /** What happens to the rows: `3 upcoming posts, 1 past, 2 drafts`. Absent on a client's page. */
  readonly counts?: string;
  /** Day of creation, `YYYY-MM-DD` in the zone. */
  readonly today: string;
  /** Shown first: why there is no plan, or why apply would refuse it. */
  readonly notices: readonly Notice[];
  readonly platforms: readonly PreviewPlatform[];
  readonly media: readonly PreviewMedia[];
  readonly problems: readonly PreviewProblem[];
  /** Earliest first. */
  readonly posts: readonly PreviewPost[];
  /** For a page on which a client answers each post. */
  readonly client?: ClientPage;
  /** For a page whose posts can be edited: the calendars, by the `file` of the posts' rows. */
  readonly editing?: readonly EditableFile[];
}

// Editing posts on a page from a server. The page sends requests, and the server answers each of them.

/** A calendar as the page shows it. */
export interface EditableFile {
  readonly name: string;
  /** Differs whenever the file differs: an edit is for exactly these bytes. */
  readonly version: string;
  /** Why none of its posts can be edited. */
  readonly why?: string;
}

/** The row of a post that the page asks about. */
export interface EditedPost {
  readonly file: string;
  readonly version: string;
  readonly sheet?: string | undefined;
  readonly line: number;
  /** Identifiers: which of the row's posts it is. */
  readonly platforms: readonly string[];
}

/** The new values of a post. Absent parts do not change. */
export interface PageChange {
  /** `YYYY-MM-DD` in the page's zone. */
  readonly day?: string | undefined;
  /** `HH:mm` in the page's zone. Without it, the row keeps its time of day. */
  readonly clock?: string | undefined;
  readonly text?: string | undefined;
  readonly platforms?: readonly string[] | undefined;
  /** One of the offered words. */
  readonly status?: string | undefined;
}

export type EditRequest =
  | { readonly ask: "open"; readonly post: EditedPost }
  | { readonly ask: "change"; readonly post: EditedPost; readonly change: PageChange }
  /** How long a text would be on each of these networks. */
  | {
      readonly ask: "measure";
      readonly post: EditedPost;
      readonly text: string;
      readonly platforms: readonly string[];
    }
  /** `edit`: the name from the answer to a change or an undo. */
  | { readonly ask: "undo"; readonly edit: string };

/** A part with its value, or why it cannot be edited. */
type PartAnswer<Value> = { readonly value: Value } | { readonly why: string };

/** What an open post offers for editing. */
export interface OpenedEdit {
  readonly answer: "open";
  readonly text: PartAnswer<string>;
  readonly platforms: PartAnswer<readonly string[]>;
  /** The number of posts that share the time. */
  readonly when: PartAnswer<{ readonly posts: number }>;
  readonly status: PartAnswer<OfferedStatus>;
  /** The networks to choose from. */
  readonly choices: readonly PreviewPlatform[];
}

/** The words of the calendar for a status. */
interface OfferedStatus {
  /** The word now, one of `words`. */
  readonly word: string;
  readonly words: readonly {
    /** Empty for a blank cell. */
    readonly word: string;
    /** The word, with its invisible characters visible. */
    readonly label: string;
    readonly means: "ready" | "draft";
  }[];
  /** The number of posts that share the status. */
  readonly posts: number;
}

export interface ChangedPost {
  readonly answer: "changed";
  /** What undoes the edit. */
  readonly edit: string;
  /** How many posts of the row have the new time. */
  readonly posts: number;
}

interface MeasuredText {
  readonly answer: "measured";
  /** `platform` is an index in the platforms of the request. */
  readonly meters: readonly Meter[];
}

/** A problem: nothing was written. */
export interface RefusedEdit {
  readonly answer: "refused";
  readonly code: string;
  readonly message: string;
}

interface UndoneEdit {
  readonly answer: "undone";
  /** What undoes the undo. */
  readonly edit: string;
}

export type EditAnswer = OpenedEdit | ChangedPost | MeasuredText | UndoneEdit | RefusedEdit;

/** Statuses of posts that cannot be edited: they are out, or no row has them. */
export const FIXED_STATUSES: ReadonlySet<PreviewStatus> = new Set([
  "past",
  "published",
  "failed",
  "cancelled",
  "cancel",
]);

/** The header of a request with the token that the server gave to the person who started it. */
export const EDIT_TOKEN_HEADER = "x-plancast-edit";

/** The part of the page's address that holds the token when the page is opened. */
export const EDIT_TOKEN_NAME = "edit";

/** The page that an answer belongs to. */
export interface ClientPage {
  /** The name in plancast.yaml, if the project has one. */
  readonly project?: string | undefined;
  /** When the page was made, in UTC. */
  readonly made: string;
  /** First and last day of the page, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/** A client's answer to one post. */
export interface ClientAnswer {
  /** The post's `id` on the page. */
  readonly post: string;
  readonly seal: PostSeal;
  /** Absent if the client did not answer, or only commented. */
  readonly answer?: Exclude<AnswerStatus, "unanswered"> | undefined;
  readonly comment?: string | undefined;
  /** Time and beginning of the post, as the client saw them. */
  readonly shown: string;
}

/** The file that the page downloads, as JSON. */
export interface AnswersFile {
  readonly plancast_answers: 1;
  readonly page: ClientPage;
  /** When the client downloaded it, in UTC. */
  readonly saved: string;
  readonly answers: readonly ClientAnswer[];
}

/** Longest comment, in UTF-16 units. */
export const MAX_COMMENT = 2_000;

export interface Notice {
  readonly kind: "note" | "alert";
  readonly text: string;
}

export interface PreviewPlatform {
  /** The service's identifier. */
  readonly name: string;
  /** Display name of the network. */
  readonly title: string;
  /** The account, if plancast itself publishes. */
  readonly account?: string;
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
  /** Source of the picture or video: inside the page, beside it, or on its server. */
  readonly source?: string;
  /** Source of the cover of a video. */
  readonly cover?: string;
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
  /** The old and the new value in one text. Without the old one, if the service does not return it. */
  readonly parts: readonly DifferencePart[];
}

interface DifferencePart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** How publishing went on one network. */
interface PreviewResult {
  /** Display name of the network. */
  readonly network: string;
  readonly state: "published" | "failed" | "expired" | "scheduled";
  /** Why it failed. */
  readonly reason?: string;
  /** Address of the published post. */
  readonly url?: string;
}

/** The time of a post in the zone that its author wrote it in. */
interface AuthorTime {
  /** IANA name. */
  readonly zone: string;
  readonly day: string;
  readonly clock: string;
}

/** A text that follows a post. */
interface PreviewReply {
  readonly kind: "thread" | "comment" | "poll" | "reply_to" | "quote";
  readonly text: string;
  /** How many of the media belong to it. Absent without any. */
  readonly media?: number;
}

/** A row that repeats. */
interface PreviewSeries {
  /** The rule as written. */
  readonly rule: string;
  /** Its last day, `2027-06-30`; absent if it never stops. */
  readonly until?: string;
  /** Its next posts, as `2027-03-01 09:00` in the zone. */
  readonly days: readonly string[];
  /** Exceptions as written. */
  readonly except: readonly string[];
  /** Every other text that it publishes. */
  readonly texts: readonly string[];
}

export interface PreviewPost {
  readonly status: PreviewStatus;
  /** `YYYY-MM-DD` and `HH:mm` in the zone, with the zone's offset then, such as `+01:00`. */
  readonly day: string;
  readonly clock: string;
  readonly offset: string;
  /** The same moment in UTC: `2027-03-01T08:00:00Z`. */
  readonly at: string;
  /**
   * For a row that takes a slot: the next free slot, which may change until the next apply, or the slot in the
   * lockfile. Absent on a client's page.
   */
  readonly slot?: "next" | "kept";
  /** Absent if the row has no zone of its own. */
  readonly author?: AuthorTime;
  /** Absent if no person chose one. On a client's page, a hash that only identifies the post. */
  readonly id?: string;
  /** `calendars/march.csv:4`; empty on a client's page. */
  readonly place: string;
  /** On a page whose posts can be edited. `file` is an index in `editing`. */
  readonly row?: { readonly file: number; readonly sheet?: string; readonly line: number };
  /** On a client's page. */
  readonly seal?: PostSeal;
  /** Indexes in `platforms`, `media` and `problems`. */
  readonly platforms: readonly number[];
  readonly media: readonly number[];
  readonly problems: readonly number[];
  /** Absent if the service does not return the text of a post to cancel. */
  readonly content?: string;
  /** Descriptions of the media, in their order; empty for a medium without one. Absent if none has one. */
  readonly alt?: readonly string[];
  /** The posts that it refers to, and the texts after it: its thread and its first comment. Absent without any. */
  readonly replies?: readonly PreviewReply[];
  /** Its options, each with its platform, such as `youtube`, `title` and the title. Absent without any. */
  readonly options?: readonly (readonly [platform: string, option: string, value: string])[];
  /** When the post expires, in the zone. Absent for a post that never expires. */
  readonly expires?: string;
  /** Only of a row that repeats, and on a client's page. */
  readonly repeats?: PreviewSeries;
  /** The row's campaign; absent without one, and on a client's page. */
  readonly campaign?: string;
  readonly meters: readonly Meter[];
  /** For a post that was due, as far as the service says. */
  readonly results?: readonly PreviewResult[];
  /** Present only for a replaced post. */
  readonly differences: readonly PreviewDifference[];
  /** The reason, unless it is obvious. */
  readonly reason?: string;
}
