/** What became of a plan: for `plan --watch`, which shows plan after plan. */
import type { Change, Plan } from "../calendar/change.ts";

export interface PlanChanges {
  readonly news: readonly Change[];
  /** The same post, with another change than before. */
  readonly others: readonly { readonly before: Change; readonly after: Change }[];
  readonly gone: readonly Change[];
}

export function comparePlans(before: Plan, after: Plan): PlanChanges {
  const [old, now] = [byKey(before), byKey(after)];
  const news = after.changes.filter(({ key }) => !old.has(key));
  const gone = before.changes.filter(({ key }) => !now.has(key));
  const edited = editedRows(gone, news);
  const [olds, nows] = [
    new Set(edited.map((pair) => pair.before)),
    new Set(edited.map((pair) => pair.after)),
  ];
  const kept = after.changes.flatMap((change) => {
    const earlier = old.get(change.key);
    return earlier === undefined || changeEffect(earlier) === changeEffect(change)
      ? []
      : [{ before: earlier, after: change }];
  });
  return {
    news: news.filter((change) => !nows.has(change)),
    others: [...kept, ...edited],
    gone: gone.filter((change) => !olds.has(change)),
  };
}

function byKey({ changes }: Plan): ReadonlyMap<string, Change> {
  return new Map(changes.map((change) => [change.key, change]));
}

/** A row without an id has another key after an edit: it is known again by its time and platforms, or by its line. */
function editedRows(gone: readonly Change[], news: readonly Change[]): PlanChanges["others"] {
  const left = new Set(gone);
  const pairs: { before: Change; after: Change }[] = [];
  for (const traitOf of [timeAndPlatforms, lineInFile]) {
    const byTrait = new Map([...left].toReversed().map((change) => [traitOf(change), change]));
    for (const after of news) {
      const trait = traitOf(after);
      const before = trait === undefined ? undefined : byTrait.get(trait);
      if (before === undefined || !left.has(before) || pairs.some((pair) => pair.after === after)) continue;
      left.delete(before);
      pairs.push({ before, after });
    }
  }
  return pairs;
}

function timeAndPlatforms(change: Change): string | undefined {
  if (change.action !== "create") return undefined;
  const { source, scheduledAt, platforms } = change.desired;
  return JSON.stringify([source.file, scheduledAt, platforms]);
}

function lineInFile(change: Change): string | undefined {
  return change.action === "create" ? JSON.stringify(change.desired.source) : undefined;
}

/** Equal where the same would be done. Where a row stands in its file is no matter. */
function changeEffect(change: Change): string {
  if (change.action === "cancel") return JSON.stringify([change.action, change.remote.id]);
  const { content, platforms, scheduledAt, media } = change.desired;
  const replaced = change.action === "create" ? undefined : change.remote.id;
  return JSON.stringify([change.action, replaced, content, platforms, scheduledAt, media]);
}
