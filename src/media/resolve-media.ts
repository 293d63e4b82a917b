/**
 * Resolves media references to files with hash, size and type. Each distinct file is read once, however many rows name
 * it.
 */

import { realpath } from "node:fs/promises";
import { posix } from "node:path";
import pLimit from "p-limit";
import { reasonOf } from "../model/failure.ts";
import { didYouMean } from "../model/text.ts";
import type { MediaFile, MediaReference, Post, ResolvedMedia, ResolvedPost } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { type FoundFile, SimilarFiles, findMedia } from "./find-media.ts";
import type { MediaFault } from "./media-fault.ts";
import { type ReadMedia, isMedia, readMedia } from "./read-media.ts";

/** Files open at the same time. */
const OPEN_FILES = 8;

export interface Resolved {
  /** Posts without faulty media. */
  readonly posts: readonly ResolvedPost[];
  /** The others; the problems say why. */
  readonly unresolved: readonly Post[];
  readonly problems: readonly Problem[];
}

/** The file at an address of a post; undefined if it was not downloaded. */
export type ResolveUrl = (url: string, post: Post) => Promise<MediaFile | MediaFault | undefined>;

/** @param read reads the file at a path whose symbolic links are already resolved */
export async function resolveMedia(
  posts: readonly Post[],
  root: string,
  lookAt: ResolveUrl,
  read: (path: string) => Promise<ReadMedia> = readMedia,
): Promise<Resolved> {
  if (posts.every(needsNoLookup)) return { posts, unresolved: [], problems: [] };
  const resolver = new Resolver(await realpath(root), lookAt, read);
  const looked = await Promise.all(
    posts
      .filter((post) => !needsNoLookup(post))
      .map(async (post): Promise<[Post, readonly (ResolvedMedia | MediaFault)[]]> => {
        return [post, await Promise.all(post.media.map((each) => resolver.resolve(each, post)))];
      }),
  );
  const found = new Map(looked);
  const resolved: ResolvedPost[] = [];
  const unresolved: Post[] = [];
  const problems: Problem[] = [];
  for (const post of posts) {
    if (needsNoLookup(post)) {
      resolved.push(post);
      continue;
    }
    const media = found.get(post) ?? [];
    if (media.every(isResolved)) {
      const covered = await withCover(post, media, resolver);
      resolved.push({ ...post, media: covered.media });
      problems.push(...covered.problems);
    } else unresolved.push(post);
    for (const [index, each] of media.entries()) {
      if (!isResolved(each)) problems.push(problem(each.code, each.message, post.at("media", index)));
    }
  }
  return { posts: resolved, unresolved, problems };
}

/** The media of a post with the cover of its first video. If a cover cannot be shown, that is only a warning. */
async function withCover(
  post: Post,
  media: readonly ResolvedMedia[],
  resolver: Resolver,
): Promise<{ readonly media: readonly ResolvedMedia[]; readonly problems: readonly Problem[] }> {
  if (post.cover === undefined) return { media, problems: [] };
  const wrong = (message: string) => ({
    media,
    problems: [problem("media/cover", message, post.at("cover"))],
  });
  const video = media.find((each) => each.kind === "file" && each.mime.startsWith("video/"));
  if (video === undefined)
    return wrong(
      "The row has a cover but no video file, so nothing shows it. To publish the picture, name it in media.",
    );
  const cover = await resolver.resolve({ kind: "file", path: post.cover }, post);
  if (!isResolved(cover)) return wrong(cover.message);
  if (cover.kind !== "file" || !cover.mime.startsWith("image/"))
    return wrong(`"${post.cover}" is not a picture, so it cannot be a cover.`);
  return { media: media.map((each) => (each === video ? { ...video, cover } : each)), problems: [] };
}

/** Whether there is nothing to look up, as in most rows of a long calendar. */
function needsNoLookup(post: Post): post is Post & ResolvedPost {
  return post.cover === undefined && post.media.every((each) => each.kind === "id");
}

function isResolved(media: ResolvedMedia | MediaFault): media is ResolvedMedia {
  return "kind" in media;
}

class Resolver {
  readonly #root: string;
  readonly #lookAt: ResolveUrl;
  readonly #limit = pLimit(OPEN_FILES);
  readonly #byPath = new Map<string, Promise<ResolvedMedia | MediaFault>>();
  readonly #byFile = new Map<string, Promise<ReadMedia>>();
  readonly #readFile: (path: string) => Promise<ReadMedia>;
  readonly #near: SimilarFiles;

  constructor(root: string, lookAt: ResolveUrl, readFile: (path: string) => Promise<ReadMedia>) {
    this.#root = root;
    this.#near = new SimilarFiles(root);
    this.#lookAt = lookAt;
    this.#readFile = readFile;
  }

  async resolve(reference: MediaReference, post: Post): Promise<ResolvedMedia | MediaFault> {
    switch (reference.kind) {
      case "id":
        return reference;
      case "url":
        return (await this.#lookAt(reference.url, post)) ?? reference;
      case "file":
        return this.#limit(() => this.#file(reference, posix.dirname(post.source.file)));
      default:
        return reference satisfies never;
    }
  }

  #file(reference: { readonly path: string }, folder: string): Promise<ResolvedMedia | MediaFault> {
    const key = JSON.stringify([folder, reference.path]);
    const known = this.#byPath.get(key) ?? this.#read(folder, reference.path);
    this.#byPath.set(key, known);
    return known;
  }

  async #read(folder: string, path: string): Promise<MediaFile | MediaFault> {
    const found = await findMedia(this.#root, folder, path);
    if ("code" in found) return found.code === "media/missing" ? this.#withNear(found, folder, path) : found;
    const reading = this.#byFile.get(found.absolutePath) ?? this.#readFile(found.absolutePath);
    this.#byFile.set(found.absolutePath, reading);
    return toMediaFile(found, path, reading);
  }

  async #withNear(fault: MediaFault, folder: string, path: string): Promise<MediaFault> {
    return { ...fault, message: fault.message + didYouMean(await this.#near.of(folder, path)) };
  }
}

/** One file of a row, or what is wrong with it. */
export async function readMediaFileAt(
  root: string,
  folder: string,
  path: string,
): Promise<MediaFile | MediaFault> {
  const found = await findMedia(root, folder, path);
  return "code" in found ? found : toMediaFile(found, path, readMedia(found.absolutePath));
}

async function toMediaFile(
  found: FoundFile,
  path: string,
  reading: ReturnType<typeof readMedia>,
): Promise<MediaFile | MediaFault> {
  try {
    const { sha256, bytes, mime, facts } = await reading;
    if (isMedia(mime)) return { kind: "file", path: found.path, sha256, bytes, mime, facts };
    const what =
      mime === undefined ? "neither an image nor a video" : `${mime}, neither an image nor a video`;
    return {
      code: "media/type",
      message: `The content of "${path}" is ${what}. Export it as PNG, JPEG, GIF, WebP or MP4.`,
    };
  } catch (error) {
    const why = reasonOf(error);
    return { code: "media/unreadable", message: `"${path}" cannot be read: ${why}` };
  }
}
