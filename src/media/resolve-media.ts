/**
 * Resolves media references to files with hash, size and type. A path in a row must lead to a file inside the project; if
 * it does not, similar names are suggested. Each distinct file is read once, however many rows name it.
 */

import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import pLimit from "p-limit";
import { readdir, realpath, stat } from "../disk/machine.ts";
import { groupBy } from "../model/data.ts";
import { reasonOf } from "../model/failure.ts";
import {
  type MediaFile,
  type MediaReference,
  type Post,
  type ResolvedMedia,
  type ResolvedPost,
  sentMedia,
} from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { didYouMean, foldName, tidyName, tidyPath } from "../model/text.ts";
import { mediaOptions, optionText } from "../model/options/catalogue.ts";
import type { Project } from "../settings/config.ts";
import type { MediaFault } from "./media-fault.ts";
import { type ReadMedia, isLfsPointer, isMedia, readMedia } from "./media-file.ts";

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

/** Where the files of a project are. */
export interface MediaPlaces {
  readonly root: string;
  /** `media.folders`: further folders to look in, relative to the root. */
  readonly folders: readonly string[];
}

export function mediaPlaces({ root, config }: Pick<Project, "root" | "config">): MediaPlaces {
  return { root, folders: config.media.folders };
}

/** @param read reads the file at a path whose symbolic links are already resolved */
export async function resolveMedia(
  posts: readonly Post[],
  places: MediaPlaces,
  lookAt: ResolveUrl,
  read: (path: string) => Promise<ReadMedia> = readMedia,
): Promise<Resolved> {
  if (posts.every(needsNoLookup)) return { posts, unresolved: [], problems: [] };
  const resolver = new Resolver(await withRealRoot(places), lookAt, read);
  const looked = await Promise.all(
    posts
      .filter((post) => !needsNoLookup(post))
      .map(async (post): Promise<[Post, readonly (ResolvedMedia | MediaFault)[]]> => {
        return [post, await Promise.all(sentMedia(post).map((each) => resolver.resolve(each, post)))];
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
    const own = post.media.length;
    if (media.every(isResolved)) {
      const { optionMedia, ...rest } = post;
      const ofOptions = optionMedia === undefined ? {} : { optionMedia: media.slice(own) };
      resolved.push({ ...rest, media: media.slice(0, own), ...ofOptions });
    } else unresolved.push(post);
    for (const [index, each] of media.entries()) {
      if (isResolved(each)) continue;
      const at = index < own ? post.at("media", index) : post.at("options", placeOfOption(post, index - own));
      problems.push(problem(each.code, each.message, at));
    }
  }
  return { posts: resolved, unresolved, problems };
}

/** Index of an option among all of a post. @param index among those with media */
function placeOfOption({ options = [] }: Post, index: number): number {
  const own = mediaOptions(options)[index];
  return own === undefined ? 0 : options.indexOf(optionText(own));
}

/** Whether there is nothing to look up, as in most rows of a long calendar. */
function needsNoLookup(post: Post): post is Post & ResolvedPost {
  return post.optionMedia === undefined && post.media.every((each) => each.kind === "id");
}

function isResolved(media: ResolvedMedia | MediaFault): media is ResolvedMedia {
  return "kind" in media;
}

class Resolver {
  readonly #places: MediaPlaces;
  readonly #lookAt: ResolveUrl;
  readonly #limit = pLimit(OPEN_FILES);
  readonly #byPath = new Map<string, Promise<ResolvedMedia | MediaFault>>();
  readonly #byFile = new Map<string, Promise<ReadMedia>>();
  readonly #readFile: (path: string) => Promise<ReadMedia>;
  readonly #similar: SimilarFiles;

  /** @param places the root's links are resolved */
  constructor(places: MediaPlaces, lookAt: ResolveUrl, readFile: (path: string) => Promise<ReadMedia>) {
    this.#places = places;
    this.#similar = new SimilarFiles(places.root);
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
    const found = await findMedia(this.#places, folder, path);
    if ("code" in found) return found.code === "media/missing" ? this.#withHint(found, folder, path) : found;
    const reading = this.#byFile.get(found.absolutePath) ?? this.#readFile(found.absolutePath);
    this.#byFile.set(found.absolutePath, reading);
    return toMediaFile(found, path, reading);
  }

  async #withHint(fault: MediaFault, folder: string, path: string): Promise<MediaFault> {
    const hint =
      didYouMean(await this.#similar.of(folder, path)) || elsewhere(await this.#similar.only(path));
    return { ...fault, message: fault.message + hint };
  }
}

/**
 * Folders that hold files which posts name without a folder, each with the number of these files. A file that its post
 * already finds does not count.
 */
export async function foldersOfMissing(
  posts: readonly Pick<Post, "media" | "source">[],
  places: MediaPlaces,
): Promise<ReadonlyMap<string, number>> {
  const real = await withRealRoot(places);
  const files = new SimilarFiles(real.root);
  const named = posts.flatMap(({ media, source }) =>
    media.flatMap((each) => (each.kind === "file" ? [[posix.dirname(source.file), each.path] as const] : [])),
  );
  const found = new Map<string, number>();
  for (const [folder, path] of new Map(named.map((each) => [each.join("\n"), each])).values()) {
    const only = await files.only(path);
    if (only === undefined || "path" in (await findMedia(real, folder, path))) continue;
    const where = posix.dirname(only);
    found.set(where, (found.get(where) ?? 0) + 1);
  }
  return found;
}

/** Pictures of a calendar are often all in one folder, and its cells name only the files. */
function elsewhere(path: string | undefined): string {
  if (path === undefined) return "";
  const setting = `media: { folders: [${JSON.stringify(posix.dirname(path))}] }`;
  return ` It is at ${path}. Write this path, or set \`${setting}\` in plancast.yaml.`;
}

async function withRealRoot({ root, folders }: MediaPlaces): Promise<MediaPlaces> {
  return { root: await realpath(root), folders };
}

/** One file of a row, or what is wrong with it. @param places the root's links are resolved */
export async function readMediaFileAt(
  places: MediaPlaces,
  folder: string,
  path: string,
): Promise<MediaFile | MediaFault> {
  const found = await findMedia(places, folder, path);
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
    if (mime === undefined && (await isLfsPointer(found.absolutePath)))
      return {
        code: "media/type",
        message: `"${path}" is a pointer of Git LFS. Run \`git lfs pull\` to get the file itself.`,
      };
    const what =
      mime === undefined ? "neither an image nor a video" : `${mime}, neither an image nor a video`;
    return {
      code: "media/type",
      message: `The content of "${path}" is ${what}. Export it as PNG, JPEG, GIF, WebP or MP4.`,
    };
  } catch (error) {
    const why = reasonOf(error);
    return { code: "disk/unreadable", message: `"${path}" cannot be read: ${why}` };
  }
}

export interface FoundFile {
  /** Links resolved. */
  readonly absolutePath: string;
  /** As looked up, relative to the project root, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Looks the path up from the calendar's folder, then from the project root, then from each folder of `media.folders`.
 * @param places the root is absolute, its links are resolved
 * @param folder the calendar's folder, relative to the root
 */
export async function findMedia(
  { root, folders }: MediaPlaces,
  folder: string,
  path: string,
): Promise<FoundFile | MediaFault> {
  const tried = [...new Set([folder, "", ...folders].map((each) => posix.join(each, path)))];
  if (isAbsolute(path) || /^[A-Za-z]:\//.test(path)) return absolute(path);
  if (tried.every(isOutside)) return outside(path);
  for (const candidate of tried.filter((each) => !isOutside(each)).flatMap(spellings)) {
    // A later place counts only if no earlier one has the file.
    const found = await findAt(root, candidate, path);
    if (found !== undefined) return found;
  }
  const message = `There is no file "${path}": plancast looked for ${tried.filter((each) => !isOutside(each)).join(" and ")} in the project.`;
  return { code: "media/missing", message };
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** It would be another file, or none, on another machine. */
function absolute(path: string): MediaFault {
  const message = `"${path}" is an absolute path, which works only on this machine. Write the path from the calendar to the file.`;
  return { code: "disk/outside", message };
}

function outside(path: string): MediaFault {
  const message = `"${path}" is outside the project. Copy the file into the project, and write the path from the calendar to the file.`;
  return { code: "disk/outside", message };
}

async function findAt(
  root: string,
  candidate: string,
  path: string,
): Promise<FoundFile | MediaFault | undefined> {
  const real = await realOf(root, candidate);
  if (real === undefined) return undefined;
  if (typeof real !== "string") return real;
  const inRoot = relative(root, real);
  if (inRoot === ".." || inRoot.startsWith(`..${sep}`) || isAbsolute(inRoot)) {
    const message = `"${path}" is a link to a file outside the project. Copy the file itself into the project.`;
    return { code: "disk/outside", message };
  }
  const found = await stat(real);
  if (!found.isFile())
    return {
      code: "media/type",
      message: `"${path}" is not a file. Name the picture or video itself.`,
    };
  if (found.size === 0)
    return { code: "media/type", message: `"${path}" is empty. Export the picture or video again.` };
  return { absolutePath: real, path: candidate, bytes: found.size };
}

/**
 * macOS stores names decomposed, other systems composed. For people, both names look the same. So do names with
 * non-breaking spaces or invisible characters, which spreadsheets add.
 */
function spellings(path: string): string[] {
  const written = [path, path.normalize("NFC"), path.normalize("NFD")];
  return [...new Set([...written, ...written.map(tidyName)])];
}

/** The path with its links resolved; undefined if nothing is there. */
async function realOf(root: string, candidate: string): Promise<string | MediaFault | undefined> {
  try {
    return await realpath(resolve(root, candidate));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    return { code: "disk/unreadable", message: `plancast cannot open "${candidate}": ${String(error)}` };
  }
}

class SimilarFiles {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<readonly string[]>>();
  #byName: ReturnType<typeof filesByName> | undefined;

  /** @param root absolute, links resolved */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path as a calendar in that folder would write it; undefined if no similar file exists. */
  async of(folder: string, path: string): Promise<string | undefined> {
    const beside = await this.#walk(posix.join(folder, path));
    return beside === undefined ? this.#walk(posix.normalize(path)) : posix.relative(folder, beside);
  }

  /** The only file of the project with this name, relative to the root. For a name without a folder. */
  async only(path: string): Promise<string | undefined> {
    if (path.includes("/")) return undefined;
    this.#byName ??= filesByName(this.#root);
    const [first, ...more] = (await this.#byName).get(foldName(path)) ?? [];
    return more.length === 0 ? first : undefined;
  }

  /** @param path relative to the root */
  async #walk(path: string): Promise<string | undefined> {
    let found = "";
    const steps = path.split("/");
    for (const [index, step] of steps.entries()) {
      // Each folder depends on its parent.
      const name = similarName(step, await this.#namesIn(found), index === steps.length - 1);
      if (name === undefined) return undefined;
      found = posix.join(found, name);
    }
    return found;
  }

  #namesIn(folder: string): Promise<readonly string[]> {
    // A folder that cannot be listed gives no suggestions.
    const names = this.#folders.get(folder) ?? readdir(join(this.#root, folder)).catch(() => []);
    this.#folders.set(folder, names);
    return names;
  }
}

/** A project can be a whole home folder. */
const MAX_LISTED = 20_000;

/** The files in the project's folders, by folded name, as paths from the root. Hidden folders and packages do not count. */
async function filesByName(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const folders = [""];
  const files: string[] = [];
  for (let listed = 0; folders.length > 0 && listed < MAX_LISTED;) {
    const folder = folders.shift() ?? "";
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    listed += entries.length;
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) folders.push(posix.join(folder, entry.name));
      else if (entry.isFile()) files.push(posix.join(folder, entry.name));
    }
  }
  return groupBy(files, (file) => foldName(posix.basename(file)));
}

/** Another number or word means another picture. Only differences that people overlook count as similar. */
function similarName(step: string, names: readonly string[], isFile: boolean): string | undefined {
  if (step === ".." || names.includes(step)) return step === ".." ? undefined : step;
  return (
    names.find((name) => foldName(name) === foldName(step)) ??
    (isFile ? names.find((name) => stem(name) === stem(step) && !OF_TEXT.test(name)) : undefined)
  );
}

/** A calendar or a note is not a picture, even if it has the same name. */
const OF_TEXT = /\.(?:csv|tsv|xlsx|ods|ya?ml|md|tweet|txt|docx?)$/i;

/** A file's name without its extension, in the form for comparing. */
function stem(name: string): string {
  return foldName(name.slice(0, name.length - posix.extname(name).length));
}

/**
 * Maps each path in a calendar of one folder to the path of the same file for a calendar in another folder. A path
 * without a file stays as it is.
 * @param folders relative to the project root, with `/`
 */
export async function relocateMediaPaths(
  places: MediaPlaces,
  folders: { readonly from: string; readonly to: string },
  paths: readonly string[],
): Promise<(path: string) => string> {
  if (folders.from === folders.to) return (path) => path;
  const real = await withRealRoot(places);
  const limit = pLimit(OPEN_FILES);
  const renamed = await Promise.all(
    paths.map((path) => limit(async () => [path, await newName(real, folders, path)] as const)),
  );
  const names = new Map(renamed);
  return (path) => names.get(tidyPath(path).replaceAll("\\", "/")) ?? path;
}

async function newName(
  places: MediaPlaces,
  folders: { readonly from: string; readonly to: string },
  path: string,
): Promise<string> {
  const found = await findMedia(places, folders.from, path);
  if (!("path" in found)) return path;
  const again = await findMedia(places, folders.to, path);
  // Paths from the project root work from everywhere.
  if ("path" in again && again.absolutePath === found.absolutePath) return path;
  return posix.relative(folders.to, found.path);
}
