/**
 * A plan in plain words, before it has a format: days in the project's time zone, earliest first. Text, Markdown and
 * the preview all print this. Its text is not escaped; the printing code does that.
 */

import { groupBy } from "../../model/group.ts";
import { displayAddress, fileNameInAddress } from "../../model/media-address.ts";
import type { Action, Change, Guard, Keep, PendingChange, Plan, Summary } from "../../model/plan.ts";
import {
  type BodyPart,
  type RemotePost,
  type ResolvedMedia,
  type ResolvedPost,
  type UtcTime,
  DERIVED_KEY_PREFIX,
} from "../../model/post.ts";
import { type Problem, rowName } from "../../model/problem.ts";
import { compareText } from "../../model/text.ts";
import { uncertainText } from "../../problems/plan-texts.ts";
import { type LocalTime, fullTime, localTime } from "../text/local-time.ts";
import { counted, formatBytes, plural, roughDuration, unplannedCounts } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import { guardAdvice, guardFinding, notableReason } from "./decisions.ts";

/** A run of `plancast plan`, as each output format gets it. */
export interface PlanRun {
  /** Undefined if problems stopped the run. */
  readonly planned: { readonly plan: Plan; readonly view: () => PlanView } | undefined;
  /** All problems of the run, including those of the plan, in display order. */
  readonly problems: readonly Problem[];
  /** Draft and skipped rows of the calendars in scope. */
  readonly drafts: number;
  readonly verbose: boolean;
  readonly style: Style;
}

export interface DayView {
  /** `Mon 1 March 2027` */
  readonly day: string;
  readonly posts: readonly PostView[];
}

export interface PlanView {
  /** IANA zone of all days and times. */
  readonly timezone: string;
  readonly summary: Summary;
  /** Number of changed posts, without kept and waiting ones. */
  readonly changes: number;
  readonly days: readonly DayView[];
  /** Rows with a pending create that is too recent to try again; they are also in `days`. */
  readonly held: number;
  readonly guards: readonly { readonly code: Guard["code"]; readonly message: string }[];
  /** How to go on after the guards; empty without any. */
  readonly guardAdvice: string;
  readonly uploads: { readonly files: number; readonly bytes: number };
  readonly requests: number;
  /** How long the rate limit delays them, ms; 0 if all can be sent at once. */
  readonly expectedMs: number;
}

export interface PlanViewOptions {
  /** IANA zone for days and times. */
  readonly timezone: string;
  /** Whether to show unchanged posts too. */
  readonly kept: boolean;
  /** Number of requests for reading, before those of the plan. */
  readonly reads: number;
  /** How long the rate limit delays all of them, ms. */
  readonly expectedMs: number;
}

