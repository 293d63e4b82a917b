import type { Change, Keep } from "../calendar/change.ts";
import type { FilteredRow } from "../calendar/left-out.ts";
import { DERIVED_KEY_PREFIX, type RemotePost, type ResolvedPost, type UtcTime } from "../calendar/post.ts";
import { isSamePost } from "./compare.ts";
import type { DiffContext } from "./diff.ts";
import type { OwnedRemote } from "./owned.ts";

/** Why a post is cancelled that no row asks for. */
export const ROW_IS_GONE = "The row is gone.";

/**
 * Owned and scheduled posts whose row is gone. Before they are cancelled, rows that look for their post may take
 * one: the same post under another key (an id was added), or, for rows without an id, its older version.
 */
export class Orphans {
  readonly #input: DiffContext;
  readonly #left: Map<string, OwnedRemote>;
  readonly #byWhat = new Map<string, OwnedRemote[]>();
  readonly #searching: readonly FilteredRow[];

  constructor(input: DiffContext) {
    this.#input = input;
    const gone: OwnedRemote[] = [];
    for (const owned of input.owned.values()) {
      if (!input.keys.has(owned.key) && !input.leftOut.has(owned.key)) gone.push(owned);
    }
    this.#left = new Map(withoutPostsOfRows(gone, input).map((each) => [each.key, each]));
    this.#searching = input.leftOut.unmatched((key) => input.owned.has(key));
    for (const orphan of this.#left.values()) {
      for (const what of marks(orphan)) {
        const group = this.#byWhat.get(what);
        if (group === undefined) this.#byWhat.set(what, [orphan]);
        else group.push(orphan);
      }
    }
  }

  takeSame(post: ResolvedPost): Keep | undefined {
    const { lockfile } = this.#input;
    const orphan = this.#find([timeMark(post.scheduledAt)], (each) => isSamePost(post, each, lockfile));
    if (orphan === undefined) return undefined;
    return { action: "keep", key: post.key, desired: post, remote: orphan.remote };
  }

  /** The older version of a row without an id: one at the same time and places, else one with the same text. */
  takeSimilar(post: ResolvedPost): RemotePost | undefined {
    if (!post.key.startsWith(DERIVED_KEY_PREFIX)) return undefined;
    const similar = (each: OwnedRemote): boolean => hasNoId(each) && this.#input.inScope(each.file);
    const places = placeMark(post.scheduledAt, post.platforms);
    const texts = post.content === "" ? [] : [textMark(post.content)];
    return this.#find([places, ...texts], similar)?.remote;
  }

  /** A past row without an id whose text was edited is still that row: its post, due at the same time, is no orphan. */
  takePast(post: ResolvedPost): void {
    if (!post.key.startsWith(DERIVED_KEY_PREFIX) || this.#input.owned.has(post.key)) return;
    this.#find([placeMark(post.scheduledAt, post.platforms)], hasNoId);
  }

  /** Posts that may be older versions of rows which a filter leaves out; asked when all other rows have theirs. */
  takeLeftOut(): number {
    let taken = 0;
    for (const { content, places } of this.#searching) {
      const texts = content === "" ? [] : [textMark(content)];
      const marks = places.map(({ scheduledAt, platforms }) => placeMark(scheduledAt, platforms));
      if (this.#find([...marks, ...texts], hasNoId) !== undefined) taken += 1;
    }
    return taken;
  }

  #find(wanted: readonly string[], fits: (orphan: OwnedRemote) => boolean): OwnedRemote | undefined {
    for (const what of wanted) {
      const orphan = this.#byWhat.get(what)?.find((each) => this.#left.has(each.key) && fits(each));
      if (orphan !== undefined) {
        this.#left.delete(orphan.key);
        return orphan;
      }
    }
    return undefined;
  }

  cancels(): Change[] {
    const reason = ROW_IS_GONE;
    return [...this.#left.values()].map(({ key, remote, dueAt, file }) => {
      return { action: "cancel", key, remote, dueAt, file, retiring: false, reason };
    });
  }
}

function hasNoId({ key }: OwnedRemote): boolean {
  return key.startsWith(DERIVED_KEY_PREFIX);
}

/** A merged lockfile may hold one post under two keys: it is no orphan while either is a row's. */
function withoutPostsOfRows(
  gone: readonly OwnedRemote[],
  { owned, keys }: DiffContext,
): readonly OwnedRemote[] {
  if (gone.length === 0) return gone;
  const rows = [...owned.values()].filter(({ key }) => keys.has(key));
  const ids = new Set(rows.map(({ remote }) => remote.id));
  return gone.filter(({ remote }) => !ids.has(remote.id));
}

function marks({ remote, dueAt }: OwnedRemote): string[] {
  const time = [timeMark(dueAt)];
  const place = remote.platforms === undefined ? [] : [placeMark(dueAt, remote.platforms)];
  const text = remote.content === undefined || remote.content === "" ? [] : [textMark(remote.content)];
  return [...time, ...place, ...text];
}

function timeMark(time: UtcTime): string {
  return `time ${time}`;
}

function placeMark(time: UtcTime, platforms: readonly string[]): string {
  return `place ${time} ${platforms.join(" ")}`;
}

function textMark(text: string): string {
  return `text ${text}`;
}
