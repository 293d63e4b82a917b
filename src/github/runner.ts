/**
 * The interface to the runner of GitHub Actions: the job, from the environment and the event's file, and the files for
 * a step's outputs and summary.
 */

import { z } from "zod";
import { appendToRunnerFile } from "../disk/files.ts";
import { readFile, stat } from "../disk/machine.ts";
import { Failure, reasonOf } from "../model/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface PullRequest {
  readonly number: number;
  readonly headSha: string;
  /** The newest commit of the branch that it goes into, when the event happened. */
  readonly baseSha: string | undefined;
  /** Its commits are from another repository, so it gets no secrets, and nothing in it is trusted. */
  readonly isFork: boolean;
}

export interface Job {
  /** Absolute path of the checkout. */
  readonly workspace: string;
  /** `owner/name` */
  readonly repository: string;
  readonly apiUrl: string;
  /** Address of GitHub's website, without a slash at its end. */
  readonly serverUrl: string;
  /** Address of this run's page. */
  readonly runUrl: string;
  /** The name of the event, for example `push`. */
  readonly event: string;
  /** The commit of the run. */
  readonly sha: string;
  /** The branch of a push; `12/merge` for a pull request. */
  readonly refName: string;
  readonly isBranch: boolean;
  /** Who started the run. */
  readonly actor: string;
  readonly pullRequest: PullRequest | undefined;
  /** On a push: the commit that was the newest of the branch before; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether only some people can read the repository. True if the event does not say. */
  readonly isPrivate: boolean;
  readonly source: Source;
}

/**
 * Origin of the commits that the job may have checked out. `merged`: a branch or tag of this repository.
 * `pull-request`: not merged yet. `fork`: perhaps another repository; these jobs get no key, and nothing in them is
 * trusted.
 */
type Source = "merged" | "pull-request" | "fork";

/** A commit's hash. Other runners may shorten it. */
const SHA = /^[0-9a-f]{7,64}$/;

const repository = z.object({ full_name: z.string() });
const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.int().positive(),
      // The repository of a fork may be deleted.
      head: z.object({ sha: z.string().regex(SHA), repo: repository.nullish() }),
      base: z.object({ sha: z.string().regex(SHA).optional() }).optional(),
    })
    .optional(),
  before: z.string().regex(SHA).optional(),
  repository: z.object({ private: z.boolean().optional() }).optional(),
  // Runs on the main branch after another workflow, and often checks out that workflow's commit.
  workflow_run: z.object({ event: z.string(), head_repository: repository.nullish() }).optional(),
  // A comment on a pull request starts a run on the main branch, and does not say where the pull request's commits come
  // from.
  issue: z.object({ pull_request: z.unknown().optional() }).optional(),
});

type Event = z.infer<typeof eventSchema>;

/** The job. Throws a Failure outside one. Facts for pages and messages may be missing, as on other runners. */
export async function readJob(env: Env): Promise<Job> {
  const repositoryName = requiredEnv(env, "GITHUB_REPOSITORY", /^[\w.-]+\/[\w.-]+$/);
  const ref = env["GITHUB_REF"] ?? "";
  const name = requiredEnv(env, "GITHUB_EVENT_NAME", /^[a-z_]+$/);
  const event = await readEvent(env["GITHUB_EVENT_PATH"]);
  const serverUrl = (env["GITHUB_SERVER_URL"] || "https://github.com").replace(/\/{1,9}$/, "");
  return {
    workspace: requiredEnv(env, "GITHUB_WORKSPACE", /^\//),
    repository: repositoryName,
    apiUrl: env["GITHUB_API_URL"] || "https://api.github.com",
    serverUrl,
    runUrl: runUrlOf(env, `${serverUrl}/${repositoryName}/actions`),
    event: name,
    sha: requiredEnv(env, "GITHUB_SHA", SHA),
    refName: env["GITHUB_REF_NAME"] || ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    isBranch: env["GITHUB_REF_TYPE"] === "branch" || ref.startsWith("refs/heads/"),
    actor: env["GITHUB_ACTOR"] ?? "",
    pullRequest: pullRequestOf(event, repositoryName),
    before: event.before === undefined || /^0+$/.test(event.before) ? undefined : event.before,
    isPrivate: event.repository?.private ?? true,
    source: sourceOf(name, event, repositoryName),
  };
}

/** @param all address of all runs */
function runUrlOf(env: Env, all: string): string {
  const [id = "", attempt = ""] = [env["GITHUB_RUN_ID"], env["GITHUB_RUN_ATTEMPT"]];
  if (!/^\d+$/.test(id)) return all;
  return /^\d+$/.test(attempt) && attempt !== "1"
    ? `${all}/runs/${id}/attempts/${attempt}`
    : `${all}/runs/${id}`;
}

function requiredEnv(env: Env, name: string, shape: RegExp): string {
  const value = env[name] ?? "";
  if (shape.test(value)) return value;
  throw notInJob(`${name} is ${value === "" ? "not set" : "not the value that a runner sets"}`);
}

async function readEvent(path: string | undefined): Promise<Event> {
  if (path === undefined || path === "") return {};
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw notInJob(`plancast cannot read the event's file: ${reasonOf(error)}`);
  });
  return parseEvent(text);
}

