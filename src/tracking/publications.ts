/**
 * The records about posts: events as they came, and the service's own answers. Pure: records are added one by one, in
 * the order of their files. An event counts only if the service confirms it.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { type PlatformResult, type Publication, isFinished } from "../model/publication.ts";
import { isoInstant, utcTime } from "../model/canonical.ts";
import { sortKeys } from "../model/data.ts";
import type { PostStatus, UtcTime } from "../model/post.ts";
import { type ReceivedEvent, receivedEnvelope } from "../model/service-interface.ts";
import { compareText } from "../model/text.ts";
import { platformName } from "../service/answers/other-records.ts";
import { reasonIn, webAddressIn } from "../service/answers/post.ts";
import { idFrom } from "../service/answers/record.ts";

const about = { at: z.iso.datetime(), origin: z.string() };

const result = z.strictObject({
  platform: z.string(),
  state: z.enum(["published", "failed", "expired", "scheduled"]),
  url: z.string().optional(),
  reason: z.string().optional(),
});

/** The lines of the records. `origin` is the service's. `at` is the time of this machine. */
export const publicationRecordSchema = z.union([
  z.strictObject({ ...about, received: receivedEnvelope }),
  z.strictObject({
    ...about,
    told: z.strictObject({
      post_id: z.string(),
      /** `unclear` is the file's word for the status `unknown`. */
      state: z.enum(["published", "failed", "cancelled", "unclear"]),
      results: z.array(result),
      published_at: z.string().optional(),
      reason: z.string().optional(),
      /** The content as the service had it, because the row may be edited later. */
      post: z
        .strictObject({ content: z.string().optional(), platforms: z.array(z.string()).optional() })
        .optional(),
    }),
  }),
]);

export type PublicationRecord = z.infer<typeof publicationRecordSchema>;

type RecordedPublication = Publication & {
  readonly state: Exclude<PostStatus, "scheduled" | "missing">;
};

/** Whether to record it: other statuses still change. */
export function isWorthRecording(publication: Publication): publication is RecordedPublication {
  return isFinished(publication) || publication.state === "unknown";
}

/** The record of the service's answer about a post. `now`: Unix time, in ms. */
export function publicationRecord(
  id: string,
  { state, results, publishedAt, reason, post }: RecordedPublication,
  origin: string,
  now: number,
): PublicationRecord {
  const answer = {
    post_id: id,
    state: state === "unknown" ? ("unclear" as const) : state,
    results: [...results],
    ...(publishedAt !== undefined && { published_at: publishedAt }),
    ...(reason !== undefined && { reason }),
    ...(post !== undefined && { post: { ...post, platforms: post.platforms && [...post.platforms] } }),
  };
  return { at: new Date(now).toISOString(), origin, told: answer };
}

/** The files of records: `answers` is from plancast's requests, `events` is from the receiver. */
export type RecordFile = "answers" | "events";

/** File and time of a record. */
interface Written {
  readonly at: string;
  readonly file: RecordFile;
  /** Counts the records as they came. */
  readonly order: number;
}

/** Within a file, the order counts, because clocks are set back. Between the two files, the times count. */
function isBefore(one: Written, other: Written): boolean {
  return one.file === other.file ? one.order < other.order : one.at < other.at;
}

/** The service's answer, and its place in the records. */
interface RecordedAnswer extends Written {
  readonly publication: Publication;
}

interface WrittenEvent extends PostEvent, Written {}

