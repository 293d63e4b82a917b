/**
 * Computes the state of a post from its record, the time and the accounts, so that reading does not depend on a
 * background task. A due post becomes files in the outbox for simulated accounts, and a post for networks for real ones.
 */

import type { Random } from "../../model/random.ts";
import type { Drafter } from "../../service/ai/language-model.ts";
import { createWhole, linkOrCopy, makeFolder, removeFolder } from "../../disk/files.ts";
import type { Place } from "../../disk/place.ts";
import { readFacts } from "../../media/media-file.ts";
import { CARRIED_ITSELF, carriedFields } from "../../model/options/carried.ts";
import type { AccountName } from "../../networks/open-accounts.ts";
import { DEFAULT_POLL_LENGTH, filledExtras } from "../../model/extras.ts";
import { durationMs } from "../../model/clock.ts";
import { errorCode } from "../../model/failure.ts";
import type { NetworkMedia, NetworkPost } from "../../networks/network.ts";
import type { MediaFiles } from "../store/media-files.ts";
import { type Accounts, accountFor } from "./accounts.ts";
import type { StoredMedia, StoredPost } from "../store/records.ts";
import { SIMULATED_LANE } from "../store/store-index.ts";
import type { Store } from "../store/store.ts";
import { deliveriesOf, eventsOfPost } from "./webhook-deliveries.ts";

/** Simulated failures, so that tests can see how a client handles them: texts such as `platform=instagram`. */
type Failures = ReadonlySet<string>;

export function platformFails(failures: Failures, platform: string): boolean {
  return failures.has(`platform=${platform}`);
}

export function automationFails(failures: Failures, id: string): boolean {
  return failures.has(`automation=${id}`);
}

/** What the parts of the embedded service share. */
export interface ServiceState {
  readonly store: Store;
  /** Unix time by the service's clock, in ms. */
  readonly now: () => number;
  readonly random: Random;
  readonly accounts: Accounts;
  /** Writes texts and makes pictures. Default: texts and pictures from fixed parts. */
  readonly drafter?: Drafter | undefined;
  /** What should fail; can be changed while the service runs. */
  readonly failures: Set<string>;
  /** Whether the service's clock runs. */
  readonly runs: boolean;
  /** Address of this service without a path, for data that others than the client receive. */
  readonly origin: () => string;
}

/** What decides whether a platform takes a post: configured failures, and which accounts are connected. */
export interface AccountConnections extends Pick<ServiceState, "failures" | "accounts"> {
  /** Ids of accounts that somebody disconnected. */
  readonly disconnected: ReadonlySet<string>;
}

export async function connectionsOf({
  store,
  failures,
  accounts,
}: Pick<ServiceState, "store" | "failures" | "accounts">): Promise<AccountConnections> {
  const disconnected = new Set((await store.list("disconnection")).map(({ id }) => id));
  return { failures, accounts, disconnected };
}

/** Whether a post is published at that time, in ms, unless somebody cancels it. */
function isDue(post: StoredPost, at: number): boolean {
  return post.cancelled_at === undefined && Date.parse(post.scheduled_at) <= at;
}

/**
 * The post at that time, in ms. A due post is published at its scheduled second. On real accounts, only the publisher
 * publishes; a post that none of them may publish has failed.
 */
export function postAt(post: StoredPost, at: number, connections: AccountConnections): StoredPost {
  const { accounts } = connections;
  if (post.published_at !== undefined || post.cancelled_at !== undefined) return post;
  const isPublished = !accounts.areReal && isDue(post, at);
  const isLost = post.platforms.every((platform) => accountFor(post, platform, accounts) === undefined);
  if (!isPublished && !(accounts.areReal && isLost)) return post;
  const results = post.platforms.map((platform) => ({ platform, ...errorOn(post, platform, connections) }));
  return isPublished ? { ...post, published_at: post.scheduled_at, results } : { ...post, results };
}

/** Why a post cannot be published on a platform. */
export function errorOn(
  post: StoredPost,
  platform: string,
  { failures, accounts, disconnected }: AccountConnections,
): { error?: string } {
  if (platformFails(failures, platform)) return { error: `${platform} is set to fail.` };
  const account = accountFor(post, platform, accounts);
  if (account !== undefined && !disconnected.has(account.id)) return {};
  const isNew = accounts.list.some((each) => each.platform === platform && !disconnected.has(each.id));
  return {
    error: isNew
      ? `The post was scheduled before this account on ${platform} was configured. Apply the row again.`
      : `There is no connected account on ${platform}.`,
  };
}

/**
 * Publishes what is due at that time, in ms, and returns those posts in order. The files are in the outbox before the
 * record of the publication, and its events are in the same write.
 */
