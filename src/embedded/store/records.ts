/**
 * The records of a store. A post contains its progress on each account, so that one write changes both. Answers use the
 * same parts.
 */

import { z } from "zod";
import type { Random } from "../../model/random.ts";
import { extraFields } from "../../model/lockfile.ts";
import { EVENT_KINDS, eventEnvelope } from "../../model/service-interface.ts";

const utcTime = z.iso.datetime();
/** Ids are used as file names. */
const id = z.string().regex(/^[\w-]+$/);
/** A network, or `network/account`. */
const platform = z.string().regex(/^[\w-]+(?:\/[\w-]+)?$/);

/**
 * The progress of a post on one real account. `sending`: a request may be on its way. After a crash, nothing more is
 * known. `waiting`: certainly not published, and tried again. `expired`: certainly not published, because the post
 * expired. `unknown`: it may be published; with `next_at`, the network is asked then.
 */
export const storedPublication = z.strictObject({
  account_id: id,
  state: z.enum(["sending", "waiting", "published", "failed", "expired", "unknown"]),
  attempts: z.int(),
  /** When the latest attempt began. */
  sent_at: utcTime,
  next_at: utcTime.optional(),
  url: z.string().optional(),
  /** Why it is not published, or what readers see differently. */
  reason: z.string().optional(),
  /** The parts of its thread that are published. */
  parts: z.array(z.strictObject({ id: z.string(), url: z.string().optional() })),
  /** The publisher that may work on it until a time. Nobody else changes it before. */
  claim: z.strictObject({ token: z.string(), until: utcTime }).optional(),
});

export const storedPost = z.strictObject({
  id,
  content: z.string(),
  platforms: z.array(platform),
  /** Ids of the real accounts, by platform; absent if the post was scheduled for simulated ones. */
  accounts: z.record(platform, id).optional(),
  scheduled_at: utcTime,
  media_ids: z.array(id),
  ...extraFields,
  created_at: utcTime,
  cancelled_at: utcTime.optional(),
  published_at: utcTime.optional(),
  /** The result on each platform; without an error, it succeeded. */
  results: z
    .array(
      z.strictObject({
        platform,
        error: z.string().optional(),
        /** It was too late: nothing was sent, and nothing went wrong on the platform. */
        code: z.literal("expired").optional(),
        url: z.string().optional(),
        /** What readers see differently than the row says it. */
        note: z.string().optional(),
      }),
    )
    .optional(),
  /** The progress on real accounts, by platform. None before the first attempt. */
  publications: z.record(platform, storedPublication).optional(),
});

export const storedMedia = z.strictObject({
  id,
  type: z.enum(["image", "video"]),
  mime: z.string(),
  bytes: z.int().min(0),
  /** Hex SHA-256 of the bytes, if they are in a bucket. */
  sha256: z.hash("sha256").optional(),
  created_at: utcTime,
  /** The upload, or the latest time of a post with this file. Long after it, nobody needs the file. */
  used_until: utcTime.optional(),
});

export const storedWebhook = z.strictObject({
  id,
  url: z.string(),
  events: z.array(z.enum(EVENT_KINDS)),
  created_at: utcTime,
});

export const storedRun = z.strictObject({
  id,
  automation_id: id,
  input: z.string(),
  status: z.enum(["completed", "failed"]),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  started_at: utcTime,
  completed_at: utcTime,
});

/** An event on its way to a webhook. The registration has the address. */
export const storedDelivery = z.strictObject({
  id,
  webhook_id: id,
  url: z.string(),
  event: eventEnvelope,
  /** Its position among the events of one post or run. */
  order: z.int().min(0),
  state: z.enum(["waiting", "delivered", "given_up"]),
  attempts: z.array(
    z.strictObject({ at: utcTime, status: z.int().optional(), error: z.string().optional() }),
  ),
  next_attempt_at: utcTime.optional(),
});

/** A platform whose account was disconnected, by the account's id. */
const storedDisconnection = z.strictObject({ id, at: utcTime });

/** Whether the store may be used, while a copy of it is made and after that. It is the only record of its kind. */
export const storedMove = z.strictObject({
  id: z.literal("store"),
  /**
   * `here`: the store is used. `leaving`: nothing new is sent, and what is under way ends. `left`: another store is used,
   * and this one does not change. `arriving`: the copy is not complete.
   */
  state: z.enum(["here", "leaving", "left", "arriving"]),
  /** The same in both stores. */
  copy: id,
});

/** The schema of each kind of record. Its `id` is unique in its kind. */
export const RECORDS = {
  post: storedPost,
  archived: storedPost,
  media: storedMedia,
  disconnection: storedDisconnection,
  webhook: storedWebhook,
  run: storedRun,
  delivery: storedDelivery,
  move: storedMove,
};

export type StoredPublication = z.infer<typeof storedPublication>;
export type StoredPost = z.infer<typeof storedPost>;
export type StoredMedia = z.infer<typeof storedMedia>;
export type StoredDisconnection = z.infer<typeof storedDisconnection>;
export type StoredWebhook = z.infer<typeof storedWebhook>;
export type StoredRun = z.infer<typeof storedRun>;
export type StoredDelivery = z.infer<typeof storedDelivery>;
export type StoredMove = z.infer<typeof storedMove>;

const ID_BYTES = 6;
/**
 * It is nearly impossible that a random id is already taken. This many taken ids in a row mean that the source is not
 * random.
 */
const DRAWS = 100;

/** A new id such as `post_9f86d081884c`. */
export function randomId(prefix: string, random: Random, isTaken: (id: string) => boolean): string {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const id = drawId(prefix, random);
    if (!isTaken(id)) return id;
  }
  throw new NotRandomError();
}

/** Like `randomId`, for a test that takes time. */
export async function freeId(
  prefix: string,
  random: Random,
  isTaken: (id: string) => Promise<boolean>,
): Promise<string> {
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const id = drawId(prefix, random);
    if (!(await isTaken(id))) return id;
  }
  throw new NotRandomError();
}

function drawId(prefix: string, random: Random): string {
  return `${prefix}_${Buffer.from(random(ID_BYTES)).toString("hex")}`;
}

class NotRandomError extends Error {
  constructor() {
    super("The source of random bytes gives the same ones again and again.");
  }
}

/** A post without claims. @param over what stays of a publication, which may have a claim */
export function withoutClaims(
  post: StoredPost,
  over: (publication: StoredPublication) => StoredPublication = (publication) => publication,
): StoredPost {
  if (post.publications === undefined) return post;
  const publications = Object.entries(post.publications).map(([platform, publication]) => {
    const { claim: _claim, ...rest } = over(publication);
    return [platform, rest] as const;
  });
  return { ...post, publications: Object.fromEntries(publications) };
}

/** Until when somebody may have sent the post: its claim may have been renewed after the attempt began. */
export function possiblySentUntil({ sent_at: sentAt, claim }: StoredPublication): string {
  return claim === undefined || Date.parse(claim.until) <= Date.parse(sentAt) ? sentAt : claim.until;
}
