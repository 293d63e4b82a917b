/** The remote side, shown whole: the list of scheduled posts, and what became of owned posts that it lacks. */

import type { Clock } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import type { Lockfile } from "../model/lockfile.ts";
import { type RemotePost, indexById } from "../model/post.ts";
import { SET_LIST_LIMIT, incompleteList } from "../service/answers/read-list.ts";
import type { PostState, ReadService, RemoteList } from "../service/service.ts";
import { isComparable } from "./plan/compare.ts";
import type { Absence } from "./plan/input.ts";
import { type MissingPost, judgeList, missingOwnedPosts } from "./plan/reconcile.ts";

export interface Remote {
  readonly posts: readonly RemotePost[];
  readonly absent: ReadonlyMap<string, Absence>;
  /** Ids of listed posts that this project has cancelled, and that are scheduled by the service's own word. */
  readonly stillScheduled: ReadonlySet<string>;
  /** Whether there may be more posts than the list has. */
  readonly isListInDoubt: boolean;
}

/** Waits before a list that may not be whole or up to date is read again, ms: services may list late. */
const RETRY_WAITS_MS = [500, 1_000, 3_000, 6_000] as const;

export interface RemoteOptions {
  readonly service: ReadService;
  readonly lockfile: Lockfile;
  readonly clock: Clock;
  /** What would be done on the strength of this list alone, and wrongly if it is old or short. */
  readonly unconfirmedChanges: (remote: Remote) => readonly string[];
  /** Whether posts are of use that cannot be compared with rows. Default: no. */
  readonly takesIncomparable?: boolean;
}

/**
 * Reads the remote side. Costs one list when all is well; of what one list cannot prove, two in a row must say the same.
 * Throws a Failure when the list cannot be shown whole.
 */
export async function readRemote(reading: RemoteOptions): Promise<Remote> {
  const { service, lockfile, clock } = reading;
  let earlier = "";
  for (const wait of [...RETRY_WAITS_MS, undefined]) {
    const list = await service.listScheduled();
    checkUsable(list, reading);
    const missing = missingOwnedPosts(lockfile, list.posts, clock.now());
    const states = await Promise.all(missing.map(async (id) => ({ id, state: await service.getPost(id) })));
    const asked = states.map(({ id, state }): MissingPost => ({ id, status: missingPostStatus(state) }));
    const { verdict, unconfirmedChanges: claims } = judgeList(lockfile, list.posts, asked);
    const listed = { ...fromListOnly(list), stillScheduled: await findStillScheduled(list, reading) };
    const all = [...claims, ...reading.unconfirmedChanges(listed)].sort().join("\n");
    const isConfirmed = verdict !== "incomplete" && all === earlier;
    const isOver = wait === undefined;
    if (isConfirmed && (isOver || verdict === "believe"))
      return { ...listed, absent: absencesOf(states, list) };
    const standing = states.find(({ state }) => state.state === "scheduled");
    if (isOver && standing !== undefined) throw lacksScheduledPost(standing.id);
    if (isOver) throw incompleteList("GET /v1/posts", "it differs from one reading to the next");
    earlier = verdict === "incomplete" ? "" : all;
    await clock.sleep(wait);
  }
  throw new Error("unreachable");
}

/** The list by itself, before its posts and those that it lacks are asked for. */
function fromListOnly({ posts, doubt }: RemoteList): Remote {
  return { posts, absent: new Map(), stillScheduled: new Set(), isListInDoubt: doubt !== undefined };
}

/** A list may show cancelled posts for a while. A cancel may also have been confirmed and not done. */
async function findStillScheduled(
  { posts }: RemoteList,
  { service, lockfile }: RemoteOptions,
): Promise<Set<string>> {
  const shown = Object.keys(lockfile.cancelled).flatMap((id) => indexById(posts).get(id) ?? []);
  const states = await Promise.all(shown.map(async ({ id }) => ({ id, ...(await service.getPost(id)) })));
  return new Set(states.filter(({ state }) => state === "scheduled").map(({ id }) => id));
}

function missingPostStatus(state: PostState): MissingPost["status"] {
  switch (state.state) {
    case "scheduled":
      return "scheduled";
    case "published":
      return "finished";
    case "gone":
      return state.why === "not_found" ? "missing" : "finished";
    case "unclear":
      // A status that plancast does not know ends the run; see absenceOf.
      return state.status === undefined ? "unknown" : "finished";
  }
}

/** Where nothing is owned there is no witness, so the list itself must be beyond doubt. */
function checkUsable(list: RemoteList, { lockfile, takesIncomparable }: RemoteOptions): void {
  if (Object.keys(lockfile.posts).length > 0) return;
  if (list.doubt !== undefined) throw incompleteList("GET /v1/posts", list.doubt.why, list.doubt.hint);
  const blank = takesIncomparable === true ? undefined : list.posts.find((post) => !isComparable(post));
  if (blank === undefined) return;
  throw new Failure(
    "service/not-comparable",
    `The service's list does not tell content, platforms and time of its posts (for example ${blank.id}), and this project's lockfile owns none. ` +
      "So it cannot be told which of them are rows of this calendar. Nothing was changed.",
    "If the lockfile is lost, restore it from git. If this is the first run, start with an account that has no scheduled posts.",
  );
}

function absencesOf(
  states: readonly { id: string; state: PostState }[],
  list: RemoteList,
): Map<string, Absence> {
  return new Map(states.map(({ id, state }) => [id, absenceOf(id, state, list)]));
}

function absenceOf(id: string, state: PostState, list: RemoteList): Absence {
  switch (state.state) {
    case "published":
      return "published";
    case "gone":
      return state.why === "not_found" ? "missing" : state.why;
    case "scheduled":
      throw lacksScheduledPost(id);
    case "unclear":
      // Records without a status: then the list is what tells, if it is beyond doubt where it ends.
      if (state.status === undefined && list.wholeness === "end")
        return list.isTold === true ? "missing" : "unknown";
      if (state.status === undefined && list.doubt !== undefined)
        throw incompleteList("GET /v1/posts", list.doubt.why, list.doubt.hint);
      throw new Failure(
        "service/unknown-status",
        `${id} is owned by this project and not in the list of scheduled posts; the service says its status is ${JSON.stringify(state.status ?? "(none)")}, which plancast does not know.`,
        "Look at the post in the service. When it is scheduled, published or cancelled, run again.",
      );
  }
}

const MAPPING_HINT = `${SET_LIST_LIMIT} Where the answers hold a status, or say that there is more, under other names, say so under service.shape; plancast doctor helps.`;

/** Of a post that is `unknown`, and would be made again: it may stand beyond the list's end. */
export function mayStillBeScheduled(id: string): Failure {
  const why = `it lacks ${id}, which the service has, without a word on whether it is still scheduled; and nothing tells where the list ends`;
  return incompleteList("GET /v1/posts", why, MAPPING_HINT);
}

function lacksScheduledPost(id: string): Failure {
  return incompleteList("GET /v1/posts", `it lacks ${id}, which is scheduled`);
}