export class Publications {
  readonly #origin: string;
  readonly #answers = new Map<string, RecordedAnswer>();
  readonly #events = new Map<string, WrittenEvent[]>();
  readonly #hashes = new Set<string>();
  #taken = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @param file of the record; the records of a file come in its order */
  take(record: PublicationRecord, file: RecordFile): void {
    if (record.origin !== this.#origin) return;
    const written = { at: record.at, file, order: this.#taken++ };
    if ("told" in record) {
      const { post_id: id, published_at: publishedAt, ...answer } = record.told;
      const publication = {
        ...answer,
        ...(publishedAt !== undefined && { publishedAt }),
        state: answer.state === "unclear" ? ("unknown" as const) : answer.state,
      };
      const known = { ...written, publication };
      const before = this.#answers.get(id);
      if (before === undefined || replaces(known, before)) this.#answers.set(id, known);
      return;
    }
    const hash = eventHash(record.received);
    if (this.#hashes.has(hash)) return;
    this.#hashes.add(hash);
    const event = postEventOf(record.received);
    if (event === undefined) return;
    this.#events.set(event.postId, [...(this.#events.get(event.postId) ?? []), { ...event, ...written }]);
  }

  /** Whether an event with this hash was received before. */
  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }

  /** What happened to a post; undefined if no answer of the service is recorded. */
  publicationOf(id: string): Publication | undefined {
    const known = this.#answers.get(id);
    return known === undefined ? undefined : withEvents(known.publication, this.#events.get(id) ?? []);
  }

  /** The service's latest answer about a post, completed from the post's events. */
  completed(id: string, publication: Publication): Publication {
    return withEvents(publication, this.#events.get(id) ?? []);
  }

  /** Whether an event gave the address of the published post. */
  hasAddress(id: string): boolean {
    return this.#events.get(id)?.some(({ url }) => url !== undefined) === true;
  }

  /** Whether this is not recorded for the post yet, or was recorded before its newest event. */
  isNews(id: string, publication: Publication): boolean {
    const known = this.#answers.get(id)?.publication;
    return (
      known === undefined || JSON.stringify(known) !== JSON.stringify(publication) || this.isUnconfirmed(id)
    );
  }

  /** Whether events of a post contain news that the service has not confirmed since. */
  isUnconfirmed(id: string): boolean {
    const known = this.#answers.get(id);
    const events = this.#events.get(id) ?? [];
    return events.some(
      (event) =>
        known === undefined || (!needsNoConfirmation(known.publication, event) && isBefore(known, event)),
    );
  }

  /** The ids of those posts. */
  unconfirmed(): readonly string[] {
    return [...this.#events.keys()].filter((id) => this.isUnconfirmed(id));
  }
}

/** A final status replaces another one, whatever their order. Otherwise, the later one counts. */
function replaces(known: RecordedAnswer, before: RecordedAnswer): boolean {
  if (isFinished(known.publication) !== isFinished(before.publication)) return isFinished(known.publication);
  return !isBefore(known, before);
}

/** Whether the service's answer and an event can both be true. */
function agreesWith({ state, results }: Publication, event: PostEvent): boolean {
  const result = results.find(({ platform }) => platform === event.platform);
  // An event has no word for a post that expired: it only says that it failed.
  if (result !== undefined) return (result.state === "published") === (event.state === "published");
  // A service without statuses can only say that the post exists.
  if (state === "unknown" || state === "failed") return true;
  return state === event.state;
}

/** Whether an event after the service's answer needs no new request. */
function needsNoConfirmation(publication: Publication, event: PostEvent): boolean {
  // It failed completely, and was published later: on another platform, or by another try.
  const mayBeRetried =
    publication.state === "failed" &&
    event.state === "published" &&
    !publication.results.some(({ platform }) => platform === event.platform);
  return !mayBeRetried && agreesWith(publication, event);
}

function withEvents(publication: Publication, events: readonly WrittenEvent[]): Publication {
  const confirmed = events.filter((event) => agreesWith(publication, event));
  const results = confirmed.reduce<readonly PlatformResult[]>(withEvent, publication.results);
  const state =
    publication.state === "unknown" && confirmed.length > 0 ? stateOf(confirmed) : publication.state;
  const reason =
    state === publication.state
      ? (publication.reason ?? reasonOf(confirmed, results))
      : reasonOf(confirmed, results);
  const { reason: _before, ...rest } = publication;
  const publishedAt = publication.publishedAt ?? (state === "published" ? lastOf(confirmed) : undefined);
  return {
    ...rest,
    state,
    results,
    ...(publishedAt !== undefined && { publishedAt }),
    ...(reason !== undefined && { reason }),
  };
}

function stateOf(events: readonly WrittenEvent[]): "published" | "failed" {
  return events.some(({ state }) => state === "failed") ? "failed" : "published";
}

/** When the last platform published it. */
function lastOf(events: readonly WrittenEvent[]): UtcTime | undefined {
  return events
    .map(({ timestamp }) => timestamp)
    .sort(compareText)
    .at(-1);
}

/** Why it failed, from an event that names no platform. */
function reasonOf(events: readonly WrittenEvent[], results: readonly PlatformResult[]): string | undefined {
  const hasReason = results.some(({ reason }) => reason !== undefined);
  return hasReason ? undefined : events.findLast(({ reason }) => reason !== undefined)?.reason;
}

/** The event may add facts that the service's own results lack. */
function withEvent(results: readonly PlatformResult[], event: WrittenEvent): readonly PlatformResult[] {
  const { platform, state, url, reason } = event;
  if (platform === undefined) return results;
  const added = {
    platform,
    state,
    ...(url !== undefined && { url }),
    ...(reason !== undefined && { reason }),
  };
  const known = results.find((each) => each.platform === platform);
  if (known === undefined) return [...results, added];
  return results.map((each) => (each === known ? { ...added, ...each } : each));
}

/** The meaning of an event for a post. */
interface PostEvent {
  readonly postId: string;
  readonly state: "published" | "failed";
  readonly timestamp: UtcTime;
  /** Undefined if the event does not name it: the interface does not show the fields of `post.failed`. */
  readonly platform: string | undefined;
  readonly url: string | undefined;
  readonly reason: string | undefined;
}

const STATES = new Map<string, PostEvent["state"]>([
  ["post.published", "published"],
  ["post.failed", "failed"],
]);

/** Undefined for an event of another kind, or one without a post. */
function postEventOf({ event, timestamp, data }: ReceivedEvent): PostEvent | undefined {
  const state = STATES.get(event);
  const postId = idFrom(data["post_id"]);
  if (state === undefined || postId === undefined) return undefined;
  return {
    postId,
    state,
    // The envelope has only readable times.
    timestamp: utcTime(isoInstant(timestamp, "Z") ?? 0),
    platform: platformName(data),
    url: state === "published" ? webAddressIn(data) : undefined,
    reason: state === "failed" ? reasonIn(data) : undefined,
  };
}

/**
 * Two events have the same hash only if one repeats the other. With an id, the time may differ; without one,
 * everything counts. An id is not enough, because it might be the id of the post.
 */
export function eventHash({ event, timestamp, data, id, event_id }: ReceivedEvent): string {
  const name = event_id ?? id;
  const parts = name === undefined ? [event, timestamp, data] : [event, name, data];
  return createHash("sha256").update(JSON.stringify(parts, sortKeys)).digest("hex");
}
