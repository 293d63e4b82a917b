/**
 * The schedule as a service, for plan, apply, status and the other commands. Each write replaces the file atomically, so
 * a write is done or not, and never unknown. Nothing is sent anywhere.
 */

import { relative, sep } from "node:path";
import type { Random } from "../model/random.ts";
import { readRegular, writeAtomic } from "../disk/files.ts";
import { type Place, isWithin, placeInProject } from "../disk/place.ts";
import { randomId } from "../embedded/store/records.ts";
import { hashFile } from "../media/media-file.ts";
import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import { ALL_EXTRAS, EMPTY_EXTRAS, filledExtras, isExpired } from "../model/extras.ts";
import { errorCode, reasonOf } from "../model/failure.ts";
import { checkLockfile, getOwn, keptExtras, ownersIn } from "../model/lockfile.ts";
import type { RemotePost } from "../model/post.ts";
import { compareText } from "../model/text.ts";
import { type AccountName, accountNames } from "../networks/open-accounts.ts";
import {
  type Refused,
  recordLists,
  refusedOtherWrites,
  refusedWrite as refused,
  whole,
} from "../service/endpoints/posts-only.ts";
import type { PostRecord, WriteResult } from "../service/records.ts";
import type { CancelResult, FullService, PostDraft, UploadFile } from "../service/service.ts";
import type { StateFolder } from "../disk/state-folder.ts";
import { type Project, REPOSITORY } from "../settings/config.ts";
import type { Compared } from "../sync/plan/trusted.ts";
import {
  type Schedule,
  type ScheduledMedia,
  type ScheduledPost,
  OWN_SCHEDULE,
  SCHEDULE_FILE,
  isBegun,
  isOpen,
  mediaId,
  parseSchedule,
  scheduleText,
  withDigest,
} from "./schedule.ts";
import { postRecord, postState } from "./schedule-records.ts";
import { type TrustedSchedule, isSameBesidesTime, trustedSchedule } from "./trusted-schedule.ts";

export interface ScheduleOptions {
  readonly project: Project;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** What the schedule is compared with. Default: all of it counts. */
  readonly compared?: Compared["schedule"];
}

/** Opens the project's schedule. Throws a Failure if it is a link, or plancast did not write it. */
export async function openScheduleService({
  project,
  clock,
  random,
  compared,
}: ScheduleOptions): Promise<FullService> {
  const { root, state, config } = project;
  const file = new ScheduleFile(await placeInProject(root, SCHEDULE_FILE), state, clock, compared);
  const { brought, removed, isChanged } = await file.readAll();
  const putBack = [...removed].filter(([, post]) => isOpen(post)).map(([id, post]) => remotePost(id, post));
  const accounts = accountNames(config.accounts);
  const ownIds = (): Promise<ReadonlySet<string>> => readOwnIds(root, config.lockfile);
  const context = { file, root, ownIds, accounts, brought, uploaded: new Map(), clock, random };
  return {
    origin: REPOSITORY,
    supports: ALL_EXTRAS,
    ...(brought.size === 0 ? {} : { brought: broughtPosts(context) }),
    ...(putBack.length === 0 ? {} : { putBack }),
    ...(isChanged ? { restore: () => file.restore() } : {}),
    ...planMethods(context),
    ...applyMethods(context),
    ...recordMethods(context),
    ...refusedOtherWrites(NO_SERVICE, "Remove the account from plancast.yaml"),
  };
}

const NO_POSTS: ReadonlyMap<string, ScheduledPost> = new Map();

interface Context extends Pick<ScheduleOptions, "clock" | "random"> {
  readonly file: ScheduleFile;
  readonly root: string;
  /** The posts that this project owns, by its lockfile. */
  readonly ownIds: () => Promise<ReadonlySet<string>>;
  readonly accounts: readonly AccountName[];
  /** Posts of the file that do not count. */
  readonly brought: ReadonlyMap<string, ScheduledPost>;
  /** Files of this run, which no post has yet. */
  readonly uploaded: Map<string, ScheduledMedia>;
}

