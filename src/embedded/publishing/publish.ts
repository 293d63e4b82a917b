/**
 * What becomes of a post, from its record, the time and the accounts, so that a reader need not wait for anything to run.
 */

import type { Outbox } from "../store/files.ts";
import type { Random, StoredMedia, StoredPost } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { deliveriesOf, eventsOfPost } from "./webhook-deliveries.ts";

/** One of the accounts that the embedded service pretends to have, one on each common network. */
export interface PlatformAccount {
  readonly id: string;
  /** Identifier, as posts name it. */
  readonly platform: string;
  /** For people. */
  readonly name: string;
  /** In the list, as text that sorts. */
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

/** What is made to fail, so that tests can see how a client takes it: texts such as `platform=instagram`. */
type Failures = ReadonlySet<string>;

export function platformFails(failures: Failures, platform: string): boolean {
  return failures.has(`platform=${platform}`);
}

export function automationFails(failures: Failures, id: string): boolean {
  return failures.has(`automation=${id}`);
}

/** What the embedded service works with. */
export interface ServiceState {
  readonly store: Store;
  /** Unix time as the service goes by it, ms. */
  readonly now: () => number;
  readonly random: Random;
  /** What is made to fail; can be changed while the service runs. */
  readonly failures: Set<string>;
  /** Whether time goes on by itself. */
  readonly runs: boolean;
  /** Address of this service without a path, for what is told to others than the caller. */
  readonly origin: () => string;
}

export const POST_STATUSES = ["scheduled", "published", "failed", "cancelled"] as const;

export type PostStatus = (typeof POST_STATUSES)[number];

/** Whether a post is published by that time, ms, if nobody cancels it. */
function isDue(post: StoredPost, at: number): boolean {
  return post.cancelled_at === undefined && Date.parse(post.scheduled_at) <= at;
}

/** The post as it is at that time, ms: one that is due is published at the second that it was scheduled for. */
export function postAt(
  post: StoredPost,
  at: number,
  backend: Pick<ServiceState, "store" | "failures">,
): StoredPost {
  if (post.published_at !== undefined || !isDue(post, at)) return post;
  const results = post.platforms.map((platform) => ({ platform, ...errorOn(platform, backend) }));
  return { ...post, published_at: post.scheduled_at, results };
}

/** One platform that fails makes the whole post failed; its results tell which. */
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
 * Publishes what is due at that time, ms, and gives those posts in their order. Before the record that a post was
 * published, its files are in the outbox; with it, its events are there to be delivered.
 */
export async function publishDue(at: number, backend: ServiceState, outbox: Outbox): Promise<StoredPost[]> {
  const done: StoredPost[] = [];
  for (const { id } of backend.store.scheduled.due(at)) {
    // One after the other: their order is what others see.
    const published = await backend.store.runExclusive(id, () => publish(id, at, backend, outbox));
    if (published !== undefined) done.push(published);
  }
  return done;
}

/** Undefined for a post that was cancelled meanwhile. */
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
