import { expect } from "vitest";
import { CALENDAR, calendarOf, launch, second } from "./action-world.ts";
import type { Hub, Person } from "./hub.ts";

/** The team merges a pull request with a second row, and the job applies it. */
export async function mergeSecond(hub: Hub): Promise<Person> {
  const team = await hub.clone();
  team.start("work");
  await team.commit("more", { [CALENDAR]: calendarOf(launch, second) });
  const pull = hub.open(team);
  await hub.plan(pull);
  const jobs = await hub.pushed(hub.merge(pull));
  expect(jobs.map(({ job, outputs }) => [job, outputs["result"]])).toEqual([["apply", "applied"]]);
  return team;
}
