/**
 * GitHub as teams use it: a repository with pull requests of its own and of forks, and the workflows of the commit that
 * an event names. Each job gets a new checkout, as actions/checkout makes it: only the commits that the workflow asks for.
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { workflowTemplate } from "../../../src/commands/init/workflows.ts";
import { afterThisTest } from "../after-test.ts";
import { type ForeignOptions, type ForeignService, startForeignService } from "../foreign-service.ts";
import { interpolate, isTrue } from "./expression.ts";
import { type FakeGitHub, startFakeGitHub } from "./fake-api.ts";
import { inProcess } from "./in-process.ts";
import { startInShell } from "./in-shell.ts";
import type { TestClock } from "../test-clock.ts";
import { GIT_ENV } from "./repository.ts";
import { type JobOptions, type JobRecord, runAction } from "./runner.ts";

type Files = Readonly<Record<string, string | Uint8Array | undefined>>;
type Contexts = Readonly<Record<string, string>>;

/** Somebody with a clone. */
export interface Person {
  readonly root: string;
  /** Runs git, which must succeed. Returns its output. */
  readonly git: (...args: string[]) => string;
  /** Whether git succeeds. */
  readonly tries: (...args: string[]) => boolean;
  readonly read: (path: string) => Promise<string>;
  /** Undefined removes a file. */
  readonly write: (files: Files) => Promise<void>;
  readonly commit: (message: string, files?: Files) => Promise<void>;
  /** Starts a branch from the newest main. */
  readonly start: (branch: string) => void;
}

export interface Pull {
  readonly number: number;
  readonly isFork: boolean;
  /** The branch that it is for. */
  readonly base: string;
  /** Its own branch, if a job opened it. */
  readonly branch?: string;
}

/** A job of a workflow that ran: what the Action did in it. */
export type RanJob = JobRecord & { readonly job: string };

export interface Hub {
  readonly service: ForeignService;
  readonly github: FakeGitHub;
  /** Address of the repository. */
  readonly origin: string;
  readonly clock: TestClock;
  /** What the repository's settings contain. A test may change them. */
  readonly secrets: Record<string, string>;
  readonly vars: Record<string, string>;
  readonly clone: () => Promise<Person>;
  readonly tip: (branch?: string) => string;
  readonly remoteFile: (path: string, ref?: string) => string;
  /** Opens a pull request with the commit of a clone, or updates it. */
  readonly open: (from: Person, options?: { isFork?: boolean; base?: string; number?: number }) => Pull;
  /** The pull request that a job opened from a branch, as it is now. Throws if there is none. */
  readonly opened: (branch: string) => Pull;
  /** Closes it without a merge. */
  readonly refuse: (pull: Pull) => void;
  /** Runs the workflows for a pull request, on GitHub's trial merge with the newest base. */
  readonly plan: (pull: Pull, eventName?: string) => Promise<RanJob[]>;
  /** Merges with GitHub's button, and runs no workflow. Returns the push. */
  readonly merge: (pull: Pull, how?: "merge" | "squash" | "rebase") => Push;
  /** What a person pushes to a branch. */
  readonly push: (from: Person, ...args: string[]) => Push;
  /** Marks a pull request as merged: GitHub notices that its commits are on the branch. */
  readonly close: (pull: Pull) => void;
  /** Runs the workflows for a push, which may happen later. */
  readonly pushed: (push: Push, over?: Over) => Promise<RanJob[]>;
  readonly run: (
    eventName: string,
    options?: Over & { event?: object; inputs?: Contexts; ref?: string; workflow?: string },
  ) => Promise<RanJob[]>;
}

/** What a single run has otherwise. */
interface Over {
  readonly during?: NonNullable<JobOptions["during"]>;
  readonly actor?: string;
}

export interface Push {
  readonly branch: string;
  readonly before: string;
  readonly after: string;
}

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const workflowSchema = z.object({
  on: z.union([z.string().transform((name) => ({ [name]: null })), z.record(z.string(), z.unknown())]),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().default("always()"),
      steps: z.array(
        z.object({
          if: z.string().default("always()"),
          uses: z.string(),
          with: texts.default({}),
          env: texts.default({}),
        }),
      ),
    }),
  ),
});

/** When time begins, unless it is real. */
const BEGINS = Date.UTC(2036, 0, 1);

export const WORKFLOW = ".github/workflows/plancast.yml";

