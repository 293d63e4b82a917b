/** Own publishing obeys a hold within one run, although the schedule on the branch still has the post. */
import { expect, test } from "vitest";
import { counts } from "../support/networks/accounts.ts";
import { DUE, ONE_POST, startWorld } from "./world.ts";

const MINUTE_MS = 60_000;

test("publish sends no held post, and says why", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const held = await world.run(["hold", "--only", "id=launch", "--reason", "Storm", "--yes"]);
  expect(held, held.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("It is on main") });
  const published = await world.publish();
  expect(published).toMatchObject({ code: 0, stdout: expect.stringMatching(/3 held\.[^]*$/) });
  expect(published.stdout).toContain("“Storm”");
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
});

test("a post that was due while it was held is not sent late, also after the hold", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  await world.run(["hold", "--until", "2027-03-01 08:30", "--reason", "Storm", "--yes"]);
  const late = await world.publish(DUE + 40 * MINUTE_MS);
  expect(late).toMatchObject({ code: 0, stdout: expect.stringContaining("3 held") });
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
});

test("publish sends nothing if it cannot read the holds", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  await world.repository.pushByOther("plancast.holds.yaml", "everything\n");
  const published = await world.publish();
  expect(published).toMatchObject({ code: 1, stderr: expect.stringContaining("hold/unreadable") });
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
});
