/** Whether what is to be done was reviewed: each change of a plan against those of the plans that people saw. */
import type { SavedPlan } from "./saved-plan.ts";

type SavedChange = SavedPlan["changes"][number];

/** What is to be done and was in no reviewed plan, as `action key`, and files as they were not. Empty: all was. */
export function notReviewed(now: SavedPlan, reviewed: readonly SavedPlan[]): readonly string[] {
  const seen = new Set(reviewed.flatMap(({ changes }) => changes.map(said)));
  const names = new Set(reviewed.flatMap(({ changes }) => changes.map(name)));
  const files = new Set(reviewed.flatMap(({ uploads }) => uploads.map(uploadSaid)));
  return [
    ...now.changes
      .filter((change) => !seen.has(said(change)))
      .map((change) => (names.has(name(change)) ? `${name(change)}, but not like this` : name(change))),
    ...now.uploads.filter((upload) => !files.has(uploadSaid(upload))).map(({ path }) => `upload ${path}`),
  ];
}

function name({ action, key }: SavedChange): string {
  return `${action} ${key}`;
}

/** All that decides what a change does: neither its row's line nor the reason belong to that. */
function said({ action, key, post, post_id: postId }: SavedChange): string {
  return JSON.stringify([action, key, post, postId]);
}

function uploadSaid({ path, sha256 }: SavedPlan["uploads"][number]): string {
  return JSON.stringify([path, sha256]);
}
