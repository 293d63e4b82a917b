/**
 * `command: fetch`: brings what people wrote into sheets to review. All projects of the job share one branch and one pull
 * request. A pull request that a job opens starts no workflow, so the same job then plans it.
 */

import { relative, sep } from "node:path";
import {
  atTrialMerge,
  fetchBranch,
  fetchBranchTip,
  followBranch,
  hasFiles,
  pushFetched,
} from "../../github/fetch-branch.ts";
import { Git, bytesAt } from "../../github/git-branch.ts";
import {
  type OwnPullRequest,
  closePullRequest,
  ensurePullRequest,
  openPullRequest,
  wasRefused,
} from "../../github/own-pull-request.ts";
import type { Job } from "../../github/runner.ts";
import { Failure } from "../../model/failure.ts";
import { HOLDS_FILE } from "../../model/holds.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import {
  FETCHED_NEXT_TIME,
  FETCH_PULL_REQUEST,
  NOT_MERGED,
  fetchedMarkdown,
  notMergedUnguarded,
} from "../../report/outcomes/fetched.ts";
import { type Annotation, problemsMarkdown } from "../../report/problems/github.ts";
import { SCHEDULE_FILES } from "../../repository/schedule.ts";
import type { Project } from "../../settings/config.ts";
import { fetchDocument } from "../project/fetch-sheets.ts";
import { loadProject } from "../project/project.ts";
import { reportError } from "../shell/report-problems.ts";
import {
  type FetchedProject,
  type ReviewedProject,
  fetchProject,
  filesForReview,
  putFile,
} from "./fetch-files.ts";
import { checkMayChange, keyInput, namedProjects, withoutInputs } from "./inputs.ts";
import { publishLockfiles } from "./lockfile.ts";
import { type CiResult, type CiStep, problemCounts, stoppedResult, withApi } from "./report.ts";
import { sheetResults } from "./sheet-results.ts";
import { type Stops, stopRows } from "./stops.ts";

/** A step that has not read a project yet. */
type FetchJob = Omit<CiStep, "project" | "folder" | "part" | "lists" | "givenKey">;

/** Plans what a pull request brings. The files of the checkout are those of its trial merge, and so is HEAD. */
type PlanPullRequest = (job: Job) => Promise<{ readonly result: CiResult; readonly folder: string }>;

interface FetchResult {
  readonly result: CiResult;
  /** The job as if the pull request had started it; undefined if there is none. */
  readonly job: Job | undefined;
}

/** Tries for a push. */
const ATTEMPTS = 4;

/** Never throws: what ends the run is its result. */
export async function fetchForReview(given: FetchJob, plan: PlanPullRequest): Promise<FetchResult> {
  const { shell, console } = given;
  const stops: PlacedStops[] = [];
  let fetched: FetchResult;
  try {
    checkMayChange(given.job);
    fetched = await fetchAll(given, stops, plan);
  } catch (error) {
    const { aborted } = shell.stop;
    const result = stoppedResult(aborted ? [] : reportError(error, console), aborted);
    fetched = { result, job: undefined };
  }
  return stops.length === 0 ? fetched : { ...fetched, result: withStops(fetched.result, stops) };
}

type PlacedStops = Stops & Pick<FetchedProject, "folder">;

/** What was stopped is the most important news, also if the rest failed. */
function withStops(result: CiResult, stops: readonly PlacedStops[]): CiResult {
  const problems = stops.flatMap((each) => each.problems);
  const shown = problems.length === 0 ? "" : problemsMarkdown(problems, { title: "Not stopped" });
  const text = stops.map((each) => each.markdown).join("\n") + shown;
  const isFailed = hasErrors(problems);
  return {
    ...result,
    exit: isFailed && result.exit === 0 ? 1 : result.exit,
    annotations: [
      ...stops.flatMap(({ folder, problems: own }) => own.map((each) => inFolder(each, folder))),
      ...result.annotations,
    ],
    markdown: belowHeading(result.markdown, text),
    outputs: isFailed ? { ...result.outputs, result: "failed" } : result.outputs,
    isNews: true,
  };
}

