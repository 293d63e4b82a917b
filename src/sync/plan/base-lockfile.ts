/**
 * On a pull request: the entries of the lockfile that the lockfile of the base branch lacks. Anybody who can open a
 * pull request can write these entries, so none of them proves that a post or a file is the project's. Pure.
 */

import { type Lockfile, addressKey, getOwn, isWebFile } from "../../model/lockfile.ts";
import type { Change } from "../../model/plan.ts";
import type { ResolvedMedia } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { clipped } from "../../model/text.ts";
import { addedMediaText, addedPostsText } from "../../problems/plan-texts.ts";

/** Whether only the pull request says that a post is the project's, or that it belongs to its row. By post id. */
export type IsAdded = (postId: string) => boolean;

/** The posts of a lockfile that the base branch gives to no row, or to another one. */
export function addedPosts(lockfile: Lockfile, base: Lockfile): ReadonlyMap<string, string> {
  const before = rowsById(base);
  const added = new Map<string, string>();
  for (const [id, key] of rowsById(lockfile)) {
    const pending = getOwn(base.unknown, key);
    const isConfirmed =
      pending !== undefined && pending.fingerprint === getOwn(lockfile.posts, key)?.fingerprint;
    if (before.get(id) !== key && !isConfirmed) added.set(id, key);
  }
  return added;
}

/** The keys of rows by the ids of their posts. */
function rowsById({ posts, retiring }: Lockfile): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(retiring).map(([id, { key }]) => [id, key] as const),
    ...Object.entries(posts).map(([key, { post_id: id }]) => [id, key] as const),
  ]);
}

/** Pending creates that only the pull request names: each would take over a post with the same content. */
function addedPending({ unknown }: Lockfile, base: Lockfile): readonly string[] {
  return Object.keys(unknown).filter(
    (key) => getOwn(base.unknown, key)?.fingerprint !== getOwn(unknown, key)?.fingerprint,
  );
}

/**
 * Warnings about all of it: posts, and files that posts of this plan would take from the service.
 * @param doubtful ids of the posts that have a warning of their own
 */
export function addedProblems(
  lockfile: Lockfile,
  base: Lockfile,
  { changes, doubtful, file }: AddedContext,
): readonly Problem[] {
  const rows = [...addedPosts(lockfile, base)].flatMap(([id, key]) => (doubtful.has(id) ? [] : [key]));
  const keys = [...new Set([...rows, ...addedPending(lockfile, base)])].map((key) => `"${clipped(key)}"`);
  const files = new Map<string, string>();
  for (const change of changes) {
    if (change.action !== "create" && change.action !== "replace") continue;
    for (const media of change.desired.media) {
      const found = addedFile(media, lockfile, base);
      if (found !== undefined) files.set(...found);
    }
  }
  return [
    ...(keys.length === 0
      ? []
      : [
          problem(CODE, addedPostsText(keys.slice(0, MAX_NAMED), Math.max(0, keys.length - MAX_NAMED)), {
            file,
          }),
        ]),
    ...[...files].map(([path, id]) => problem(CODE, addedMediaText(clipped(path), clipped(id)), { file })),
  ];
}

const CODE = "lockfile/only-in-pull-request";

/** The maximum number of rows that the message names. */
const MAX_NAMED = 5;

export interface AddedContext {
  readonly changes: readonly Change[];
  readonly doubtful: ReadonlySet<string>;
  /** The lockfile. */
  readonly file: string;
}

/** The path and the id of a file whose id, or whose address, only the pull request names. */
function addedFile(media: ResolvedMedia, lockfile: Lockfile, base: Lockfile): [string, string] | undefined {
  if (media.kind !== "file") return undefined;
  const cached = getOwn(lockfile.media, media.sha256);
  if (cached === undefined) return undefined;
  const before = getOwn(base.media, media.sha256);
  const isKnown = before !== undefined && [before.id, ...(before.also ?? [])].includes(cached.id);
  return isKnown && !isAddedPin(media, lockfile, base) ? undefined : [media.path, cached.id];
}

function isAddedPin(
  media: Extract<ResolvedMedia, { kind: "file" }>,
  { urls = {} }: Lockfile,
  { urls: before = {} }: Lockfile,
): boolean {
  if (!isWebFile(media)) return false;
  const key = addressKey(media.url);
  const pin = getOwn(urls, key);
  return pin !== undefined && getOwn(before, key)?.sha256 !== pin.sha256;
}
