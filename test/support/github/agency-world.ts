/** A repository with a project for each client, each with a service and a key of its own, and its pull requests. */
import { readFile, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { afterThisTest } from "../after-test.ts";
import { type ForeignService, startForeignService } from "../foreign-service.ts";
import { calendarOf } from "./action-world.ts";
import { type FakeGitHub, startFakeGitHub } from "./fake-api.ts";
import { inProcess } from "./in-process.ts";
import { startInShell } from "./in-shell.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "./repository.ts";
import { type JobOptions, type JobRecord, runAction } from "./runner.ts";

type Files = Readonly<Record<string, string>>;
type JobChanges = Partial<Pick<JobOptions, "inputs" | "env" | "during" | "eventName" | "event">>;

export interface AgencyWorld {
  readonly services: ReadonlyMap<string, ForeignService>;
  readonly github: FakeGitHub;
  readonly repository: TestRepository;
  /** Opens a pull request with these files on top of main. Undefined removes a file. */
  readonly open: (number: number, files: Readonly<Record<string, string | undefined>>) => Promise<void>;
  /** Runs the plan job of a pull request, on GitHub's trial merge. */
  readonly plan: (number: number, over?: JobChanges & { readonly isFork?: boolean }) => Promise<JobRecord>;
  /** Merges it, and runs the apply job. */
  readonly merge: (number: number, over?: JobChanges) => Promise<JobRecord>;
  /** Runs the apply job on main. */
  readonly apply: (over?: JobChanges) => Promise<JobRecord>;
}

export function calendarPath(client: string): string {
  return `clients/${client}/calendars/march.csv`;
}

export function clientCalendar(...ids: readonly string[]): string {
  return calendarOf(...ids.map((id) => [id, "2036-03-01T08:00:00Z", "linkedin", `Text of ${id}.`, ""]));
}

export function keyVariable(client: string): string {
  return `${client
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^_/, "")}_KEY`;
}

/** The checkout of a runner: nothing of an earlier job is left. */
function checkOut({ git }: TestRepository, commit: string): void {
  git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*");
  git("checkout", "-q", "--force", "--detach", commit);
  git("clean", "-fdxq");
}

/** @param calendars by client: the text of its calendar */
export async function startAgency(
  clients: readonly string[],
  { extra = {}, isReal = false }: { readonly extra?: Files; readonly isReal?: boolean } = {},
): Promise<AgencyWorld> {
  const services = new Map<string, ForeignService>();
  const { clock, startScript } = inProcess(
    () => github.isBusy() || [...services.values()].some((service) => service.isBusy()),
  );
  const github: FakeGitHub = await startFakeGitHub();
  const files: Record<string, string> = {};
  for (const client of clients) {
    const service = await startForeignService(isReal ? {} : { now: clock.now });
    afterThisTest(() => service.close());
    services.set(client, service);
    files[`clients/${client}/plancast.yaml`] =
      `service: { url: "${service.url}", key_env: ${keyVariable(client)} }\ntimezone: UTC\n`;
    files[calendarPath(client)] = clientCalendar();
  }
  const repository = await makeRepository({ ...files, ...extra }, {});
  const { git, project } = repository;
  await rm(join(project.root, "plancast.yaml"), { force: true });
  repository.push("clients");
  const keys = Object.fromEntries(
    clients.map((client) => [keyVariable(client), services.get(client)?.key ?? ""]),
  );
  const origins = clients.map((client) => `${services.get(client)?.origin}=${keyVariable(client)}`);
  const env = { ...GIT_ENV, ...keys, PLANCAST_TRUSTED_ORIGINS: origins.join(",") };
  const job = (
    options: Pick<JobOptions, "eventName" | "event" | "inputs">,
    over: JobChanges,
  ): Promise<JobRecord> =>
    runAction({
      startScript: isReal ? startInShell : startScript,
      workspace: project.root,
      apiUrl: github.url,
      uses: (_name, given) => keep(github, given),
      sha: git("rev-parse", "HEAD"),
      ...options,
      ...over,
      env: { ...env, ...over.env },
      inputs: { projects: "clients/*", ...options.inputs, ...over.inputs },
    });
  const apply = (over: JobChanges = {}): Promise<JobRecord> => {
    checkOut(repository, "origin/main");
    return job({ eventName: "push", event: { ref: "refs/heads/main" }, inputs: { command: "apply" } }, over);
  };
  return {
    services,
    github,
    repository,
    open: async (number, changed) => {
      checkOut(repository, "origin/main");
      for (const [path, text] of Object.entries(changed)) {
        if (text === undefined) await rm(join(project.root, path), { force: true });
        else await project.write(path, text);
      }
      git("add", "--all");
      git("commit", "-q", "--allow-empty", "-m", `pull request ${number}`);
      git("push", "-q", "--force", "origin", `HEAD:refs/heads/pr-${number}`);
      const head = { sha: git("rev-parse", "HEAD"), repo: { full_name: "acme/social" } };
      const others = github.pulls.filter((pull) => pull.number !== number);
      github.pulls.splice(0, Infinity, { number, merged_at: null, base: { ref: "main" }, head }, ...others);
    },
    plan: (number, { isFork = false, ...over } = {}) => {
      checkOut(repository, "origin/main");
      git("merge", "-q", "--no-ff", "-m", "trial", `origin/pr-${number}`);
      const head = {
        sha: git("rev-parse", `origin/pr-${number}`),
        repo: { full_name: isFork ? "stranger/social" : "acme/social" },
      };
      const base = { ref: "main", sha: git("rev-parse", "origin/main") };
      const event = { pull_request: { number: 12, head, base } };
      const none = isFork ? { env: Object.fromEntries(Object.keys(keys).map((name) => [name, ""])) } : {};
      return job({ eventName: "pull_request", event, inputs: { command: "plan" } }, { ...none, ...over });
    },
    merge: (number, over = {}) => {
      checkOut(repository, "origin/main");
      git("merge", "-q", "--no-ff", "-m", `Merge ${number}`, `origin/pr-${number}`);
      git("push", "-q", "origin", "HEAD:main");
      const at = github.pulls.findIndex((pull) => pull.number === number);
      const [pull] = github.pulls.splice(at, 1);
      if (pull !== undefined) github.pulls.unshift({ ...pull, merged_at: "2026-01-02T00:00:00Z" });
      return apply(over);
    },
    apply,
  };
}

/** What actions/upload-artifact does with a file or a folder. */
async function keep(
  github: FakeGitHub,
  { name = "", path = "", archive }: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const isFolder = (await stat(path)).isDirectory();
  const paths = isFolder ? (await readdir(path)).map((each) => join(path, each)) : [path];
  const files: [string, string][] = [];
  for (const each of paths) files.push([basename(each), await readFile(each, "utf8")]);
  const artifact = archive === "false" ? basename(path) : name;
  github.addArtifact(artifact, Object.fromEntries(files), name.split("-").at(-1) ?? "");
  return {
    "artifact-url": `https://github.example/acme/social/actions/runs/4711/artifacts/${github.artifacts.length}`,
  };
}

/** The clients whose services were asked. */
export function asked({ services }: AgencyWorld): string[] {
  return [...services].filter(([, { requests }]) => requests.length > 0).map(([client]) => client);
}

export function scheduled({ services }: AgencyWorld): Record<string, number> {
  const counts = [...services].map(([client, service]) => [client, service.scheduled().length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The projects that ran. */
export function namesIn({ outputs }: JobRecord): string[] {
  const ran = z.array(z.object({ project: z.string() })).parse(JSON.parse(outputs["projects"] ?? ""));
  return ran.map(({ project }) => project);
}

/** The files of the newest commit on main. */
export function newestFiles({ repository: { git } }: AgencyWorld): string[] {
  git("fetch", "-q", "origin", "main");
  return git("diff-tree", "-r", "--name-only", "--no-commit-id", "FETCH_HEAD").split("\n");
}
