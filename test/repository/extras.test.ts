/** Alt texts, threads and first comments in the schedule of a repository. */
import { counts } from "../support/networks/accounts.ts";
import { expect, test } from "vitest";
import { tinyPng } from "../support/tiny-media.ts";
import { startWorld } from "./world.ts";

const CALENDAR = `timezone: UTC
posts:
  - id: launch
    date: 2027-03-01
    time: "08:00"
    platforms: bluesky, mastodon
    content: Open
    media: [{ file: bed.png, alt: A bed of tulips }]
    thread: [Second, Third]
    first_comment: Come and see
`;

test("extra parts are planned, applied and published like the rest of a post", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": CALENDAR } });
  await world.repository.project.write("calendars/bed.png", tinyPng(1));
  await world.apply();
  const again = await world.run(["plan"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do")]);
  expect(again.stderr).not.toContain("not stored");
  await world.repository.project.write("calendars/a.yaml", CALENDAR.replace("tulips", "roses"));
  expect((await world.run(["plan"])).stdout).toContain("1 to replace");

  expect((await world.publish()).code).toBe(0);
  for (const text of ["Open", "Second", "Third", "Come and see"])
    expect(counts(world, text).slice(0, 2)).toEqual([1, 1]);
  const opened = world.mastodon.statuses.find(({ text }) => text === "Open");
  expect(opened?.media.map(({ description }) => description)).toEqual(["A bed of tulips"]);
});
