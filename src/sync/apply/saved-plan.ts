/** Plan files: what was reviewed is what is applied, or the run is refused and says what moved. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { Plan } from "../../model/plan.ts";
import { type PlanDifference, type UnreviewedChange, planChangedText } from "../../problems/review-texts.ts";

const savedChange = z.object({
  action: z.string(),
  key: z.string(),
  /** As plan --format json shows it. */
  post: z.unknown(),
  post_id: z.string().optional(),
});

/** What is read of a plan file; the rest of it is for people. */
const savedPlanSchema = z.object({
  version: z.literal(1),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** The calendars that the plan was narrowed to; none for all. */
  calendars: z.array(z.string()).default([]),
  /** The filters that the plan was narrowed by, as --only takes them. */
  only: z.array(z.string()).default([]),
  /** Whether the plan looked at media anew that were known already. */
  refresh_media: z.boolean().default(false),
  uploads: z.array(z.object({ path: z.string(), sha256: z.string() })).default([]),
  changes: z.array(savedChange),
  shown: z.string(),
});

export type SavedPlan = z.infer<typeof savedPlanSchema>;

/** A plan as it is saved: with what it was narrowed to, and a hash over all that the file shows. */
export function savedPlan(
  document: object,
  narrowing: Pick<SavedPlan, "calendars" | "only"> & Partial<Pick<SavedPlan, "refresh_media">>,
): object {
  const shown = { ...document, ...narrowing };
  return { ...shown, shown: hashOf(shown) };
}

function hashOf(shown: object): string {
  return `sha256:${createHash("sha256").update(JSON.stringify(shown)).digest("hex")}`;
}

export async function readSavedPlan(file: string, cwd: string): Promise<SavedPlan> {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    const why = reasonOf(error);
    throw planFileFailure(`cannot be read: ${why}`);
  });
  return parseSavedPlan(text);
}

/** The same for a plan file's text. Throws a Failure for one that plancast did not write just so. */
export function parseSavedPlan(text: string): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw planFileFailure("is not JSON");
  }
  const read = savedPlanSchema.safeParse(value);
  if (read.success) {
    if (!isUnedited(value))
      throw planFileFailure("was edited after it was saved: it shows another plan than was made");
    return read.data;
  }
  const issue = read.error?.issues[0];
  throw planFileFailure(
    issue?.path[0] === "hash" ? "has no valid hash, so it cannot be checked" : "is not as plancast wrote it",
  );
}

function planFileFailure(what: string): Failure {
  return new Failure(
    "apply/plan-file",
    `The plan file ${what}.`,
    "Make it anew with `plancast plan --out FILE`.",
  );
}

function isUnedited(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("shown" in value)) return false;
  const { shown, ...rest } = value;
  return shown === hashOf(rest);
}

/** Refuses a plan that is no longer what would be done. */
export function checkUnchanged(saved: SavedPlan, plan: Plan): void {
  if (saved.hash === plan.hash()) return;
  throw new Failure(
    "apply/plan-changed",
    planChangedText(difference(saved, plan)),
    "Run `plancast plan --out FILE` again and review what it shows.",
  );
}

function difference(saved: SavedPlan, plan: Plan): PlanDifference {
  const before = new Set(saved.changes.map(changeName));
  const now = new Set(plan.changes.map(changeName));
  const reviewed = new Set(saved.uploads.flatMap(({ path, sha256 }) => [path, `${path} ${sha256}`]));
  const files = plan.uploads.flatMap(({ path, sha256 }) =>
    reviewed.has(path) && !reviewed.has(`${path} ${sha256}`) ? path : [],
  );
  return {
    gone: [...before].filter((each) => !now.has(each)),
    added: [...now].filter((each) => !before.has(each)),
    files,
  };
}

function changeName({ action, key }: Pick<z.infer<typeof savedChange>, "action" | "key">): string {
  return `${action} ${key}`;
}

// Whether what is to be done was reviewed: each change of a plan against those of the plans that people saw.

type SavedChange = SavedPlan["changes"][number];

/** What is to be done and was in no reviewed plan, files with other contents among it. Empty: all was. */
export function unreviewedChanges(
  now: SavedPlan,
  reviewed: readonly SavedPlan[],
): readonly UnreviewedChange[] {
  const seen = new Set(reviewed.flatMap(({ changes }) => changes.map(changeIdentity)));
  const names = new Set(reviewed.flatMap(({ changes }) => changes.map(changeName)));
  const files = new Set(reviewed.flatMap(({ uploads }) => uploads.map(uploadIdentity)));
  return [
    ...now.changes
      .filter((change) => !seen.has(changeIdentity(change)))
      .map(changeName)
      .map((name) => ({ name, isOtherVersion: names.has(name) })),
    ...now.uploads
      .filter((upload) => !files.has(uploadIdentity(upload)))
      .map(({ path }) => ({ name: `upload ${path}`, isOtherVersion: false })),
  ];
}

/** All that decides what a change does: neither its row's line nor the reason belong to that. */
function changeIdentity({ action, key, post, post_id: postId }: SavedChange): string {
  return JSON.stringify([action, key, post, postId]);
}

function uploadIdentity({ path, sha256 }: SavedPlan["uploads"][number]): string {
  return JSON.stringify([path, sha256]);
}
