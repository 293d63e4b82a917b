/**
 * The posts that stay as they are, whatever else the comparison finds. A run may leave out their rows because of a filter
 * or errors, or it cannot read the file that these rows may be in. They are known before the comparison, as rows that can
 * only be kept. Pure.
 */

import type { Change } from "../../model/plan.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../../model/post.ts";
import { type LeftOut, type StayingRow, belongsTo } from "../../model/row-filter.ts";
import type { WithheldCancels } from "../../problems/plan-texts.ts";

/** Every post of the project belongs to the run. */
export const NOTHING_LEFT_OUT: LeftOut = { rows: [], brokenOthers: [], isFiltered: false, rowsWithoutId: [] };

interface OwnedFile {
  readonly file: string;
  readonly remote: { readonly id: string };
}

export class Staying {
  /** Whether a post with this key belongs to a row that the run leaves out. */
  readonly has: (key: string) => boolean;
  readonly #leftOut: LeftOut;

  /** @param planned the rows of the run */
  constructor(leftOut: LeftOut, planned: readonly Pick<Post, "key">[]) {
    this.#leftOut = leftOut;
    this.has = belongsTo(leftOut.rows, planned);
  }

  /** Whether no row is left out. */
  get isEmpty(): boolean {
    return this.#leftOut.rows.length === 0;
  }

  /** Rows without an id whose present key owns no post. A post under an earlier key may belong to them. */
  withoutPost(isOwned: (key: string) => boolean): readonly StayingRow[] {
    return this.#leftOut.rows.filter(
      ({ keys }) => !keys.some((key) => isOwned(key) || !key.startsWith(DERIVED_KEY_PREFIX)),
    );
  }

  /**
   * Whether a change does not touch what may belong to a row that nobody has read.
   * @param owned the scheduled posts of the project
   */
  allows(change: Change, changes: readonly Change[], owned: Iterable<OwnedFile>): boolean {
    const { brokenOthers, isFiltered, rowsWithoutId } = this.#leftOut;
    // A held row was read, so it is sure which post is its own.
    if (change.action === "create" || (change.action === "cancel" && change.reason === "row-held"))
      return true;
    const isSure = brokenOthers.length === 0 && !isFiltered && rowsWithoutId.length === 0;
    if (change.action === "cancel" && !change.retiring) return isSure;
    if (rowsWithoutId.length === 0) return true;
    const owner = [...owned].find(({ remote }) => remote.id === change.remote.id);
    const files = [owner?.file, change.action === "cancel" ? change.file : change.desired.source.file];
    if (!files.some((file) => file !== undefined && rowsWithoutId.includes(file))) return true;
    // A row that adopts another post gives up its old one.
    return (
      change.action === "adopt" &&
      !changes.some((each) => each.action === "cancel" && each.key === change.key)
    );
  }

  /**
   * Why posts stay whose rows seem gone; undefined if none does.
   * @param posts how many
   */
  withheld(posts: number): WithheldCancels | undefined {
    const { brokenOthers, isFiltered, rowsWithoutId } = this.#leftOut;
    if (rowsWithoutId.length > 0 && posts > 0) return { why: "rows-without-id", files: rowsWithoutId };
    if (brokenOthers.length > 0) return { why: "broken-calendars", files: brokenOthers };
    if (posts === 0) return undefined;
    return { why: isFiltered ? "narrowed-run" : "filtered-rows", posts };
  }
}
