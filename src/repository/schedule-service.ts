/** The schedule as a service, for plan, apply, status and the other commands. Nothing is sent anywhere. */

import { relative, sep } from "node:path";
import pLimit from "p-limit";
import { readRegular } from "../disk/files.ts";
import { isWithin, placeInProject } from "../disk/place.ts";
import { randomId } from "../embedded/store/records.ts";
import { hashFile } from "../media/media-file.ts";
import { utcTime } from "../model/canonical.ts";
import type { Clock } from "../model/clock.ts";
import type { Random } from "../model/random.ts";
import { ALL_EXTRAS, EMPTY_EXTRAS, filledExtras, isExpired } from "../model/extras.ts";
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
import { type Project, REPOSITORY } from "../settings/config.ts";
import type { Compared } from "../sync/plan/trusted.ts";
import {
  type ScheduledMedia,
  type ScheduledPost,
  SCHEDULE_FILE,
  isBegun,
  isOpen,
  mediaId,
  withDigest,
} from "./schedule.ts";
import { type EditedPosts, ScheduleFile, mediaIn } from "./schedule-file.ts";
import { postRecord, postState } from "./schedule-records.ts";
import { isSameBesidesTime } from "./trusted-schedule.ts";

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
  const file = await ScheduleFile.open(root, { state, clock, compared });
  const { brought, removed, forgotten, isChanged } = await file.readAll();
  const putBack = [...removed].filter(([, post]) => isOpen(post)).map(([id, post]) => remotePost(id, post));
  const accounts = accountNames(config.accounts);
  const ownIds = (): Promise<ReadonlySet<string>> => readOwnIds(root, config.lockfile);
  const context = { file, root, ownIds, accounts, brought, uploaded: new Map(), clock, random };
  return {
    origin: REPOSITORY,
    supports: ALL_EXTRAS,
    isSettled: true,
    writesAtOnce: WRITES_AT_ONCE,
    ...(brought.size === 0 ? {} : { brought: broughtPosts(context) }),
    ...(putBack.length === 0 ? {} : { putBack }),
    ...(forgotten.size === 0 ? {} : { forgotten: [...forgotten].map(([id, post]) => remotePost(id, post)) }),
    ...(isChanged ? { restore: () => file.restore() } : {}),
    ...planMethods(context),
    ...applyMethods(context),
    ...recordMethods(context),
    ...refusedOtherWrites(NO_SERVICE, "Remove the account from plancast.yaml"),
  };
}

/** Posts that an apply changes at once: they are in one write of the file. */
const WRITES_AT_ONCE = 1_000;
/** Files that are hashed at once. */
const FILES_AT_ONCE = 8;

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
  const inTurn = pLimit(FILES_AT_ONCE);
  return {
    async createPost(draft, beforeSend) {
      await beforeSend?.();
      return file.change((posts): WriteResult<RemotePost> => {
        const post = toScheduled(draft, posts, context);
        if ("result" in post) return post;
        const isTaken = (each: string): boolean => posts.get(each) !== undefined;
        const same = [...brought].find(([id, each]) => !isTaken(id) && isSameBesidesTime(each, post));
        // The checkout has just this post already: it keeps its id and its results.
        if (same !== undefined) return written(posts, ...same);
        return written(posts, randomId("post", random, isTaken), post);
      });
    },
    updatePost: (id, draft) =>
      file.change((posts): WriteResult<RemotePost> => {
        const before = posts.get(id);
        const post = toScheduled(draft, posts, context);
        if ("result" in post) return post;
        if (before === undefined) return refused("not_found", `${SCHEDULE_FILE} does not have this post`);
        if (isBegun(before)) return refused("validation_error", TOO_LATE);
        return written(posts, id, post);
      }),
    cancelPost: (id) =>
      file.change((posts): CancelResult => {
        const post = posts.get(id);
        if (post === undefined) return { result: "done", value: "already-gone" };
        if (isBegun(post)) return { result: "done", value: "published" };
        posts.remove(id);
        return { result: "done", value: "cancelled" };
      }),
    uploadMedia: (given) => inTurn(() => upload(given, root, uploaded)),
  };
}

function written(posts: EditedPosts, id: string, post: ScheduledPost): WriteResult<RemotePost> {
  posts.set(id, post);
  return { result: "done", value: remotePost(id, post) };
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

function remotePost(id: string, post: ScheduledPost): RemotePost {
  const { content, platforms, scheduled_at: scheduledAt, media } = post;
  const body = { content, platforms, scheduledAt, mediaIds: media.map(mediaId) };
  return { id, ...body, ...EMPTY_EXTRAS, ...filledExtras(post) };
}

/** The post as plancast writes it, for the current accounts. */
function toScheduled(
  { content, platforms, scheduledAt, mediaIds, ...extras }: PostDraft,
  posts: EditedPosts,
  { accounts, uploaded, clock }: Context,
): ScheduledPost | Refused {
  if (isExpired(extras, clock.now())) return refused("schedule/past", EXPIRED);
  const chosen = platforms.map((platform) => accounts.find((each) => each.platform === platform));
  const unknown = platforms.find((_platform, index) => chosen[index] === undefined);
  if (unknown !== undefined)
    return refused("validation_error", `plancast.yaml has no account for ${unknown}`);
  const media = mediaIds.flatMap((id) => uploaded.get(id) ?? posts.media(id) ?? []);
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
