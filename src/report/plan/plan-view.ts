/**
 * A plan in plain words, before it has a format: days as the rows' clocks show them, earliest first. Text, Markdown and
 * the preview all print this. Its text is not escaped; the printing code does that.
 */

import {
  type ExtraPart,
  type PostExtras,
  EMPTY_EXTRAS,
  EXTRA_PARTS,
  filledExtras,
} from "../../model/extras.ts";
import type { RowCounts } from "../../calendars/row-groups.ts";
import { networkTitle, networkTitles } from "../../checks/networks/network-names.ts";
import { groupBy } from "../../model/data.ts";
import type {
  Action,
  Change,
  Guard,
  Keep,
  MissingRow,
  PendingChange,
  Plan,
  Summary,
} from "../../model/plan.ts";
import {
  type BodyPart,
  type Occurrence,
  type RemotePost,
  type ResolvedPost,
  type UtcTime,
  idOf,
} from "../../model/post.ts";
import { type Position, type Problem, rowName } from "../../model/problem.ts";
import type { Assumption } from "../../model/row.ts";
import { compareText } from "../../model/text.ts";
import { missingAdvice, missingRowText, uncertainText } from "../../problems/plan-texts.ts";
import { shownZone } from "../../checks/when/local-time.ts";
import { type ShownTime, endTime, fullTime, localTime, rowTime, timesBetween } from "../text/local-time.ts";
import { assumptionSentences } from "../problems/problems-text.ts";
import { counted, unplannedCounts } from "../text/numbers.ts";
import type { Style } from "../text/style.ts";
import {
  type UploadedFiles,
  mediaDifference,
  mediaLabels,
  mediaText,
  uploadedLabel,
  uploadedMediaText,
} from "./media-text.ts";
import { type ApplyCost, guardAdvice, guardFinding, notableReason } from "./decisions.ts";

/** A run of `plancast plan`, as each output format gets it. */
export interface PlanRun {
  /** Undefined if problems stopped the run. */
  readonly planned: { readonly plan: Plan; readonly view: () => PlanView } | undefined;
  /** All problems of the run, including those of the plan, in display order. */
  readonly problems: readonly Problem[];
  /** What happens to the rows. Undefined if the run ended before it read any. */
  readonly counts: RowCounts | undefined;
  readonly verbose: boolean;
  readonly style: Style;
  /** Whether text has one line for each post. */
  readonly short: boolean;
  /** The value of --now: the plan is only a trial. */
  readonly now?: string | undefined;
}

export interface DayView {
  /** `Mon 1 March 2027` */
  readonly day: string;
  readonly posts: readonly PostView[];
}

export interface PlanView extends ApplyCost {
  /** IANA zone of all days and times. */
  readonly timezone: string;
  readonly summary: Summary;
  /** Number of changed posts, without kept and waiting ones. */
  readonly changes: number;
  readonly days: readonly DayView[];
  /** Rows with a pending create that is too recent to try again; they are also in `days`. */
  readonly pending: number;
  /** What a person can do about the missing rows, which are also in `days`; empty without any. */
  readonly missingAdvice: string;
  readonly guards: readonly { readonly code: Guard["code"]; readonly message: string }[];
  /** How to continue after the guards; empty without any. */
  readonly guardAdvice: string;
  /** Defaults for values that rows leave out, and what apply does at its end. Sentences. */
  readonly assumptions: readonly string[];
}

export interface PlanViewOptions {
  /** IANA zone for days and times. */
  readonly timezone: string;
  /** Whether to show unchanged posts too. */
  readonly kept: boolean;
  /** Number of requests for reading, before the requests of the plan. Undefined if the schedule is a file. */
  readonly reads: number | undefined;
  /** Whether apply may send more than the plan counts. Default: no. */
  readonly isLeast?: boolean;
  /** How long the rate limit delays all of them, in ms. */
  readonly expectedMs: number;
  readonly endsAfter?: ApplyCost["endsAfter"];
  readonly assumptions?: readonly Assumption[];
}

