/**
 * The posts of a schedule in the checkout that no row asks for, and those that the checkout removed from it. Publish would
 * send them, so a plan shows each of them, also if its digest is right. Pure.
 */

import type { RemotePost, ResolvedPost } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { forgottenResultText, removedPostText, unknownPostText } from "../../problems/trust-texts.ts";
import type { ReadService } from "../../service/service.ts";
import { REPOSITORY } from "../../settings/config.ts";
import { differingFromRow } from "./compare.ts";
import type { Diff } from "./input.ts";

type BroughtPost = NonNullable<ReadService["brought"]>[number];

/** @param posts those of all rows */
export function unknownPostProblems(
  {
    origin,
    brought = [],
    putBack = [],
    forgotten = [],
  }: Pick<ReadService, "origin" | "brought" | "putBack" | "forgotten">,
  posts: readonly ResolvedPost[],
  { unmanaged, changes }: Pick<Diff, "unmanaged" | "changes">,
): readonly Problem[] {
  if (origin !== REPOSITORY) return [];
  const left = unmanaged.map((post) => ({ ...post, files: [], accounts: post.platforms ?? [] }));
  const changed = new Set(changes.flatMap((each) => (each.action === "create" ? [] : each.remote.id)));
  return [
    ...[...brought.filter((each) => !isAskedFor(each, posts)), ...left].map((post) =>
      problem("repository/schedule-edited", unknownPostText({ ...post, ...shownOf(post) })),
    ),
    ...putBack
      .filter(({ id }) => !changed.has(id))
      .map((post) => problem("repository/schedule-edited", removedPostText({ ...post, ...shownOf(post) }))),
    ...forgotten.map((post) =>
      problem("repository/schedule-edited", forgottenResultText({ ...post, ...shownOf(post) })),
    ),
  ];
}

function shownOf(post: RemotePost): { readonly dueAt: string; readonly texts: readonly string[] } {
  return { dueAt: post.scheduledAt ?? "", texts: textsOf(post) };
}

function textsOf({ content = "", thread = [], first_comment: comment = "", alt = [] }: RemotePost): string[] {
  return [content, ...thread, comment, ...alt].filter((text) => text !== "");
}

/** Whether a plan shows the post with its row. An account that is not the usual one is not in any row. */
function isAskedFor(post: BroughtPost, posts: readonly ResolvedPost[]): boolean {
  if (post.accounts.some((account) => !(post.platforms ?? []).includes(account))) return false;
  return posts.some(
    (row) =>
      differingFromRow(row, post, (media, id) => media.kind === "file" && id === `media_${media.sha256}`)
        .length === 0,
  );
}
