/** Checks the promise on the service: each row is scheduled once, and foreign posts are unchanged. */
import { createHash } from "node:crypto";
import type { ForeignService } from "../support/foreign-service.ts";
import type { StoredPost } from "../support/foreign/post-book.ts";

/** A post that must be scheduled, once. */
export interface Wanted {
  readonly content: string;
  readonly platforms: readonly string[];
  readonly scheduledAt: string;
  /** The files' bytes, in order. */
  readonly media: readonly Uint8Array[];
}

export interface Violations {
  /** Rows that are scheduled more than once, and plancast's posts without a row. */
  readonly duplicates: readonly string[];
  /** Rows that are not scheduled. */
  readonly losses: readonly string[];
  /** Foreign posts that have changed. */
  readonly touched: readonly string[];
}

/**
 * @param foreign somebody else's posts, as they were created
 * @param adopted ids of those among all posts that a row may have taken over
 */
export function violations(
  service: ForeignService,
  wanted: readonly Wanted[],
  foreign: readonly StoredPost[],
  adopted: readonly string[] = [],
): Violations {
  const own = service.scheduled().filter(({ id, madeBy }) => madeBy === "api" || adopted.includes(id));
  const held = new Map<string, string[]>();
  for (const post of own) held.set(said(post, service), [...(held.get(said(post, service)) ?? []), post.id]);
  const asked = new Set(wanted.map(asText));
  const twice = [...held].filter(([text, ids]) => ids.length > 1 || !asked.has(text));
  return {
    duplicates: [
      ...twice.map(([text, ids]) => `${ids.join(" and ")}: ${text}`),
      ...service.duplicates().map((group) => `published twice: ${JSON.stringify(group)}`),
    ],
    losses: [...asked].filter((text) => !held.has(text)),
    touched: foreign
      .filter((post) => JSON.stringify(service.posts.get(post.id)) !== JSON.stringify(post))
      .map(({ id }) => id),
  };
}

/**
 * Must hold at every moment for unchanged rows, also between runs: each is scheduled exactly once. A changed row may be
 * there twice for a moment, because the new post is created before the old one is cancelled.
 */
export function violationsMeanwhile(
  service: ForeignService,
  unchanged: readonly Wanted[],
  foreign: readonly StoredPost[],
): Violations {
  const held = service.scheduled().map((post) => said(post, service));
  const times = (text: string): number => held.filter((each) => each === text).length;
  const asked = unchanged.map(asText);
  return {
    duplicates: asked.filter((text) => times(text) > 1),
    losses: asked.filter((text) => times(text) === 0),
    touched: violations(service, [], foreign).touched,
  };
}

/** Throws when the promise is broken, and says where. */
export function checkNone(found: Violations, when: string): void {
  const broken = Object.entries(found).filter(([, what]: [string, readonly string[]]) => what.length > 0);
  if (broken.length === 0) return;
  throw new Error(`${when}: ${broken.map(([name, what]) => `${name} ${what.join("; ")}`).join("\n")}`);
}

function said(post: StoredPost, { media }: ForeignService): string {
  const hashes = post.media_ids.map((id) => media.get(id)?.sha256 ?? `lost ${id}`);
  const at = new Date(post.scheduled_at).toISOString().slice(0, 19);
  return JSON.stringify([post.content, [...post.platforms].sort(), `${at}Z`, hashes]);
}

function asText({ content, platforms, scheduledAt, media }: Wanted): string {
  return JSON.stringify([content, [...platforms].sort(), scheduledAt, media.map(sha256)]);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
