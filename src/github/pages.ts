/**
 * Publishes a page of a pull request on GitHub Pages, through the branch that Pages shows. Only GitHub's API is used,
 * so that the checkout needs no credentials. It never forces a change. If somebody else is faster, it repeats its
 * change on top of theirs.
 */

import { z } from "zod";
import { Failure } from "../model/failure.ts";
import { type GitHubApi, isApiFailure } from "./api.ts";
import type { Job } from "./runner.ts";

/** The branch of the site. People may work on any other branch. */
const BRANCH = "gh-pages";

const PERMISSION = "contents: write, pages: write";

/** Tries for a commit. */
const ATTEMPTS = 3;

/** Longest wait for the upload of a page, in ms: it may have 10 MB. */
const UPLOAD_MS = 60_000;

const site = z.object({
  html_url: z.string(),
  public: z.boolean().optional(),
  source: z.object({ branch: z.string(), path: z.string() }).nullish(),
});
const ref = z.object({ object: z.object({ sha: z.string() }) });
const commit = z.object({ sha: z.string(), tree: z.object({ sha: z.string() }) });
const tree = z.object({ sha: z.string(), tree: z.array(z.object({ path: z.string() })).default([]) });
const created = z.object({ sha: z.string() });
const pull = z.object({ number: z.int() });

export interface PageOfPullRequest {
  /** Distinguishes several projects of one repository. */
  readonly name: string;
  readonly html: string;
  /** Whether everybody may read it although the repository is private. */
  readonly mayBePublic: boolean;
}

/**
 * Publishes the page, and removes the pages of pull requests that are no longer open. Throws a Failure if the site is
 * not set up for it, or GitHub refuses.
 * @returns its address; GitHub shows it after about a minute
 */
export async function publishPage(api: GitHubApi, job: Job, page: PageOfPullRequest): Promise<string> {
  const repository = new Repository(api, job.repository);
  const found = await repository.read("/pages", site);
  checkSite(found, job, page);
  const content = { content: Buffer.from(page.html).toString("base64"), encoding: "base64" };
  const { sha } = await repository.send("POST", "/git/blobs", content, created);
  const folder = folderOf(job, page);
  const change = { job, page, path: `${folder}/index.html`, sha, open: await repository.openPullRequests() };
  let attempt = 1;
  while (!(await commitPage(repository, change, attempt === ATTEMPTS))) attempt += 1;
  // GitHub does not build the site after a change with a job's own token.
  await repository.send("POST", "/pages/builds", {}, z.unknown());
  return `${found.html_url.replace(/\/{1,9}$/, "")}/${folder}/`;
}

/** People who cannot see the commits of a private repository cannot guess the address. */
function folderOf({ pullRequest, isPrivate }: Job, { name }: PageOfPullRequest): string {
  const { number = 0, headSha = "" } = pullRequest ?? {};
  return `${name}-${number}${isPrivate ? `-${headSha}` : ""}`;
}

function checkSite(
  found: z.infer<typeof site>,
  { isPrivate }: Job,
  { mayBePublic }: PageOfPullRequest,
): void {
  if (found.source?.branch !== BRANCH || found.source.path !== "/")
    throw new Failure(
      "ci/comment",
      `GitHub Pages does not publish the root folder of the branch ${BRANCH}.`,
      `Choose it under Settings, Pages: "Deploy from a branch", ${BRANCH}, / (root).`,
    );
  if (isPrivate && found.public !== false && !mayBePublic)
    throw new Failure(
      "ci/comment",
      "The repository is private, but everybody can read its site on GitHub Pages, including posts that are not published yet.",
      "Leave out `pages`. If everybody with the address may read the posts, set `pages: public`.",
    );
}

interface PageChange {
  readonly job: Job;
  readonly page: PageOfPullRequest;
  /** The path of the page in the branch. */
  readonly path: string;
  /** The hash of the blob with the page. */
  readonly sha: string;
  /** Numbers of the open pull requests. */
  readonly open: ReadonlySet<number>;
}

/** Returns whether the branch has the page now. If somebody else changed the branch first: false, or a Failure. */
async function commitPage(
  repository: Repository,
  { job, page, path, sha, open }: PageChange,
  isLast: boolean,
): Promise<boolean> {
  const tip = (await repository.read(`/git/ref/heads/${BRANCH}`, ref)).object.sha;
  const base = (await repository.read(`/git/commits/${tip}`, commit)).tree.sha;
  const files = (await repository.read(`/git/trees/${base}?recursive=1`, tree)).tree.map((each) => each.path);
  const file = { mode: "100644", type: "blob" };
  const number = job.pullRequest?.number;
  const outdated = files.filter((each) => {
    const shown = pullRequestOf(each, page.name);
    return shown !== undefined && each !== path && (shown === number || !open.has(shown));
  });
  const entries = [
    { ...file, path, sha },
    // Without it, GitHub runs Jekyll on the pages.
    ...(files.includes(".nojekyll") ? [] : [{ ...file, path: ".nojekyll", content: "" }]),
    ...outdated.map((each) => ({ ...file, path: each, sha: null })),
  ];
  const after = (await repository.send("POST", "/git/trees", { base_tree: base, tree: entries }, created))
    .sha;
  if (after === base) return true;
  const made = { message: `Preview of pull request ${number}`, tree: after, parents: [tip] };
  const next = (await repository.send("POST", "/git/commits", made, created)).sha;
  try {
    await repository.send("PATCH", `/git/refs/heads/${BRANCH}`, { sha: next, force: false }, z.unknown());
    return true;
  } catch (error) {
    if (isApiFailure(error) && !isLast) return false;
    throw error;
  }
}

/** The pull request of a file in the branch; undefined for another project's, or one that plancast did not write. */
function pullRequestOf(path: string, name: string): number | undefined {
  const [, number] = /^-(\d+)(?:-[0-9a-f]+)?\/index\.html$/.exec(path.slice(name.length)) ?? [];
  return path.startsWith(name) && number !== undefined ? Number(number) : undefined;
}

class Repository {
  readonly #api: GitHubApi;
  readonly #path: string;

  constructor(api: GitHubApi, name: string) {
    this.#api = api;
    this.#path = `/repos/${name}`;
  }

  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const call = { method: "GET", path: this.#path + path, permission: PERMISSION } as const;
    return answerAs(schema, await this.#api.call(call), path);
  }

  async send<T>(method: "POST" | "PATCH", path: string, body: object, schema: z.ZodType<T>): Promise<T> {
    const call = { method, path: this.#path + path, body, permission: PERMISSION, timeoutMs: UPLOAD_MS };
    return answerAs(schema, await this.#api.call(call), path);
  }

  async openPullRequests(): Promise<ReadonlySet<number>> {
    const path = `${this.#path}/pulls?state=open&per_page=100`;
    const open = new Set<number>();
    for await (const entry of this.#api.entries({ path, permission: "pull-requests: read" })) {
      const read = pull.safeParse(entry);
      if (read.success) open.add(read.data.number);
    }
    return open;
  }
}

function answerAs<T>(schema: z.ZodType<T>, answer: unknown, path: string): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new Failure("ci/github", `GitHub's API: ${path}: the answer does not match GitHub's documentation.`);
}
