/** One calendar before and after an edit that needs every kind of change. Tests try kills and faults on it. */
import type { StoredPost } from "../support/foreign/post-book.ts";
import { calendarFiles, wantedOf, type ModelRow } from "./calendar-model.ts";
import { ChaosWorld, type ChaosOptions } from "./chaos-world.ts";
import { violations, violationsMeanwhile, type Violations } from "./invariants.ts";

const A = "calendars/a.csv";
const B = "calendars/b.yaml";

function row(content: string, day: number, given: Partial<ModelRow> = {}): ModelRow {
  const scheduledAt = `2036-03-${String(day).padStart(2, "0")}T09:00:00Z`;
  return { file: A, content, platforms: ["linkedin"], scheduledAt, media: [], ...given };
}

const BEFORE: readonly ModelRow[] = [
  row("Kept", 1, { id: "kept", media: [1] }),
  row("Kept without an id", 2, { platforms: ["twitter", "linkedin"] }),
  row("Text to change", 3, { id: "text", media: [1] }),
  row("Time to move", 4, { id: "time" }),
  row("Picture to change", 5, { id: "picture", media: [1, 2] }),
  row("Edited without an id", 6),
  row("To get an id", 7, { file: B, media: [2] }),
  row("To move to the other file", 8, { id: "moving" }),
  row("To cancel", 9, { id: "cancel" }),
  row("To cancel without an id", 10, { file: B }),
];

const AFTER: readonly ModelRow[] = [
  row("New, with its own picture", 11, { id: "new-1", media: [3] }),
  row("Kept without an id", 2, { platforms: ["twitter", "linkedin"] }),
  row("Kept", 1, { id: "kept", media: [1] }),
  row("Text, changed", 3, { id: "text", media: [1] }),
  row("Time to move", 14, { id: "time" }),
  row("Picture to change", 5, { id: "picture", media: [1, 4] }),
  row("Edited without an id, twice", 6),
  row("To get an id", 7, { file: B, id: "got-one", media: [2] }),
  row("To move to the other file", 8, { file: B, id: "moving" }),
  row("New, with a shared picture", 12, { file: B, media: [3] }),
  row("New, without an id", 13, { file: B }),
  row("Made by hand before", 15, { id: "adopted" }),
];

/** The posts before the edit are scheduled, and the edited calendars are on disk. */
export interface StandardScenario {
  readonly world: ChaosWorld;
  /** The ways in which the promise is broken. Only meaningful when no run is in progress. */
  readonly check: () => Violations;
  /** What must be true at every moment, also between runs: see `violationsMeanwhile`. */
  readonly checkMeanwhile: () => Violations;
  /** Throws unless a run of plan finds nothing to do. */
  readonly checkNothingToDo: () => Promise<void>;
}

export async function startStandardScenario(options: ChaosOptions = {}): Promise<StandardScenario> {
  const world = await ChaosWorld.start({ ...options, files: calendarFiles(BEFORE.slice(0, -1)) });
  const { service } = world;
  const foreign: StoredPost[] = [
    service.addForeignPost({ scheduled_at: "2036-03-03T09:00:00Z" }),
    service.addForeignPost({ content: "Kept, but not ours", scheduled_at: "2036-03-01T09:00:00Z" }),
    service.addForeignPost({ scheduled_at: "2036-04-01T09:00:00Z", platforms: ["bluesky", "twitter"] }),
  ];
  await applyFirst(world);
  // It is between this project's posts in every list. A list that hides it also lacks some of those, so plancast
  // notices.
  const byHand = service.addForeignPost({
    content: "Made by hand before",
    platforms: ["linkedin"],
    scheduled_at: "2036-03-15T09:00:00Z",
  });
  world.clock.advance(60_000);
  await write(world, BEFORE);
  await applyFirst(world);
  await write(world, AFTER);
  const before = wantedOf(BEFORE).map((post) => JSON.stringify(post));
  const unchanged = wantedOf(AFTER).filter((post) => before.includes(JSON.stringify(post)));
  return {
    world,
    check: () => violations(service, wantedOf(AFTER), foreign, [byHand.id]),
    checkMeanwhile: () => violationsMeanwhile(service, unchanged, foreign),
    checkNothingToDo: async () => {
      const summary = JSON.stringify(await world.planned());
      const expected = JSON.stringify({ keep: AFTER.length, unmanaged: foreign.length });
      if (summary !== expected) throw new Error(`The next plan is not empty: ${summary}`);
    },
  };
}

async function applyFirst(world: ChaosWorld): Promise<void> {
  const ran = await world.apply();
  if (ran.code !== 0) throw new Error(`The first apply ended with ${ran.code}\n${ran.stderr}`);
}

async function write({ project }: ChaosWorld, rows: readonly ModelRow[]): Promise<void> {
  for (const [path, contents] of Object.entries(calendarFiles(rows))) {
    await project.write(path, contents);
  }
}
