/**
 * Everything that a job of the Action uses: real servers for the service and GitHub's API, and a real repository with a
 * remote.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { afterThisTest } from "../after-test.ts";
import { startForeignService, type ForeignOptions, type ForeignService } from "../foreign-service.ts";
import { csv } from "../scenario.ts";
import { startFakeGitHub, type FakeGitHub } from "./fake-api.ts";
import { inProcess, type InProcess } from "./in-process.ts";
import { startInShell } from "./in-shell.ts";
import { commandsIn } from "./log-commands.ts";
import { makeRepository, GIT_ENV, type TestRepository } from "./repository.ts";
import { runAction, type JobOptions, type JobRecord } from "./runner.ts";

export const CALENDAR = "calendars/march.csv";

/** The calendar's text. */
export function calendarOf(...rows: readonly (readonly string[])[]): string {
  return csv(["id", "scheduled_at", "platforms", "content", "status"], ...rows);
}

/** Rows of the calendar. */
export const launch = ["launch", "2036-03-01T08:00:00Z", "linkedin", "We are live.", ""];
export const second = ["second", "2036-03-02T08:00:00Z", "linkedin", "And again.", ""];
export const draft = launch.with(4, "draft");

export function row(id: string, status = ""): string[] {
  return [id, "2036-03-03T08:00:00Z", "linkedin", `Text ${id}.`, status];
}

type JobChanges = Partial<JobOptions>;

export interface ActionWorld {
  readonly service: ForeignService;
  readonly github: FakeGitHub;
  readonly repository: TestRepository;
  /** Runs the action on pull request 12, whose commits are in the checkout. A fork's job gets no secrets. */
  readonly pullRequest: (over?: JobChanges & { fork?: boolean; isPrivate?: boolean }) => Promise<JobRecord>;
  /** Runs it on a push to main. Default: the merge of pull request 12. */
  readonly merge: (over?: JobChanges) => Promise<JobRecord>;
}

type Rows = readonly (readonly string[])[];

export type StartWorld = (rows: Rows, options?: ForeignOptions) => Promise<ActionWorld>;

/** Jobs run in this process. Time moves only while they wait. */
export const startWorld: StartWorld = async (rows, options) => {
  const { clock, startScript }: InProcess = inProcess(() => service.isBusy() || github.isBusy());
  const service: ForeignService = await startForeignService({ now: clock.now, ...options });
  const github = await startFakeGitHub();
  return worldWith(rows, { service, github, startScript });
};

/** Jobs run in shells, with the built command, in real time. */
export const startRealWorld: StartWorld = async (rows, options) =>
  worldWith(rows, {
    service: await startForeignService(options),
    github: await startFakeGitHub(),
    startScript: startInShell,
  });

async function worldWith(
  rows: Rows,
  { service, github, startScript }: Pick<ActionWorld, "service" | "github"> & Pick<JobOptions, "startScript">,
): Promise<ActionWorld> {
  afterThisTest(() => service.close());
  const repository = await makeRepository({ [CALENDAR]: calendarOf(...rows) }, { timezone: "Europe/Paris" });
  const inputs = { "base-url": service.url, "api-key": service.key };
  const workspace = repository.project.root;
  const keep: JobOptions["uses"] = async (_name, { name = "", path = "", archive }) => {
    // As GitHub documents it: a file that is not zipped gives the artifact its name.
    const [artifact, file] = archive === "false" ? [basename(path), basename(path)] : [name, "plan.json"];
    github.addArtifact(artifact, { [file]: await readFile(path, "utf8") }, name.split("-").at(-1) ?? "");
    return {
      "artifact-url": `https://github.example/acme/social/actions/runs/4711/artifacts/${github.artifacts.length}`,
    };
  };
  const usual = { startScript, workspace, apiUrl: github.url, env: GIT_ENV, uses: keep };
  return {
    service,
    github,
    repository,
    pullRequest: async ({ fork = false, isPrivate = false, ...over } = {}) => {
      const sha = await repository.head();
      const repo = { full_name: fork ? "stranger/social" : "acme/social" };
      const head = { sha, repo };
      // As if the pull request had one commit.
      const base = repository.git("rev-list", "--max-count=1", "--skip=1", "HEAD").trim() || sha;
      if (!github.pulls.some((pull) => pull.head.sha === sha))
        github.pulls.unshift({
          number: 12 + github.pulls.length,
          merged_at: "2026-01-02T00:00:00Z",
          base: { ref: "main" },
          head,
        });
      return runAction({
        ...usual,
        eventName: "pull_request",
        event: {
          pull_request: { number: 12, head, base: { ref: "main", sha: base } },
          repository: { private: isPrivate },
        },
        sha,
        refName: "12/merge",
        ...over,
        inputs: { ...(fork ? {} : inputs), command: "plan", ...over.inputs },
      });
    },
    merge: async (over = {}) =>
      runAction({
        ...usual,
        eventName: "push",
        event: { ref: "refs/heads/main" },
        sha: await repository.head(),
        ...over,
        inputs: { ...inputs, command: "apply", ...over.inputs },
      }),
  };
}

/** Commands in the log of a job, without plancast's annotations. */
export function strangeCommands({ steps }: JobRecord): unknown[] {
  return steps
    .flatMap(({ log }) => commandsIn(log))
    .filter(({ command }) => !["error", "warning", "notice"].includes(command));
}
