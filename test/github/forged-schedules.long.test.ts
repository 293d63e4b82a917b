/** Forged schedules that get into the branch in many ways: nothing forged is published, and the honest post is, once. */
import { expect, test, vi } from "vitest";
import { type ScheduledPost, SCHEDULE_FILES } from "../../src/repository/schedule.ts";
import { SHAPES } from "./forged-merges.ts";
import {
  DUE,
  FORGED,
  MINUTE_MS,
  forgedSchedule,
  goTo,
  logOf,
  startApplied,
  texts,
  withParts,
} from "./schedule-world.ts";

vi.setConfig({ testTimeout: 120_000 });

type Posts = Readonly<Record<string, ScheduledPost>>;

const FORGERIES: readonly [string, (posts: Posts) => Posts][] = [
  ["another text", withParts({ content: FORGED })],
  ["another time", withParts({ scheduled_at: "2036-03-01T07:59:00Z" })],
  [
    "one more post",
    (posts) => {
      const [post] = Object.values(posts);
      return post === undefined ? posts : { ...posts, post_00000000000f: { ...post, content: FORGED } };
    },
  ],
  ["no post", () => ({})],
  [
    "the same post with another id",
    (posts) => Object.fromEntries(Object.values(posts).map((post) => ["post_00000000000f", post])),
  ],
];

function oneOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

const cases = FORGERIES.map(([what, forge]) => {
  const shape = oneOf(SHAPES);
  const file = oneOf(SCHEDULE_FILES) ?? SCHEDULE_FILES[0];
  return [`${what} in ${file}`, shape?.how ?? "", forge, shape, file] as const;
});

test.each(cases)(
  "nothing forged is published, and the honest post once: %s, by %s",
  async (_what, _how, forge, shape, file) => {
    if (shape === undefined) throw new Error("There are no shapes.");
    const world = await startApplied();
    const { hub, team } = world;
    team.start("forged");
    await team.commit("Tidy up", { [file]: forgedSchedule(world, forge) });
    const pull = hub.open(team, { isFork: shape.isFork });
    await hub.plan(pull);
    const jobs = [...(await shape.land({ ...world, foreign: "" }, pull))];
    goTo(world, DUE + 2 * MINUTE_MS);
    jobs.push(...(await hub.run("schedule")));
    // A run by hand starts both workflows. Publish goes first, so it runs once more.
    jobs.push(...(await hub.run("workflow_dispatch", { inputs: { plan: "" } })));
    jobs.push(...(await hub.run("schedule")));
    expect(texts(world), logOf(jobs)).toEqual(["Tulips"]);
  },
);
