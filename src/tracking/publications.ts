/**
 * What is recorded of posts: events as they came, and the service's own word. Pure: records come in one by one, in the
 * order of the files that keep them. An event counts only where the service's word bears it out.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { type PlatformResult, type Publication, isFinished } from "../model/publication.ts";
import type { PostStatus } from "../model/post.ts";
import { type ReceivedEvent, receivedEnvelope } from "../model/service-interface.ts";
import { platformName } from "../service/answers/other-records.ts";
import { pickAddress, reasonIn } from "../service/answers/publication.ts";
import { idFrom } from "../service/answers/record.ts";

const about = { at: z.iso.datetime(), origin: z.string() };

const result = z.strictObject({
  platform: z.string(),
  state: z.enum(["published", "failed"]),
  url: z.string().optional(),
  reason: z.string().optional(),
});

/** The lines of the records. `origin` is the service's; `at` is the time of this machine. */
export const publicationRecordSchema = z.union([
  z.strictObject({ ...about, received: receivedEnvelope }),
  z.strictObject({
    ...about,
    told: z.strictObject({
      post_id: z.string(),
      /** `unclear` is the file's word for the status `unknown`. */
      state: z.enum(["published", "failed", "cancelled", "unclear"]),
      results: z.array(result),
      reason: z.string().optional(),
      /** As the service had it: a row that is edited later does not tell. */
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

/** Whether a fate is worth a record: the others change. */
export function isWorthRecording(fate: Publication): fate is RecordedPublication {
  return isFinished(fate) || fate.state === "unknown";
}

/** The record of the service's word on a post. `now`: Unix time, ms. */
export function publicationRecord(
  id: string,
  { state, results, reason, post }: RecordedPublication,
  origin: string,
  now: number,
): PublicationRecord {
  const told = {
    post_id: id,
    state: state === "unknown" ? ("unclear" as const) : state,
    results: [...results],
    ...(reason !== undefined && { reason }),
    ...(post !== undefined && { post: { ...post, platforms: post.platforms && [...post.platforms] } }),
  };
  return { at: new Date(now).toISOString(), origin, told };
}

/** The files of records: `outcomes` is what plancast asked about, `events` is the receiver's. */
export type RecordFile = "outcomes" | "events";

/** Where and when a record was written. */
interface Written {
  readonly at: string;
  readonly file: RecordFile;
  /** Counts the records as they came. */
  readonly order: number;
}

/** Within a file its order tells, since clocks are set back; only between the two do the times. */
function isBefore(one: Written, other: Written): boolean {
  return one.file === other.file ? one.order < other.order : one.at < other.at;
}

interface KnownPublication extends Written {
  readonly fate: Publication;
}

interface WrittenEvent extends PostEvent, Written {}

export class Publications {
  readonly #origin: string;
  readonly #told = new Map<string, KnownPublication>();
  readonly #events = new Map<string, WrittenEvent[]>();
  readonly #marks = new Set<string>();
  #taken = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @param file which the record stands in; those of a file come in its order */
  take(record: PublicationRecord, file: RecordFile): void {
    if (record.origin !== this.#origin) return;
    const written = { at: record.at, file, order: this.#taken++ };
    if ("told" in record) {
      const { post_id: id, ...told } = record.told;
      const fate = { ...told, state: told.state === "unclear" ? ("unknown" as const) : told.state };
      const known = { ...written, fate };
      const before = this.#told.get(id);
      if (before === undefined || replaces(known, before)) this.#told.set(id, known);
      return;
    }
    const mark = eventHash(record.received);
    if (this.#marks.has(mark)) return;
    this.#marks.add(mark);
    const event = postEventOf(record.received);
    if (event === undefined) return;
    this.#events.set(event.postId, [...(this.#events.get(event.postId) ?? []), { ...event, ...written }]);
  }

  /** Whether an event of this mark came before. */
  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** What became of a post; undefined where the service's word is not recorded. */
  publicationOf(id: string): Publication | undefined {
    const known = this.#told.get(id);
    return known === undefined ? undefined : withEvents(known.fate, this.#events.get(id) ?? []);
  }

  /** A fate that was just asked for, with what the events of the post add to it. */
  completed(id: string, fate: Publication): Publication {
    return withEvents(fate, this.#events.get(id) ?? []);
  }

  /** Whether an event told where the post is published. */
  hasAddress(id: string): boolean {
    return this.#events.get(id)?.some(({ url }) => url !== undefined) === true;
  }

  /** Whether the service's word on a post is not recorded yet, was another, or is older than what events tell. */
  isNews(id: string, fate: Publication): boolean {
    const known = this.#told.get(id)?.fate;
    return known === undefined || JSON.stringify(known) !== JSON.stringify(fate) || this.isUnconfirmed(id);
  }

  /** Whether events of a post tell what the service itself has not said, or has not said since. */
  isUnconfirmed(id: string): boolean {
    const known = this.#told.get(id);
    const events = this.#events.get(id) ?? [];
    return events.some(
      (event) => known === undefined || (!needsNoConfirmation(known.fate, event) && isBefore(known, event)),
    );
  }

  /** The posts of which that is so. */
  unconfirmed(): readonly string[] {
    return [...this.#events.keys()].filter((id) => this.isUnconfirmed(id));
  }
}

/** An end replaces what is none, whenever it was told; else the later word holds. */
function replaces(known: KnownPublication, before: KnownPublication): boolean {
  if (isFinished(known.fate) !== isFinished(before.fate)) return isFinished(known.fate);
  return !isBefore(known, before);
}

/** Whether what the service says and what an event says can both be true. */
function agreesWith({ state, results }: Publication, event: PostEvent): boolean {
  const result = results.find(({ platform }) => platform === event.platform);
  if (result !== undefined) return result.state === event.state;
  // A service that tells no status cannot say more than that there is such a post.
  if (state === "unknown" || state === "failed") return true;
  return state === event.state;
}

/** Whether the service need not be asked about an event that came after its word. */
function needsNoConfirmation(fate: Publication, event: PostEvent): boolean {
  // It failed as a whole, and is published since: on another platform, or it was tried again.
  const mayBeRetried =
    fate.state === "failed" &&
    event.state === "published" &&
    !fate.results.some(({ platform }) => platform === event.platform);
  return !mayBeRetried && agreesWith(fate, event);
}

function withEvents(fate: Publication, events: readonly WrittenEvent[]): Publication {
  const borneOut = events.filter((event) => agreesWith(fate, event));
  const results = borneOut.reduce<readonly PlatformResult[]>(withEvent, fate.results);
  const state = fate.state === "unknown" && borneOut.length > 0 ? stateOf(borneOut) : fate.state;
  const reason =
    state === fate.state ? (fate.reason ?? reasonOf(borneOut, results)) : reasonOf(borneOut, results);
  const { reason: _before, ...rest } = fate;
  return { ...rest, state, results, ...(reason !== undefined && { reason }) };
}

function stateOf(events: readonly WrittenEvent[]): "published" | "failed" {
  return events.some(({ state }) => state === "failed") ? "failed" : "published";
}

/** Why it failed, by an event that does not say where. */
function reasonOf(events: readonly WrittenEvent[], results: readonly PlatformResult[]): string | undefined {
  const isTold = results.some(({ reason }) => reason !== undefined);
  return isTold ? undefined : events.findLast(({ reason }) => reason !== undefined)?.reason;
}

/** What the service's own results lack, the event may tell. */
function withEvent(results: readonly PlatformResult[], event: WrittenEvent): readonly PlatformResult[] {
  const { platform, state, url, reason } = event;
  if (platform === undefined) return results;
  const told = {
    platform,
    state,
    ...(url !== undefined && { url }),
    ...(reason !== undefined && { reason }),
  };
  const known = results.find((each) => each.platform === platform);
  if (known === undefined) return [...results, told];
  return results.map((each) => (each === known ? { ...told, ...each } : each));
}

/** What an event says of a post. */

interface PostEvent {
  readonly postId: string;
  readonly state: PlatformResult["state"];
  /** Undefined where the event does not tell: the interface does not show what `post.failed` holds. */
  readonly platform: string | undefined;
  readonly url: string | undefined;
  readonly reason: string | undefined;
}

const STATES = new Map<string, PlatformResult["state"]>([
  ["post.published", "published"],
  ["post.failed", "failed"],
]);

/** Undefined for an event of another kind, and for one that names no post. */
function postEventOf({ event, data }: ReceivedEvent): PostEvent | undefined {
  const state = STATES.get(event);
  const postId = idFrom(data["post_id"] ?? data["postId"] ?? data["id"]);
  if (state === undefined || postId === undefined) return undefined;
  const platform = platformName(data["platform"] ?? data["network"])
    ?.trim()
    .toLowerCase();
  return {
    postId,
    state,
    platform,
    url: state === "published" ? pickAddress(data) : undefined,
    reason: state === "failed" ? reasonIn(data) : undefined,
  };
}

/**
 * The same for an event that is sent again, and for no other. With an id, the time may differ; without one, all that it
 * says is what tells. An id alone is not trusted: it might be the post's.
 */
export function eventHash({ event, timestamp, data, id, event_id }: ReceivedEvent): string {
  const name = event_id ?? id;
  const parts = name === undefined ? [event, timestamp, data] : [event, name, data];
  return createHash("sha256").update(canonicalJson(parts)).digest("hex");
}

/** JSON with the keys of objects sorted. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