export async function publishDuePosts(
  at: number,
  backend: ServiceState,
  outbox: Outbox,
): Promise<StoredPost[]> {
  const done: StoredPost[] = [];
  for (const scheduled of await backend.store.due("post", { lane: SIMULATED_LANE, at })) {
    // One after the other, because other people see the order.
    const published = await publish(scheduled, at, backend, outbox);
    if (published !== undefined) done.push(published);
  }
  return done;
}

/** Undefined if somebody cancelled the post just before its time. */
async function publish(
  scheduled: StoredPost,
  at: number,
  backend: ServiceState,
  outbox: Outbox,
): Promise<StoredPost | undefined> {
  const { store, origin } = backend;
  const post = postAt(scheduled, at, await connectionsOf(backend));
  const media = await postMedia(post, backend);
  const reached = (post.results ?? []).filter((result) => result.error === undefined);
  await Promise.all(reached.map(({ platform }) => outbox(post, platform, media)));
  const also = await deliveriesOf(eventsOfPost(post, origin()), backend, at);
  return store.update("post", post.id, (newest) =>
    newest.cancelled_at === undefined && newest.published_at === undefined
      ? { record: post, also }
      : undefined,
  );
}

/** Writes a published post to the outbox. Repeating it gives the same result. */
export type Outbox = (post: StoredPost, platform: string, media: readonly StoredMedia[]) => Promise<void>;

/** For a store in memory: published posts are only on the page. */
export const noOutbox: Outbox = () => Promise.resolve();

/** A folder for each platform, with one for each post: `post.json`, and its media in order. */
export function createOutboxFolder(folder: Place, files: MediaFiles): Outbox {
  return async (post, platform, media) => {
    const entry = folder.in(platform, `${post.scheduled_at.replaceAll(":", "-")}_${post.id}`);
    // A crash may have left an incomplete file.
    await removeFolder(entry, folder);
    await makeFolder(entry);
    const names = media.map((item, index) => `${index + 1}.${extensionOf(item.mime)}`);
    await Promise.all(
      media.map(async (item, index) => putFile(await files.place(item), entry.in(names[index] ?? item.id))),
    );
    const { id: post_id, content, scheduled_at } = post;
    const shown = { platform, post_id, scheduled_at, content, media: names, ...filledExtras(post) };
    const text = JSON.stringify(shown, null, 2);
    await createWhole(entry.in("post.json"), `${text}\n`);
  };
}

/**
 * A file with two names uses its space once. If the file system does not support that, it is copied. A file that
 * somebody removed from the store is missing in the outbox, but everything else is still published.
 */
async function putFile(from: Place | undefined, to: Place): Promise<void> {
  if (from === undefined) return;
  try {
    await linkOrCopy(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** The extension for a media type, such as `png`. */
function extensionOf(mime: string): string {
  return mime.split(/[^a-z0-9]/).at(-1) || "bin";
}

export async function postMedia(
  post: StoredPost,
  { store }: Pick<ServiceState, "store">,
): Promise<readonly StoredMedia[]> {
  const found = await Promise.all(post.media_ids.map((id) => store.get("media", id)));
  return found.filter((item) => item !== undefined);
}

/** A stored post as networks get it. Undefined if the library does not have all of its media. */
export async function networkPost(
  {
    id,
    content,
    scheduled_at,
    media_ids,
    alt = [],
    thread,
    thread_media: threadMedia,
    first_comment: comment,
    reply_to: replyTo,
    quote,
    poll,
    poll_length: length = DEFAULT_POLL_LENGTH,
    poll_multiple: multiple,
    options,
  }: StoredPost,
  { id: accountId, platform }: Pick<AccountName, "id" | "platform">,
  store: Store,
): Promise<NetworkPost | undefined> {
  const media: NetworkMedia[] = [];
  for (const [index, mediaId] of media_ids.entries()) {
    const item = await store.get("media", mediaId);
    if (item === undefined) return undefined;
    const text = alt[index] ?? "";
    media.push({ ...(await networkMedia(item, store)), ...(text === "" ? {} : { alt: text }) });
  }
  return {
    key: `${accountId} ${id}`,
    content,
    scheduledAt: scheduled_at,
    media,
    ...(thread === undefined ? {} : { thread }),
    ...(threadMedia === undefined ? {} : { threadMedia }),
    ...(comment === undefined ? {} : { comment }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(quote === undefined ? {} : { quote }),
    ...(poll === undefined
      ? {}
      : { poll: { choices: poll, lengthMs: durationMs(length), isMultiple: multiple === "yes" } }),
    ...(options === undefined ? {} : { options: carriedFields(CARRIED_ITSELF, platform, options) }),
  };
}

async function networkMedia(item: StoredMedia, { files }: Store): Promise<NetworkMedia> {
  const { mime, bytes } = item;
  const place = await files.place(item);
  const facts = place === undefined ? {} : await readFacts(place.path, mime).catch(() => ({}));
  return { mime, bytes, facts, open: () => files.file(item) };
}
