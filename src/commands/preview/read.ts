/** Calendars, and the plan where the service can be asked, as what the preview's page shows. Writes nothing. */

import { type CheckedCalendars, checkCalendars } from "../../calendars/check.ts";
import { listPosts } from "../../calendars/list-posts.ts";
import { type SelectionOptions, selectCalendars } from "../../calendars/select.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import type { ListedPost, MediaFile } from "../../model/post.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import { makePreview } from "../../preview/make-preview.ts";
import type { Notice, PreviewData } from "../../preview/preview-data.ts";
import type { SourceOf } from "../../preview/preview-post.ts";
import { visibleText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
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
  /** The service is not asked. */
  readonly offline: boolean;
  /** Opens the service. */
  readonly open: () => Promise<OpenedService>;
  /** How the page gets pictures, given files in the order in which they matter. */
  readonly sourceOf: (root: string, files: readonly MediaFile[]) => SourceOf | Promise<SourceOf>;
}

export interface ReadPreview {
  readonly data: PreviewData;
  readonly problems: readonly Problem[];
  readonly checked: CheckedCalendars;
  /** Every file that a post names. */
  readonly files: readonly MediaFile[];
  readonly posts: readonly ListedPost[];
  /** Whether the service was to be asked, and could not be. */
  readonly isUnanswered: boolean;
}

/** Throws a Failure where the project itself cannot be read. */
export async function readPreview(
  project: Project,
  { narrowing, offline, open, sourceOf }: PreviewReading,
  shell: Shell,
): Promise<ReadPreview> {
  const { clock, cwd } = shell;
  const media = knownMedia(project, clock);
  const checked = await checkCalendars(project, await selectCalendars(project, narrowing, cwd), clock, media);
  const planning = offline
    ? { plan: undefined, problems: checked.problems, notices: [OFFLINE], isUnanswered: false }
    : await planOrWhyNot(project, checked, open, shell);
  const { plan, problems, notices, isUnanswered } = planning;
  const posts = await listPosts(project.root, checked, media);
  const files = filesByUrgency(posts, utcTime(clock.now()));
  const data = makePreview({
    title: titleOf(project),
    config: project.config,
    calendars: checked.calendars,
    posts,
    plan,
    problems,
    notices,
    now: clock.now(),
    sourceOf: await sourceOf(project.root, files),
  });
  return { data, problems, checked, files, posts, isUnanswered };
}

const OFFLINE: Notice = {
  kind: "note",
  text: "Made without asking the service: it shows what the calendars say, not what a plan would do.",
};

interface PreviewPlan {
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  readonly isUnanswered: boolean;
}

async function planOrWhyNot(
  project: Project,
  checked: CheckedCalendars,
  open: PreviewReading["open"],
  shell: Shell,
): Promise<PreviewPlan> {
  // A plan without knowing what they give would be another than apply's; and nothing is downloaded for a look.
  if (checked.uncheckedUrls > 0) {
    const unseen = plural(checked.uncheckedUrls, "address", "addresses");
    const text = `What a plan would do is not shown: ${unseen} of media would have to be downloaded first. plancast plan does that.`;
    const notices = [{ kind: "note" as const, text }];
    return { plan: undefined, problems: checked.problems, notices, isUnanswered: false };
  }
  try {
    const planning = await planChecked(checked, { project, clock: shell.clock, open });
    await planning.opened?.close();
    const { plan, problems } = planning;
    return { plan, problems, notices: plan === undefined ? [noPlan(problems)] : [], isUnanswered: false };
  } catch (error) {
    if (!(error instanceof Failure) || shell.stop.aborted) throw error;
    const why = `${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}`;
    const text = `What a plan would do is not shown, because the service could not be asked. ${visibleText(why)}`;
    const notices = [{ kind: "note" as const, text }];
    return { plan: undefined, problems: checked.problems, notices, isUnanswered: true };
  }
}

function noPlan(problems: readonly Problem[]): Notice {
  const what = hasErrors(problems) ? "There are errors to mend first" : "There is no plan";
  return { kind: "alert", text: `${what}, so what a plan would do is not shown.` };
}

/** A project by its name, else by that of its folder. */
function titleOf({ root, config }: Project): string {
  return config.project ?? root.split(/[\\/]/).findLast((part) => part !== "") ?? "plancast";
}

/** The files of posts to come, earliest first; then those of past posts, latest first. */
function filesByUrgency(posts: readonly ListedPost[], now: string): MediaFile[] {
  const next = posts.findIndex(({ scheduledAt }) => scheduledAt >= now);
  const split = next === -1 ? posts.length : next;
  return [...posts.slice(split), ...posts.slice(0, split).reverse()].flatMap(({ media }) =>
    media.flatMap((each) => (each.kind === "file" && "sha256" in each ? each : [])),
  );
}
