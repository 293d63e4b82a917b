/**
 * Computes the state of a post from its record, the time and the accounts, so that reading does not depend on a
 * background task.
 */

import type { Outbox } from "../store/files.ts";
import type { Random, StoredMedia, StoredPost } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { deliveriesOf, eventsOfPost } from "./webhook-deliveries.ts";

/** One of the simulated accounts of the embedded service, one on each common network. */
export interface PlatformAccount {
  readonly id: string;
  /** Identifier, as posts name it. */
  readonly platform: string;
  /** Display name. */
  readonly name: string;
  /** Position in the list, as text that sorts. */
  readonly sortKey: string;
}

const NAMES = {
  twitter: "Twitter",
  linkedin: "LinkedIn",
  instagram: "Instagram",
  facebook: "Facebook",
  threads: "Threads",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  tiktok: "TikTok",
  youtube: "YouTube",
  pinterest: "Pinterest",
};

export const PLATFORM_ACCOUNTS: readonly PlatformAccount[] = Object.entries(NAMES).map(
  ([platform, name], index) => ({
    id: `account_${platform}`,
    platform,
    name: `${name} (embedded)`,
    sortKey: String(index).padStart(3, "0"),
  }),
);

/** What should fail, so that tests can see how a client handles it: texts such as `platform=instagram`. */
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
  /** Unix time by the service's clock, ms. */
  readonly now: () => number;
  readonly random: Random;
  /** What should fail; can be changed while the service runs. */
  readonly failures: Set<string>;
  /** Whether the service's clock runs. */
  readonly runs: boolean;
  /** Address of this service without a path, for data that others than the client receive. */
  readonly origin: () => string;
}

export const POST_STATUSES = ["scheduled", "published", "failed", "cancelled"] as const;

export type PostStatus = (typeof POST_STATUSES)[number];

/** Whether a post is published at that time, ms, unless somebody cancels it. */
function isDue(post: StoredPost, at: number): boolean {
  return post.cancelled_at === undefined && Date.parse(post.scheduled_at) <= at;
}

/** The post at that time, ms. A due post is published at its scheduled second. */
export function postAt(
  post: StoredPost,
  at: number,
  backend: Pick<ServiceState, "store" | "failures">,
): StoredPost {
  if (post.published_at !== undefined || !isDue(post, at)) return post;
  const results = post.platforms.map((platform) => ({ platform, ...errorOn(platform, backend) }));
  return { ...post, published_at: post.scheduled_at, results };
}

/** If one platform fails, the whole post fails; its results show which one. */
export function statusOf({ cancelled_at, results }: StoredPost): PostStatus {
  if (cancelled_at !== undefined) return "cancelled";
  if (results === undefined) return "scheduled";
  return results.every((result) => result.error === undefined) ? "published" : "failed";
}

function errorOn(
  platform: string,
  { store, failures }: Pick<ServiceState, "store" | "failures">,
): { error?: string } {
  if (platformFails(failures, platform)) return { error: `${platform} is set to fail.` };
  const account = PLATFORM_ACCOUNTS.find((each) => each.platform === platform);
  const isConnected = account !== undefined && !store.isDisconnected(account.id);
  return isConnected ? {} : { error: `There is no connected account on ${platform}.` };
}

/**
 * Publishes what is due at that time, ms, and returns those posts in order. The files are in the outbox before the
 * record of the publication, and its events are in the same record.
 */
export async function publishDue(at: number, backend: ServiceState, outbox: Outbox): Promise<StoredPost[]> {
  const done: StoredPost[] = [];
  for (const { id } of backend.store.scheduled.due(at)) {
    // One after the other, because others see the order.
    const published = await backend.store.runExclusive(id, () => publish(id, at, backend, outbox));
    if (published !== undefined) done.push(published);
  }
  return done;
}

/** Undefined if the post has been cancelled. */
async function publish(
  id: string,
  at: number,
  backend: ServiceState,
  outbox: Outbox,
): Promise<StoredPost | undefined> {
  const { store, origin } = backend;
  const scheduled = store.post(id);
  if (scheduled === undefined) return undefined;
  const post = postAt(scheduled, at, backend);
  if (post === scheduled || post.results === undefined) return undefined;
  const media = mediaOf(post, backend);
  const reached = post.results.filter((result) => result.error === undefined);
  await Promise.all(reached.map(({ platform }) => outbox(post, platform, media)));
  await store.append({ post, deliveries: deliveriesOf(eventsOfPost(post, origin()), backend, at) });
  return post;
}

export function mediaOf(post: StoredPost, { store }: Pick<ServiceState, "store">): StoredMedia[] {
  return post.media_ids
    .map((id) => store.media(id))
    .filter((item): item is StoredMedia => item !== undefined);
}
