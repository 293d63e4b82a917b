/**
 * The schedule in the checkout. Each write replaces the file, so a write is done or not, and never unknown. Edits that
 * arrive together are written together: an apply of many posts writes the file a few times, and not for each post. A
 * write also takes what publish has written.
 */

import { readRegular, writeAtomic } from "../disk/files.ts";
import { type Place, placeInProject } from "../disk/place.ts";
import type { StateFolder } from "../disk/state-folder.ts";
import type { Clock } from "../model/clock.ts";
import { errorCode, reasonOf } from "../model/failure.ts";
import { type Refused, refusedWrite } from "../service/endpoints/posts-only.ts";
import type { Compared } from "../sync/plan/trusted.ts";
import {
  type Schedule,
  type ScheduledMedia,
  type ScheduledPost,
  OWN_SCHEDULE,
  PUBLISHED_FILE,
  SCHEDULE_FILE,
  mediaId,
  parseSchedule,
} from "./schedule.ts";
import {
  type ScheduleLayers,
  type ScheduleTexts,
  appliedTexts,
  joinLayers,
  parseLayers,
} from "./schedule-layers.ts";
import { type TrustedSchedule, trustedSchedule } from "./trusted-schedule.ts";

/** The posts of a schedule, while edits change them. */
export class EditedPosts {
  readonly #schedule: Schedule;
  readonly #posts: Map<string, ScheduledPost>;
  /** Built when an edit asks for it. */
  #media: Map<string, ScheduledMedia> | undefined;
  isChanged = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#posts = new Map(Object.entries(schedule.posts));
  }

  get(id: string): ScheduledPost | undefined {
    return this.#posts.get(id);
  }

  set(id: string, post: ScheduledPost): void {
    this.isChanged = true;
    this.#posts.set(id, post);
  }

  remove(id: string): void {
    this.isChanged = this.#posts.delete(id) || this.isChanged;
  }

  /** A file of a post that was there before the edits. */
  media(id: string): ScheduledMedia | undefined {
    this.#media ??= mediaIn(this.#schedule);
    return this.#media.get(id);
  }

  schedule(): Schedule {
    return { ...this.#schedule, posts: Object.fromEntries(this.#posts) };
  }
}

/** The files of all posts, by id. */
export function mediaIn({ posts }: Schedule): Map<string, ScheduledMedia> {
  return new Map(
    Object.values(posts).flatMap(({ media }) => media.map((each) => [mediaId(each), each] as const)),
  );
}

interface Edit {
  /** The result gives the caller its result, once the schedule is on the disk. */
  readonly make: (posts: EditedPosts) => () => void;
  readonly fail: (refusal: Refused) => void;
}

interface Read {
  readonly layers: ScheduleLayers;
  readonly read: TrustedSchedule;
}

const NO_POSTS: ReadonlyMap<string, ScheduledPost> = new Map();

interface ScheduleFileOptions {
  /** Folder for the incomplete file, and for a copy of the whole one. */
  readonly state: StateFolder;
  readonly clock: Pick<Clock, "now">;
  /** What the schedule is compared with; undefined if all of it counts. */
  readonly compared: Compared["schedule"];
}

export class ScheduleFile {
  readonly #places: { readonly schedule: Place; readonly published: Place };
  readonly #scratch: StateFolder;
  readonly #clock: Pick<Clock, "now">;
  #compared: Compared["schedule"];
  /** What was read or written last. */
  #last: Read | undefined;
  #edits: Edit[] = [];
  #isWriting = false;

  private constructor(
    places: { readonly schedule: Place; readonly published: Place },
    { state, clock, compared }: ScheduleFileOptions,
  ) {
    this.#places = places;
    this.#scratch = state;
    this.#clock = clock;
    this.#compared = compared;
  }

  /** Throws a Failure if a file is a link. */
  static async open(root: string, options: ScheduleFileOptions): Promise<ScheduleFile> {
    const schedule = await placeInProject(root, SCHEDULE_FILE);
    return new ScheduleFile({ schedule, published: await placeInProject(root, PUBLISHED_FILE) }, options);
  }

  /** What counts of the file. */
  async read(): Promise<Schedule> {
    return (await this.readAll()).schedule;
  }

  async readAll(): Promise<TrustedSchedule> {
    return (await this.#readBoth()).read;
  }

  async #readBoth(): Promise<Read> {
    const { schedule, published } = this.#places;
    const texts = { schedule: await textOf(schedule), published: await textOf(published) };
    if (this.#last !== undefined && isSame(texts, this.#last.layers.texts)) return this.#last;
    const now = this.#clock.now();
    const layers = parseLayers(texts, now);
    const joined = joinLayers(layers);
    const read = this.#compared === undefined ? allOf(joined) : trustedSchedule(joined, this.#compared, now);
    this.#last = { layers, read };
    return this.#last;
  }

  /** Writes only what counts. From then on, all of the file counts. */
  async restore(): Promise<void> {
    await this.#write(await this.read());
  }

  async #write(schedule: Schedule): Promise<void> {
    const { layers } = await this.#readBoth();
    const texts = appliedTexts(schedule, layers);
    const scratch = this.#scratch;
    await writeAtomic(this.#places.schedule, texts.schedule, { scratch });
    // After a crash here, both files together say the same.
    if (texts.published !== layers.texts.published)
      await writeAtomic(this.#places.published, texts.published, { scratch });
    await writeAtomic(scratch.in(OWN_SCHEDULE), texts.schedule);
    this.#compared = undefined;
    const published = parseSchedule(texts.published);
    this.#last = { layers: { texts, schedule, published }, read: allOf(schedule) };
  }

  /** Resolves when the changed schedule is on the disk, or certainly is not. */
  change<T>(edit: (posts: EditedPosts) => T): Promise<T | Refused> {
    const changed = new Promise<T | Refused>((resolve) => {
      this.#edits.push({
        make: (posts) => {
          const value = edit(posts);
          return () => resolve(value);
        },
        fail: resolve,
      });
    });
    if (!this.#isWriting) void this.#writeAll();
    return changed;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Edits of the same moment join the first write.
    await Promise.resolve();
    while (this.#edits.length > 0) {
      const edits = this.#edits.splice(0);
      try {
        const posts = new EditedPosts(await this.read());
        const settled = edits.map(({ make }) => make(posts));
        if (posts.isChanged) await this.#write(posts.schedule());
        for (const settle of settled) settle();
      } catch (error) {
        for (const { fail } of edits) fail(refusedWrite("disk/not-writable", reasonOf(error), true));
      }
    }
    this.#isWriting = false;
  }
}

/** Empty if there is no file. */
async function textOf(place: Place): Promise<string> {
  try {
    return (await readRegular(place)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}

function isSame(one: ScheduleTexts, other: ScheduleTexts): boolean {
  return one.schedule === other.schedule && one.published === other.published;
}

function allOf(schedule: Schedule): TrustedSchedule {
  return { schedule, brought: NO_POSTS, removed: NO_POSTS, forgotten: NO_POSTS, isChanged: false };
}
