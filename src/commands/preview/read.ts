/** Reads calendars, and plans if the service is available, for the preview's page. Writes nothing. */

import { type CheckedCalendars, checkCalendars, listPosts } from "../../calendars/check.ts";
import { type SelectionOptions, selectCalendars } from "../../calendars/select.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import type { ListedPost, MediaFile } from "../../model/post.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { makePreview } from "../../preview/make-preview.ts";
import type { PreviewData } from "../../preview/preview-data.ts";
import type { SourceOf } from "../../preview/preview-post.ts";
import type { NoPlan } from "../../report/plan/preview-notices.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import { planChecked } from "../../sync/sync.ts";
import type { OnlyFlag } from "../common/flags.ts";
import { knownMedia } from "../common/media-addresses.ts";
import type { Shell } from "../common/shell.ts";

export interface PreviewFlags extends OnlyFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly offline: boolean;
  readonly serve: boolean;
  readonly port: number | undefined;
}

export interface PreviewReading {
  readonly narrowing: SelectionOptions;
  /** Without the service. */
  readonly offline: boolean;
  /** Opens the service. */
  readonly open: () => Promise<OpenedService>;
  /** Gives the page its pictures. The files are in the order of their importance. */
  readonly sourceOf: (root: string, files: readonly MediaFile[]) => SourceOf | Promise<SourceOf>;
}

export interface ReadPreview {
  readonly data: PreviewData;
  readonly problems: readonly Problem[];
  readonly checked: CheckedCalendars;
  /** All files of the posts. */
  readonly files: readonly MediaFile[];
  readonly posts: readonly ListedPost[];
  /** Whether the service was unavailable. */
  readonly isUnanswered: boolean;
}

/** Throws a Failure if the project itself cannot be read. */
export async function readPreview(
  project: Project,
  { narrowing, offline, open, sourceOf }: PreviewReading,
  shell: Shell,
): Promise<ReadPreview> {
  const { clock, cwd } = shell;
  const media = knownMedia(project, clock);
  const checked = await checkCalendars(project, await selectCalendars(project, narrowing, cwd), clock, media);
  const { plan, problems, noPlan } = offline
    ? { plan: undefined, problems: checked.problems, noPlan: { why: "offline" } as const }
    : await planOrWhyNot(project, checked, open, shell);
  const posts = await listPosts(project.root, checked, media);
  const files = filesByUrgency(posts, utcTime(clock.now()));
  const data = makePreview({
    title: titleOf(project),
    config: project.config,
    calendars: checked.calendars,
    posts,
    plan,
    problems,
    noPlan,
    now: clock.now(),
    sourceOf: await sourceOf(project.root, files),
  });
  return { data, problems, checked, files, posts, isUnanswered: noPlan?.why === "unanswered" };
}

interface PreviewPlan {
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  /** Why there is no plan. */
  readonly noPlan: NoPlan | undefined;
}

async function planOrWhyNot(
  project: Project,
  checked: CheckedCalendars,
  open: PreviewReading["open"],
  shell: Shell,
): Promise<PreviewPlan> {
  const without = (noPlan: NoPlan): PreviewPlan => ({ plan: undefined, problems: checked.problems, noPlan });
  // Without the files at these addresses, the plan would differ from apply's, and a preview downloads nothing.
  if (checked.uncheckedUrls > 0) return without({ why: "unknown-media", addresses: checked.uncheckedUrls });
  try {
    const planning = await planChecked(checked, { project, clock: shell.clock, open });
    await planning.opened?.close();
    const { plan, problems } = planning;
    if (plan !== undefined) return { plan, problems, noPlan: undefined };
    return { plan, problems, noPlan: { why: hasErrors(problems) ? "errors" : "nothing-planned" } };
  } catch (error) {
    if (!(error instanceof Failure) || shell.stop.aborted) throw error;
    return without({ why: "unanswered", failure: error });
  }
}

/** The project's name, else its folder's. */
function titleOf({ root, config }: Project): string {
  return config.project ?? root.split(/[\\/]/).findLast((part) => part !== "") ?? "plancast";
}

/** The files of coming posts, earliest first; then those of past posts, latest first. */
function filesByUrgency(posts: readonly ListedPost[], now: string): MediaFile[] {
  const next = posts.findIndex(({ scheduledAt }) => scheduledAt >= now);
  const split = next === -1 ? posts.length : next;
  return [...posts.slice(split), ...posts.slice(0, split).reverse()].flatMap(({ media }) =>
    media.flatMap((each) => (each.kind === "file" && "sha256" in each ? each : [])),
  );
}
