/**
 * Reads calendars for the preview's page, and plans and asks about past posts if the service is available. Writes
 * nothing.
 */

import { type CheckedCalendars, checkCalendars, listPosts } from "../../calendars/check.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { type KnownCalendars, type ReadContents, versionOf } from "../../calendars/read-calendar.ts";
import { type SelectionOptions, selectCalendars } from "../../calendars/select.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { Plan } from "../../model/plan.ts";
import type { ListedPost, MediaFile } from "../../model/post.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import type { Publication } from "../../model/publication.ts";
import { currentPublications, readPublications } from "../../tracking/publication-log.ts";
import { makePreview } from "../../preview/make-preview.ts";
import type { PreviewData } from "../../preview/preview-data.ts";
import type { KnownMeters, SourceOf } from "../../preview/preview-post.ts";
import type { NoPlan } from "../../report/plan/decisions.ts";
import { addressIn } from "../../service/connect/configured-address.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { ReadFullService } from "../../service/service.ts";
import { type Config, type Project, EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import type { Compared } from "../../sync/plan/trusted.ts";
import { planChecked } from "../../sync/sync.ts";
import type { OnlyFlag } from "../shell/command.ts";
import { type NowFlag, trialClock } from "../shell/trial-time.ts";
import { shownFiles } from "../../preview/page-media.ts";
import { readCompared } from "../project/base.ts";
import { knownMedia } from "../project/media.ts";
import type { Shell } from "../shell/shell.ts";

export interface PreviewFlags extends OnlyFlag, NowFlag {
  readonly calendar: string[];
  readonly out: string | undefined;
  readonly offline: boolean;
  readonly "for-client": boolean;
  readonly "read-only": boolean;
  readonly serve: boolean;
  readonly port: number | undefined;
}

export interface PreviewReading {
  readonly narrowing: SelectionOptions;
  /** Reads without the service. */
  readonly offline: boolean;
  /** The value of --now. */
  readonly now: string | undefined;
  /** For a page whose posts can be edited. */
  readonly editable?: KnownCalendars | undefined;
  /** Whether to ask the service what happened to past posts, too. */
  readonly asksForPast: boolean;
  /** For a page that is read again and again, with the same settings. */
  readonly meters?: KnownMeters | undefined;
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
  reading: PreviewReading,
  { clock: realClock, cwd, stop, env }: Shell,
): Promise<ReadPreview> {
  const { narrowing, offline, now, sourceOf } = reading;
  const clock = now === undefined ? realClock : trialClock(now, project, realClock);
  const media = knownMedia(project, clock);
  const versions = reading.editable === undefined ? undefined : new Map<string, string>();
  const read = reading.editable && versions && notingVersions(reading.editable.read, versions);
  const compared = offline ? undefined : await readCompared(project, env);
  const holds = compared?.holds?.text;
  const selection = await selectCalendars(project, { ...narrowing, holds, read }, cwd);
  const checked = await checkCalendars(project, selection, clock, media);
  const planned =
    compared === undefined
      ? { plan: undefined, problems: checked.problems, noPlan: { why: "offline" } as const }
      : await planOrWhyNot(project, checked, { ...reading, compared }, { clock, stop });
  const page = { checked, ...planned, isTrial: now !== undefined, versions, meters: reading.meters };
  const made = await makePage(project, page, sourceOf, { clock, env });
  return { ...made, isUnanswered: planned.noPlan?.why === "unanswered" };
}

/**
 * The same reader, which also notes the version of each file. If a file was saved between two reads, it has no
 * version. So nobody can edit it before the next read.
 */
function notingVersions(read: ReadContents, versions: Map<string, string>): ReadContents {
  return (file, bytes, options) => {
    const [known, version] = [versions.get(file), versionOf(bytes)];
    versions.set(file, known === undefined || known === version ? version : "");
    return read(file, bytes, options);
  };
}

/** Makes the page of calendars that were checked, and planned if there is a plan. */
export async function makePage(
  project: Project,
  { checked, plan, problems, noPlan, publications, isTrial, versions, meters }: PagePosts,
  sourceOf: PreviewReading["sourceOf"],
  { clock, env }: Pick<Shell, "clock" | "env">,
): Promise<Omit<ReadPreview, "isUnanswered">> {
  const posts = await listPosts(project, checked, knownMedia(project, clock));
  const files = filesByUrgency(posts, utcTime(clock.now()));
  const data = makePreview({
    title: titleOf(project),
    config: withUsedAccounts(project, env),
    calendars: checked.calendars,
    posts,
    plan,
    problems,
    counts: countRows(checked, problems),
    noPlan,
    ...(publications === undefined ? {} : { publications }),
    now: clock.now(),
    isTrial,
    versions,
    meters,
    sourceOf: await sourceOf(project.root, files),
  });
  return { data, problems, checked, files, posts };
}

/** The settings, without `accounts:` if a service publishes. */
export function withUsedAccounts({ config }: Pick<Project, "config">, env: Shell["env"]): Config {
  const address = addressIn({ config }, env);
  const isUsed = address === EMBEDDED || address === REPOSITORY;
  return isUsed ? config : { ...config, accounts: {} };
}

interface PagePosts extends PreviewPlan {
  readonly checked: CheckedCalendars;
  /** Whether the clock shows a different time than now. */
  readonly isTrial: boolean;
  /** For a page whose posts can be edited: the version of each calendar. */
  readonly versions?: ReadonlyMap<string, string> | undefined;
  readonly meters?: KnownMeters | undefined;
}

interface PreviewPlan {
  /** The calendars as the plan sees them. Absent if the plan does not change what the check found. */
  readonly checked?: CheckedCalendars;
  readonly plan: Plan | undefined;
  readonly problems: readonly Problem[];
  /** Why there is no plan. */
  readonly noPlan: NoPlan | undefined;
  /** What happened to posts that were due. Undefined if the service was not asked. */
  readonly publications?: ReadonlyMap<string, Publication> | undefined;
}

async function planOrWhyNot(
  project: Project,
  checked: CheckedCalendars,
  { open, asksForPast, compared }: PreviewReading & { readonly compared: Compared },
  { clock, stop }: Pick<Shell, "clock" | "stop">,
): Promise<PreviewPlan> {
  const without = (noPlan: NoPlan): PreviewPlan => ({ plan: undefined, problems: checked.problems, noPlan });
  // Without the files at these addresses, the plan would differ from apply's, and a preview downloads nothing.
  if (checked.uncheckedUrls > 0) return without({ why: "unknown-media", addresses: checked.uncheckedUrls });
  try {
    const planning = await planChecked(checked, { project, clock, open, compared });
    const { plan, problems, opened, owned } = planning;
    const isKnown = opened !== undefined && owned !== undefined;
    const publications = isKnown
      ? await pastPublications(project, owned, opened.service, {
          asks: asksForPast,
          now: clock.now(),
        })
      : undefined;
    await opened?.close();
    const seen = { checked: planning.checked, plan, problems, publications };
    if (plan !== undefined) return { ...seen, noPlan: undefined };
    const why = hasErrors(problems) ? "errors" : "nothing-planned";
    return { ...seen, noPlan: { why } };
  } catch (error) {
    if (!(error instanceof Failure) || stop.aborted) throw error;
    return without({ why: "unanswered", failure: error });
  }
}

/** The service is asked about posts that were due at most this long ago, in ms; the records know older ones. */
const ASKED_MS = 31 * 24 * 3_600_000;

/**
 * What happened to posts that were due, by the key of the post's row. Without an answer of the service, only the
 * records count. The page then shows less, but nothing wrong.
 * @param asks whether to ask the service @param now ms
 */
async function pastPublications(
  project: Project,
  lockfile: Lockfile,
  service: ReadFullService,
  { asks, now }: { readonly asks: boolean; readonly now: number },
): Promise<ReadonlyMap<string, Publication>> {
  const due = Object.entries(lockfile.posts).filter(([, { scheduled_at: at }]) => at <= utcTime(now));
  if (due.length === 0) return new Map();
  const open = due.flatMap(([, { post_id: id, scheduled_at: dueAt }]) =>
    asks && now - utcMs(dueAt) <= ASKED_MS ? [{ id, dueAt }] : [],
  );
  const recorded = await readPublications(project, service.origin).catch(ignoreFailure);
  const current =
    open.length === 0
      ? undefined
      : await currentPublications(project, open, service, now).catch(ignoreFailure);
  return new Map(
    due.flatMap(([key, { post_id: id }]) => {
      const known = current?.publications.get(id) ?? recorded?.publicationOf(id);
      return known === undefined ? [] : [[key, known] as const];
    }),
  );
}

/** The project's name, otherwise its folder's. */
function titleOf({ root, config }: Project): string {
  return config.project ?? root.split(/[\\/]/).findLast((part) => part !== "") ?? "plancast";
}

/** The files of coming posts, earliest first; then the files of past posts, latest first. */
function filesByUrgency(posts: readonly ListedPost[], now: string): MediaFile[] {
  const next = posts.findIndex(({ scheduledAt }) => scheduledAt >= now);
  const split = next === -1 ? posts.length : next;
  return [...posts.slice(split), ...posts.slice(0, split).reverse()].flatMap(shownFiles);
}