export function planView(
  plan: Plan,
  { timezone, kept, reads, isLeast = false, expectedMs, endsAfter, assumptions = [] }: PlanViewOptions,
): PlanView {
  const shown = [...plan.changes, ...plan.missing, ...plan.pending, ...(kept ? plan.kept : [])];
  const files = plan.uploadedFiles();
  return {
    timezone,
    summary: plan.summary,
    changes: plan.changes.length,
    days: byDay(shown.map((each) => postView(each, timezone, files))),
    pending: plan.pending.length,
    missingAdvice: plan.missing.length === 0 ? "" : missingAdvice(plan.missing, plan.whereMissing),
    guards: plan.guards.map((guard) => ({ code: guard.code, message: guardFinding(guard) })),
    guardAdvice: guardAdvice(plan.guards),
    uploads: {
      files: plan.costs.hasUploads ? plan.uploads.length : 0,
      bytes: plan.uploads.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    requests: reads === undefined ? undefined : plan.requests + reads,
    isLeast,
    expectedMs,
    endsAfter,
    assumptions: [...assumptionSentences(assumptions), ...afterApplySentences(plan)],
  };
}

function afterApplySentences({ changes, afterApply }: Plan): readonly string[] {
  if (afterApply === undefined || changes.length === 0) return [];
  return [
    `After apply, plancast triggers the automation ${afterApply.id} with the input ${afterApply.input}.`,
  ];
}

/** The first line of a plan for another time; empty for now. */
export function trialSentence(now: string | undefined): string {
  return now === undefined ? "" : `This plan is for ${now} (--now), so apply refuses it.`;
}

/** By the day that the row's own clock shows. */
function byDay(posts: readonly PostView[]): readonly DayView[] {
  const sorted = posts.toSorted(
    (one, other) =>
      compareText(rowClock(one).isoDay, rowClock(other).isoDay) || compareText(one.at, other.at),
  );
  return Array.from(
    groupBy(sorted, (post) => rowClock(post).day),
    ([day, those]) => ({ day, posts: those }),
  );
}

/** When a post is due, as people read it in its row. */
export function rowClock({ when, rowTime }: Pick<PostView, "when" | "rowTime">): ShownTime {
  return rowTime ?? when;
}

/** The time in the project's zone, with the day if the row has another: `Sun 28 23:30`. */
export function projectTime({ rowTime, when }: Pick<PostView, "when" | "rowTime">): string {
  return rowTime === undefined || rowTime.isoDay === when.isoDay ? when.clock : `${when.date} ${when.clock}`;
}

/** The label beside the time of a post that takes a slot, or is shown for a series; empty for all others. */
export function timeLabel({ isNextSlot, folded }: Pick<PostView, "isNextSlot" | "folded">): string {
  return isNextSlot === true ? "next free slot" : (folded?.label ?? "");
}

/** Whether a row shows another time than the project's zone. */
export function hasOtherZones({ days }: PlanView): boolean {
  return days.some(({ posts }) => posts.some(({ rowTime }) => rowTime !== undefined));
}

/** How many posts each network has, the most used first. */
export function networkCounts(
  posts: readonly PostView[],
): readonly (readonly [network: string, posts: number])[] {
  const uses = groupBy(
    posts.flatMap(({ networks }) => networks),
    (network) => network,
  );
  return Array.from(uses, ([network, those]) => [network, those.length] as const).toSorted(
    ([, one], [, other]) => other - one,
  );
}

/** The changes of a plan in numbers: `2 to create, 1 to replace, 1 missing`. Empty without any. */
export function changeCounts({ create, replace, cancel, adopt, missing }: ChangeCounts): string {
  return counted([
    [create, "to create"],
    [replace, "to replace"],
    [cancel, "to cancel"],
    [adopt, "to adopt"],
    [missing, "missing"],
  ]);
}

/** How many posts a plan changes, and how many wait for a person's decision. */
export type ChangeCounts = Pick<Summary, Action | "missing">;

/** What a plan does not change: `40 unchanged, 3 past, 1 draft, 5 not managed by this project`. */
export function unchangedCounts({ summary, pending }: Pick<PlanView, "summary" | "pending">): string {
  return counted([
    [pending, "pending"],
    [summary.held, "held"],
    [summary.keep, "unchanged"],
    [summary.past - summary.expired, "past"],
    [summary.expired, "expired"],
    ...unplannedCounts({ drafts: summary.draft, skipped: summary.skipped }),
    [summary.unmanaged, "not managed by this project"],
  ]);
}

/** Display names of the fields. */
export const FIELD_NAMES: Readonly<Record<BodyPart, string>> = {
  content: "text",
  platforms: "networks",
  scheduledAt: "time",
  mediaIds: "media",
  alt: "alt text",
  thread: "thread",
  thread_media: "media in the thread",
  first_comment: "first comment",
  reply_to: "reply to",
  quote: "quoted post",
  poll: "poll",
  poll_length: "poll runs for",
  poll_multiple: "poll takes several answers",
  expires: "expires",
  options: "options",
};

/** An extra part of a post: its name, and its text on one line. */
interface ExtraView {
  readonly field: ExtraPart;
  readonly name: string;
  readonly text: string;
}

/** The extra parts of a post that are not empty. */
function extraViews(post: PostExtras, timezone: string): readonly ExtraView[] {
  const filled = filledExtras(post);
  return EXTRA_PARTS.flatMap((field) =>
    filled[field] === undefined
      ? []
      : [{ field, name: FIELD_NAMES[field], text: extraText(filled, field, timezone) }],
  );
}

function extraText(post: PostExtras, part: ExtraPart, timezone: string): string {
  const value = post[part] ?? EMPTY_EXTRAS[part];
  if (value.length === 0) return part === "expires" ? "never" : "none";
  if (part === "expires") return endTime(String(value), timezone);
  if (typeof value === "string") return value;
  if (part === "options") return value.join(", ");
  if (part === "thread_media") return threadMediaText(post);
  const [only = ""] = value;
  if (value.length === 1 && !String(only).includes(" | ")) return String(only);
  // The numbers make sure that two texts never look like one text that contains the separator.
  return value.map((text, index) => `${index + 1}/${value.length} ${text || "none"}`).join(" | ");
}

/** `reply 1: 2, reply 4: 1`: how many of the last media belong to each reply. */
function threadMediaText({ thread_media: counts = [] }: PostExtras): string {
  return counts.flatMap((count, index) => (count === 0 ? [] : [`reply ${index + 1}: ${count}`])).join(", ");
}

/** The differences from the replaced post. `before` is absent if the service does not return it. */
export interface Difference {
  readonly field: BodyPart;
  readonly before: string | undefined;
  readonly after: string;
}

export interface PostView {
  readonly action: Action | "missing" | "keep" | "pending";
  readonly at: UtcTime;
  /** The time in the project's zone. */
  readonly when: ShownTime;
  /** Whether plancast chose the time: the next free slot. Absent for a row with a time, or with a slot by now. */
  readonly isNextSlot?: boolean;
  /** Which post of its row it is. Absent if the row does not repeat. */
  readonly series?: Occurrence;
  /** If it is shown for all posts of its series: how many, and `weekly: 8 posts, the last on …`. */
  readonly folded?: { readonly posts: number; readonly label: string };
  /** The time in the row's own zone, if clocks there show a different time than in the project's zone. */
  readonly rowTime: ShownTime | undefined;
  /** Absent for a derived key, which means nothing to people. */
  readonly id: string | undefined;
  /** `calendars/march.csv:4` */
  readonly place: string;
  /** Like `place`, in parts, for links. Without a line if the row is missing. */
  readonly source: RowSource;
  /** Display names. For a cancel, what the service returned, as in all fields below. */
  readonly networks: readonly string[];
  readonly content: string | undefined;
  /** `launch.png 48 kB`, `launch.png 48 kB from cdn.example.com`, or an id. */
  readonly media: readonly string[];
  readonly campaign: string | undefined;
  /** The other parts of the post that are not empty. */
  readonly extras: readonly ExtraView[];
  /** The project's pictures among them, as paths from its folder. */
  readonly pictures: readonly string[];
  readonly differences: readonly Difference[];
  /** Absent if the action is enough. */
  readonly reason: string | undefined;
}

type RowSource = Pick<Position, "file" | "line" | "cell">;

const NO_FILES: UploadedFiles = new Map();

/** Facts about a post in a plan, with times in a zone (IANA). Media of no known file are shown by id. */
export function postView(
  post: Change | Keep | MissingRow | PendingChange,
  timezone: string,
  files: UploadedFiles = NO_FILES,
): PostView {
  if (post.action === "missing")
    return { ...postView(post.create, timezone), action: "missing", reason: missingRowText(post) };
  const { action, key } = post;
  const row = post.action === "cancel" ? undefined : post.desired;
  // Without a row, only the service or the lockfile has facts.
  const remote: Partial<RemotePost> = post.action === "cancel" ? post.remote : {};
  const { platforms = [], content } = row ?? remote;
  const at = "dueAt" in post ? post.dueAt : post.desired.scheduledAt;
  return {
    action,
    at,
    when: localTime(at, timezone),
    rowTime: rowTime({ scheduledAt: at, timezone: row?.timezone }, timezone),
    ...(action !== "pending" && row?.slot?.isTaken === false ? { isNextSlot: true } : {}),
    ...(row?.series === undefined ? {} : { series: row.series }),
    id: idOf(key),
    ...placeOf(row, "file" in post ? post.file : post.desired.source.file),
    networks: platforms.map(networkTitle),
    content,
    media:
      row === undefined ? (remote.mediaIds?.map((id) => uploadedLabel(id, files)) ?? []) : mediaLabels(row),
    campaign: row?.campaign,
    extras: extraViews(row ?? remote, timezone),
    pictures: row === undefined ? [] : picturesOf(row),
    differences:
      post.action === "replace"
        ? post.fields.map((part) => difference(part, post.remote, post.desired, timezone, files))
        : [],
    reason: reasonText(post, timezone),
  };
}

function placeOf(row: ResolvedPost | undefined, file: string): Pick<PostView, "place" | "source"> {
  if (row === undefined) return { place: file, source: { file } };
  const at = row.at();
  const sheet = at.cell === undefined ? {} : { cell: at.cell };
  return { place: rowName(row.source, at), source: { file, line: row.source.line, ...sheet } };
}

/** Types that browsers show, and services accept. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function picturesOf({ media }: ResolvedPost): readonly string[] {
  return media.flatMap((each) =>
    each.kind === "file" && each.url === undefined && PICTURES.has(each.mime) ? [each.path] : [],
  );
}

function reasonText(post: Change | Keep | PendingChange, timezone: string): string | undefined {
  if (post.action === "keep") return undefined;
  if (post.action !== "pending") return notableReason(post);
  const again =
    post.until === undefined
      ? `${uncertainText(post.unsure)} Check whether the post exists, then run plancast resolve.`
      : `Run plancast apply again after ${fullTime(localTime(post.until, timezone))}. It checks before it creates.`;
  return `An earlier apply may or may not have scheduled this post. ${again}`;
}

function difference(
  field: BodyPart,
  before: RemotePost,
  after: ResolvedPost,
  timezone: string,
  files: UploadedFiles,
): Difference {
  if (field === "scheduledAt") return { field, ...timeDifference(before.scheduledAt, after, timezone) };
  const from = partText(field, before, timezone, files);
  const to = partText(field, after, timezone, files) ?? "";
  return { field, ...(field === "mediaIds" ? mediaDifference(from, to) : { before: from, after: to }) };
}

/** Undefined if the service does not show the part. */
function partText(
  part: Exclude<BodyPart, "scheduledAt">,
  post: RemotePost | ResolvedPost,
  timezone: string,
  files: UploadedFiles,
): string | undefined {
  switch (part) {
    case "content":
      return post.content;
    case "platforms":
      return post.platforms && networkTitles(post.platforms);
    case "mediaIds":
      return "media" in post ? mediaText(post) : post.mediaIds && uploadedMediaText(post.mediaIds, files);
    default:
      return "media" in post || post[part] !== undefined ? extraText(post, part, timezone) : undefined;
  }
}

/** The time in the project's zone. If the row has another zone, the time in that zone, with its name. */
function timeDifference(
  before: UtcTime | undefined,
  post: Pick<ResolvedPost, "scheduledAt" | "timezone">,
  project: string,
): Omit<Difference, "field"> {
  const own = rowTime(post, project)?.timezone;
  if (own === undefined) return timesBetween(before, post.scheduledAt, project);
  const times = timesBetween(before, post.scheduledAt, own);
  return { ...times, after: `${times.after} in ${shownZone(own)}` };
}
