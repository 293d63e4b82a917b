/** A branch with a forged schedule: its plan shows each post that publish would send. */
import { expect, test } from "vitest";
import { z } from "zod";
import { checkLockfile, lockfileSchema } from "../../src/model/lockfile.ts";
import { type Schedule, parseSchedule, scheduleText, withDigest } from "../../src/repository/schedule.ts";
import { counts } from "../support/networks/accounts.ts";
import { DUE, ONE_POST, type RepositoryWorld, startWorld } from "./world.ts";

const CALENDAR = `- id: a
  scheduled_at: 2027-03-01T08:00:00Z
  platforms: [bluesky]
  content: Tulips are here.
`;
const LOCKFILE = "plancast.lock.json";
const SCHEDULE = "plancast.schedule.json";

const planned = z.object({
  changes: z.array(
    z.object({ action: z.string(), key: z.string(), post: z.object({ content: z.string() }).optional() }),
  ),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

async function plan(world: RepositoryWorld, cwd?: string): Promise<z.infer<typeof planned>> {
  const { stdout } = await world.run(["plan", "--format", "json"], undefined, cwd);
  return planned.parse(JSON.parse(stdout));
}

async function applied(): Promise<RepositoryWorld> {
  const world = await startWorld({ files: { "calendars/a.yaml": CALENDAR } });
  await world.apply();
  return world;
}

type Posts = Record<string, Schedule["posts"][string]>;

/** Changes the schedule, with right digests, and the lockfile. */
async function forge(
  { repository: { project } }: RepositoryWorld,
  edit: (posts: Posts, id: string) => void,
  stored?: { readonly content: string },
): Promise<void> {
  const { posts, ...rest } = parseSchedule(await project.read(SCHEDULE));
  const edited: Posts = { ...posts };
  const [id = ""] = Object.keys(edited);
  edit(edited, id);
  const withDigests = Object.entries(edited).map(([each, { digest: _digest, ...post }]) => [
    each,
    withDigest(post),
  ]);
  await project.write(SCHEDULE, scheduleText({ ...rest, posts: Object.fromEntries(withDigests) }));
  if (stored === undefined) return;
  const lockfile = lockfileSchema.parse(JSON.parse(await project.read(LOCKFILE)));
  const [entry] = Object.values(lockfile.posts);
  if (entry !== undefined) entry.stored = stored;
  await project.write(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
}

const FORGED = "Buy our coins.";

const FORGERIES: readonly [string, (posts: Posts, id: string) => void][] = [
  ["other text", (posts, id) => void Object.assign(posts[id] ?? {}, { content: FORGED })],
  ["a thread", (posts, id) => void Object.assign(posts[id] ?? {}, { thread: [FORGED] })],
  [
    "another time",
    (posts, id) => void Object.assign(posts[id] ?? {}, { scheduled_at: "2027-03-01T08:01:00Z" }),
  ],
  ["no post", (posts, id) => void delete posts[id]],
  [
    "one more post",
    (posts, id) => {
      const post = posts[id];
      if (post !== undefined) posts["post_00000000000f"] = { ...post, content: FORGED };
    },
  ],
];

test.each(FORGERIES)(
  "a branch whose schedule has %s has a plan that shows it, or repairs it",
  async (_what, edit) => {
    const world = await applied();
    const { repository } = world;
    repository.git("checkout", "-q", "-b", "forged");
    // Another machine: what this one wrote does not count there.
    repository.git("clean", "-fdxq", ".plancast");
    await forge(world, edit, { content: FORGED });
    repository.git("commit", "-qam", "Tidy up");
    const { changes, problems } = await plan(world);
    expect([changes, problems.map(({ code }) => code)]).toEqual([[], ["repository/schedule-edited"]]);
    if ((await repository.project.read(SCHEDULE)).includes(FORGED))
      expect(JSON.stringify(problems)).toContain(FORGED);
    expect((await world.run(["apply", "--yes"])).code).toBe(0);
    const { posts } = parseSchedule(await repository.project.read(SCHEDULE));
    expect(
      Object.values(posts).map(({ content, scheduled_at: at, thread }) => [content, at, thread]),
    ).toEqual([["Tulips are here.", "2027-03-01T08:00:00Z", undefined]]);
  },
);

test("a row and a schedule that change together are a change of the row", async () => {
  const world = await applied();
  const { repository } = world;
  repository.git("checkout", "-q", "-b", "forged");
  repository.git("clean", "-fdxq", ".plancast");
  await repository.project.write("calendars/a.yaml", CALENDAR.replace("Tulips are here.", FORGED));
  await forge(world, (posts, id) => void Object.assign(posts[id] ?? {}, { content: FORGED }));
  repository.git("commit", "-qam", "Roses");
  const { changes, problems } = await plan(world);
  expect(changes).toEqual([
    expect.objectContaining({ action: "replace", key: "a", post: { content: FORGED } }),
  ]);
  expect(problems).toEqual([]);
});

test("an apply on a branch changes no later plan of this machine, and is a create in a plan of another one", async () => {
  const world = await applied();
  const { repository } = world;
  repository.git("checkout", "-q", "-b", "roses");
  await repository.project.write(
    "calendars/b.yaml",
    CALENDAR.replace("id: a", "id: b").replace("Tulips", "Roses").replace("T08", "T09"),
  );
  expect((await world.run(["apply", "--yes"])).code).toBe(0);
  repository.git("add", "--all");
  repository.git("commit", "-qm", "Roses");
  expect(await plan(world)).toEqual({ changes: [], problems: [] });
  repository.git("push", "-q", "origin", "roses");
  const other = await world.clone();
  const { stdout } = await world.run(["plan", "--format", "json"], undefined, other);
  expect(JSON.parse(stdout)).toMatchObject({ changes: [] });
  const before = parseSchedule(await repository.project.read(SCHEDULE));
  repository.git("clean", "-fdxq", ".plancast");
  const { changes, problems } = await plan(world);
  expect([changes.map(({ action, key }) => [action, key]), problems]).toEqual([[["create", "b"]], []]);
  expect((await world.run(["apply", "--yes"])).code).toBe(0);
  // The post keeps its id.
  expect(Object.keys(parseSchedule(await repository.project.read(SCHEDULE)).posts)).toEqual(
    Object.keys(before.posts),
  );
  expect(checkLockfile(JSON.parse(await repository.project.read(LOCKFILE))).success).toBe(true);
});

test("two merges do not hide a forged text: the plan of the second shows what the first brought", async () => {
  const world = await applied();
  const { repository } = world;
  await forge(world, (posts, id) => void Object.assign(posts[id] ?? {}, { content: FORGED }), {
    content: FORGED,
  });
  repository.push("Merged without a look");
  const other = await world.clone();
  const { changes } = await plan(world, other);
  expect(changes).toEqual([
    expect.objectContaining({ action: "replace", key: "a", post: { content: "Tulips are here." } }),
  ]);
});

test("a post that a branch removes from the schedule together with its row is cancelled, which the plan shows", async () => {
  const world = await applied();
  const { repository } = world;
  repository.git("checkout", "-q", "-b", "removed");
  repository.git("clean", "-fdxq", ".plancast");
  await forge(world, (posts, id) => void delete posts[id]);
  await repository.project.write("calendars/a.yaml", "[]\n");
  repository.git("commit", "-qam", "Tidy up");
  const { changes, problems } = await plan(world);
  expect(changes.map(({ action, key }) => [action, key])).toEqual([["cancel", "a"]]);
  expect(problems.map(({ code }) => code)).toEqual(["calendar/empty"]);
});

const PUBLISHED = "plancast.published.json";
const MINUTE_MS = 60_000;

/** What a merge can do with the results of posts, which publish wrote into its file. */
const FORGOTTEN: readonly [string, (text: string) => string | undefined][] = [
  ["removes the file", () => undefined],
  ["empties the file", () => ""],
  ["removes a result", (text) => text.replace(/"mastodon": \{[^{}]*\{[^{}]*\}[^{}]*\},?/, "")],
  ["turns results into attempts", (text) => text.replaceAll('"state": "published"', '"state": "waiting"')],
];

test.each(FORGOTTEN)("nothing is published twice after a merge that %s", async (_what, edit) => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  const { repository } = world;
  await world.apply();
  expect((await world.publish()).code).toBe(0);
  const edited = edit(repository.remoteFile(PUBLISHED));
  repository.git("pull", "-q", "origin", "main");
  if (edited === undefined) repository.git("rm", "-q", PUBLISHED);
  else await repository.project.write(PUBLISHED, edited);
  // Another machine: what this one wrote does not count there.
  repository.git("clean", "-fdxq", ".plancast");
  repository.git("commit", "-qam", "Tidy up");
  const { changes, problems } = await plan(world);
  expect([changes, problems.map(({ code }) => code)]).toEqual([[], ["repository/schedule-edited"]]);
  expect(problems[0]?.message).toContain("removes the result");
  repository.push("Tidy up");
  const { code, stdout } = await world.publish(DUE + 10 * MINUTE_MS);
  expect([code, stdout, counts(world, "Open 🌱")]).toEqual([0, "Nothing is due.\n", [1, 1, 1]]);
});

test("nothing is published twice after a revert of what publish pushed", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  const { repository } = world;
  await world.apply();
  expect((await world.publish()).code).toBe(0);
  repository.git("pull", "-q", "origin", "main");
  repository.git("revert", "--no-edit", "HEAD", "HEAD~1");
  repository.push("Reverted");
  expect((await world.publish(DUE + 10 * MINUTE_MS)).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});
