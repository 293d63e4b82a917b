/** Posts that expire, with the schedule in a repository: none goes out too late, and status shows it. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProject } from "../../src/calendars/project.ts";
import { openScheduleService } from "../../src/repository/schedule-service.ts";
import { counts } from "../support/networks/accounts.ts";
import { makeProject } from "../support/project.ts";
import { DUE, SkippingClock, startWorld } from "./world.ts";

const MINUTE_MS = 60_000;

function calendar(expires: string, more = ""): string {
  return `timezone: UTC
posts:
  - id: launch
    date: 2027-03-01
    time: "08:00"
    expires: ${expires}
    platforms: bluesky, mastodon
    content: Open
${more}`;
}

test("a post goes out before it expires, and never after it", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await world.apply();
  expect((await world.publish(DUE + 29 * MINUTE_MS)).code).toBe(0);
  expect(counts(world, "Open").slice(0, 2)).toEqual([1, 1]);

  const other = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await other.apply();
  const dry = await other.publish(DUE + 30 * MINUTE_MS, "--dry-run", "--format", "json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ summary: { due: 0, expired: 2 } });
  const late = await other.publish(DUE + 30 * MINUTE_MS);
  expect([late.code, late.stdout]).toEqual([0, expect.stringContaining("2 expired.")]);
  expect(late.stdout).toContain("it expired 2027-03-01T08:30:00Z");
  expect(counts(other, "Open")).toEqual([0, 0, 0]);
  const [post] = Object.values(other.schedule().posts);
  expect(post?.publications).toMatchObject({ bluesky: { state: "expired" }, mastodon: { state: "expired" } });
  expect((await other.publish(DUE + 40 * MINUTE_MS)).stdout).toBe("Nothing is due.\n");
});

test("status and plan show that a post expired, and neither reports a problem", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await world.apply();
  await world.publish(DUE + 60 * MINUTE_MS);
  world.repository.git("pull", "-q", "origin", "main");
  const at = DUE + 61 * MINUTE_MS;
  const status = await world.run(["status", "--format", "json"], at);
  expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
    0,
    {
      summary: { expired: 1, failed: 0 },
      rows: [{ status: "expired", results: [{ status: "expired" }, { status: "expired" }] }],
    },
  ]);
  const text = await world.run(["status"], at);
  expect(text.stdout).toMatch(/Bluesky: expired: it expired 2027-03-01T08:30:00Z/);
  const plan = await world.run(["plan"], at);
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("1 expired")]);
});

test("an edit of `expires` updates the scheduled post, which keeps its id", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await world.apply();
  const before = Object.keys(world.schedule().posts);
  await world.repository.project.write("calendars/a.yaml", calendar("90m"));
  const plan = await world.run(["plan"]);
  expect(plan.stdout).toMatch(/expires: Mon 1 March 2027 08:30 \S+ Mon 1 March 2027 09:30/);
  await world.apply();
  expect(Object.keys(world.schedule().posts)).toEqual(before);
  expect((await world.run(["plan"])).stdout).toContain("Nothing to do");
  expect((await world.publish(DUE + 60 * MINUTE_MS)).code).toBe(0);
  expect(counts(world, "Open").slice(0, 2)).toEqual([1, 1]);
});

test("after a killed run, the network says whether the post went out before it expired", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await world.apply();
  const { origin } = world.repository;
  // The claims are pushed, and the results of what was sent are lost.
  await world.repository.beforePush(`[ -e "${origin}/claimed" ] && exit 1; touch "${origin}/claimed"`);
  world.mastodon.watch = () => 503;
  expect((await world.publish()).code).toBe(1);
  expect(counts(world, "Open").slice(0, 2)).toEqual([1, 0]);
  await world.repository.beforePush("exit 0");
  world.mastodon.watch = () => undefined;
  const settled = await world.publish(DUE + 60 * MINUTE_MS);
  expect([settled.code, settled.stdout]).toEqual([0, expect.stringContaining("1 published, 1 expired.")]);
  expect(counts(world, "Open").slice(0, 2)).toEqual([1, 0]);
});

test("nobody can move the expiry by hand in the schedule", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  await world.apply();
  await world.editSchedule((text) => text.replace("T08:30:00Z", "T12:30:00Z"));
  const late = await world.publish(DUE + 60 * MINUTE_MS);
  expect([late.code, late.stdout]).toEqual([1, expect.stringContaining("somebody edited the post")]);
  expect(counts(world, "Open")).toEqual([0, 0, 0]);
});

test("a row that has expired is not planned, and one that is only past is a warning", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": calendar("30m") } });
  const late = await world.run(["plan", "--format", "json"], DUE + 30 * MINUTE_MS);
  expect(JSON.parse(late.stdout)).toMatchObject({
    summary: { create: 0, past: 1, expired: 1 },
    problems: [],
  });
  const early = await world.run(["plan", "--format", "json"], DUE + 29 * MINUTE_MS);
  expect(JSON.parse(early.stdout)).toMatchObject({
    summary: { create: 0, past: 1, expired: 0 },
    problems: [{ code: "schedule/past" }],
  });
});

test("a post that expires while apply runs is refused, and neither written nor changed", async () => {
  const { root } = await makeProject({
    config: {
      service: { url: "repository" },
      accounts: { press: { network: "webhook", url_env: "PRESS" } },
    },
    files: {},
  });
  const clock = new SkippingClock(DUE);
  const project = await readProject(join(root, "plancast.yaml"));
  const service = await openScheduleService({ project, clock, random: randomBytes });
  const draft = {
    content: "Open",
    platforms: ["webhook"],
    scheduledAt: "2027-03-01T08:00:00Z",
    mediaIds: [],
    expires: "2027-03-01T08:30:00Z",
  };
  const created = await service.createPost(draft);
  const id = created.result === "done" ? created.value.id : "";
  expect(await service.listScheduled()).toMatchObject({ posts: [{ id, expires: draft.expires }] });
  await clock.sleep(30 * MINUTE_MS);
  const refused = { result: "refused", code: "schedule/past", fatal: false };
  expect(await service.createPost({ ...draft, content: "Late" })).toMatchObject(refused);
  expect(await service.updatePost?.(id, { ...draft, content: "Late" })).toMatchObject(refused);
  expect(await service.updatePost?.(id, { ...draft, expires: "" })).toMatchObject({ result: "done" });
  expect((await service.listScheduled()).posts.map(({ content }) => content)).toEqual(["Open"]);
});