/** What `plancast init` writes for a project in the root with rows that repeat. */
export const USUAL_WORKFLOW = workflowTemplate({
  action: "plancast/plancast@v0.1.0",
  branch: "main",
  repeats: true,
  folder: "",
});

/** The same, with the whole history in the checkout of the apply job. */
export const DEEP_WORKFLOW = USUAL_WORKFLOW.replace(/( *)ref: .*/, "$&\n$1fetch-depth: 0");

function start(
  cwd: string,
  args: readonly string[],
): { readonly ok: boolean; readonly out: string; readonly why: string } {
  const env = { PATH: process.env["PATH"], ...GIT_ENV };
  const done = spawnSync("git", args, { cwd, encoding: "utf8", env });
  return { ok: done.status === 0, out: done.stdout.trim(), why: done.stderr };
}

function run(cwd: string, ...args: string[]): string {
  const { ok, out, why } = start(cwd, args);
  if (!ok) throw new Error(`git ${args.join(" ")}: ${out} ${why}`);
  return out;
}

function personIn(root: string): Person {
  const git = (...args: string[]): string => run(root, ...args);
  const write: Person["write"] = async (files) => {
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) await rm(join(root, path), { recursive: true, force: true });
      else {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
    }
  };
  return {
    root,
    git,
    write,
    tries: (...args) => start(root, args).ok,
    read: (path) => readFile(join(root, path), "utf8"),
    commit: async (message, files = {}) => {
      await write(files);
      git("add", "--all");
      git("commit", "-q", "--allow-empty", "-m", message);
    },
    start: (branch) => {
      git("fetch", "-q", "origin");
      git("checkout", "-q", "-B", branch, "origin/main");
    },
  };
}

