/**
 * The store of a run of publish: the posts that it has claimed in the branch. The claims are pushed before there is a
 * store, and its results are pushed together. A push takes seconds, so the claims end at a fixed time, and nobody renews them.
 * If the run is killed, the store is lost. A later run finds the claims in the branch, and asks the networks.
 */

import type { MediaFiles } from "../embedded/store/media-files.ts";
import { MemoryStore } from "../embedded/store/memory-store.ts";
import type { StoredPost, StoredPublication } from "../embedded/store/records.ts";
import type { Entry } from "../embedded/store/store.ts";
import { isSameJson } from "../model/data.ts";
import { type Claimant, type Result, type Task, lastSendAt } from "./claims.ts";
import { type Schedule, type ScheduledPost, type ScheduledPublication, mediaId } from "./schedule.ts";

/** What a run has claimed. */
export interface ClaimedBatch extends Claimant {
  readonly tasks: readonly Task[];
  /** With all other posts. */
  readonly schedule: Schedule;
}

export class ClaimedStore extends MemoryStore {
  readonly claimsEndAt: number;
  readonly #batch: ClaimedBatch;
  /** Ms. */
  readonly #openedAt: number;

  /** @param files of the claimed posts  @param now ms */
  constructor(batch: ClaimedBatch, files: MediaFiles, now: number) {
    super(files);
    this.claimsEndAt = batch.until;
    this.#batch = batch;
    this.#openedAt = now;
    this.take(batch.tasks.flatMap(mediaEntries));
    this.take(postsOf(batch, now).map((record) => ({ kind: "post", record })));
  }

  /** What happened to each claimed task, in their order. */
  results(): Promise<readonly Result[]> {
    return Promise.all(this.#batch.tasks.map((task) => this.#resultOf(task)));
  }

  async #resultOf({ id, platform, post, before }: Task): Promise<Result> {
    const { run, until } = this.#batch;
    const stored = (await this.get("post", id))?.publications?.[platform];
    if (stored === undefined || isSameJson(stored, asStored(before ?? fresh(post, platform, this.#openedAt))))
      return { id, platform, publication: before };
    const { claim: _claim, ...publication } = stored;
    if (stored.state !== "sending") return { id, platform, publication };
    // It was cut off. The claim stays, and a later run asks the network.
    const claim = { run, until: new Date(until).toISOString() };
    return { id, platform, publication: { ...publication, claim } };
  }
}

function mediaEntries({ post: { media, created_at } }: Task): readonly Entry[] {
  return media.map((file) => {
    const type = file.mime.startsWith("video/") ? "video" : "image";
    const { mime, bytes } = file;
    return { kind: "media", record: { id: mediaId(file), type, mime, bytes, created_at } };
  });
}

/**
 * The posts of the batch, only for the accounts that this run has claimed. The others are there as published, because
 * their ids on the networks belong to them, even if they have the same text.
 */
function postsOf({ tasks, schedule }: ClaimedBatch, now: number): readonly StoredPost[] {
  return Object.entries(schedule.posts).map(([id, post]) => {
    const { media, digest: _digest, publications = {}, ...rest } = post;
    const claimed = tasks.filter((task) => task.id === id);
    const known = Object.entries(publications).map(([platform, each]) => [platform, asStored(each)] as const);
    const own = claimed.map(
      ({ platform, before }) => [platform, asStored(before ?? fresh(post, platform, now))] as const,
    );
    return {
      ...rest,
      id,
      platforms: claimed.map(({ platform }) => platform),
      media_ids: media.map(mediaId),
      publications: Object.fromEntries([...known, ...own]),
      ...(claimed.length === 0 ? { published_at: post.scheduled_at, results: [] } : {}),
    };
  });
}

function fresh({ accounts = {} }: ScheduledPost, platform: string, now: number): ScheduledPublication {
  const account_id = accounts[platform] ?? "";
  return { account_id, state: "waiting", attempts: 0, sent_at: new Date(now).toISOString(), parts: [] };
}

/** What the publisher must know of earlier attempts. After an old claim, it asks the network first. */
function asStored(before: ScheduledPublication): StoredPublication {
  const { claim: _claim, ...rest } = before;
  return before.state === "sending" ? { ...rest, sent_at: new Date(lastSendAt(before)).toISOString() } : rest;
}