function pullRequestOf({ pull_request: found }: Event, ours: string): PullRequest | undefined {
  if (found === undefined) return undefined;
  const { number, head, base } = found;
  return { number, headSha: head.sha, baseSha: base?.sha, isFork: !isOurs(head.repo, ours) };
}

function isOurs(found: z.infer<typeof repository> | null | undefined, ours: string): boolean {
  return found?.full_name.toLowerCase() === ours.toLowerCase();
}

/** Events that may be about a fork's commits. */
const FROM_OUTSIDE = /^(pull_request|issue_comment$|workflow_run$|merge_group$|check_run$|check_suite$)/;

/** If the event does not say, the commits count as a fork's. */
function sourceOf(name: string, event: Event, ours: string): Source {
  const { pull_request: pull, workflow_run: run, issue } = event;
  if (pull !== undefined) return isOurs(pull.head.repo, ours) ? "pull-request" : "fork";
  if (run !== undefined) {
    if (!isOurs(run.head_repository, ours)) return "fork";
    if (run.event === "pull_request") return "pull-request";
    return FROM_OUTSIDE.test(run.event) ? "fork" : "merged";
  }
  if (issue !== undefined) return issue.pull_request === undefined ? "merged" : "fork";
  return FROM_OUTSIDE.test(name) ? "fork" : "merged";
}

function parseEvent(text: string): Event {
  try {
    return eventSchema.parse(JSON.parse(text));
  } catch {
    throw notInJob("the event's file is not one of GitHub's");
  }
}

function notInJob(why: string): Failure {
  return new Failure(
    "ci/job",
    `This is not a job of GitHub Actions: ${why}.`,
    "`plancast ci` is only for the GitHub Action. Use `plancast validate`, `plan` and `apply` instead.",
  );
}

/** Largest summary of a step that GitHub accepts, in bytes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** Maximum number of bytes that one UTF-16 unit takes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Sets outputs of the step. Each value is written between unpredictable delimiters, so no value can end early.
 * @param path of GITHUB_OUTPUT; without one nothing is done
 * @param delimiter returns another random word at each call
 */
export async function writeOutputs(
  path: string | undefined,
  outputs: Readonly<Record<string, string>>,
  delimiter: () => string,
): Promise<void> {
  if (path === undefined || path === "") return;
  const entries = Object.entries(outputs).map(([name, value]) => {
    const end = `plancast_${delimiter()}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await appendToRunnerFile(path, entries.join(""));
}

/** UTF-16 units left for a summary, after what the step has already written. */
export async function remainingSummaryLength(path: string | undefined): Promise<number> {
  if (path === undefined || path === "") return 0;
  const used = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  return Math.max(0, Math.floor((MAX_SUMMARY_BYTES - used) / MAX_BYTES_PER_UNIT) - 1);
}

/** @param path of GITHUB_STEP_SUMMARY; without it, nothing is written */
export async function writeSummary(path: string | undefined, markdown: string): Promise<void> {
  if (path !== undefined && path !== "") await appendToRunnerFile(path, `${markdown}\n`);
}
