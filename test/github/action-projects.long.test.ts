/** The Action for several projects: the story in real shells, and what happens less often. */
import { describe, expect, test, vi } from "vitest";
import {
  asked,
  calendarPath,
  clientCalendar,
  namesIn,
  scheduled,
  startAgency,
} from "../support/github/agency-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import { STORY, tellStory } from "./agency-story.ts";

// A test is several jobs of several processes each.
vi.setConfig({ testTimeout: 240_000 });

test(`${STORY}, in real shells`, () => tellStory());

describe("a pull request", () => {
  test("that changes shared settings runs the projects that extend them; one that changes a workflow runs all", async () => {
    const world = await startAgency(["acme", "beta", "cora"], { extra: { "agency.yaml": "defaults: {}\n" } });
    const text = await world.repository.project.read("clients/beta/plancast.yaml");
    await world.open(12, { "clients/beta/plancast.yaml": `extends: ../../agency.yaml\n${text}` });
    await world.plan(12);
    await world.merge(12);
    await world.open(13, { "agency.yaml": "defaults: { time: '09:00' }\n" });
    expect(namesIn(await world.plan(13))).toEqual(["clients/beta"]);
    await world.open(14, { ".github/workflows/plancast.yml": "jobs: {}\n" });
    const all = await world.plan(14);
    expect(namesIn(all)).toEqual(["clients/acme", "clients/beta", "clients/cora"]);
    expect(all.step(/Run/).summary).toContain(
      "All projects run, because **.github/workflows/plancast.yml** affects each of them.",
    );
  });

  test("that touches no project succeeds without a comment, and brings an old comment up to date", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { "README.md": "Ours" });
    const job = await world.plan(12);
    expect([job.failed, job.outputs["result"], namesIn(job)]).toEqual([false, "nothing", []]);
    expect([asked(world), world.github.comments]).toEqual([[], []]);
    await world.open(12, { [calendarPath("acme")]: clientCalendar("a") });
    await world.plan(12);
    await world.open(12, { "README.md": "Ours" });
    await world.plan(12);
    expect(world.github.comments.map(({ body }) => body.split("\n")[1])).toEqual(["## No project changes"]);
  });

  test("runs all projects on request", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { "README.md": "Ours" });
    expect(namesIn(await world.plan(12, { inputs: { "all-projects": "true" } }))).toHaveLength(2);
  });

  test("shows mistakes at their place in the folder of the project", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { [calendarPath("beta")]: clientCalendar("b").replace("linkedin", "linkedln") });
    const job = await world.plan(12);
    expect([job.outputs["result"], job.outputs["errors"]]).toEqual(["invalid", "1"]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { command: "error", properties: { file: calendarPath("beta"), line: "2" } },
    ]);
    expect(world.github.comments[0]?.body).toMatch(
      /blob\/[0-9a-f]{40}\/clients\/beta\/calendars\/march\.csv#L2/,
    );
  });

  test("that adds projects with mistakes names the place in their folder, and what to do", async () => {
    const world = await startAgency(["acme"]);
    await world.open(12, {
      "clients/new/plancast.yaml": "servce: 1\n",
      "clients/trial/plancast.yaml": "service: { url: embedded }\n",
    });
    const job = await world.plan(12);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      { properties: { file: "clients/new/plancast.yaml", line: "1", title: "project/unknown-key" } },
      { properties: { title: "ci/embedded" }, message: expect.stringContaining("Set service.url") },
    ]);
    expect(world.github.comments[0]?.body).toContain("changes no file of the other project.");
  });

  test("that removes a project says that its posts stay", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { "clients/acme/plancast.yaml": undefined });
    await world.plan(12);
    expect(world.github.comments[0]?.body).toContain("This pull request removes **clients/acme**.");
  });

  test("that removes projects does not name one that the input leaves out", async () => {
    const world = await startAgency(["acme", "beta", "cora"]);
    await world.open(12, {
      "clients/acme/plancast.yaml": undefined,
      "clients/beta/plancast.yaml": undefined,
    });
    await world.plan(12, { inputs: { projects: "clients/*\n!clients/acme" } });
    expect(world.github.comments[0]?.body).toContain("This pull request removes **clients/beta**.");
  });
});