async function fetchAll(given: FetchJob, stops: PlacedStops[], plan: PlanPullRequest): Promise<FetchResult> {
  const projects: FetchedProject[] = [];
  for (const config of await configsOf(given)) {
    const flags = { ...given.flags, config };
    const project = await loadProject(flags, given.shell);
    const folder = relative(given.job.workspace, project.root).split(sep).join("/");
    const fetched = await fetchProject({ ...given, project, folder });
    if (fetched === undefined) continue;
    const key = given.inputs.projects.length === 0 ? keyInput(given.shell.env) : undefined;
    const step = { ...given, flags, project, folder, givenKey: key, lists: undefined };
    const stopped = await stopRows(step, fetched.sheets);
    if (stopped !== undefined) stops.push({ ...stopped, folder });
    // The checkout still has the copies of the main branch, which the lockfile belongs to.
    const notWritten = await sheetResults(step);
    projects.push({ ...fetched, problems: [...fetched.problems, ...notWritten] });
  }
  if (projects.length === 0)
    throw new Failure(
      "calendar/none-found",
      "No calendar has `from:`, so there is nothing to fetch.",
      "Name the address of a sheet in plancast.yaml: see docs/run/sheets.md.",
    );
  if (stops.length > 0 && !(await followStops(given, projects))) return { result: NEXT_TIME, job: undefined };
  const pushed = await withApi(given, (api) => pushAll(given, projects, api));
  const head = fetchedResult(projects, pushed);
  if (pushed.pull === undefined || pushed.head === undefined) return { result: head, job: undefined };
  const { git, base, files } = pushed;
  const { number } = pushed.pull;
  const pullRequest = { number, headSha: pushed.head, baseSha: base, isFork: false };
  const job: Job = { ...given.job, source: "pull-request", pullRequest };
  const planned = await atTrialMerge(git, files, { base, head: pushed.head }, () => plan(job));
  const annotations = planned.result.annotations.map((each) => inFolder(each, planned.folder));
  const result = joined(head, { ...planned.result, annotations });
  if (!given.inputs.auto_merge) return { result, job };
  const why = whyByHand(projects, pushed, head, planned.result);
  if (why !== undefined) return { result: { ...result, markdown: result.markdown + why }, job };
  const outputs = { ...result.outputs, "merge-number": String(number), "merge-sha": pushed.head };
  return { result: { ...result, outputs }, job };
}

/** Saves what the stops changed. Returns false if others pushed meanwhile: the checkout is then too old for a plan. */
async function followStops(given: FetchJob, projects: readonly FetchedProject[]): Promise<boolean> {
  const { job, inputs, shell } = given;
  const flags = (await configsOf(given)).map((config) => ({ ...given.flags, config }));
  const { failures } = await publishLockfiles(flags, job, inputs, shell);
  for (const each of failures) reportError(each, given.console);
  const git = new Git(shell.cwd, withoutInputs(shell.env));
  const known = new Set(
    projects.flatMap(({ prefix, project }) => stateFiles(project).map((file) => prefix + file)),
  );
  const changed = await followBranch(git, job.refName, known);
  for (const { project, prefix } of projects)
    for (const file of stateFiles(project)) {
      const contents =
        changed?.includes(prefix + file) === true ? await bytesAt(git, "HEAD", prefix + file) : undefined;
      if (contents !== undefined) await putFile(project, file, contents);
    }
  return changed !== undefined;
}

/** What a hold may change on the main branch. */
function stateFiles({ config }: Project): readonly string[] {
  return [HOLDS_FILE, config.lockfile, ...SCHEDULE_FILES];
}

const NEXT_TIME: CiResult = {
  exit: 0,
  annotations: [],
  markdown: FETCHED_NEXT_TIME,
  outputs: { result: "nothing", errors: "0", warnings: "0" },
  isNews: false,
};

/** Why a person must merge; undefined if nobody needs to. */
function whyByHand(
  projects: readonly FetchedProject[],
  { reviews }: PushedSheets,
  fetched: CiResult,
  planned: CiResult,
): string | undefined {
  const unguarded = projects.flatMap((each) => each.unguarded);
  if (unguarded.length > 0) return notMergedUnguarded(unguarded);
  const isSafe =
    fetched.exit === 0 &&
    planned.exit === 0 &&
    planned.isHarmless === true &&
    reviews.every(({ proposal, changesSettings }) => proposal === undefined && !changesSettings);
  return isSafe ? undefined : NOT_MERGED;
}

/** The plancast.yaml of each project; undefined for the nearest. */
async function configsOf({ inputs, flags, shell }: FetchJob): Promise<readonly (string | undefined)[]> {
  return inputs.projects.length === 0 ? [flags.config] : namedProjects(inputs, shell);
}

