/** Plan and apply with a service that only implements the interface in src/service/service.ts. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readProject } from "../../src/calendars/project.ts";
import { openAddresses } from "../../src/sync/state/media-caches.ts";
import { type Planning, applyPlan, planCalendars } from "../../src/sync/sync.ts";
import { type InMemoryOptions, InMemoryService } from "../support/in-memory-service.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { TestClock } from "../support/test-clock.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const LIMITLESS = [{ free: 1_000, opensInMs: 0, perWindow: 1_000, windowMs: 60_000 }];
const HEAD = "id,date,time,content,platforms,media\n";
const row = (id: string, day: string, text: string, platforms = "linkedin", media = ""): string =>
  `${id},2030-02-${day},09:00,${text},${platforms},${media}\n`;

interface World {
  readonly service: InMemoryService;
  readonly clock: TestClock;
  readonly project: TestProject;
  readonly write: (...rows: string[]) => Promise<void>;
  readonly plan: () => Promise<Planning<OpenedInMemory>>;
  /** Plans and applies; returns `action key status` for each change. */
  readonly apply: () => Promise<string[]>;
}

interface OpenedInMemory {
  readonly service: InMemoryService;
  readonly pace: () => typeof LIMITLESS;
  readonly close: () => Promise<void>;
}

async function start(abilities: Partial<InMemoryOptions> = {}): Promise<World> {
  const clock = new TestClock(() => false, NOW);
  const project = await makeProject({
    config: { timezone: "UTC", calendars: ["calendar.csv"] },
    files: { "picture.png": tinyPng() },
  });
  const networks = new Set(["linkedin", "mastodon/brand", "mastodon/founder"]);
  const service = new InMemoryService({ origin: "memory", clock, networks, ...abilities });
  const loaded = await readProject(join(project.root, "plancast.yaml"));
  const addresses = openAddresses(loaded, clock);
  const opened: OpenedInMemory = { service, pace: () => LIMITLESS, close: async () => {} };
  const plan = (): Promise<Planning<OpenedInMemory>> =>
    planCalendars(
      { calendars: [], only: undefined, cwd: project.root },
      { addresses },
      { project: loaded, clock, open: async () => opened },
    );
  const apply = async (): Promise<string[]> => {
    const { plan: made, lockfile, state, seen, problems } = await plan();
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    if (made === undefined || lockfile === undefined || state === undefined) throw new Error("no plan");
    const { outcomes } = await applyPlan({
      project: loaded,
      plan: made,
      lockfile: lockfile(),
      state,
      seen,
      addresses,
      clock,
      opened: { service, requests: () => 0, waitedMs: () => 0 },
      stop: new AbortController().signal,
      onOutcome: () => {},
    });
    return outcomes.map(({ action, key, status }) => `${action} ${key} ${status}`);
  };
  const write = (...rows: string[]): Promise<void> => project.write("calendar.csv", HEAD + rows.join(""));
  return { service, clock, project, write, plan, apply };
}

const scheduled = ({ service }: World): string[] =>
  service.posts.filter(({ status }) => status === "scheduled").map(({ content = "" }) => content);

test("plan and apply work with a service in memory: create, keep, replace, cancel, adopt, media", async () => {
  const world = await start();
  await world.write(row("a", "01", "one", "linkedin", "picture.png"), row("b", "02", "two"));
  expect(await world.apply()).toEqual(["create a done", "create b done"]);
  expect(world.service.posts.find(({ content }) => content === "one")?.mediaIds).toHaveLength(1);
  expect((await world.plan()).plan?.changes).toEqual([]);
  world.service.addPost({
    content: "theirs",
    platforms: ["linkedin"],
    scheduledAt: "2030-02-05T09:00:00Z",
    mediaIds: [],
  });
  await world.write(row("a", "01", "one edited", "linkedin", "picture.png"), row("c", "05", "theirs"));
  expect((await world.apply()).sort()).toEqual(["adopt c done", "cancel b done", "replace a done"]);
  expect(scheduled(world).sort()).toEqual(["one edited", "theirs"]);
  expect(world.service.calls).toMatchObject({ createPost: 3, cancelPost: 2, uploadMedia: 1 });
});