/** An unusable lockfile owns nothing: code that needs it reports the reason. */
async function readOwnIds(root: string, lockfile: string): Promise<ReadonlySet<string>> {
  try {
    const text = (await readRegular(await placeInProject(root, lockfile))).toString("utf8");
    const { data } = checkLockfile(JSON.parse(text));
    return new Set(data === undefined ? [] : ownersIn(data).keys());
  } catch {
    return new Set();
  }
}

/** Earliest first. */
async function recordsOf({ file, accounts }: Context): Promise<readonly PostRecord[]> {
  return Object.entries((await file.read()).posts)
    .sort(([, one], [, other]) => compareText(one.scheduled_at, other.scheduled_at))
    .map(([id, post]) => postRecord(id, post, accounts));
}

type PlanMethods = Pick<
  FullService,
  "listScheduled" | "getPost" | "listNetworks" | "listAccountIds" | "findMissingMedia"
>;

function planMethods(context: Context): PlanMethods {
  const { file, ownIds, accounts, brought, uploaded } = context;
  return {
    async listScheduled() {
      const own = await ownIds();
      // Somebody may have added a post with results, so that it looks sent. Publish may still send it.
      const posts = Object.entries((await file.read()).posts)
        .filter(
          ([id, post]) => postState(post, accounts).state === "scheduled" || (!own.has(id) && isOpen(post)),
        )
        .map(([id, post]) => remotePost(id, post));
      return { name: SCHEDULE_FILE, posts, wholeness: "end", isTold: true };
    },
    async getPost(id) {
      const post = getOwn((await file.read()).posts, id);
      // Nobody removed a post that does not count, so no row asks a person about it.
      if (post === undefined) return { state: brought.has(id) ? "published" : "missing" };
      return postState(post, accounts);
    },
    listNetworks: () => Promise.resolve(new Set(accounts.map(({ platform }) => platform))),
    listAccountIds: () => Promise.resolve(new Set(accounts.map(({ id }) => id))),
    async findMissingMedia(ids) {
      const known = mediaIn(await file.read());
      return new Set(ids.filter((id) => !known.has(id) && !uploaded.has(id)));
    },
  };
}

type ApplyMethods = Required<Pick<FullService, "createPost" | "updatePost" | "cancelPost" | "uploadMedia">>;

function applyMethods(context: Context): ApplyMethods {
  const { file, root, brought, uploaded, random } = context;
  return {
    async createPost(draft, beforeSend) {
      const refusal = toScheduled(draft, await file.read(), context);
      if ("result" in refusal) return refusal;
      await beforeSend?.();
      return file.change((schedule) => {
        const post = toScheduled(draft, schedule, context);
        if ("result" in post) return { schedule, value: post };
        const isTaken = (each: string): boolean => Object.hasOwn(schedule.posts, each);
        const same = [...brought].find(([id, each]) => !isTaken(id) && isSameBesidesTime(each, post));
        // The checkout has just this post already: it keeps its id and its results.
        if (same !== undefined) return written(schedule, ...same);
        return written(schedule, randomId("post", random, isTaken), post);
      });
    },
    updatePost: (id, draft) =>
      file.change((schedule) => {
        const before = getOwn(schedule.posts, id);
        const post = toScheduled(draft, schedule, context);
        if ("result" in post) return { schedule, value: post };
        if (before === undefined)
          return { schedule, value: refused("not_found", `${SCHEDULE_FILE} does not have this post`) };
        if (isBegun(before)) return { schedule, value: refused("validation_error", TOO_LATE) };
        return written(schedule, id, post);
      }),
    cancelPost: (id) =>
      file.change((schedule): Edited<CancelResult> => {
        const { [id]: post, ...others } = schedule.posts;
        if (post === undefined) return done(schedule, "already-gone");
        if (isBegun(post)) return done(schedule, "published");
        return done({ ...schedule, posts: others }, "cancelled");
      }),
    uploadMedia: (given) => upload(given, root, uploaded),
  };
}

