/**
 * Finds the rows whose post is gone from the service. A create would publish it against somebody's will, or beside a
 * newer version: somebody may have removed it, or this clone may be older than the one that replaced it. So none of these
 * rows is created before a person decides. The same holds for a row that moved out of a hold which cancelled its post:
 * another clone may have moved it, too. And it holds for a post that is still there, but that the run must not cancel:
 * the new version of its row would be a second post. Pure.
 */

import { type Lockfile, type OwnedPost, getOwn } from "../../model/lockfile.ts";
import type { Change, Create, MissingRow } from "../../model/plan.ts";
import { type RemotePost, type ResolvedPost, DERIVED_KEY_PREFIX, isPartOf } from "../../model/post.ts";
import { desiredFingerprint } from "./compare.ts";
import { cancelledForHolds } from "./held.ts";
import type { Absence, DiffInput } from "./input.ts";

/** What decides which rows are missing. */
type Input = Pick<
  DiffInput,
  | "desired"
  | "holds"
  | "held"
  | "lockfile"
  | "absent"
  | "paused"
  | "now"
  | "inScope"
  | "staying"
  | "isLost"
  | "upstream"
>;

/**
 * The changes of a diff without the creates that only a person may decide, and these.
 * @param withheld cancels that the run must not make
 */
export function withoutMissingRows(
  changes: readonly Change[],
  input: Input,
  unmanaged: readonly RemotePost[],
  withheld: readonly Change[],
): { readonly changes: readonly Change[]; readonly missing: readonly MissingRow[] } {
  const creates = changes.filter((change) => change.action === "create");
  if (creates.length === 0) return { changes, missing: [] };
  const gone = new GonePosts(input, withheld);
  const besides = new Besides(unmanaged);
  const inUpstream = (create: Create): Found | undefined => withoutEntry(create, input, besides);
  const missing = new Map<Create, MissingRow>();
  // The surest sign first, for all rows, so that no row takes a post that belongs to another one.
  const signs: readonly ((create: Create) => Found | undefined)[] = [
    (create) => gone.ownOf(create),
    (create) => gone.ofRegrouped(create),
    (create) => gone.ofRenamed(create),
    (create) => gone.atSameTime(create),
    (create) => gone.moved(create),
    (create) => gone.inSameCalendar(create),
    inUpstream,
  ];
  for (const find of signs) {
    for (const create of creates) {
      // The post of a row whose hold has ended is known, so another one that is gone does not belong to it.
      const isKnown = missing.has(create) || (create.reason === "released" && find !== inUpstream);
      const found = isKnown ? undefined : find(create);
      if (found !== undefined) missing.set(create, missingRow(create, found, input, besides));
    }
    gone.endSign();
  }
  const keys = [...missing.values()].map(({ key }) => key);
  const waits = (change: Change): boolean =>
    change.action === "create"
      ? missing.has(change)
      : isRegrouped(change) && keys.some((key) => isPartOf(change.key, key) || isPartOf(key, change.key));
  return { changes: changes.filter((change) => !waits(change)), missing: [...missing.values()] };
}

/** Whether the post only gives its place to other posts of its row: it stays as long as they wait. */
function isRegrouped(change: Change): boolean {
  return change.action === "cancel" && change.reason === "row-regrouped";
}

type Found = Pick<MissingRow, "postId" | "why">;

function missingRow(create: Create, found: Found, { upstream }: Input, besides: Besides): MissingRow {
  const { key, desired } = create;
  const newer = upstream && getOwn(upstream.posts, key)?.post_id;
  return {
    action: "missing",
    key,
    create,
    ...found,
    isBehind: upstream !== undefined && newer !== (found.why === "held" ? undefined : found.postId),
    besides: besides.of(desired),
  };
}