/** @param files of the first commit on main */
export async function startHub(
  files: Files,
  {
    service: options = {},
    isReal = false,
  }: { readonly service?: ForeignOptions; readonly isReal?: boolean } = {},
): Promise<Hub> {
  const { clock, startScript } = inProcess(() => service.isBusy() || github.isBusy());
  if (!isReal) clock.advance(BEGINS - clock.now());
  const service: ForeignService = await startForeignService(
    isReal ? options : { now: clock.now, ...options },
  );
  afterThisTest(() => service.close());
  const github = await startFakeGitHub();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plancast-hub-")));
  afterThisTest(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const bare = join(folder, "origin.git");
  const origin = `file://${bare}`;
  run(folder, "init", "-q", "--bare", "-b", "main", bare);
  for (const name of ["allowAnySHA1InWant", "allowReachableSHA1InWant"])
    run(bare, "config", `uploadpack.${name}`, "true");
  const clone = async (): Promise<Person> => {
    const root = await mkdtemp(join(folder, "clone-"));
    run(folder, "clone", "-q", origin, root);
    return personIn(root);
  };
  const first = await clone();
  first.tries("checkout", "-q", "-b", "main");
  await first.commit("first", { ".gitignore": ".plancast/\n", ...files });
  first.git("push", "-q", "origin", "HEAD:main");
  const server = await clone();
  const secrets: Record<string, string> = { PLANCAST_API_KEY: service.key };
  const vars: Record<string, string> = { PLANCAST_BASE_URL: service.url };
  const tip = (branch = "main"): string => run(bare, "rev-parse", branch);

  /** A job's checkout. */
  const checkOut = async ({
    sha,
    ref,
    with: given,
  }: {
    sha: string;
    ref: string;
    with: Contexts;
  }): Promise<string> => {
    const root = await mkdtemp(join(folder, "job-"));
    run(root, "init", "-q", "-b", "none");
    const url = given["repository"] === undefined ? origin : `file://${join(folder, given["repository"])}`;
    run(root, "remote", "add", "origin", url);
    const asked = given["ref"] || ref;
    const commit = given["ref"] === undefined || given["ref"] === "" ? sha : run(bare, "rev-parse", asked);
    const isBranch = start(bare, [
      "show-ref",
      "--verify",
      `refs/heads/${asked.replace(/^refs\/heads\//, "")}`,
    ]).ok;
    const branch = asked.replace(/^refs\/heads\//, "");
    const local = isBranch ? `refs/remotes/origin/${branch}` : "refs/remotes/pull/checked-out";
    const depth = given["fetch-depth"] ?? "1";
    const fetch = (...more: string[]): string => run(root, "fetch", "-q", "--no-tags", ...more);
    if (depth === "0") fetch("origin", "+refs/heads/*:refs/remotes/origin/*");
    fetch(...(depth === "0" ? [] : [`--depth=${depth}`]), "origin", `+${commit}:${local}`);
    if (isBranch) run(root, "checkout", "-q", "-B", branch, local);
    else run(root, "checkout", "-q", "--detach", local);
    return root;
  };

  /** @param run the commit and the branch of the run, if they are not those of the pull request in the artifact's name */
  const keep =
    (run: { sha: string; branch: string } | undefined): NonNullable<JobOptions["uses"]> =>
    async (_name, { name = "", path = "", archive }) => {
      const artifact = archive === "false" ? basename(path) : name;
      const paths = (await stat(path)).isDirectory()
        ? (await readdir(path)).map((each) => join(path, each))
        : [path];
      const kept: Record<string, string> = {};
      for (const each of paths) kept[basename(each)] = await readFile(each, "utf8");
      github.addArtifact(artifact, kept, run?.sha ?? name.split("-").at(-1) ?? "", false, run?.branch);
      return {
        "artifact-url": `https://github.example/acme/social/actions/runs/4711/artifacts/${github.artifacts.length}`,
      };
    };

  /** @param at the commit whose workflows run */
  const runAt = async (
    at: string,
    {
      eventName,
      event,
      sha,
      ref,
      inputs = {},
      hasSecrets = true,
      over = {},
      only,
    }: {
      readonly eventName: string;
      readonly event: object;
      readonly sha: string;
      readonly ref: string;
      readonly inputs?: Contexts;
      readonly hasSecrets?: boolean;
      readonly over?: Over;
      /** The name of the only workflow that runs. */
      readonly only?: string | undefined;
    },
  ): Promise<RanJob[]> => {
    const ran: RanJob[] = [];
    const refName = ref.replace(/^refs\/(?:heads|tags|pull)\//, "");
    const contexts: Record<string, unknown> = {
      "github.event_name": eventName,
      "github.ref": ref,
      "github.ref_name": refName,
      "github.sha": sha,
      "github.token": "",
      "always()": true,
      "inputs.plan": "",
      "secrets.NONE": "",
      "vars.NONE": "",
    };
    const given = { inputs, ...(hasSecrets ? { secrets, vars } : {}) };
    for (const [root, values] of Object.entries(given))
      for (const [name, value] of Object.entries(values)) contexts[`${root}.${name}`] = value;
    flatten("github.event", event, contexts);
    const names = run(bare, "ls-tree", "--name-only", at, ".github/workflows/").split("\n").filter(Boolean);
    for (const path of names) {
      if (only !== undefined && basename(path) !== only) continue;
      const workflow = workflowSchema.parse(parse(run(bare, "show", `${at}:${path}`)));
      if (!(eventName in workflow.on)) continue;
      for (const [job, { if: condition, steps }] of Object.entries(workflow.jobs)) {
        if (!isTrue(condition, contexts)) continue;
        const fill = (fields: Contexts): Record<string, string> =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, interpolate(value, contexts)]),
          );
        let workspace = folder;
        for (const step of steps.filter((each) => isTrue(each.if, contexts))) {
          if (step.uses.startsWith("actions/checkout@"))
            workspace = await checkOut({ sha, ref, with: fill(step.with) });
          else {
            const record = await runAction({
              startScript: isReal ? startInShell : startScript,
              workspace,
              apiUrl: github.url,
              uses: keep(eventName === "pull_request" ? undefined : { sha, branch: refName }),
              eventName,
              event,
              sha,
              refName,
              refType: ref.startsWith("refs/heads/") ? "branch" : "",
              env: { ...GIT_ENV, ...fill(step.env) },
              inputs: fill(step.with),
              ...over,
            });
            ran.push({ ...record, job });
          }
        }
      }
    }
    return ran;
  };

  let opened = 0;
  const headOf = (number: number): string => run(bare, "rev-parse", `refs/pull/${number}/head`);
  const record = (pull: Pull, merged_at: string | null): void => {
    const others = github.pulls.filter(({ number }) => number !== pull.number);
    const head = { sha: headOf(pull.number), ref: pull.branch, repo: repoOf(pull) };
    github.pulls.splice(
      0,
      Infinity,
      { number: pull.number, merged_at, base: { ref: pull.base }, head },
      ...others,
    );
  };
  const forget = ({ number }: Pull): void => {
    const index = github.opened.findIndex((each) => each.number === number);
    if (index !== -1) github.opened.splice(index, 1);
  };
  const close = (pull: Pull): void => {
    forget(pull);
    record(pull, "2026-01-02T00:00:00Z");
  };

  return {
    service,
    github,
    origin,
    secrets,
    vars,
    clock,
    clone,
    tip,
    remoteFile: (path, ref = "main") => start(bare, ["show", `${ref}:${path}`]).out,
    open: (from, { isFork = false, base = "main", number = 12 + opened } = {}) => {
      const pull = { number, isFork, base };
      from.git("push", "-q", "--force", "origin", `HEAD:refs/pull/${number}/head`);
      if (!isFork) from.git("push", "-q", "--force", "origin", `HEAD:refs/heads/pr-${number}`);
      opened += 1;
      record(pull, null);
      return pull;
    },
    opened: (branch) => {
      const found = github.opened.find(({ head }) => head === branch);
      if (found === undefined) throw new Error(`no job opened a pull request from ${branch}`);
      run(bare, "update-ref", `refs/pull/${found.number}/head`, `refs/heads/${branch}`);
      const pull: Pull = { number: found.number, isFork: false, base: found.base, branch };
      record(pull, null);
      return pull;
    },
    refuse: (pull) => {
      forget(pull);
      record(pull, null);
    },
    plan: async (pull, eventName = "pull_request") => {
      const { number, base, isFork } = pull;
      const head = headOf(number);
      const onto = tip(base);
      server.git("fetch", "-q", "origin", onto, head);
      server.git("checkout", "-q", "--force", "--detach", onto);
      server.git("merge", "-q", "--no-ff", "-m", "trial", head);
      server.git("push", "-q", "--force", "origin", `HEAD:refs/pull/${number}/merge`);
      const trial = server.git("rev-parse", "HEAD");
      const isTarget = eventName === "pull_request_target";
      return runAt(isTarget ? onto : trial, {
        eventName,
        event: {
          pull_request: { number, head: { sha: head, repo: repoOf(pull) }, base: { ref: base, sha: onto } },
          repository: { private: true },
        },
        sha: isTarget ? onto : trial,
        ref: isTarget ? `refs/heads/${base}` : `refs/pull/${number}/merge`,
        hasSecrets: isTarget || !isFork,
      });
    },
    merge: (pull, how = "merge") => {
      const { number, base } = pull;
      const head = headOf(number);
      const before = tip(base);
      server.git("fetch", "-q", "origin", before, head);
      server.git("checkout", "-q", "--force", "--detach", how === "rebase" ? head : before);
      if (how === "merge") server.git("merge", "-q", "--no-ff", "-m", `Merge ${number}`, head);
      else if (how === "squash") {
        server.git("merge", "-q", "--squash", head);
        server.git("commit", "-q", "--allow-empty", "-m", `Squash ${number}`);
      } else server.git("rebase", "-q", "--force-rebase", before);
      server.git("push", "-q", "origin", `HEAD:${base}`);
      close(pull);
      return { branch: base, before, after: tip(base) };
    },
    push: (from, ...args) => {
      const before = tip();
      from.git("push", "-q", ...args, "origin", "HEAD:main");
      return { branch: "main", before, after: tip() };
    },
    close,
    pushed: ({ branch, before, after }, over = {}) =>
      runAt(after, {
        eventName: "push",
        event: { ref: `refs/heads/${branch}`, before, after, repository: { private: true } },
        sha: after,
        ref: `refs/heads/${branch}`,
        over,
      }),
    run: (eventName, { event = {}, inputs = {}, ref = "refs/heads/main", workflow, ...over } = {}) => {
      const sha = run(bare, "rev-parse", ref);
      return runAt(sha, {
        eventName,
        event: { repository: { private: true }, ...event },
        sha,
        ref,
        inputs,
        over,
        only: workflow,
      });
    },
  };
}

function repoOf({ isFork }: Pull): { readonly full_name: string } {
  return { full_name: isFork ? "stranger/social" : "acme/social" };
}

/** The texts of an event, by their paths. */
function flatten(path: string, value: unknown, into: Record<string, unknown>): void {
  if (typeof value !== "object" || value === null) {
    into[path] = typeof value === "number" ? String(value) : value;
    return;
  }
  for (const [name, each] of Object.entries(value)) flatten(`${path}.${name}`, each, into);
}
