/** Merging schedules: apply and publish change the same file at the same time. */
import { expect, test } from "vitest";
import {
  type ScheduledPublication,
  type Schedule,
  type ScheduledPost,
  mergeSchedules,
  parseSchedule,
  scheduleText,
  withDigest,
} from "../../src/repository/schedule.ts";
import { DUE, startWorld } from "./world.ts";

const ID = "post_0123456789ab";

function post(content: string, publications?: Record<string, ScheduledPublication>): ScheduledPost {
  const made = withDigest({
    content,
    platforms: ["bluesky", "mastodon"],
    accounts: { bluesky: "account_b", mastodon: "account_m" },
    scheduled_at: "2027-03-01T08:00:00Z",
    media: [],
    created_at: "2027-03-01T07:00:00Z",
  });
  if (publications === undefined) return made;
  const onAccounts = Object.entries(publications).map(
    ([platform, each]) => [platform, { ...each, account_id: made.accounts?.[platform] ?? "" }] as const,
  );
  return { ...made, publications: Object.fromEntries(onAccounts) };
}

const CLAIM = { run: "first", until: "2027-03-01T08:15:00Z" };

function on(
  state: ScheduledPublication["state"],
  more: Partial<ScheduledPublication> = {},
): ScheduledPublication {
  const known = { account_id: "account_b", attempts: 1, sent_at: "2027-03-01T08:01:00Z", parts: [] };
  return { ...known, state, ...(state === "sending" ? { claim: CLAIM } : {}), ...more };
}

function schedule(posts: Record<string, ScheduledPost>): Schedule {
  return parseSchedule(scheduleText({ version: 1, posts }));
}

function merged(
  base: ScheduledPost | undefined,
  ours: ScheduledPost | undefined,
  theirs: ScheduledPost | undefined,
) {
  const [a, b, c] = [base, ours, theirs].map((each) => schedule(each === undefined ? {} : { [ID]: each }));
  const both = [mergeSchedules(a ?? schedule({}), b ?? schedule({}), c ?? schedule({}))];
  return both[0]?.posts[ID];
}

test("keeps what each side added, changed and removed", () => {
  const before = post("Before");
  expect(merged(undefined, post("New"), undefined)?.content).toBe("New");
  expect(merged(undefined, undefined, post("New"))?.content).toBe("New");
  expect(merged(before, post("After"), before)?.content).toBe("After");
  expect(merged(before, before, post("After"))?.content).toBe("After");
  expect(merged(before, undefined, before)).toBeUndefined();
  expect(merged(before, before, undefined)).toBeUndefined();
});

test("in a merge, a claimed post keeps the text that was sent, whichever side edited or cancelled it", () => {
  const before = post("Before");
  const claimed = post("Before", { bluesky: on("sending") });
  for (const other of [post("After"), undefined]) {
    expect(merged(before, other, claimed)).toEqual(claimed);
    expect(merged(before, claimed, other)).toEqual(claimed);
  }
});

test("a post that certainly was not sent can still be edited and cancelled", () => {
  const before = post("Before");
  const waiting = post("Before", { bluesky: on("waiting") });
  expect(merged(before, post("After"), waiting)?.content).toBe("After");
  expect(merged(waiting, undefined, waiting)).toBeUndefined();
});

test("an expired result counts more than an attempt, and less than a publication", () => {
  const before = post("Text", { bluesky: on("sending") });
  const expired = post("Text", { bluesky: on("expired") });
  const waiting = post("Text", { bluesky: on("waiting") });
  const published = post("Text", { bluesky: on("published") });
  for (const [one, other, surest] of [
    [expired, waiting, expired],
    [expired, published, published],
  ] as const) {
    expect(merged(before, one, other)).toEqual(surest);
    expect(merged(before, other, one)).toEqual(surest);
  }
});

test("a merge uses the results of both sides and, if they differ, the more certain result", () => {
  const before = post("Text", { bluesky: on("sending"), mastodon: on("sending") });
  const ours = post("Text", {
    bluesky: on("published", { url: "https://a.example/1" }),
    mastodon: on("sending"),
  });
  const theirs = post("Text", { bluesky: on("unknown"), mastodon: on("failed", { reason: "too long" }) });
  const expected = { bluesky: ours.publications?.["bluesky"], mastodon: theirs.publications?.["mastodon"] };
  expect(merged(before, ours, theirs)?.publications).toEqual(expected);
  expect(merged(before, theirs, ours)?.publications).toEqual(expected);
});

