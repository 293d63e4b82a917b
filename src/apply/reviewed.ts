/** Whether what is to be done was reviewed: each change of a plan against those of the plans that people saw. */
import type { SavedPlan } from "./saved-plan.ts";

type SavedChange = SavedPlan["changes"][number];

/** What is to be done and was in no reviewed plan, as `action key`, and files as they were not. Empty: all was. */
export function unreviewedChanges(now: SavedPlan, reviewed: readonly SavedPlan[]): readonly string[] {
  const seen = new Set(reviewed.flatMap(({ changes }) => changes.map(changeIdentity)));
  const names = new Set(reviewed.flatMap(({ changes }) => changes.map(savedChangeName)));
  const files = new Set(reviewed.flatMap(({ uploads }) => uploads.map(uploadIdentity)));
  return [
    ...now.changes
      .filter((change) => !seen.has(changeIdentity(change)))
      .map((change) =>
        names.has(savedChangeName(change))
          ? `${savedChangeName(change)}, but not like this`
          : savedChangeName(change),
      ),
    ...now.uploads.filter((upload) => !files.has(uploadIdentity(upload))).map(({ path }) => `upload ${path}`),
  ];
}

function savedChangeName({ action, key }: SavedChange): string {
  return `${action} ${key}`;
}

/** All that decides what a change does: neither its row's line nor the reason belong to that. */
function changeIdentity({ action, key, post, post_id: postId }: SavedChange): string {
  return JSON.stringify([action, key, post, postId]);
}

function uploadIdentity({ path, sha256 }: SavedPlan["uploads"][number]): string {
  return JSON.stringify([path, sha256]);
}
