/** The plans that people reviewed: artifacts of the runs on merged pull requests. */

import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { request } from "undici";
import { z } from "zod";
import { Failure, networkReason } from "../model/failure.ts";
import { isLoopback } from "../model/address.ts";
import { openConnections, readBounded } from "../service/http/request.ts";
import type { GitHubApi } from "./api.ts";
import { fetchBranch } from "./fetch-branch.ts";
import type { Job } from "./runner.ts";

/**
 * How many merged pull requests are checked. If a newer run starts, GitHub drops a waiting one. The newer run then
 * does the work of both.
 */
const MAX_PULL_REQUESTS = 10;

/** How many open pull requests are checked. */
const MAX_OPEN = 30;

const PULLS = "pull-requests: read";
const ARTIFACTS = "actions: read";

const pull = z.object({
  number: z.int(),
  merged_at: z.string().nullish(),
  base: z.object({ ref: z.string() }),
  head: z.object({
    sha: z.string(),
    ref: z.string().nullish(),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
});

const artifact = z.object({
  id: z.int(),
  name: z.string(),
  expired: z.boolean().optional(),
  created_at: z.string().nullish(),
  workflow_run: z.object({
    head_sha: z.string(),
    head_branch: z.string().nullish(),
    repository_id: z.int(),
    head_repository_id: z.int(),
  }),
});

/** Where pull requests were merged. `sha` may also be the name of a branch. */
type MergedInto = Pick<Job, "repository" | "sha" | "refName">;

interface ReviewedPlan {
  /** Number of the pull request. */
  readonly number: number;
  /** Returns a plan file's text; undefined if the run made no plan of this name. Throws a Failure if it is unreadable. */
  readonly text: (file: string) => Promise<string | undefined>;
}

/** Name of the artifact with the plan of a pull request's commit. */
export function artifactName(name: string, headSha: string): string {
  return `${name}-plan-${headSha}`;
}

/** Name for a plan that nobody reviews: after a fast-forward, its commit is the pull request's. */
export function unreviewedName(name: string, sha: string): string {
  return `${name}-unreviewed-plan-${sha}`;
}

/** Asks GitHub once for all projects of a job. Each project's plan has its own file. */
export class ReviewedPlans {
  readonly #found: ReviewedPlan[] = [];
  readonly #search: () => AsyncGenerator<ReviewedPlan>;
  #rest: AsyncGenerator<ReviewedPlan> | undefined;

  /** @param name of the artifacts @param open called at most once, when the first plan is needed */
  constructor(open: () => GitHubApi, job: MergedInto, name: string) {
    this.#search = () => reviewedPlans(open(), job, name);
  }

  /** From the first plan on, each time. After a failure, it asks GitHub again. */
  async *plans(): AsyncGenerator<ReviewedPlan> {
    yield* this.#found;
    for (;;) {
      const next = await this.#next();
      if (next === undefined) return;
      this.#found.push(next);
      yield next;
    }
  }

  async #next(): Promise<ReviewedPlan | undefined> {
    this.#rest ??= this.#search();
    try {
      const { value, done } = await this.#rest.next();
      return done === true ? undefined : value;
    } catch (error) {
      this.#rest = undefined;
      this.#found.length = 0;
      throw error;
    }
  }
}

/**
 * The plans of merged pull requests: that of the job's own commit first, then the newest. A pull request without a
 * plan, or from a fork, gives none. A plan made after the merge is not a review, because nobody could read it before.
 * Throws a Failure if GitHub refuses.
 */
async function* reviewedPlans(api: GitHubApi, job: MergedInto, name: string): AsyncGenerator<ReviewedPlan> {
  const seen = new Set<number>();
  for await (const { number, head, base, merged_at } of mergedPulls(api, job)) {
    if (seen.has(number) || !merged_at || base.ref !== job.refName) continue;
    seen.add(number);
    if (seen.size > MAX_PULL_REQUESTS) return;
    if (head.repo?.full_name.toLowerCase() !== job.repository.toLowerCase()) continue;
    const text = await planReader(api, job, name, {
      headSha: head.sha,
      until: Date.parse(merged_at),
      isFetch: head.ref === fetchBranch(name),
    });
    if (text !== undefined) yield { number, text };
  }
}

interface OfCommit {
  readonly headSha: string;
  /** Plans that were made later do not count, in ms. */
  readonly until: number;
  /** Whether it is the pull request of a fetch. */
  readonly isFetch: boolean;
}

/** Reads the newest plans of a commit; undefined if there are none. */
async function planReader(
  api: GitHubApi,
  job: Pick<Job, "repository" | "refName">,
  name: string,
  of: OfCommit,
): Promise<ReviewedPlan["text"] | undefined> {
  const newest = await newestArtifact(api, job, artifactName(name, of.headSha), of);
  if (newest === undefined) return undefined;
  const path = `/repos/${job.repository}/actions/artifacts/${newest.id}/zip`;
  let zip: Uint8Array | undefined;
  return async (file) => {
    zip ??= await downloadArtifact(await api.location({ path, permission: ARTIFACTS }));
    return planIn(zip, file);
  };
}

/** The newest plans of open pull requests into the job's branch. `until`: now, in ms. */
export async function* openPlans(
  api: GitHubApi,
  job: Pick<Job, "repository" | "refName">,
  name: string,
  until: number,
): AsyncGenerator<ReviewedPlan & { readonly headSha: string }> {
  const base = encodeURIComponent(job.refName);
  const path = `/repos/${job.repository}/pulls?state=open&base=${base}&sort=updated&direction=desc&per_page=${MAX_OPEN}`;
  let seen = 0;
  for await (const entry of api.entries({ path, permission: PULLS })) {
    const { data } = pull.safeParse(entry);
    if (data === undefined || data.base.ref !== job.refName) continue;
    if (++seen > MAX_OPEN) return;
    const { number, head } = data;
    if (head.repo?.full_name.toLowerCase() !== job.repository.toLowerCase()) continue;
    const text = await planReader(api, job, name, {
      headSha: head.sha,
      until,
      isFetch: head.ref === fetchBranch(name),
    });
    if (text !== undefined) yield { number, text, headSha: head.sha };
  }
}

async function* mergedPulls(api: GitHubApi, job: MergedInto): AsyncGenerator<z.infer<typeof pull>> {
  const base = encodeURIComponent(job.refName);
  const lists = [
    `/repos/${job.repository}/commits/${encodeURIComponent(job.sha)}/pulls`,
    `/repos/${job.repository}/pulls?state=closed&base=${base}&sort=updated&direction=desc&per_page=30`,
  ];
  for (const path of lists) {
    for await (const entry of api.entries({ path, permission: PULLS })) {
      const read = pull.safeParse(entry);
      if (read.success) yield read.data;
    }
  }
}

/**
 * Skips artifacts of runs on a fork's commits: they are in this repository too, but the fork controls their content.
 */
async function newestArtifact(
  api: GitHubApi,
  { repository, refName }: Pick<Job, "repository" | "refName">,
  name: string,
  { headSha, until, isFetch }: OfCommit,
): Promise<z.infer<typeof artifact> | undefined> {
  const path = `/repos/${repository}/actions/artifacts?name=${encodeURIComponent(name)}&per_page=100`;
  let newest: z.infer<typeof artifact> | undefined;
  for await (const entry of api.entries({ path, permission: ARTIFACTS }, "artifacts")) {
    const read = artifact.safeParse(entry);
    if (!read.success || read.data.name !== name || read.data.expired === true) continue;
    const run = read.data.workflow_run;
    if (run.head_repository_id !== run.repository_id) continue;
    // A fetch plans its pull request in a run of the branch that it goes into, with the workflows of that branch.
    if (run.head_sha !== headSha && !(isFetch && run.head_branch === refName)) continue;
    if (!(Date.parse(read.data.created_at ?? "") <= until)) continue;
    if (newest === undefined || (read.data.created_at ?? "") > (newest.created_at ?? "")) newest = read.data;
  }
  return newest;
}

/** Name of the file in the artifact, if the job has one project. */
export const PLAN_FILE = "plan.json";

/**
 * The beginning of the names of a project's files, if the job has several. No other project has it.
 * @param project its folder, relative to the checkout, with `/`
 */
export function projectStem(project: string): string {
  const readable = project.replaceAll(/[^\w-]+/g, "-").slice(-50);
  return `plan-${readable}-${createHash("sha256").update(project).digest("hex").slice(0, 12)}`;
}

/** A plan of 100,000 posts has about 60 MB, and a tenth of that zipped. */
const MAX_ZIP_BYTES = 64 * 1024 * 1024;
const MAX_PLAN_BYTES = 256 * 1024 * 1024;

/** Longest wait for the answer's headers, and between two parts of its body, in ms. */
const TIMEOUT_MS = 20_000;

/** Downloads an artifact, without any token: its address is signed, and on another host. */
async function downloadArtifact(address: string): Promise<Uint8Array> {
  const url = new URL(address);
  if (url.protocol !== "https:" && !isLoopback(url))
    throw downloadFailure("its address does not begin with https");
  return download(url);
}

/**
 * The text of a plan file. A run for several projects made no plan for projects that its pull request did not touch.
 */
function planIn(zip: Uint8Array, file: string): string | undefined {
  const plan = unzipPlan(zip, file)[file];
  if (plan !== undefined) return Buffer.from(plan).toString("utf8");
  if (file === PLAN_FILE) throw downloadFailure(`it contains no ${PLAN_FILE}`);
  return undefined;
}

async function download(url: URL): Promise<Uint8Array> {
  const dispatcher = openConnections();
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const zip = await readBounded(body, { timeoutMs: TIMEOUT_MS }, MAX_ZIP_BYTES);
    if (statusCode !== 200) throw downloadFailure(`the answer was ${statusCode}`);
    return zip;
  } catch (error) {
    throw error instanceof Failure ? error : downloadFailure(networkReason(error));
  } finally {
    await dispatcher.destroy();
  }
}

function unzipPlan(zip: Uint8Array, file: string): Record<string, Uint8Array> {
  try {
    return unzipSync(zip, {
      filter: ({ name, originalSize }) => name === file && originalSize <= MAX_PLAN_BYTES,
    });
  } catch {
    throw downloadFailure("it is not a zip file");
  }
}

function downloadFailure(why: string): Failure {
  return new Failure(
    "ci/github",
    `plancast cannot download the reviewed plan: ${why}.`,
    "Run the job again.",
  );
}
