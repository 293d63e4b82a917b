/** A repository that publishes on its own: publish sends only what an apply of a job has confirmed. */
import { expect, test } from "vitest";
import { accountNames } from "../../src/networks/open-accounts.ts";
import { scheduleText, withDigest } from "../../src/repository/schedule.ts";
import type { Pull } from "../support/github/hub.ts";
import {
  CALENDAR,
  DUE,
  FORGED,
  MINUTE_MS,
  SCHEDULE,
  calendarWith,
  forgedSchedule,
  goTo,
  logOf,
  results,
  startApplied,
  startPublishing,
  texts,
  withParts,
} from "./schedule-world.ts";

test("publish holds a post with another text that a merge brought, until apply has repaired it", async () => {
  const world = await startApplied();
  const { hub, propose } = world;
  const pull = await propose("forged", { [SCHEDULE]: forgedSchedule(world, withParts({ content: FORGED })) });
  expect(logOf(await hub.plan(pull))).toContain("repository/schedule-edited");
  // The run of this merge is dropped.
  hub.merge(pull);
  goTo(world, DUE + 2 * MINUTE_MS);
  const held = await hub.run("schedule");
  expect([results(held), texts(world)]).toEqual([["failed"], []]);
  expect(logOf(held)).toContain("no apply of a job has confirmed this post");
  // A run by hand starts both workflows. Publish goes first.
  expect(results(await hub.run("workflow_dispatch", { inputs: { plan: "" } }))).toEqual([
    "failed",
    "nothing",
  ]);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  expect([texts(world), hub.remoteFile(SCHEDULE)]).toEqual([["Tulips"], expect.not.stringContaining(FORGED)]);
});

test("before the first apply of a job, publish sends nothing that a merge brought", async () => {
  const world = await startPublishing();
  const { hub, bluesky, propose } = world;
  const [account] = accountNames({
    bluesky: {
      network: "bluesky",
      handle: "garden.test",
      password_env: "BLUESKY_APP_PASSWORD",
      server: bluesky.origin,
      links: "written",
    },
  });
  const post = withDigest({
    content: FORGED,
    platforms: ["bluesky"],
    accounts: { bluesky: account?.id ?? "" },
    scheduled_at: "2036-03-01T08:00:00Z",
    media: [],
    created_at: "2036-01-01T00:00:00Z",
  });
  const schedule = scheduleText({ version: 1, posts: { post_00000000000f: post } });
  hub.merge(await propose("forged", { [SCHEDULE]: schedule }));
  goTo(world, DUE + 2 * MINUTE_MS);
  const jobs = await hub.run("schedule");
  expect([texts(world), logOf(jobs)]).toEqual([
    [],
    expect.stringContaining("no apply of a job has confirmed this post"),
  ]);
});

test("ordinary work holds nothing: edits, results, and an edit that is too late", async () => {
  const world = await startApplied();
  const { hub, propose } = world;
  const land = async (pull: Pull): Promise<void> => {
    const planned = await hub.plan(pull);
    const ran = await hub.pushed(hub.merge(pull, "squash"));
    expect(logOf([...planned, ...ran])).not.toMatch(/schedule-edited|not-confirmed|not-as-recorded/);
  };
  await land(await propose("edit", { [CALENDAR]: calendarWith("Roses") }));
  goTo(world, DUE + MINUTE_MS);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  // The branch has results that the record lacks.
  const later = calendarWith("Asters").replace("launch", "second").replace("03-01", "03-02");
  await land(await propose("later", { [CALENDAR]: calendarWith("Roses") + later }));
  goTo(world, DUE + 1441 * MINUTE_MS);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  await land(await propose("again", { "NOTES.md": "More notes" }));
  expect(results(await hub.run("schedule"))).toEqual(["nothing"]);
  expect(texts(world)).toEqual(["Roses", "Asters"]);
});