interface PushedSheets {
  readonly git: Git;
  readonly base: string;
  /** What differs from the base. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** The newest commit of the branch, and its pull request; undefined if there is nothing to review. */
  readonly head: string | undefined;
  readonly pull: OwnPullRequest | undefined;
  /** Whether somebody closed the pull request with exactly these contents. */
  readonly isRefused: boolean;
  readonly reviews: readonly ReviewedProject[];
}

async function pushAll(
  given: FetchJob,
  projects: readonly FetchedProject[],
  api: Parameters<typeof openPullRequest>[0],
): Promise<PushedSheets> {
  const { job, inputs, shell } = given;
  const git = new Git(shell.cwd, withoutInputs(shell.env));
  const branch = fetchBranch(inputs.name);
  const base = (await git.run(["rev-parse", "HEAD"])).trim();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const tip = await fetchBranchTip(git, branch);
    const open = tip === undefined ? undefined : await openPullRequest(api, job, branch);
    const reviews: ReviewedProject[] = [];
    for (const each of projects)
      reviews.push(await filesForReview(git, each, { base, tip, isOpen: open !== undefined }));
    const files = new Map(reviews.flatMap((each) => [...each.files]));
    const nothing = { git, base, files, head: undefined, pull: undefined, isRefused: false, reviews };
    if (files.size === 0) {
      if (open !== undefined) await closePullRequest(api, job, open);
      return nothing;
    }
    if (
      tip !== undefined &&
      open === undefined &&
      (await hasFiles(git, tip, files)) &&
      (await wasRefused(api, job, { branch, sha: tip }))
    )
      return { ...nothing, isRefused: true };
    const message = `Fetch ${files.size === 1 ? "a sheet" : "sheets"}`;
    const head = await pushFetched(git, files, { branch, base, tip, message });
    if (head === undefined) continue;
    const pull = await ensurePullRequest(api, job, branch, FETCH_PULL_REQUEST);
    return { ...nothing, head, pull };
  }
  throw new Failure(
    "repository/push",
    `Others pushed to ${branch} during each of ${ATTEMPTS} tries, so nothing was pushed.`,
    "Run the job again.",
  );
}

/** What the fetch found, without a plan. */
function fetchedResult(projects: readonly FetchedProject[], pushed: PushedSheets): CiResult {
  const { reviews, pull, isRefused } = pushed;
  const problems: Annotation[] = [...projects, ...reviews].flatMap((each) =>
    each.problems.map((problem) => inFolder(problem, each.folder)),
  );
  const proposals = reviews.flatMap(({ proposal }) => proposal ?? []);
  const documents = projects.map(({ sheets }) => fetchDocument(sheets));
  const all: readonly Problem[] = [...projects, ...reviews].flatMap((each) => each.problems);
  return {
    exit: hasErrors(all) ? 1 : 0,
    annotations: problems,
    markdown: [
      ...proposals,
      fetchedMarkdown(documents, { isRefused }),
      ...(all.length === 0 ? [] : [problemsMarkdown(all, { title: "Not fetched" })]),
    ].join("\n"),
    outputs: {
      result: hasErrors(all) ? "failed" : "nothing",
      ...problemCounts(all),
      ...(pull === undefined ? {} : { "pull-request": pull.url }),
    },
    isNews: pull !== undefined,
  };
}

/** With its place from the root of the checkout. */
function inFolder(problem: Annotation, folder: string): Annotation {
  return problem.file === undefined || folder === ""
    ? problem
    : { ...problem, file: `${folder}/${problem.file}` };
}

/** The heading of a plan stays first, because the link to the preview follows it. */
function belowHeading(markdown: string, text: string): string {
  const end = markdown.startsWith("#") ? markdown.indexOf("\n") + 1 : 0;
  return `${markdown.slice(0, end)}\n${text}\n${markdown.slice(end)}`;
}

function joined(fetched: CiResult, planned: CiResult): CiResult {
  const counts = Object.fromEntries(
    ["errors", "warnings"].map((name) => [
      name,
      String(Number(fetched.outputs[name] ?? 0) + Number(planned.outputs[name] ?? 0)),
    ]),
  );
  return {
    exit: fetched.exit === 0 ? planned.exit : fetched.exit,
    annotations: [...fetched.annotations, ...planned.annotations],
    markdown: belowHeading(planned.markdown, fetched.markdown),
    outputs: {
      ...planned.outputs,
      ...counts,
      ...(fetched.exit === 0 ? {} : { result: "failed" }),
      ...("pull-request" in fetched.outputs ? { "pull-request": fetched.outputs["pull-request"] } : {}),
    },
    isNews: true,
  };
}
