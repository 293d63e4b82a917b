/**
 * What a plan looks like to people, before it has a format: days in the project's time zone, earliest first. Text and
 * Markdown both print this. All text in it is raw; whoever prints it escapes it.
 */
import type { Guard, Plan, Summary } from "../calendar/change.ts";
import { postView, type PostView } from "./post-view.ts";

export interface DayView {
  /** `Mon 1 March 2027` */
  readonly day: string;
  readonly posts: readonly PostView[];
}

export interface PlanView {
  /** IANA zone of every day and clock. */
  readonly timezone: string;
  readonly summary: Summary;
  /** How many posts change; kept and held ones are not among them. */
  readonly changes: number;
  readonly days: readonly DayView[];
  /** Rows whose last create has an unknown outcome and is too recent to try again; they stand in `days` too. */
  readonly held: number;
  readonly guards: readonly Guard[];
  /** Cancels that the guards count, which is what `--allow-cancels` has to name. */
  readonly cancels: number;
  readonly uploads: { readonly files: number; readonly bytes: number };
  readonly requests: number;
  /** How long the rate limit makes them take, ms; 0 where they all may go at once. */
  readonly expectedMs: number;
}

export interface PlanViewOptions {
  /** IANA zone to show days and clocks in. */
  readonly timezone: string;
  /** Whether the posts that stay as they are are shown too. */
  readonly kept: boolean;
  /** Requests that stand before the plan's own: those that read what is planned on. */
  readonly reads: number;
  /** How long the rate limit makes all of them take, ms. */
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
    guards: plan.guards,
    cancels: plan.changes.filter((each) => each.action === "cancel" && !each.retiring).length,
    uploads: {
      files: plan.uploads.length,
      bytes: plan.uploads.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    requests: plan.requests + reads,
    expectedMs,
  };
}

function byDay(posts: readonly PostView[]): readonly DayView[] {
  const days = new Map<string, PostView[]>();
  for (const post of posts.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    const day = days.get(post.when.day);
    if (day === undefined) days.set(post.when.day, [post]);
    else day.push(post);
  }
  return Array.from(days, ([day, those]) => ({ day, posts: those }));
}