/** A row that the lockfile does not know, although a post for it may exist. */
function withoutEntry(
  { key, desired, reason }: Create,
  { lockfile, upstream, isLost }: Input,
  besides: Besides,
): Found | undefined {
  const isWithout = reason === "new-row" || reason === "released";
  if (!isWithout || Object.hasOwn(lockfile.posts, key)) return undefined;
  const newer = upstream && getOwn(upstream.posts, key)?.post_id;
  if (newer !== undefined && !Object.hasOwn(lockfile.cancelled, newer))
    return { postId: undefined, why: "newer" };
  return isLost && besides.inPlaceOf(desired).length > 0 ? { postId: undefined, why: "lost" } : undefined;
}

/** Statuses of a post that plancast did not cancel. A post that is published, or may be scheduled, is not missing. */
const GONE: Readonly<Record<Absence, Found["why"] | undefined>> = {
  missing: "gone",
  // The service shows no status, and its list, which proves everything, lacks the post.
  unknown: "gone",
  cancelled: "cancelled",
  failed: "failed",
  published: undefined,
};

/** Why a post that the lockfile owns is missing; undefined if it is not. */
export function whyGone(
  entry: OwnedPost,
  { lockfile, absent, paused }: Pick<Input, "lockfile" | "absent"> & Partial<Pick<Input, "paused">>,
): Found["why"] | undefined {
  if (paused?.has(entry.post_id) === true) return "withheld";
  const absence = absent.get(entry.post_id);
  return absence === undefined || isOwnCancel(entry, lockfile) ? undefined : GONE[absence];
}

/** Whether plancast has cancelled the post itself, or tried to. */
export function isOwnCancel(
  { post_id: id, cancelling }: OwnedPost,
  { cancelled }: Pick<Lockfile, "cancelled">,
): boolean {
  return cancelling === true || Object.hasOwn(cancelled, id);
}

/** An entry of the lockfile whose row is gone, and whose post is missing or must stay. */
interface GonePost extends Found {
  readonly key: string;
  readonly entry: Omit<OwnedPost, "post_id">;
}

/**
 * The owned posts without a row that are gone, or that the run must not cancel. Each belongs to one row. If one sign fits more rows than posts, nobody knows which row is
 * the new one, so all of these rows wait.
 */
class GonePosts {
  readonly #input: Input;
  readonly #rowless: Set<GonePost>;
  /** Those that rows with the present sign have taken. */
  readonly #taken = new Set<GonePost>();

