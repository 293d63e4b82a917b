/** Builds the preview's data from the posts of the calendars, and from a plan if there is one. Pure. */

import { utcTime } from "../model/canonical.ts";
import type { Plan } from "../model/plan.ts";
import type { ListedPost, UtcTime } from "../model/post.ts";
import { type Problem, placeName } from "../model/problem.ts";
import type { RawCalendar } from "../model/row.ts";
import { durationMs } from "../model/units.ts";
import { guardAdvice, guardFinding } from "../report/plan/decisions.ts";
import { type NoPlan, noPlanText } from "../report/plan/preview-notices.ts";
import { visibleText } from "../report/text/escape.ts";
import { shortTime, sortableTime } from "../report/text/local-time.ts";
import type { Config } from "../settings/config.ts";
import type { Notice, PreviewData, PreviewPost, PreviewStatus } from "./preview-data.ts";
import { type PlannedRow, type SourceOf, PreviewPostBuilder, rowProblems } from "./preview-post.ts";

export interface PreviewInput {
  readonly title: string;
  readonly config: Config;
  readonly calendars: readonly RawCalendar[];
  /** Earliest first. */
  readonly posts: readonly ListedPost[];
  /** Undefined without a plan; `noPlan` says why. */
  readonly plan: Plan | undefined;
  readonly noPlan: NoPlan | undefined;
  readonly problems: readonly Problem[];
  /** Ms since the epoch. */
  readonly now: number;
  readonly sourceOf: SourceOf;
}

export function makePreview(input: PreviewInput): PreviewData {
  const { config, plan, posts, problems, now } = input;
  const timezone = config.timezone ?? "UTC";
  const maker = new PreviewPostBuilder(
    config,
    input.sourceOf,
    timezone,
    rowProblems(problems, input.calendars),
  );
  const planned = new Map(
    plan === undefined
      ? []
      : [...plan.kept, ...plan.held, ...plan.changes].flatMap((each) =>
          each.action === "cancel" ? [] : [[each.key, each] as const],
        ),
  );
  const pastUntil = utcTime(now + durationMs(config.safety.lead_time));
  const shown = posts.map((post) => {
    const decision = post.status === "ready" ? planned.get(post.key) : undefined;
    return maker.ofRow(post, decision, previewStatus(post, decision, plan, pastUntil));
  });
  const gone = (plan?.changes ?? []).flatMap((each) =>
    each.action === "cancel" ? maker.ofCancel(each) : [],
  );
  const made = utcTime(now);
  return {
    title: visibleText(input.title),
    timezone,
    madeAt: shortTime(made.replace(/\d\dZ$/, "00Z"), timezone),
    today: sortableTime(made, timezone).date,
    notices: [...noPlanNotices(input.noPlan), ...guardNotices(plan)],
    platforms: maker.platforms.entries,
    media: maker.media.entries,
    problems: problems.map((each) => ({
      code: each.code,
      severity: each.severity,
      message: visibleText(each.message),
      place: visibleText(placeName(each)),
    })),
    posts: [...shown, ...gone].sort(byTime),
  };
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

function noPlanNotices(noPlan: NoPlan | undefined): Notice[] {
  if (noPlan === undefined) return [];
  const isAlert = noPlan.why === "errors" || noPlan.why === "nothing-planned";
  return [{ kind: isAlert ? "alert" : "note", text: visibleText(noPlanText(noPlan)) }];
}

function guardNotices(plan: Plan | undefined): Notice[] {
  if (plan === undefined || plan.guards.length === 0) return [];
  const text = `Apply will refuse this plan. ${plan.guards.map(guardFinding).join(" ")} ${guardAdvice(plan.guards)}`;
  return [{ kind: "alert", text: visibleText(text) }];
}

function byTime(one: PreviewPost, other: PreviewPost): number {
  if (one.day !== other.day) return one.day < other.day ? -1 : 1;
  return one.clock < other.clock ? -1 : Number(one.clock > other.clock);
}
