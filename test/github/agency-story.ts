/** The life of a change in a repository with eight clients, in real shells. */
import { expect } from "vitest";
import {
  asked,
  calendarPath,
  clientCalendar,
  keyVariable,
  newestFiles,
  scheduled,
  startAgency,
} from "../support/github/agency-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";

const EIGHT = ["acme", "beta", "cora", "dune", "echo", "flux", "gala", "hugo"];

export const STORY =
  "eight clients: a pull request that touches two, a merge with a wrong key for one, and the next run";

export async function tellStory(): Promise<void> {
  const world = await startAgency(EIGHT, { isReal: true });
  const { github, repository } = world;
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("spring"),
    [calendarPath("beta")]: clientCalendar("summer", "autumn"),
    "README.md": "Ours",
  });
  const planned = await world.plan(12);
  expect(planned.failed).toBe(false);
  expect(asked(world)).toEqual(["acme", "beta"]);
  expect(planned.outputs).toMatchObject({ result: "changes", changes: "3", create: "3", "exit-code": "0" });
  expect(JSON.parse(planned.outputs["projects"] ?? "")).toMatchObject([
    { project: "clients/acme", result: "changes", create: 1 },
    { project: "clients/beta", result: "changes", create: 2 },
  ]);
  expect(github.comments).toHaveLength(1);
  const body = github.comments[0]?.body ?? "";
  const headings = body.split("\n").filter((line) => line.startsWith("#"));
  expect(headings).toEqual([
    "## 2 of 8 projects: 2 with changes",
    "## clients/acme",
    "### Plan: ➕ 1 to create",
    "## clients/beta",
    "### Plan: ➕ 2 to create",
  ]);
  expect(body).toContain("This pull request changes no file of the other 6 projects.");
  expect(github.artifacts.map(({ name }) => name)).toEqual([
    planned.outputs["plan-artifact"],
    "plancast-preview.html",
  ]);

  const merged = await world.merge(12, { env: { [keyVariable("beta")]: "sk_wrong" } });
  expect([merged.failed, merged.outputs["result"], merged.outputs["exit-code"]]).toEqual([
    true,
    "failed",
    "1",
  ]);
  expect(scheduled(world)).toEqual({ acme: 1 });
  expect(JSON.parse(merged.outputs["projects"] ?? "").map((each: { result: string }) => each.result)).toEqual(
    ["applied", "failed", ...Array<string>(6).fill("nothing")],
  );
  const errors = commandsIn(merged.step(/Run/).log).filter(({ command }) => command === "error");
  expect(errors).toMatchObject([{ message: expect.stringMatching(/^clients\/beta: /) }]);
  expect(merged.outputs["lockfile"]).toBe("committed");
  expect(newestFiles(world)).toEqual(["clients/acme/plancast.lock.json"]);

  const fixed = await world.apply();
  expect([fixed.failed, fixed.outputs["result"]]).toEqual([false, "applied"]);
  expect(scheduled(world)).toEqual({ acme: 1, beta: 2 });
  expect(repository.log().slice(0, 2)).toEqual(["Update plancast.lock.json", "Update plancast.lock.json"]);
}
