/**
 * Plan files: apply makes exactly the reviewed changes, or refuses and names the differences. Also finds the changes that
 * none of several reviewed plans has.
 */

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import { readFile } from "../../disk/machine.ts";
import { isSameJson } from "../../model/data.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { seriesName } from "../../model/lockfile.ts";
import { type Plan, PLAN_HASH } from "../../model/plan.ts";
import { DERIVED_KEY_PREFIX } from "../../model/post.ts";
import { placeName } from "../../model/problem.ts";
import {
  type PlanDifference,
  type UnreviewedChange,
  otherSlotLabel,
  planChangedText,
} from "../../problems/plan-texts.ts";
import { areOtherAccounts, otherAccounts } from "../state/accounts.ts";

const savedChange = z.looseObject({
  action: z.string(),
  key: z.string(),
  source: z.looseObject({ file: z.string(), line: z.number().optional() }).optional(),
  /** In the form of plan --format json. */
  post: z.unknown(),
  slot: z.string().optional(),
  series: z.looseObject({ row: z.string().optional(), digest: z.string().optional() }).optional(),
  post_id: z.string().optional(),
  media_digest: z.string().optional(),
});

/** A missing row: what a person may decide to create again. */
const savedMissing = savedChange.omit({ action: true }).extend({ besides: z.array(z.string()).default([]) });

/** A plan file. */
const savedPlanSchema = z.object({
  version: z.literal(1),
  hash: z.string().regex(PLAN_HASH),
  /** The calendars that the plan was limited to; empty for all. */
  calendars: z.array(z.string()).default([]),
  /** The filters that the plan was limited by, in the form of --only. */
  only: z.array(z.string()).default([]),
  /** The time that the plan was made for, if it was not made for now. */
  now: z.string().optional(),
  /** Whether the plan left out rows with errors. */
  only_valid: z.boolean().default(false),
  /** Whether the plan downloaded known media again. */
  refresh_media: z.boolean().default(false),
  /** Ids of the accounts that were connected when the plan was made. Absent if the service does not show them. */
  accounts: z.array(z.string()).optional(),
  /** Origin of the service. */
  service: z.string().optional(),
  /** Folder of the project in its repository, with `/`, and its name. */
  project: z.string().optional(),
  summary: z.record(z.string(), z.number()).default({}),
  guards: z.array(z.object({ code: z.string(), message: z.string() })).default([]),
  after_apply: z.object({ id: z.string(), input: z.string() }).optional(),
  uploads: z.array(z.looseObject({ path: z.string(), sha256: z.string() })).default([]),
  changes: z.array(savedChange),
  missing: z.array(savedMissing).default([]),
  shown: z.string(),
});

export type SavedPlan = z.infer<typeof savedPlanSchema>;

/** A plan in the form in which it is saved: with its limits, and a hash of everything in the file. */
export function savedPlan(
  document: object,
  {
    accounts,
    ...narrowing
  }: Pick<SavedPlan, "calendars" | "only"> &
    Partial<Pick<SavedPlan, "refresh_media" | "only_valid" | "now" | "service" | "project">> & {
      readonly accounts?: readonly string[] | undefined;
    },
): object {
  const shown = { ...document, ...narrowing, ...(accounts === undefined ? {} : { accounts }) };
  return { ...shown, shown: hashOf(shown) };
}

/** A new plan in the form of a plan file. */
export function toSavedPlan(value: object): SavedPlan {
  return savedPlanSchema.parse(JSON.parse(JSON.stringify(value)));
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

/** Reads a plan file's text. Throws a Failure unless plancast wrote exactly this text. */
export function parseSavedPlan(text: string): SavedPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw planFileFailure("is not JSON");
  }
  const read = savedPlanSchema.safeParse(value);
  if (read.success) {
    if (!isUnedited(value)) throw planFileFailure("was edited after plancast saved it");
    if (read.data.now !== undefined)
      throw planFileFailure(`was made with --now "${read.data.now}", so it is only a trial`);
    return read.data;
  }
  const issue = read.error?.issues[0];
  throw planFileFailure(
    issue?.path[0] === "hash"
      ? "has no valid hash, so plancast cannot check it"
      : "is not as plancast wrote it",
  );
}

/**
 * An unreadable plan is not a review, but others may be. Neither is a plan for another service or project. Undefined if
 * there is no plan of this project.
 * @param now the current plan, as it would be saved
 */
