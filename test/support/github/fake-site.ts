/** GitHub Pages of a repository, and the Git API that writes the site's branch. */
import { createHash } from "node:crypto";

export interface FakeSite {
  /** GitHub's record of the site; undefined if there is none. */
  settings: { html_url: string; public?: boolean; source?: { branch: string; path: string } } | undefined;
  /** The files of the branch, by their paths. */
  files(): Readonly<Record<string, string>>;
  /** The messages of its commits, the newest first. */
  log(): readonly string[];
  /** Commits a file, as somebody else. */
  add(path: string, text: string): void;
  /** Called before the branch moves. */
  beforeMove: () => void;
  /** The number of requests to build the site. */
  builds: number;
}

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

interface TreeEntry {
  readonly path: string;
  readonly sha?: string | null;
  readonly content?: string;
}

type Answer = readonly [status: number, body: unknown];

/** Answers a request below the repository's address; undefined for what is not about the site. */
type AnswerSite = (route: string, body: unknown) => Answer | undefined;

/** Stores an object of Git under the hash of its text. */
function stored<T>(kind: Map<string, T>, value: T, text: string): string {
  const sha = createHash("sha1").update(text).digest("hex");
  kind.set(sha, value);
  return sha;
}

export function fakeSite(): { readonly site: FakeSite; readonly answer: AnswerSite } {
  const blobs = new Map<string, string>();
  const trees = new Map<string, ReadonlyMap<string, string>>();
  const commits = new Map<string, Commit>();
  const blob = (text: string): string => stored(blobs, text, text);
  const tree = (files: ReadonlyMap<string, string>): string =>
    stored(trees, files, [...files].map(String).sort().join("\n"));
  const commit = (made: Commit): string => stored(commits, made, JSON.stringify(made));
  let tip = commit({ tree: tree(new Map()), parents: [], message: "Previews" });
  const current = (): Commit => {
    const found = commits.get(tip);
    if (found === undefined) throw new Error("the branch has no commit");
    return found;
  };
  const site: FakeSite = {
    settings: undefined,
    files: () => {
      const entries = Array.from(trees.get(current().tree) ?? [], ([path, sha]) => [path, blobs.get(sha)]);
      return Object.fromEntries(entries);
    },
    log: () => {
      const messages: string[] = [];
      for (let at: string | undefined = tip; at !== undefined; at = commits.get(at)?.parents[0])
        messages.push(commits.get(at)?.message ?? "");
      return messages;
    },
    add: (path, text) => {
      const files = new Map(trees.get(current().tree)).set(path, blob(text));
      tip = commit({ tree: tree(files), parents: [tip], message: `Add ${path}` });
    },
    beforeMove: () => undefined,
    builds: 0,
  };

  const newTree = (base: string, entries: readonly TreeEntry[]): string => {
    const files = new Map(trees.get(base));
    for (const { path, sha, content } of entries) {
      if (sha === null) {
        if (!files.delete(path)) throw new Error(`${path} is not in the tree`);
      } else files.set(path, sha ?? blob(content ?? ""));
    }
    return tree(files);
  };

  const answer: AnswerSite = (route, body) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test of the request's shape would repeat it here
    const given = body as Record<string, never>;
    const [, kind = "", sha = ""] = /^GET \/git\/(commits|trees)\/([0-9a-f]+)$/.exec(route) ?? [];
    if (kind === "commits") {
      const { tree: its, parents } = commits.get(sha) ?? current();
      return [200, { sha, tree: { sha: its }, parents }];
    }
    if (kind === "trees")
      return [200, { sha, tree: Array.from(trees.get(sha) ?? [], ([path, of]) => ({ path, sha: of })) }];
    switch (route) {
      case "GET /pages":
        return site.settings === undefined ? [404, { message: "Not Found" }] : [200, site.settings];
      case "GET /git/ref/heads/gh-pages":
        return [200, { object: { sha: tip } }];
      case "POST /git/blobs":
        return [201, { sha: blob(Buffer.from(given["content"] ?? "", "base64").toString("utf8")) }];
      case "POST /git/trees":
        return [201, { sha: newTree(given["base_tree"] ?? "", given["tree"] ?? []) }];
      case "POST /git/commits":
        return [201, { sha: commit({ tree: "", parents: [], message: "", ...given }) }];
      case "PATCH /git/refs/heads/gh-pages": {
        site.beforeMove();
        const next = given["sha"] ?? "";
        if (commits.get(next)?.parents[0] !== tip) return [422, { message: "Update is not a fast forward" }];
        tip = next;
        return [200, { object: { sha: tip } }];
      }
      case "POST /pages/builds":
        site.builds += 1;
        return [201, { status: "queued" }];
      default:
        return undefined;
    }
  };
  return { site, answer };
}