  constructor(input: Input, withheld: readonly Change[]) {
    this.#input = input;
    this.#rowless = new Set([
      ...(input.absent.size + input.paused.size === 0 ? [] : rowlessPosts(input)),
      ...keptBack(input),
      ...withheld.flatMap((change): GonePost[] => {
        const entry = getOwn(input.lockfile.posts, change.key);
        if (entry === undefined || change.action !== "cancel" || change.retiring) return [];
        return [{ key: change.key, entry, postId: entry.post_id, why: "withheld" }];
      }),
    ]);
  }

  /** The post of the row's own entry. */
  ownOf({ key }: Create): Found | undefined {
    const { lockfile } = this.#input;
    const entry = getOwn(lockfile.posts, key);
    if (entry === undefined) return undefined;
    // A person has already decided, and the create has an unknown result.
    if (getOwn(lockfile.unknown, key)?.forgets === entry.post_id) return undefined;
    const why = whyGone(entry, this.#input);
    return why && { postId: entry.post_id, why };
  }

  /** The row was one post then and is several now, or the other way round, or it is out of a hold. */
  ofRegrouped({ key }: Create): Found | undefined {
    return this.#take((gone) => key === gone.key || isPartOf(key, gone.key) || isPartOf(gone.key, key));
  }

  /** The same post under another key: somebody changed the id of its row. */
  ofRenamed({ desired }: Create): Found | undefined {
    if (this.#rowless.size === 0) return undefined;
    const fingerprint = desiredFingerprint(desired, this.#input.lockfile.media);
    return this.#take(({ entry }) => entry.fingerprint === fingerprint);
  }

  /** The older version of a row, which had no id then. */
  atSameTime({ desired }: Create): Found | undefined {
    return this.#take((gone) => hasNoId(gone) && gone.entry.scheduled_at === desired.scheduledAt);
  }

  /** The same, with only another time. */
  moved({ desired }: Create): Found | undefined {
    const { media } = this.#input.lockfile;
    const before = (scheduledAt: string): string | undefined =>
      desiredFingerprint({ ...desired, scheduledAt }, media);
    return this.#take((gone) => hasNoId(gone) && before(gone.entry.scheduled_at) === gone.entry.fingerprint);
  }

  /** Time and text of a row without an id may both have changed. */
  inSameCalendar({ key, desired }: Create): Found | undefined {
    if (!key.startsWith(DERIVED_KEY_PREFIX)) return undefined;
    const found = this.#take((gone) => hasNoId(gone) && gone.entry.file === desired.source.file);
    return found?.why === "withheld" ? found : found && { ...found, why: "perhaps" };
  }

  /** Rows with another sign have other posts. */
  endSign(): void {
    for (const gone of this.#taken) this.#rowless.delete(gone);
    this.#taken.clear();
  }

  #take(fits: (gone: GonePost) => boolean): Found | undefined {
    const fitting = [...this.#rowless].filter(fits);
    const gone = fitting.find((each) => !this.#taken.has(each)) ?? fitting[0];
    if (gone === undefined) return undefined;
    this.#taken.add(gone);
    const { postId, why } = gone;
    return { postId, why };
  }
}

function hasNoId({ key }: GonePost): boolean {
  return key.startsWith(DERIVED_KEY_PREFIX);
}

function rowlessPosts(input: Input): GonePost[] {
  const { desired, held, lockfile, inScope, staying, paused } = input;
  const rows = new Set([...desired.map(({ key }) => key), ...held.keys()]);
  return Object.entries(lockfile.posts).flatMap(([key, entry]) => {
    if (rows.has(key) || staying.has(key) || !inScope(entry.file)) return [];
    if (paused.get(entry.post_id)?.row !== undefined) return [];
    const why = whyGone(entry, input);
    return why === undefined ? [] : [{ key, entry, postId: entry.post_id, why }];
  });
}

/** The posts that holds have cancelled and keep back, without those of rows that are held or have another post. */
function keptBack(input: Input): GonePost[] {
  const { held, lockfile, inScope, staying } = input;
  const decided = new Set(Object.values(lockfile.unknown).map(({ forgets }) => forgets));
  return cancelledForHolds(input).flatMap(({ postId, key, entry, now: why }) => {
    const isOther = held.has(key) || staying.has(key) || !inScope(entry.file) || decided.has(postId);
    const { post_id: newer = postId } = getOwn(lockfile.posts, key) ?? {};
    return isOther || newer !== postId || why === "released" ? [] : [{ key, entry, postId, why }];
  });
}

/** The unmanaged posts, by their minutes and texts. */
class Besides {
  readonly #unmanaged: readonly RemotePost[];

  constructor(unmanaged: readonly RemotePost[]) {
    this.#unmanaged = unmanaged;
  }

  /** Those at the row's minute or with its text. */
  of(desired: ResolvedPost): readonly RemotePost[] {
    return this.#unmanaged.filter(
      (post) => isInPlace(post, desired) || (desired.content !== "" && post.content === desired.content),
    );
  }

  /** Those at the row's minute, on one of its accounts. */
  inPlaceOf(desired: ResolvedPost): readonly RemotePost[] {
    return this.#unmanaged.filter((post) => isInPlace(post, desired));
  }
}

/** Length of a UTC time without its seconds. */
const LENGTH_TO_MINUTES = "2030-01-01T00:00".length;

function isInPlace({ scheduledAt, platforms }: RemotePost, desired: ResolvedPost): boolean {
  return (
    scheduledAt?.slice(0, LENGTH_TO_MINUTES) === desired.scheduledAt.slice(0, LENGTH_TO_MINUTES) &&
    platforms?.some((name) => desired.platforms.includes(name)) === true
  );
}