test.each([
  ["cliens/*", "matches no folder with a plancast.yaml"],
  ["!clients/*", "which leave out projects"],
  ["clients/*\n!clients/*", "leaves out every project"],
])("the input projects %j is refused", async (projects, why) => {
  const world = await startAgency(["acme"]);
  const job = await world.apply({ inputs: { projects } });
  expect(job.failed).toBe(true);
  expect(job.step(/Run/).log).toContain(why);
  expect(asked(world)).toEqual([]);
});

function lock(client: string): string {
  return `clients/${client}/plancast.lock.json`;
}

test("somebody pushes lockfiles during an apply: readable ones are merged, and one in conflict stays", async () => {
  const world = await startAgency(["acme", "beta"]);
  const { repository } = world;
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("a"),
    [calendarPath("beta")]: clientCalendar("b"),
  });
  await world.plan(12);
  await world.merge(12);
  const theirs = JSON.parse(repository.remoteFile(lock("acme")));
  const [post] = Object.values(theirs.posts);
  theirs.posts.theirs = post;
  await world.open(13, {
    [calendarPath("acme")]: clientCalendar("a", "c"),
    [calendarPath("beta")]: clientCalendar("b", "d"),
  });
  await world.plan(13);
  const job = await world.merge(13, {
    during: async ({ name }) => {
      if (!name.includes("lockfile")) return;
      await repository.pushByOther(lock("acme"), JSON.stringify(theirs));
      await repository.pushByOther(lock("beta"), "<<<<<<< ours\n{}\n=======\n");
    },
  });
  expect([job.failed, job.outputs["lockfile"]]).toEqual([true, "failed"]);
  expect(Object.keys(JSON.parse(repository.remoteFile(lock("acme"))).posts).toSorted()).toEqual([
    "a",
    "c",
    "theirs",
  ]);
  expect(repository.remoteFile(lock("beta"))).toContain("<<<<<<<");
  expect(job.step(/lockfile/).log).toContain(lock("beta"));
});

test("a cancelled job starts no other project", async () => {
  const world = await startAgency(["acme", "beta"]);
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("a"),
    [calendarPath("beta")]: clientCalendar("b"),
  });
  await world.plan(12);
  const { services } = world;
  const job = await world.merge(12, {
    during: ({ name, cancel }) => {
      const stop = { kind: "run-after", run: () => cancel("SIGTERM") } as const;
      if (/Run/.test(name)) services.get("acme")?.faults.at(1, stop, { method: "POST", path: "/v1/posts" });
    },
  });
  expect([job.outputs["result"], job.outputs["lockfile"]]).toEqual(["interrupted", "committed"]);
  expect(scheduled(world)).toEqual({ acme: 1 });
});

test("a merge refuses what nobody reviewed for one client, and applies exactly that plan by its hash", async () => {
  const world = await startAgency(["acme", "beta"]);
  await world.open(12, { [calendarPath("acme")]: clientCalendar("a") });
  await world.plan(12);
  await world.open(13, { [calendarPath("beta")]: clientCalendar("b") });
  // Nobody planned this one.
  await world.merge(13);
  await world.open(12, { [calendarPath("acme")]: clientCalendar("a") });
  await world.plan(12);
  const job = await world.merge(12);
  const results = JSON.parse(job.outputs["projects"] ?? "");
  expect(results).toMatchObject([{ result: "applied" }, { result: "refused" }]);
  expect([job.outputs["result"], scheduled(world)]).toEqual(["refused", { acme: 1 }]);
  const byHand = await world.apply({ inputs: { plan: results[1].hash } });
  expect([byHand.outputs["result"], scheduled(world)]).toEqual(["applied", { acme: 1, beta: 1 }]);
  const again = await world.apply({ inputs: { plan: results[1].hash } });
  expect([again.outputs["result"], again.step(/Run/).log]).toEqual([
    "refused",
    expect.stringContaining("The plan no longer has the hash"),
  ]);
});