export async function readReviewed(
  text: () => Promise<string | undefined>,
  now: SavedPlan,
): Promise<SavedPlan | Failure | undefined> {
  try {
    const found = await text();
    if (found === undefined) return undefined;
    const plan = parseSavedPlan(found);
    return madeElsewhere(plan, now) ?? plan;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** A plan is only for the service and the project that it was made for. */
function madeElsewhere(saved: SavedPlan, now: SavedPlan): Failure | undefined {
  for (const part of ["service", "project"] as const) {
    if (saved[part] === now[part]) continue;
    const [before, after] = [saved, now].map((plan) => JSON.stringify(plan[part] ?? ""));
    return planFileFailure(`is for the ${part} ${before}, but this run is for ${after}`);
  }
  return undefined;
}

function planFileFailure(what: string): Failure {
  return new Failure(
    "apply/plan-file",
    `The plan file ${what}.`,
    "Make it again with `plancast plan --out FILE`.",
  );
}

function isUnedited(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("shown" in value)) return false;
  const { shown, ...rest } = value;
  return shown === hashOf(rest);
}

/**
 * Refuses a plan that differs from the current one, and a file with a hash that does not match.
 * @param now the current plan, as it would be saved
 */
export function checkUnchanged(saved: SavedPlan, plan: Plan, now: SavedPlan): void {
  const elsewhere = madeElsewhere(saved, now);
  if (elsewhere !== undefined) throw elsewhere;
  // plancast requests the accounts only for a plan with changes or guards.
  const hasAsked = plan.changes.length > 0 || plan.guards.length > 0;
  if (hasAsked && areOtherAccounts(saved.accounts, now.accounts))
    throw otherAccounts("plan", saved.accounts, now.accounts);
  if (saved.hash === plan.hash()) {
    const [part] = differingParts(saved, now);
    if (part === undefined) return;
    if (part !== "guards") throw planFileFailure(`was edited: its hash does not match its ${part}`);
  }
  throw new Failure(
    "apply/plan-changed",
    planChangedText(difference(saved, plan, now)),
    "Run `plancast plan --out FILE` again and review what it shows.",
  );
}

/** Whether two plan files have the same plan, whatever their limits and times. */
export function isSamePlan(one: SavedPlan, other: SavedPlan): boolean {
  return one.hash === other.hash && differingParts(one, other).length === 0;
}

/** The parts in which a saved plan differs from the current one, although the hash is the same. */
function differingParts(saved: SavedPlan, now: SavedPlan): readonly (keyof SavedPlan)[] {
  const parts: readonly (readonly [keyof SavedPlan, (plan: SavedPlan) => unknown])[] = [
    ["changes", (plan) => shownChanges(plan).map(withoutLine)],
    ["uploads", ({ uploads }) => uploads],
    ["after_apply", ({ after_apply: after }) => after],
    ["summary", ({ summary }) => lastingCounts(summary)],
  ];
  const differing = parts.filter(([, of]) => JSON.stringify(of(saved)) !== JSON.stringify(of(now)));
  const shown = new Set(saved.guards.map(guardIdentity));
  const hidesGuard = now.guards.some((guard) => !shown.has(guardIdentity(guard)));
  return [...differing.map(([part]) => part), ...(hidesGuard ? ["guards" as const] : [])];
}

/** A row may have moved within its file. */
function withoutLine({ source, ...change }: SavedChange): unknown {
  return [source?.file, Object.entries(change)];
}

/** Counts that do not depend on time or drafts. Others do: a kept row becomes a past one. */
function lastingCounts(summary: SavedPlan["summary"]): unknown {
  const { keep = 0, past = 0, draft: _draft, skipped: _skipped, ...counts } = summary;
  return [keep + past, Object.entries(counts)];
}

function guardIdentity({ code, message }: SavedPlan["guards"][number]): string {
  return `${code} ${message}`;
}

/** The changes, and the missing rows as changes. */
function shownChanges({ changes, missing }: SavedPlan): readonly SavedChange[] {
  return [...changes, ...missing.map((row) => ({ ...row, action: "missing" }))];
}

function difference(saved: SavedPlan, plan: Plan, now: SavedPlan): PlanDifference {
  const [shown, current] = [shownChanges(saved), shownChanges(now)];
  const before = new Set(shown.map(changeName));
  const after = new Set(current.map(changeName));
  const same = new Set(shown.map(changeIdentity));
  const gone = distinctLabels(shown.filter((change) => !after.has(changeName(change))));
  const added = distinctLabels(current.filter((change) => !before.has(changeName(change))));
  const changed = distinctLabels(
    current.filter((change) => before.has(changeName(change)) && !same.has(changeIdentity(change))),
    lostSlots(shown),
  );
  // A row without an id gets another key when its text changes, in the same place.
  const rewritten = new Set(gone.filter((each) => added.includes(each)));
  const reviewed = new Set(saved.uploads.flatMap(({ path, sha256 }) => [path, `${path} ${sha256}`]));
  const files = plan.uploads.flatMap(({ path, sha256 }) =>
    reviewed.has(path) && !reviewed.has(`${path} ${sha256}`) ? path : [],
  );
  return {
    gone: gone.filter((each) => !rewritten.has(each)),
    added: added.filter((each) => !rewritten.has(each)),
    changed: [...changed, ...rewritten],
    files,
    isStoppedByGuard: saved.hash === plan.hash(),
  };
}

function changeName({ action, key }: Pick<SavedChange, "action" | "key">): string {
  return `${action} ${key}`;
}

/** The name of a change for people. A row without an id is named by its place, or by its post if it is gone. */
function changeLabel({ action, key, source, post_id: postId }: SavedChange): string {
  if (!key.startsWith(DERIVED_KEY_PREFIX) || source === undefined) return `${action} ${key}`;
  const { file, line } = source;
  return line === undefined && postId !== undefined
    ? `${action} ${postId} (${file})`
    : `${action} ${placeName({ file, ...(line === undefined ? {} : { line }) })}`;
}

function distinctLabels(
  changes: readonly SavedChange[],
  lost: LostSlots = () => undefined,
): readonly string[] {
  return [...new Set(changes.map((change) => labelWithSlot(change, lost)))];
}

/** The reviewed slot of a change that now has another one. */
type LostSlots = (now: SavedChange) => string | undefined;

function lostSlots(reviewed: readonly SavedChange[]): LostSlots {
  const slots = new Map(
    reviewed.flatMap((change) => {
      const at = slotIn(change);
      return at === undefined ? [] : [[changeName(change), at] as const];
    }),
  );
  return (now) => {
    const at = slots.get(changeName(now));
    return slotIn(now) === at ? undefined : at;
  };
}

const timed = z.object({ scheduled_at: z.string() });

function slotIn({ slot, post }: SavedChange): string | undefined {
  return slot === undefined ? undefined : timed.safeParse(post).data?.scheduled_at;
}

function labelWithSlot(change: SavedChange, lost: LostSlots): string {
  const label = changeLabel(change);
  const reviewed = lost(change);
  return reviewed === undefined ? label : otherSlotLabel(label, reviewed);
}

// Whether all planned changes were reviewed: compares them with the plans that people saw.

type SavedChange = SavedPlan["changes"][number];

/**
 * Planned changes that no reviewed plan has, including files with other contents. Empty: all were reviewed. A reviewed
 * post of a series also covers the later posts of its row.
 * @param knownSeries the series of posts that are already made, in the form of `seriesName`
 */
export function unreviewedChanges(
  now: SavedPlan,
  reviewed: readonly SavedPlan[],
  knownSeries: ReadonlySet<string> = new Set(),
): readonly UnreviewedChange[] {
  const seen = new Set(reviewed.flatMap(({ changes }) => changes.map(changeIdentity)));
  const names = new Set(reviewed.flatMap(({ changes }) => changes.map(changeName)));
  const files = new Set(reviewed.flatMap(({ uploads }) => uploads.map(uploadIdentity)));
  const series = new Set([...knownSeries, ...reviewed.flatMap((plan) => plan.changes.flatMap(seriesOf))]);
  const isOfSeries = (change: SavedChange): boolean =>
    change.action === "create" && seriesOf(change).some((name) => series.has(name));
  const lost = lostSlots(reviewed.flatMap(({ changes }) => changes));
  return [
    ...now.changes
      .filter((change) => !seen.has(changeIdentity(change)) && !isOfSeries(change))
      .map((change) => ({
        name: labelWithSlot(change, lost),
        isOtherVersion: names.has(changeName(change)),
      })),
    ...now.uploads
      .filter((upload) => !files.has(uploadIdentity(upload)))
      .map(({ path }) => ({ name: `upload ${path}`, isOtherVersion: false })),
    ...unreviewedAutomation(now, reviewed),
  ];
}

/** Without a readable plan, there is nothing to compare with: series that exist go on. */
function unreviewedAutomation(
  { after_apply: after }: SavedPlan,
  reviewed: readonly SavedPlan[],
): readonly UnreviewedChange[] {
  const isSeen = reviewed.some((plan) => isSameJson(plan.after_apply, after));
  if (after === undefined || reviewed.length === 0 || isSeen) return [];
  return [{ name: `trigger automation ${after.id}`, isOtherVersion: false }];
}

function seriesOf({ series: { row, digest } = {} }: SavedChange): readonly string[] {
  return row === undefined || digest === undefined ? [] : [seriesName(row, digest)];
}

/** Everything that decides the effect of a change. The line of the row and the reason are left out. */
function changeIdentity({ action, key, post, post_id: postId, media_digest: digest }: SavedChange): string {
  return JSON.stringify([action, key, post, postId, digest]);
}

/**
 * Keys of the missing rows that a reviewed plan showed exactly so: the same gone post, the same text, and the same posts
 * beside it. A post that went missing later is another one.
 */
export function reviewedMissing({ missing }: SavedPlan, reviewed: readonly SavedPlan[]): ReadonlySet<string> {
  const shown = new Set(reviewed.flatMap((plan) => plan.missing.map(missingIdentity)));
  return new Set(missing.flatMap((row) => (shown.has(missingIdentity(row)) ? row.key : [])));
}

function missingIdentity(row: SavedPlan["missing"][number]): string {
  return JSON.stringify([changeIdentity({ ...row, action: "missing" }), row.besides]);
}

function uploadIdentity({ path, sha256 }: SavedPlan["uploads"][number]): string {
  return JSON.stringify([path, sha256]);
}
