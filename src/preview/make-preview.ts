/** Builds the preview's data from the posts of the calendars, and from a plan if there is one. Pure. */

import { utcTime } from "../model/canonical.ts";
import type { Plan } from "../model/plan.ts";
import type { ListedPost, UtcTime } from "../model/post.ts";
import { type Problem, errorsFirst, placeName } from "../model/problem.ts";
import type { Publication } from "../model/publication.ts";
import { durationMs } from "../model/clock.ts";
import { countsText } from "../report/problems/problems-text.ts";
import {
  type NoPlan,
  guardAdvice,
  guardFinding,
  noPlanText,
  trialPageText,
} from "../report/plan/decisions.ts";
import { missingAdvice, missingRowsText } from "../problems/plan-texts.ts";
import { visibleText } from "../report/text/escape.ts";
import { shortTime, sortableTime } from "../report/text/local-time.ts";
import type { RowCounts } from "../calendars/row-groups.ts";
import { editRefusal } from "../calendars/edit/edit-calendar.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import type { Config } from "../settings/config.ts";
import type { EditableFile, Notice, PreviewData, PreviewStatus } from "./preview-data.ts";
import {
  type KnownMeters,
  type PlannedRow,
  type SourceOf,
  PreviewPostBuilder,
  byTime,
} from "./preview-post.ts";

export interface PreviewInput {
  readonly title: string;
  readonly config: Config;
  readonly calendars: readonly Calendar[];
  /** Earliest first. */
  readonly posts: readonly ListedPost[];
  /** Undefined without a plan; `noPlan` says why. */
  readonly plan: Plan | undefined;
  readonly noPlan: NoPlan | undefined;
  readonly problems: readonly Problem[];
  /** What happens to the rows. */
  readonly counts?: RowCounts | undefined;
  /** What happened to posts that were due, by the keys of their rows. */
  readonly publications?: ReadonlyMap<string, Publication>;
  /** Ms since the epoch. */
  readonly now: number;
  /** Whether `now` is the time of --now. */
  readonly isTrial?: boolean;
  readonly sourceOf: SourceOf;
  /** The meters of earlier readings with the same settings. */
  readonly meters?: KnownMeters | undefined;
  /** For a page whose posts can be edited: the version of each calendar. */
  readonly versions?: ReadonlyMap<string, string> | undefined;
}

export function makePreview(input: PreviewInput): PreviewData {
  const { config, plan, posts, now } = input;
  const problems = errorsFirst(input.problems);
  const timezone = config.timezone ?? "UTC";
  const editing = input.versions && editableFiles(input.calendars, input.versions);
  input.meters?.read();
  const maker = new PreviewPostBuilder(config, input.calendars, { ...input, problems, editing });
  const planned = new Map(
    plan === undefined
      ? []
      : [...plan.kept, ...plan.pending, ...plan.missing, ...plan.changes].flatMap((each) =>
          each.action === "cancel" ? [] : [[each.key, each] as const],
        ),
  );
  const pastUntil = utcTime(now + durationMs(config.safety.lead_time));
  const shown = posts.map((post) => {
    const decision = post.status === "ready" ? planned.get(post.key) : undefined;
    const status = previewStatus(post, decision, plan, pastUntil);
    const publication = status === "past" ? input.publications?.get(post.key) : undefined;
    return maker.ofRow(post, decision, publicationStatus(publication) ?? status, publication);
  });
  const gone = (plan?.changes ?? []).flatMap((each) =>
    each.action === "cancel" ? maker.ofCancel(each) : [],
  );
  const made = utcTime(now);
  const madeAt = shortTime(made.replace(/\d\dZ$/, "00Z"), timezone);
  return {
    title: visibleText(input.title),
    timezone,
    madeAt,
    ...(input.counts === undefined ? {} : { counts: countsText(input.counts) }),
    today: sortableTime(made, timezone).date,
    notices: [
      ...trialNotices(input, madeAt),
      ...noPlanNotices(input.noPlan),
      ...missingNotices(plan),
      ...guardNotices(plan),
    ],
    platforms: maker.platforms.entries,
    media: maker.media.entries,
    problems: problems.map((each) => ({
      code: each.code,
      severity: each.severity,
      message: visibleText(each.message),
      place: visibleText(placeName(each)),
    })),
    posts: [...shown, ...gone].sort(byTime),
    ...(editing === undefined ? {} : { editing }),
  };
}

function editableFiles(
  calendars: readonly Calendar[],
  versions: ReadonlyMap<string, string>,
): EditableFile[] {
  const byName = new Map(calendars.map((each) => [each.file, each]));
  return [...byName.values()].map((calendar) => {
    const why = editRefusal(calendar);
    return {
      name: calendar.file,
      version: versions.get(calendar.file) ?? "",
      ...(why === undefined ? {} : { why: visibleText(why) }),
    };
  });
}

function previewStatus(
  { status, scheduledAt }: ListedPost,
  decision: PlannedRow | undefined,
  plan: Plan | undefined,
  pastUntil: UtcTime,
): PreviewStatus {
  if (status !== "ready") return status;
  if (decision !== undefined) return decision.action;
  // A plan decides on every row that is not past.
  return plan !== undefined || scheduledAt < pastUntil ? "past" : "ready";
}

/** What happened to a post, in the page's words; undefined as long as nobody knows. */
function publicationStatus(publication: Publication | undefined): PreviewStatus | undefined {
  switch (publication?.state) {
    case "published":
    case "failed":
    case "cancelled":
      return publication.state;
    default:
      return undefined;
  }
}

function trialNotices({ isTrial }: PreviewInput, madeAt: string): Notice[] {
  return isTrial === true ? [{ kind: "note", text: trialPageText(madeAt) }] : [];
}

function noPlanNotices(noPlan: NoPlan | undefined): Notice[] {
  if (noPlan === undefined) return [];
  const isAlert = noPlan.why === "errors" || noPlan.why === "nothing-planned";
  return [{ kind: isAlert ? "alert" : "note", text: visibleText(noPlanText(noPlan)) }];
}

function missingNotices(plan: Plan | undefined): Notice[] {
  if (plan === undefined || plan.missing.length === 0) return [];
  const text = `${missingRowsText(plan.missing)} ${missingAdvice(plan.missing, plan.whereMissing)}`;
  return [{ kind: "alert", text: visibleText(text) }];
}

function guardNotices(plan: Plan | undefined): Notice[] {
  if (plan === undefined || plan.guards.length === 0) return [];
  const text = `Apply refuses this plan, unless somebody allows it. ${plan.guards.map(guardFinding).join(" ")} ${guardAdvice(plan.guards)}`;
  return [{ kind: "alert", text: visibleText(text) }];
}