export function planView(plan: Plan, { timezone, kept, reads, expectedMs }: PlanViewOptions): PlanView {
  const shown = [...plan.changes, ...plan.held, ...(kept ? plan.kept : [])];
  return {
    timezone,
    summary: plan.summary,
    changes: plan.changes.length,
    days: byDay(shown.map((each) => postView(each, timezone))),
    held: plan.held.length,
    guards: plan.guards.map((guard) => ({ code: guard.code, message: guardFinding(guard) })),
    guardAdvice: guardAdvice(plan.guards),
    uploads: {
      files: plan.uploads.length,
      bytes: plan.uploads.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    requests: plan.requests + reads,
    expectedMs,
  };
}

function byDay(posts: readonly PostView[]): readonly DayView[] {
  const sorted = posts.toSorted((one, other) => compareText(one.at, other.at));
  return Array.from(
    groupBy(sorted, ({ when }) => when.day),
    ([day, those]) => ({ day, posts: those }),
  );
}

/** The changes of a plan in numbers: `2 to create, 1 to replace`. Empty without changes. */
export function changeCounts({ create, replace, cancel, adopt }: Pick<Summary, Action>): string {
  return counted([
    [create, "to create"],
    [replace, "to replace"],
    [cancel, "to cancel"],
    [adopt, "to adopt"],
  ]);
}

/** What a plan does not change: `40 unchanged, 3 past, 1 draft, 5 not managed by this project`. */
export function unchangedCounts({ summary, held }: Pick<PlanView, "summary" | "held">): string {
  return counted([
    [held, "on hold"],
    [summary.keep, "unchanged"],
    [summary.past, "past"],
    ...unplannedCounts({ drafts: summary.draft, skipped: summary.skipped }),
    [summary.unmanaged, "not managed by this project"],
  ]);
}

/** The requests of apply: `Apply will send 6 requests (2 files to upload, 1.2 MB), in about 3 minutes.` */
export function requestsSentence({
  uploads,
  requests,
  expectedMs,
}: Pick<PlanView, "uploads" | "requests" | "expectedMs">): string {
  if (requests === 0) return "Apply will send no requests. It only updates the lockfile.";
  const upload = `${plural(uploads.files, "file")} to upload, ${formatBytes(uploads.bytes)}`;
  const time =
    expectedMs === 0 ? "" : `. The service's rate limit makes this take about ${roughDuration(expectedMs)}`;
  return `Apply will send ${plural(requests, "request")}${uploads.files === 0 ? "" : ` (${upload})`}${time}.`;
}

/** Display names of the fields. */
export const FIELD_NAMES: Readonly<Record<BodyPart, string>> = {
  content: "text",
  platforms: "platforms",
  scheduledAt: "time",
  mediaIds: "media",
};

/** The differences from the replaced post. `before` is absent if the service does not return it. */
export interface Difference {
  readonly field: BodyPart;
  readonly before: string | undefined;
  readonly after: string;
}

export interface PostView {
  readonly action: Action | "keep" | "hold";
  readonly at: UtcTime;
  readonly when: LocalTime;
  /** Absent for a derived key, which means nothing to people. */
  readonly id: string | undefined;
  /** `calendars/march.csv:4` */
  readonly place: string;
  /** The post to send. For a cancel, the fields that the service returned. */
  readonly platforms: readonly string[];
  readonly content: string | undefined;
  /** `launch.png 48 kB`, `launch.png 48 kB from cdn.example.com`, or an id. */
  readonly media: readonly string[];
  readonly differences: readonly Difference[];
  /** Absent if the action is enough. */
  readonly reason: string | undefined;
}

/** Facts about a post in a plan, with times in a zone (IANA). */
export function postView(post: Change | Keep | PendingChange, timezone: string): PostView {
  if (post.action === "cancel") return cancelView(post, timezone);
  if (post.action === "hold") return holdView(post, timezone);
  const { action, key, desired } = post;
  return {
    action,
    at: desired.scheduledAt,
    when: localTime(desired.scheduledAt, timezone),
    id: idOf(key),
    place: rowName(desired.source, desired.at()),
    platforms: desired.platforms,
    content: desired.content,
    media: mediaLabels(desired),
    differences: post.action === "replace" ? differences(post, timezone) : [],
    reason: post.action === "keep" ? undefined : notableReason(post),
  };
}

/** The row may be missing: then only the lockfile has facts. */
function holdView(hold: PendingChange, timezone: string): PostView {
  const { key, desired, file, dueAt } = hold;
  const again =
    hold.until === undefined
      ? `${uncertainText(hold.unsure)} Check whether the post exists, then run plancast resolve.`
      : `Run plancast apply again after ${fullTime(localTime(hold.until, timezone))}. It checks before it creates.`;
  return {
    action: "hold",
    at: dueAt,
    when: localTime(dueAt, timezone),
    id: idOf(key),
    place: desired === undefined ? file : rowName(desired.source, desired.at()),
    platforms: desired?.platforms ?? [],
    content: desired?.content,
    media: desired === undefined ? [] : mediaLabels(desired),
    differences: [],
    reason: `An earlier apply may or may not have scheduled this post. ${again}`,
  };
}

function cancelView(post: Extract<Change, { action: "cancel" }>, timezone: string): PostView {
  const { key, remote, dueAt, file } = post;
  return {
    action: "cancel",
    at: dueAt,
    when: localTime(dueAt, timezone),
    id: idOf(key),
    place: file,
    platforms: remote.platforms ?? [],
    content: remote.content,
    media: remote.mediaIds ?? [],
    differences: [],
    reason: notableReason(post),
  };
}

/** A key that a person chose; empty for one that is derived from the row. */
export function idOf(key: string): string | undefined {
  return key.startsWith(DERIVED_KEY_PREFIX) ? undefined : key;
}

function differences(
  { fields, remote, desired }: Extract<Change, { action: "replace" }>,
  timezone: string,
): readonly Difference[] {
  return fields.map((field) => ({ field, ...difference(field, remote, desired, timezone) }));
}

/** The differences between two versions of a row. */
export function rowDifferences(
  before: ResolvedPost,
  after: ResolvedPost,
  timezone: string,
): readonly Difference[] {
  const found: Difference[] = [];
  const add = (field: BodyPart, [from, to]: readonly [string, string]): void => {
    if (from !== to) found.push({ field, before: from, after: to });
  };
  add("content", [before.content, after.content]);
  add("platforms", [before.platforms.join(", "), after.platforms.join(", ")]);
  if (before.scheduledAt !== after.scheduledAt)
    found.push({ field: "scheduledAt", ...timeDifference(before.scheduledAt, after.scheduledAt, timezone) });
  const [old, now] = [listed(mediaLabels(before)), listed(mediaLabels(after))];
  const isOtherFile = old === now && JSON.stringify(before.media) !== JSON.stringify(after.media);
  add("mediaIds", [old, isOtherFile ? `${now}, another file with this name` : now]);
  return found;
}

function difference(
  field: BodyPart,
  remote: RemotePost,
  desired: ResolvedPost,
  timezone: string,
): Omit<Difference, "field"> {
  switch (field) {
    case "content":
      return { before: remote.content, after: desired.content };
    case "platforms":
      return { before: remote.platforms?.join(", "), after: desired.platforms.join(", ") };
    case "mediaIds":
      return {
        before: remote.mediaIds === undefined ? undefined : listed(remote.mediaIds),
        after: listed(mediaLabels(desired)),
      };
    case "scheduledAt":
      return timeDifference(remote.scheduledAt, desired.scheduledAt, timezone);
    default:
      return field satisfies never;
  }
}

/** As short as possible: times, else with days, else with offsets. */
function timeDifference(
  before: UtcTime | undefined,
  after: UtcTime,
  timezone: string,
): Omit<Difference, "field"> {
  const to = localTime(after, timezone);
  if (before === undefined) return { before, after: fullTime(to) };
  const from = localTime(before, timezone);
  if (from.day !== to.day) return { before: fullTime(from), after: fullTime(to) };
  if (from.clock !== to.clock) return { before: from.clock, after: to.clock };
  return { before: `${from.clock} (${from.offset})`, after: `${to.clock} (${to.offset})` };
}

function mediaLabels({ media }: ResolvedPost): readonly string[] {
  return media.map(mediaLabel);
}

function mediaLabel(media: ResolvedMedia): string {
  if (media.kind === "id") return media.id;
  if (media.kind === "url") return displayAddress(media.url);
  const { path, url, bytes } = media;
  if (url === undefined) return `${path.slice(path.lastIndexOf("/") + 1)} ${formatBytes(bytes)}`;
  return `${fileNameInAddress(url) ?? "file"} ${formatBytes(bytes)} from ${new URL(url).host}`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join(", ");
}
