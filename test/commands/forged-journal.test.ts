/** A journal that a CI job restored from a cache names somebody else's posts. plancast does not cancel them. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";

const CALENDAR = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
const JOURNAL = `.plancast/${LOCKFILE}.journal`;
const HEADER = ["id", "scheduled_at", "platforms", "content"];
const ROWS = ["a", "b", "c"].map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
const FOREIGN = ["x", "2036-05-01 10:00", "twitter", "Somebody else's"];
const GUARD = "guard/not-as-recorded";

const ownedSchema = z.looseObject({ post_id: z.string(), fingerprint: z.string(), scheduled_at: z.string() });
const lockfileSchema = z.looseObject({
  origin: z.string(),
  accounts: z.array(z.string()).optional(),
  posts: z.record(z.string(), ownedSchema),
});
type Owned = z.infer<typeof ownedSchema>;

interface Attacked {
  readonly scenario: Scenario;
  /** Somebody else's post. plancast made it too, so an attacker can compute its fingerprint. */
  readonly theirs: Owned;
  readonly own: Owned;
  readonly forge: (...events: readonly object[]) => Promise<void>;
  readonly inCi: (...args: string[]) => Promise<CommandResult>;
}

async function attacked(): Promise<Attacked> {
  const scenario = await startScenario({ files: { [CALENDAR]: csv(HEADER, ...ROWS, FOREIGN) } });
  const { project, clock, env } = scenario;
  await scenario.apply();
  const { posts, ...rest } = lockfileSchema.parse(JSON.parse(await project.read(LOCKFILE)));
  const { x: theirs, ...others } = posts;
  const own = others["a"];
  if (theirs === undefined || own === undefined) throw new Error("The lockfile has all rows.");
  const lockfile = `${JSON.stringify({ ...rest, posts: others }, null, 2)}\n`;
  await project.write(LOCKFILE, lockfile);
  await project.write(CALENDAR, csv(HEADER, ...ROWS));
  const hash = createHash("sha256").update(lockfile).digest("hex");
  const started = { event: "started", at: "2026-01-01T00:00:00Z", lockfile: hash, origin: rest.origin };
  return {
    scenario,
    theirs,
    own,
    forge: (...events) =>
      project.write(JOURNAL, [started, ...events].map((event) => `${JSON.stringify(event)}\n`).join("")),
    inCi: (...args) => runCommand(args, { cwd: project.root, clock, env: { ...env, CI: "true" } }),
  };
}

function createStarted(key: string, { fingerprint, scheduled_at }: Owned, more: object = {}): object {
  const attempt = {
    fingerprint,
    scheduled_at,
    attempted_at: "2026-01-01T00:00:00Z",
    content: FOREIGN[3],
    platforms: ["twitter"],
    media_ids: [],
    file: CALENDAR,
    ...more,
  };
  return { event: "create-started", key, attempt };
}

const ATTACKS: readonly [string, (world: Attacked) => Promise<unknown>][] = [
  [
    "of a row that is gone",
    ({ forge, theirs }) =>
      forge(createStarted("zz", theirs), { event: "created", key: "zz", post_id: theirs.post_id }),
  ],
  ["as a pending create of a row that is gone", ({ forge, theirs }) => forge(createStarted("zz", theirs))],
  [
    "as a row's own, instead of its real post",
    ({ forge, theirs }) =>
      forge(createStarted("a", theirs), { event: "created", key: "a", post_id: theirs.post_id }),
  ],
  [
    "as a row's own, and the row was edited since",
    async ({ forge, theirs, own, scenario }) => {
      const edited = ROWS.map((row) => (row[0] === "a" ? [...row.slice(0, 3), "Edited"] : row));
      await scenario.project.write(CALENDAR, csv(HEADER, ...edited));
      await forge(createStarted("a", theirs, { forgets: own.post_id }), {
        event: "created",
        key: "a",
        post_id: theirs.post_id,
      });
    },
  ],
];

test.each(ATTACKS)("in CI, another team's post that a journal names %s stays", async (_how, attack) => {
  const world = await attacked();
  const { scenario, theirs, inCi } = world;
  await attack(world);
  const before = await scenario.project.read(LOCKFILE);
  const { code, stderr } = await inCi("apply", "--yes");
  expect(scenario.service.posts.get(theirs.post_id)?.status).toBe("scheduled");
  expect([code, stderr]).toEqual([1, expect.stringContaining(GUARD)]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("Only the journal in .plancast says that it is");
  expect(await scenario.project.read(LOCKFILE)).toBe(before);
});

test("in CI, a person can confirm the cancellation of posts that only a journal names", async () => {
  const { scenario, theirs, forge, inCi } = await attacked();
  await forge(createStarted("zz", theirs), { event: "created", key: "zz", post_id: theirs.post_id });
  expect((await inCi("apply", "--yes", "--allow-cancels", "1")).code).toBe(0);
  expect(scenario.service.posts.get(theirs.post_id)?.status).toBe("cancelled");
});

test("in CI, a journal that agrees with the lockfile stops nothing", async () => {
  const { scenario, own, forge, inCi } = await attacked();
  await forge({ event: "cancel-started", key: "a", post_id: own.post_id });
  await scenario.project.write(CALENDAR, csv(HEADER, ...ROWS.slice(1)));
  expect((await inCi("apply", "--yes")).code).toBe(0);
  expect(scenario.service.posts.get(own.post_id)?.status).toBe("cancelled");
});
