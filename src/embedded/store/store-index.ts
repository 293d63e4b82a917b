/** By what stores find records: derived from a record whenever it is written, and never stored by callers. Pure. */

import { isOverOnAccount } from "../../model/publication.ts";
import type { StoredPost } from "./records.ts";
import type { Kind, Records } from "./store.ts";

export interface StoreIndex {
  /** Position in lists, as text that sorts. Unique in its kind. */
  readonly place: string;
  /** What `list` can choose by. */
  readonly status: string;
  /** Other names of the record, each of one record only. */
  readonly names: readonly string[];
  /** When something can be done next, in ms since the epoch, by lane. */
  readonly due: ReadonlyMap<string, number>;
}

/** The lane of posts for simulated accounts. The lane of a post on a real account is the account's id. */
export const SIMULATED_LANE = "simulated";
/** The lane of events that are on their way to webhooks. */
export const DELIVERY_LANE = "deliveries";

const INDEXES: {
  readonly [K in Kind]: (record: Records[K]) => Partial<StoreIndex> & Pick<StoreIndex, "place">;
} = {
  post: (post) => ({
    place: placeOfPost(post),
    status: statusOf(post),
    names: Object.values(post.publications ?? {}).flatMap(({ account_id: account, parts }) =>
      parts.map(({ id }) => partName(account, id)),
    ),
    due: dueOf(post),
  }),
  archived: (post) => ({ place: placeOfPost(post), status: statusOf(post) }),
  move: ({ id }) => ({ place: id }),
  media: ({ id, type, created_at: at }) => ({ place: `${at} ${id}`, status: type }),
  disconnection: ({ id }) => ({ place: id }),
  webhook: ({ id, created_at: at }) => ({ place: `${at} ${id}` }),
  run: ({ id, started_at: at }) => ({ place: `${at} ${id}` }),
  delivery: ({ id, event, order, state, next_attempt_at: next }) => ({
    place: `${event.timestamp} ${subjectOf(event.data)} ${String(order).padStart(3, "0")} ${id}`,
    status: state,
    due: new Map(state === "waiting" && next !== undefined ? [[DELIVERY_LANE, Date.parse(next)]] : []),
  }),
};

export function indexOf<K extends Kind>(kind: K, record: Records[K]): StoreIndex {
  return { status: "", names: [], due: new Map(), ...INDEXES[kind](record) };
}

/** The post or the run that an event is about. */
function subjectOf({ post_id: post, run_id: run }: Readonly<Record<string, unknown>>): string {
  return String(post ?? run);
}

/** Lists of posts are by time, then by id. */
export function placeOfPost({ scheduled_at: at, id }: Pick<StoredPost, "scheduled_at" | "id">): string {
  return `${at} ${id}`;
}

/** The name of a post by the network's id of one of its parts. */
export function partName(accountId: string, partId: string): string {
  return `${accountId} ${partId}`;
}

export const POST_STATUSES = ["scheduled", "published", "failed", "cancelled"] as const;

export type StoredStatus = (typeof POST_STATUSES)[number];

/** If one platform fails, the whole post fails; its results show which one. */
export function statusOf({ cancelled_at: cancelled, results }: StoredPost): StoredStatus {
  if (cancelled !== undefined) return "cancelled";
  if (results === undefined) return "scheduled";
  return results.every((result) => result.error === undefined) ? "published" : "failed";
}

/** When something can be done with a scheduled post. A claim keeps others away until it ends. */
function dueOf(post: StoredPost): ReadonlyMap<string, number> {
  if (statusOf(post) !== "scheduled") return new Map();
  const time = Date.parse(post.scheduled_at);
  if (post.accounts === undefined) return new Map([[SIMULATED_LANE, time]]);
  return new Map(
    post.platforms.flatMap((platform): [string, number][] => {
      const account = post.accounts?.[platform];
      const progress = post.publications?.[platform];
      if (account === undefined || (progress !== undefined && isOverOnAccount(progress))) return [];
      const times = [progress?.claim?.until, progress?.next_at].map((each) =>
        each === undefined ? -Infinity : Date.parse(each),
      );
      return [[account, Math.max(time, ...times)]];
    }),
  );
}
