/** The Action for several projects in one job. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  calendarPath,
  clientCalendar,
  keyVariable,
  startAgency,
  type AgencyWorld,
} from "../support/github/agency-world.ts";
import { strangeCommands } from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import type { JobRecord } from "../support/github/runner.ts";

const EIGHT = ["acme", "beta", "cora", "dune", "echo", "flux", "gala", "hugo"];

/** The clients whose services were asked. */
function asked({ services }: AgencyWorld): string[] {
  return [...services].filter(([, { requests }]) => requests.length > 0).map(([client]) => client);
}

function scheduled({ services }: AgencyWorld): Record<string, number> {
  const counts = [...services].map(([client, service]) => [client, service.scheduled().length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The projects that ran. */
function namesIn({ outputs }: JobRecord): string[] {
  const ran = z.array(z.object({ project: z.string() })).parse(JSON.parse(outputs["projects"] ?? ""));
  return ran.map(({ project }) => project);
}

/** The files of the newest commit on main. */
function newestFiles({ repository: { git } }: AgencyWorld): string[] {
  git("fetch", "-q", "origin", "main");
  return git("diff-tree", "-r", "--name-only", "--no-commit-id", "FETCH_HEAD").split("\n");
}

test("eight clients: a pull request that touches two, a merge with a wrong key for one, and the next run", async () => {
  const world = await startAgency(EIGHT);
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
});

test("the lockfiles of all clients are in one commit, also of those whose apply failed halfway", async () => {
  const world = await startAgency(["acme", "beta", "cora"]);
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("a"),
    [calendarPath("beta")]: clientCalendar("b", "c"),
    [calendarPath("cora")]: clientCalendar("d"),
  });
  await world.plan(12);
  world.services
    .get("beta")
    ?.faults.at(2, { kind: "refused", code: "validation_error" }, { method: "POST", path: "/v1/posts" });
  const merged = await world.merge(12);
  expect(merged.outputs["lockfile"]).toBe("committed");
  expect(newestFiles(world)).toEqual(
    ["acme", "beta", "cora"].map((client) => `clients/${client}/plancast.lock.json`),
  );
  expect(world.repository.log()[0]).toBe("Update the lockfiles of 3 projects");
});

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
      "All projects run, because **.github/workflows/plancast.yml** concerns each of them.",
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

  test("from a fork is checked without keys, and asks no service", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { [calendarPath("acme")]: clientCalendar("a") });
    const job = await world.plan(12, { isFork: true });
    expect([job.failed, job.outputs["result"], namesIn(job)]).toEqual([false, "valid", ["clients/acme"]]);
    expect([asked(world), world.github.requests]).toEqual([[], []]);
  });

  test("says which key is missing for which project, and plans the others", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, {
      [calendarPath("acme")]: clientCalendar("a"),
      [calendarPath("beta")]: clientCalendar("b"),
    });
    const job = await world.plan(12, { env: { ACME_KEY: "" } });
    expect([job.failed, job.outputs["result"], job.outputs["create"]]).toEqual([true, "failed", "1"]);
    expect(commandsIn(job.step(/Run/).log)).toMatchObject([
      {
        command: "error",
        properties: { title: "service/no-key" },
        message: expect.stringMatching(
          /^clients\/acme: ACME_KEY \(service.key_env\) is empty\..*ACME_KEY: \$\{\{ secrets\.ACME_KEY \}\}/,
        ),
      },
    ]);
    const [comment] = world.github.comments;
    expect(comment?.body).toContain("| clients/acme | 🛑 failed |");
    expect(comment?.body).toContain("### Plan: ➕ 1 to create");
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

  test("that removes a project says that its posts stay", async () => {
    const world = await startAgency(["acme", "beta"]);
    await world.open(12, { "clients/acme/plancast.yaml": undefined });
    await world.plan(12);
    expect(world.github.comments[0]?.body).toContain("This pull request removes **clients/acme**.");
  });

  test("cannot use a key for another address, or for another client", async () => {
    const world = await startAgency(["acme", "beta"]);
    const [acme, beta] = ["acme", "beta"].map((client) => world.services.get(client));
    await world.open(12, {
      "clients/acme/plancast.yaml": `service: { url: "${acme?.url}", key_env: BETA_KEY }\n`,
      "clients/beta/plancast.yaml": `service: { url: "${beta?.url}", key_env: ACME_KEY }\n`,
    });
    const job = await world.plan(12);
    expect(job.failed).toBe(true);
    expect(commandsIn(job.step(/Run/).log).map(({ properties }) => properties["title"])).toEqual([
      "service/url-not-confirmed",
      "service/url-not-confirmed",
    ]);
    expect(asked(world)).toEqual([]);
  });
});

test("names of projects are only text in the log, the comment and the summary", async () => {
  const names = ["::error::x", "##[error]y", "<img src=x>", "a|b @team #1 `c`"];
  const world = await startAgency(names);
  await world.open(12, Object.fromEntries(names.map((name) => [calendarPath(name), clientCalendar("a")])));
  const job = await world.plan(12);
  expect([job.failed, strangeCommands(job)]).toEqual([false, []]);
  expect(job.step(/Run/).log).not.toMatch(/^\s*::error::x|##\[/m);
  const body = world.github.comments[0]?.body ?? "";
  expect(body).not.toMatch(/<img|@team|[^&]#1|`c`/);
  expect(body.split("\n").filter((line) => line.startsWith("## "))).toHaveLength(names.length + 1);
  expect((await world.merge(12)).outputs["lockfile"]).toBe("committed");
  expect(Object.values(scheduled(world))).toEqual([1, 1, 1, 1]);
});

test.each([
  ["../*", "is not a pattern for folders in the checkout"],
  ["/etc", "is not a pattern for folders in the checkout"],
  ["clients/{a,..}/x", "is not a pattern for folders in the checkout"],
  ["cliens/*", "matches no folder with a plancast.yaml"],
  ["!clients/*", "only leaves out projects"],
  ["clients/*\n!clients/*", "leaves out every project"],
])("the input projects %j is refused", async (projects, why) => {
  const world = await startAgency(["acme"]);
  const job = await world.apply({ inputs: { projects } });
  expect(job.failed).toBe(true);
  expect(job.step(/Run/).log).toContain(why);
  expect(asked(world)).toEqual([]);
});

test.each([
  ["api-key", "sk_1"],
  ["base-url", "https://api.example.com"],
  ["allow-cancels", "3"],
])("the input %s is refused, because it is for one project", async (name, value) => {
  const world = await startAgency(["acme"]);
  const job = await world.apply({ inputs: { [name]: value } });
  expect(job.step(/Run/).log).toContain(`The input ${name} is for one project`);
  expect(asked(world)).toEqual([]);
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

test("somebody pushes lockfiles during an apply: readable ones are merged, and one in conflict stays", async () => {
  const world = await startAgency(["acme", "beta"]);
  const { repository } = world;
  await world.open(12, {
    [calendarPath("acme")]: clientCalendar("a"),
    [calendarPath("beta")]: clientCalendar("b"),
  });
  await world.plan(12);
  await world.merge(12);
  const lock = (client: string): string => `clients/${client}/plancast.lock.json`;
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