function written(schedule: Schedule, id: string, post: ScheduledPost): Edited<WriteResult<RemotePost>> {
  return done({ ...schedule, posts: { ...schedule.posts, [id]: post } }, remotePost(id, post));
}

/** The posts that do not count, with the accounts on which publish would send them. */
function broughtPosts({ brought, accounts }: Context): NonNullable<FullService["brought"]> {
  return [...brought].map(([id, post]) => ({
    ...remotePost(id, post),
    files: post.media.map(({ path }) => path),
    accounts: Object.entries(post.accounts ?? {}).map(([platform, account]) => {
      const isUsual = accounts.some((each) => each.platform === platform && each.id === account);
      return isUsual ? platform : `${platform} (${account})`;
    }),
  }));
}

type RecordMethods = Pick<
  FullService,
  "listPosts" | "readPost" | "findPosts" | "listMedia" | "listAccounts" | "listAutomations"
>;

function recordMethods(context: Context): RecordMethods {
  const { file, accounts } = context;
  return {
    ...recordLists(() => recordsOf(context)),
    async readPost(id) {
      const post = getOwn((await file.read()).posts, id);
      return post && postRecord(id, post, accounts);
    },
    async listMedia(type) {
      const items = [...mediaIn(await file.read())].map(([id, media]) => ({
        id,
        type: media.mime.split("/", 1)[0] ?? "",
        record: { id, ...media },
      }));
      return whole(items.filter((each) => type === undefined || each.type === type));
    },
    listAccounts() {
      const shown = accounts.map(({ id, platform, name }) => ({ id, platform, name }));
      return Promise.resolve(whole(shown.map((each) => ({ ...each, record: each }))));
    },
    listAutomations: () => Promise.resolve(whole([])),
  };
}

const TOO_LATE = "the post may be published already";
const EXPIRED = "it expired during this run";
const NO_SERVICE = "only a publishing service can do this, and the schedule is a file of the repository";

function done<T>(schedule: Schedule, value: T): Edited<WriteResult<T>> {
  return { schedule, value: { result: "done", value } };
}

function remotePost(id: string, post: ScheduledPost): RemotePost {
  const { content, platforms, scheduled_at: scheduledAt, media } = post;
  const body = { content, platforms, scheduledAt, mediaIds: media.map(mediaId) };
  return { id, ...body, ...EMPTY_EXTRAS, ...filledExtras(post) };
}

/** The files of all posts, by id. */
function mediaIn({ posts }: Schedule): Map<string, ScheduledMedia> {
  return new Map(
    Object.values(posts).flatMap(({ media }) => media.map((each) => [mediaId(each), each] as const)),
  );
}

/** The post as plancast writes it, for the current accounts. */
function toScheduled(
  { content, platforms, scheduledAt, mediaIds, ...extras }: PostDraft,
  schedule: Schedule,
  { accounts, uploaded, clock }: Context,
): ScheduledPost | Refused {
  if (isExpired(extras, clock.now())) return refused("schedule/past", EXPIRED);
  const chosen = platforms.map((platform) => accounts.find((each) => each.platform === platform));
  const unknown = platforms.find((_platform, index) => chosen[index] === undefined);
  if (unknown !== undefined)
    return refused("validation_error", `plancast.yaml has no account for ${unknown}`);
  const known = mediaIds.length === 0 ? uploaded : new Map([...mediaIn(schedule), ...uploaded]);
  const media = mediaIds.flatMap((id) => known.get(id) ?? []);
  if (media.length < mediaIds.length)
    return refused("validation_error", "a media id is unknown: name the file instead");
  const ids = chosen.flatMap((each) => (each === undefined ? [] : [[each.platform, each.id] as const]));
  return withDigest({
    content,
    platforms: [...platforms],
    accounts: Object.fromEntries(ids),
    scheduled_at: scheduledAt,
    media,
    ...keptExtras(filledExtras(extras)),
    created_at: utcTime(clock.now()),
  });
}

