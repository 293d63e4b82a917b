/**
 * Posts that were over long ago, in one file for each year: a line of JSON for each post, sorted by id. They are found by
 * a binary search in the file, so they need no memory and no time at the start.
 */

import type { FileHandle } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import {
  makeFolder,
  move,
  namesIn,
  openForReading,
  removeFile,
  removeFolder,
  statsAt,
  streamToNew,
  syncFolder,
} from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { errorCode } from "../../model/failure.ts";
import { compareText } from "../../model/text.ts";
import { type StoredPost, storedPost } from "./records.ts";

const NAME = /^(\d{4})\.jsonl$/;
/** Bytes that are read at once when a post is searched. Most lines are shorter. */
const STEP_BYTES = 4_096;
/** Posts of a group. */
const GROUP = 1_000;

export class PostArchive {
  readonly #folder: Place;
  /** Two merges at once would write the same part. */
  readonly #inTurn = pLimit(1);

  constructor(folder: Place) {
    this.#folder = folder;
  }

  /** Undefined if no year has the post. */
  async get(id: string): Promise<StoredPost | undefined> {
    for (const name of await this.#names()) {
      const file = await openForReading(this.#folder.in(name));
      try {
        const found = await search(file, id);
        if (found !== undefined) return found;
      } finally {
        await file.close();
      }
    }
    return undefined;
  }

  /** Resolves when the posts are on the disk. A post that is already there is replaced, so this can be repeated. */
  add(posts: readonly StoredPost[]): Promise<void> {
    return this.#inTurn(() => this.#add(posts));
  }

  /** All posts, in groups that fit into memory. */
  async *groups(): AsyncGenerator<readonly StoredPost[]> {
    for (const name of await this.#names()) {
      let group: StoredPost[] = [];
      for await (const line of linesOf(this.#folder.in(name))) {
        group.push(storedPost.parse(JSON.parse(line)));
        if (group.length < GROUP) continue;
        yield group;
        group = [];
      }
      yield group;
    }
  }

  /** By year: the size of the file in bytes, and the number of posts. */
  async years(): Promise<
    readonly { readonly year: string; readonly bytes: number; readonly posts: number }[]
  > {
    const years = [];
    for (const name of await this.#names()) {
      const place = this.#folder.in(name);
      let posts = 0;
      for await (const line of linesOf(place)) if (line !== "") posts += 1;
      years.push({ year: name.slice(0, 4), bytes: (await statsAt(place))?.size ?? 0, posts });
    }
    return years;
  }

  /** Removes all posts. @param within the folder of the store */
  clear(within: Place): Promise<void> {
    return this.#inTurn(() => removeFolder(this.#folder, within));
  }

  async #add(posts: readonly StoredPost[]): Promise<void> {
    if (posts.length === 0) return;
    await makeFolder(this.#folder);
    const byYear = new Map<string, StoredPost[]>();
    for (const post of posts) {
      const year = post.scheduled_at.slice(0, 4);
      byYear.set(year, [...(byYear.get(year) ?? []), post]);
    }
    for (const [year, added] of byYear) await this.#merge(this.#folder.in(`${year}.jsonl`), added);
    await syncFolder(this.#folder);
  }

  async #names(): Promise<readonly string[]> {
    const names = await namesIn(this.#folder).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    });
    return names
      .filter((name) => NAME.test(name))
      .sort(compareText)
      .reverse();
  }

  /** Writes a new file beside the old one, and renames it. A crash leaves a part that the next merge replaces. */
  async #merge(place: Place, posts: readonly StoredPost[]): Promise<void> {
    const part = place.beside(`.${place.path.slice(-"0000.jsonl".length)}.part`);
    await removeFile(part);
    const added = [...posts].sort((one, other) => compareText(one.id, other.id));
    await pipeline(merged(linesOf(place), added), streamToNew(part));
    await move(part, place);
  }
}

async function* linesOf(place: Place): AsyncGenerator<string> {
  if ((await statsAt(place)) === undefined) return;
  const file = await openForReading(place);
  try {
    yield* createInterface({ input: file.createReadStream({ autoClose: false }), crlfDelay: Infinity });
  } finally {
    await file.close();
  }
}

/** Both in the order of their ids. Of two posts with one id, the added one. */
async function* merged(lines: AsyncIterable<string>, posts: readonly StoredPost[]): AsyncGenerator<string> {
  let next = 0;
  for await (const line of lines) {
    const id = idOf(line);
    for (; next < posts.length && compareText(posts[next]?.id ?? "", id) < 0; next += 1)
      yield lineOf(posts[next]);
    if (posts[next]?.id !== id) yield `${line}\n`;
  }
  for (; next < posts.length; next += 1) yield lineOf(posts[next]);
}

/** The id is first in its line, so that a search need not parse the rest. */
function lineOf(post: StoredPost | undefined): string {
  if (post === undefined) return "";
  const { id, ...rest } = post;
  return `${JSON.stringify({ id, ...rest })}\n`;
}

function idOf(line: string): string {
  return /^\{"id":"([\w-]+)"/.exec(line)?.[1] ?? "";
}

async function search(file: FileHandle, id: string): Promise<StoredPost | undefined> {
  let low = 0;
  let high = (await file.stat()).size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineAround(file, middle);
    const order = compareText(idOf(line.text), id);
    if (order === 0) return storedPost.parse(JSON.parse(line.text));
    if (order < 0) low = line.end;
    else high = line.start;
  }
  return undefined;
}

/** The line that contains the byte at `at`, and where it starts and ends. */
async function lineAround(
  file: FileHandle,
  at: number,
): Promise<{ readonly text: string; readonly start: number; readonly end: number }> {
  let start = 0;
  for (let from = at; from > 0; from = Math.max(0, from - STEP_BYTES)) {
    const begin = Math.max(0, from - STEP_BYTES);
    const end = (await bytesAt(file, begin, from - begin)).lastIndexOf(0x0a);
    if (end === -1) continue;
    start = begin + end + 1;
    break;
  }
  const parts: Buffer[] = [];
  for (let from = start; ; from += STEP_BYTES) {
    const bytes = await bytesAt(file, from, STEP_BYTES);
    const end = bytes.indexOf(0x0a);
    parts.push(end === -1 ? bytes : bytes.subarray(0, end));
    if (end === -1 && bytes.length === STEP_BYTES) continue;
    const text = Buffer.concat(parts);
    return { text: text.toString("utf8"), start, end: start + text.length + 1 };
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