test("a post that is updated in place keeps its id, and no request cancels or creates", async () => {
  const world = await start({ updatesInPlace: true });
  await world.write(row("a", "01", "one"));
  await world.apply();
  const id = world.service.posts[0]?.id;
  await world.write(row("a", "03", "one later"));
  expect(await world.apply()).toEqual(["replace a done"]);
  expect(world.service.posts).toMatchObject([
    { id, content: "one later", scheduledAt: "2030-02-03T09:00:00Z" },
  ]);
  expect(world.service.calls).toMatchObject({ createPost: 1, cancelPost: 0, updatePost: 1 });
  expect((await world.plan()).plan?.changes).toEqual([]);
});

test("an update whose answer was lost is sent again by the next run", async () => {
  const world = await start({ updatesInPlace: true });
  await world.write(row("a", "01", "one"));
  await world.apply();
  await world.write(row("a", "01", "edited"));
  const lost = vi.spyOn(world.service, "updatePost");
  lost.mockResolvedValueOnce({ result: "unknown", message: "The answer was lost." });
  expect(await world.apply()).toEqual(["replace a unknown"]);
  expect(await world.apply()).toEqual(["replace a done"]);
  expect(scheduled(world)).toEqual(["edited"]);
});

test("a service that lists by date is asked for the range of rows and owned posts", async () => {
  const world = await start({ listsByDate: true });
  await world.write(row("a", "01", "one"), row("b", "20", "last"));
  await world.apply();
  world.service.addPost({
    content: "far",
    platforms: ["linkedin"],
    scheduledAt: "2031-01-01T09:00:00Z",
    mediaIds: [],
  });
  await world.write(row("a", "01", "one"));
  expect(await world.apply()).toEqual(["cancel b done"]);
  expect(scheduled(world)).toEqual(["one", "far"]);
});

test.each([
  ["without looking up duplicates", false],
  ["by looking up duplicates", true],
])("a create whose answer was lost is found again %s", async (_how, findsDuplicates) => {
  const world = await start({ findsDuplicates });
  await world.write(row("a", "01", "one"));
  world.service.createFaults.push("unknown but done");
  await world.apply();
  await world.apply();
  expect(scheduled(world)).toEqual(["one"]);
  expect(world.service.calls.createPost).toBe(1);
});

test("a create whose answer was lost is found by lookup while the list is still late", async () => {
  const world = await start({ findsDuplicates: true });
  await world.write(row("a", "01", "one"));
  world.service.createFaults.push("unknown but done");
  const late = world.service.listScheduled.bind(world.service);
  world.service.listScheduled = async (range) => ({ ...(await late(range)), posts: [] });
  expect(await world.apply()).toEqual(["create a unknown"]);
  world.clock.advance(10 * 60_000);
  expect(await world.apply()).toEqual([]);
  expect(scheduled(world)).toEqual(["one"]);
});

test("a create that was refused or never arrived is sent by the next run", async () => {
  const world = await start();
  await world.write(row("a", "01", "one"), row("b", "02", "two"));
  world.service.createFaults.push("refused", "unknown and not done");
  expect(await world.apply()).toEqual(["create a failed", "create b unknown"]);
  world.clock.advance(10 * 60_000);
  expect(await world.apply()).toEqual(["create a done", "create b done"]);
  expect(scheduled(world)).toEqual(["one", "two"]);
});

test("a row that names a network with several accounts, and no account, is refused", async () => {
  const world = await start();
  await world.write(row("a", "01", "one", "mastodon"));
  const { plan, problems } = await world.plan();
  expect(plan).toBeUndefined();
  expect(problems).toMatchObject([
    { code: "platform/unknown", message: expect.stringContaining("mastodon/brand, mastodon/founder") },
  ]);
});
