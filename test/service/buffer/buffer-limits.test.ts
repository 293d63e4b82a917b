/** Buffer's three rolling windows: no request is refused, the earliest posts go first, and the next run goes on. */
import { expect, test } from "vitest";
import { FREE_PLAN } from "../../support/contract/buffer-server.ts";
import { HEAD } from "../../support/contract/contract-world.ts";
import { bufferWorld } from "../../support/contract/worlds.ts";

const DAY_MS = 86_400_000;

/** Rows at different times, the latest first in the file. */
function manyRows(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const due = new Date(Date.parse("2030-03-01T08:00:00Z") + index * 3_600_000).toISOString().slice(0, 19);
    return `r${index},${due}Z,x,Text ${index},,,,\n`;
  });
  return HEAD + lines.reverse().join("");
}

test("a run that cannot finish today says when it goes on, and the next run does the rest", async () => {
  const windows = [
    { quota: 6, seconds: 900 },
    { quota: 13, seconds: 86_400 },
    { quota: 40, seconds: 2_592_000 },
  ];
  const { world } = await bufferWorld({}, { windows });
  await world.project.write("calendar.csv", manyRows(300));
  const plan = await world.run("plan");
  const shown = (plan.stdout + plan.stderr).replaceAll(/\s+/g, " ");
  // Twelve requests create 300 posts. The plan itself has used some of today's.
  expect(shown).toMatch(
    /Apply will send 1\d requests\. The service's rate limit allows only [3-9] of them now, for the earliest posts\. Run apply again in about \d+ hours/,
  );
  const texts = () => world.server.scheduled().map(({ text }) => Number(text.slice("Text ".length)));
  const counts: number[] = [];
  for (let day = 0; day < 5 && texts().length < 300; day += 1) {
    const ran = await world.run("apply", "--yes");
    const found = texts();
    counts.push(found.length);
    // The earliest posts, and no others.
    expect(found.toSorted((one, other) => one - other)).toEqual(found.map((_, index) => index));
    if (found.length < 300) {
      expect(ran.code).toBe(1);
      expect((ran.stdout + ran.stderr).replaceAll(/\s+/g, " ")).toMatch(
        /opens again at 2030-\d\d-\d\dT\d\d:\d\dZ: run again then/,
      );
    } else expect([ran.code, ran.stderr]).toEqual([0, ran.stderr]);
    world.clock.advance(DAY_MS);
  }
  expect(counts.length).toBeGreaterThan(1);
  expect(counts.at(-1)).toBe(300);
  expect(world.server.refused()).toBe(0);
  expect(await world.planned()).toEqual({ keep: 300 });
});

test("a thousand rows fit into one day of the free plan, without a refusal", async () => {
  const { world } = await bufferWorld({}, { windows: FREE_PLAN });
  await world.project.write("calendar.csv", manyRows(1_000));
  const before = world.server.requests.length;
  await world.apply();
  expect(world.server.scheduled()).toHaveLength(1_000);
  // Besides the creates: the organization, two lists, and the daily limits.
  expect(world.server.requests.length - before).toBeLessThanOrEqual(1_000 / 25 + 4);
  expect(world.server.refused()).toBe(0);
});