/** Nothing is sent: the file is in the repository, and publish checks its hash. */
async function upload(
  { absolutePath, mime }: UploadFile,
  root: string,
  uploaded: Map<string, ScheduledMedia>,
): ReturnType<FullService["uploadMedia"]> {
  const path = relative(root, absolutePath).split(sep).join("/");
  if (!isWithin(root, absolutePath) || path.startsWith(".plancast/"))
    return refused(
      "disk/outside",
      "The file is not in the repository, so a later job could not publish it. Save it in the project, and name its path.",
    );
  const { sha256, bytes } = await hashFile(absolutePath);
  const media = { path, sha256, bytes, mime };
  uploaded.set(mediaId(media), media);
  return { result: "done", value: { id: mediaId(media), record: { ...media } } };
}

interface Edited<T> {
  readonly schedule: Schedule;
  readonly value: T;
}

interface Edit {
  /** `settle` gives the caller its result, once the schedule is on the disk. */
  readonly make: (schedule: Schedule) => { readonly schedule: Schedule; readonly settle: () => void };
  readonly fail: (refusal: Refused) => void;
}

/** The file on the disk. Edits that arrive together are written together. */
class ScheduleFile {
  readonly #place: Place;
  readonly #scratch: StateFolder;
  readonly #clock: Pick<Clock, "now">;
  #compared: ScheduleOptions["compared"];
  #edits: Edit[] = [];
  #isWriting = false;

  /** @param state folder for the incomplete file, and for a copy of the whole one */
  constructor(
    place: Place,
    state: StateFolder,
    clock: Pick<Clock, "now">,
    compared: ScheduleOptions["compared"],
  ) {
    this.#place = place;
    this.#scratch = state;
    this.#clock = clock;
    this.#compared = compared;
  }

  /** What counts of the file. */
  async read(): Promise<Schedule> {
    return (await this.readAll()).schedule;
  }

  async readAll(): Promise<TrustedSchedule> {
    const mine = await this.#readFile();
    if (this.#compared === undefined)
      return { schedule: mine, brought: NO_POSTS, removed: NO_POSTS, isChanged: false };
    return trustedSchedule(mine, this.#compared, this.#clock.now());
  }

  async #readFile(): Promise<Schedule> {
    try {
      return parseSchedule((await readRegular(this.#place)).toString("utf8"), this.#clock.now());
    } catch (error) {
      if (errorCode(error) === "ENOENT") return parseSchedule("");
      throw error;
    }
  }

  /** Writes only what counts. From then on, all of the file counts. */
  async restore(): Promise<void> {
    await this.#write(await this.read());
  }

  async #write(schedule: Schedule): Promise<void> {
    const text = scheduleText(schedule);
    await writeAtomic(this.#place, text, { scratch: this.#scratch });
    await writeAtomic(this.#scratch.in(OWN_SCHEDULE), text);
    this.#compared = undefined;
  }

  /** Resolves when the changed schedule is on the disk, or certainly is not. */
  change<T>(edit: (schedule: Schedule) => Edited<T>): Promise<T | Refused> {
    const changed = new Promise<T | Refused>((resolve) => {
      this.#edits.push({
        make: (before) => {
          const { schedule, value } = edit(before);
          return { schedule, settle: () => resolve(value) };
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
        const before = await this.read();
        let schedule = before;
        const settled = edits.map(({ make }) => {
          const made = make(schedule);
          ({ schedule } = made);
          return made.settle;
        });
        if (schedule !== before) await this.#write(schedule);
        for (const settle of settled) settle();
      } catch (error) {
        for (const { fail } of edits) fail(refused("disk/not-writable", reasonOf(error), true));
      }
    }
    this.#isWriting = false;
  }
}
