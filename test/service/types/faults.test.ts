/** Every fault at every request of a run with all kinds of changes, then runs until one ends with 0. */
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { postizWorld } from "../../support/contract/worlds.ts";
import { SERVICES, faultAt, requestsOfRun, triedFaults } from "./fault-scenario.ts";

test.each(SERVICES)("%s: nothing is published twice or lost after a fault", async (_name, start) => {
  const tried = triedFaults(await requestsOfRun(start), 211);
  const wrong: string[] = [];
  for (const { n, fault } of tried) {
    const what = await faultAt(n, fault, start);
    if (what !== undefined) wrong.push(`${JSON.stringify(fault)} at request ${n}: ${what}`);
  }
  expect(wrong).toEqual([]);
});

test("a create whose answer is lost is found in the list, and never sent again", async () => {
  const { world, scheduled } = await postizWorld();
  await world.write(row("a", "01", "x", "one"));
  world.server.faults.at(1, "drop-after", { method: "POST" });
  await world.apply();
  expect(scheduled()).toEqual(["x one"]);
  expect(world.server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a lost create whose text Postiz changed stays pending until a person resolves it", async () => {
  const { world, scheduled } = await postizWorld({}, { stripsLinks: true });
  await world.write(row("a", "01", "x", "Read https://example.com/a now"));
  world.server.faults.at(1, "drop-after", { method: "POST" });
  await world.apply(3);
  world.clock.advance(300_000);
  await world.apply(3);
  expect(scheduled()).toHaveLength(1);
});

test("a delete whose answer is lost counts as done when the post is gone", async () => {
  const { world, scheduled } = await postizWorld();
  await world.write(row("a", "01", "x", "one"), row("b", "02", "x", "two"));
  await world.apply();
  await world.write(row("a", "01", "x", "one"));
  world.server.faults.at(1, "status-500-after", { method: "DELETE" });
  const { outcomes } = await world.apply();
  expect(outcomes).toEqual(["cancel b@twitter done"]);
  expect(scheduled()).toEqual(["x one"]);
});