const PARTS = [{ id: "1" }];

test.each([
  ["published", on("published")],
  ["unknown", on("unknown")],
  ["unknown, and asked again", on("unknown", { next_at: "2027-03-01T08:10:00Z" })],
  ["partly published", on("waiting", { parts: PARTS })],
  ["partly published and claimed", on("sending", { parts: PARTS })],
])("a post that is %s stays so, whichever side deletes it or its result", (_name, known) => {
  const before = post("Text", { bluesky: known });
  for (const other of [undefined, post("Text"), post("Edited"), post("Text", { bluesky: on("waiting") })]) {
    const results = [
      merged(before, before, other),
      merged(before, other, before),
      merged(before, other, other),
    ];
    for (const result of results) {
      expect(result?.content).toBe("Text");
      expect(result?.publications?.["bluesky"]?.parts).toEqual(known.parts);
      if (known.parts.length === 0) expect(result).toEqual(before);
    }
  }
});

test("in a merge, a failed post stays failed even if one side no longer has it", () => {
  const before = post("Text", { bluesky: on("failed") });
  for (const other of [post("Text"), post("Text", { bluesky: on("sending") })]) {
    expect(merged(before, before, other)).toEqual(before);
    expect(merged(before, other, before)).toEqual(before);
  }
  expect(merged(before, undefined, before)).toBeUndefined();
});

test("a run can give a claim back, and can claim a post to ask the network about it", () => {
  const claimed = post("Text", { bluesky: on("sending") });
  expect(merged(claimed, claimed, post("Text"))).toEqual(post("Text"));
  const waiting = post("Text", { bluesky: on("waiting", { next_at: "2027-03-01T08:10:00Z" }) });
  expect(merged(claimed, claimed, waiting)).toEqual(waiting);
  const asked = post("Text", { bluesky: on("unknown", { next_at: "2027-03-01T08:10:00Z" }) });
  expect(merged(asked, asked, claimed)).toEqual(claimed);
});

test("an edited post does not get the results of its old text", () => {
  const failed = post("Before", { bluesky: on("failed") });
  expect(merged(failed, post("After"), failed)).toEqual(post("After"));
});

const TWO_ROWS = (first: string, second: string) => `timezone: UTC
posts:
  - { id: one, date: 2027-03-01, time: "08:00", platforms: bluesky, content: "${first}" }
  - { id: two, date: 2027-03-02, time: "08:00", platforms: bluesky, content: "${second}" }
`;

test("lockfile merge resolves a merge that stopped at the schedule, and both sides are still there", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": TWO_ROWS("One", "Two") } });
  const { repository } = world;
  const { project } = repository;
  await world.apply();
  repository.git("checkout", "-q", "-b", "edited");
  await project.write("calendars/a.yaml", TWO_ROWS("One", "Two, edited"));
  expect((await world.run(["apply", "--yes"])).code).toBe(0);
  repository.git("commit", "-qam", "edited");
  repository.git("checkout", "-q", "main");
  expect((await world.publish()).code).toBe(0);
  repository.git("pull", "-q", "--ff-only", "origin", "main");
  await project.write("calendars/a.yaml", TWO_ROWS("One", "Two, on main"));
  await world.apply(DUE + 3_600_000);
  expect(() => repository.git("merge", "edited")).toThrow();
  await project.write("calendars/a.yaml", TWO_ROWS("One", "Two, edited"));
  expect(await project.read("plancast.schedule.json")).toContain("<<<<<<<");
  const stopped = await world.run(["plan"], DUE);
  expect(stopped.stdout + stopped.stderr).toContain("plancast lockfile merge");
  const { code, stdout } = await world.run(["lockfile", "merge"], DUE);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Merged plancast.schedule.json")]);
  const { posts } = parseSchedule(await project.read("plancast.schedule.json"));
  const found = Object.values(posts).map(({ content, publications = {} }) => [
    content,
    Object.values(publications).map(({ state }) => state),
  ]);
  expect(found).toEqual(
    expect.arrayContaining([
      ["One", ["published"]],
      ["Two, on main", []],
    ]),
  );
  repository.git("add", "-A");
  repository.git("commit", "-qm", "merged");
  expect((await world.run(["lockfile", "merge"], DUE)).stderr).toContain("lockfile/cannot-merge");
});
