import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ForeignService, startForeignService } from "../support/foreign-service.ts";
import { afterThisTest } from "../support/after-test.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "../support/github/repository.ts";
import { makeProject } from "../support/project.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { TestClock } from "../support/test-clock.ts";

const NOW = Date.parse("2036-03-01T08:00:00Z");
const HOUR_MS = 3_600_000;
const HEADER = ["id", "scheduled_at", "platforms", "content", "client"];
const ROWS = [
  ["lamp", "2036-03-02 10:00", "linkedin", "Our new lamp", "acme"],
  ["chair", "2036-03-03 10:00", "x", "Our new chair", "acme"],
  ["bread", "2036-03-04 10:00", "linkedin", "Fresh bread", "mill"],
] as const;
const CALENDAR = csv(HEADER, ...ROWS);
const CONFIG = { columns: { client: "ignore" }, platforms: { x: "twitter" }, timezone: "UTC" };

async function scenario(): Promise<Scenario> {
  const started = await startScenario({ config: CONFIG, files: { "calendars/a.csv": CALENDAR } });
  started.clock.advance(NOW - started.clock.now());
  await started.apply();
  return started;
}

function texts({ service }: { readonly service: ForeignService }): readonly string[] {
  return service
    .scheduled()
    .map(({ content }) => content)
    .toSorted();
}

test("cancels the posts of a client at once, keeps them away, and each comes back once after the release", async () => {
  const team = await scenario();
  const held = await team.json(0, "hold", "--only", "client=Acme", "--reason", "Recall of the lamp", "--yes");
  expect(held).toMatchObject({
    hold: { only: { client: ["Acme"] }, reason: "Recall of the lamp" },
    kept: "checkout",
    apply: { summary: { cancelled: 2, created: 0 } },
  });
  expect(texts(team)).toEqual(["Fresh bread"]);

  // An edit of a held row, and a new row of the client, stay away, too.
  await team.project.write(
    "calendars/a.csv",
    csv(HEADER, ["lamp", "2036-03-02 11:00", "x", "A lamp", "acme"], ...ROWS.slice(1), [
      "table",
      "2036-03-05 10:00",
      "x",
      "A table",
      "acme",
    ]),
  );
  await team.apply();
  expect(texts(team)).toEqual(["Fresh bread"]);
  expect(await team.summary()).toEqual({ keep: 1, held: 3 });
  const { problems } = await team.plan();
  expect(problems).toMatchObject([
    { code: "plan/held", message: expect.stringContaining("Recall of the lamp") },
  ]);
  const status = await team.run("status");
  expect(status.stdout).toContain("held");

  const released = await team.run("release", "--yes");
  expect(released.stdout).toContain("The next apply schedules 3 posts.");
  await team.apply();
  expect(texts(team)).toEqual(["A lamp", "A table", "Fresh bread", "Our new chair"]);
  expect((await team.apply()).summary).toMatchObject({ created: 0 });
});

test("ends at its time, and never sends a post late", async () => {
  const team = await scenario();
  await team.run("hold", "--until", "2036-03-03 09:00", "--reason", "Strike", "--yes");
  expect(texts(team)).toEqual([]);
  team.clock.advance(25 * HOUR_MS);
  await team.apply();
  expect(texts(team)).toEqual([]);
  team.clock.advance(2 * HOUR_MS);
  expect((await team.apply()).summary).toMatchObject({ created: 0 });
  team.clock.advance(22 * HOUR_MS + 1);
  await team.apply();
  expect(texts(team)).toEqual(["Fresh bread", "Our new chair"]);
  const { problems } = await team.plan();
  expect(problems).toMatchObject([
    { code: "plan/passed-while-held", message: expect.stringContaining("1 post was due while it was held") },
  ]);
});

test.each([
  ["a column that no calendar has", ["--only", "cleint=acme", "--reason", "a"], 'by their "cleint"'],
  ["a value that no row has", ["--only", "client=acmee", "--reason", "a"], "No row fits client=acmee"],
  ["a time that has passed", ["--until", "2036-02-01", "--reason", "a"], "has passed"],
  ["no reason", [], "needs a reason"],
])("refuses %s, and changes nothing", async (_name, args, expected) => {
  const team = await scenario();
  const ran = await team.run("hold", ...args, "--yes");
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(expected) });
  expect(texts(team)).toHaveLength(3);
  await expect(team.project.read("plancast.holds.yaml")).rejects.toThrow();
});

test("a file with holds that cannot be read stops every plan: a link or a folder holds nothing", async () => {
  const team = await scenario();
  const { project } = team;
  await symlink("elsewhere.yaml", join(project.root, "plancast.holds.yaml"));
  expect(await team.run("plan")).toMatchObject({ code: 1, stderr: expect.stringContaining("disk/linked") });
  await project.remove("plancast.holds.yaml");
  await mkdir(join(project.root, "plancast.holds.yaml"));
  expect(await team.run("plan")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("hold/unreadable"),
  });
});

test("stops everything, also the post of a row that has an error by now, and one whose row is gone", async () => {
  const team = await scenario();
  await team.project.write(
    "calendars/a.csv",
    csv(
      HEADER,
      ["lamp", "no time", "linkedin", "Our new lamp", "acme"],
      ["bread", "2036-03-04 10:00", "linkedin", "Fresh bread", "mill"],
    ),
  );
  const held = await team.run("hold", "--reason", "Stop", "--yes");
  expect(held, held.stderr).toMatchObject({ code: 0 });
  expect(texts(team)).toEqual([]);
});

test("cancels the posts of unchanged rows although the lockfile is lost", async () => {
  const team = await scenario();
  await team.project.remove("plancast.lock.json");
  await team.project.remove(".plancast");
  await team.json(0, "hold", "--only", "client=acme", "--reason", "Recall", "--yes");
  expect(texts(team)).toEqual(["Fresh bread"]);
});

test("notes the hold although the service cannot be reached, and says so", async () => {
  const team = await scenario();
  await team.service.close();
  const held = await team.run("hold", "--reason", "Stop", "--yes");
  expect(held.code).toBe(1);
  expect(await team.project.read("plancast.holds.yaml")).toContain("Stop");
});

test("releases the hold with the same conditions, and lists the holds if it cannot know which", async () => {
  const team = await scenario();
  for (const client of ["acme", "mill"])
    await team.run("hold", "--only", `client=${client}`, "--reason", `Recall of ${client}`, "--yes");
  const unsure = await team.run("release", "--yes");
  expect(unsure).toMatchObject({ code: 1, stderr: expect.stringContaining("There are 2 holds") });
  expect(unsure.stderr).toContain("client=mill, “Recall of mill”");
  const stranger = await team.run("release", "--only", "client=other", "--yes");
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining("exactly these conditions") });
  await team.json(0, "release", "--only", "Client=ACME", "--yes");
  await team.apply();
  expect(texts(team)).toEqual(["Our new chair", "Our new lamp"]);
});

test("asks a person, and a no changes nothing", async () => {
  const team = await scenario();
  const asked: string[] = [];
  const ran = await runCommand(["hold", "--only", "client=acme", "--reason", "Recall"], {
    cwd: team.project.root,
    env: team.env,
    clock: team.clock,
    terminal: {
      answer: (question) => {
        asked.push(question);
        return false;
      },
    },
  });
  expect(ran.code).toBe(1);
  expect(asked).toEqual(["Hold client=acme? It cancels the 2 posts above. [y/N] "]);
  expect(texts(team)).toHaveLength(3);
});

test("a file with git's conflict markers stops every plan", async () => {
  const team = await scenario();
  await team.project.write("plancast.holds.yaml", "<<<<<<< HEAD\n=======\n>>>>>>> main\n");
  const ran = await team.run("apply", "--yes");
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("plancast.holds.yaml:1 is not a hold"),
  });
});

interface Team {
  readonly service: ForeignService;
  readonly repository: TestRepository;
  readonly run: (...args: string[]) => Promise<CommandResult>;
}

async function team(): Promise<Team> {
  const clock: TestClock = new TestClock(() => service.isBusy(), NOW);
  const service: ForeignService = await startForeignService({ now: () => clock.now() });
  afterThisTest(() => service.close());
  const repository = await makeRepository({ "calendars/a.csv": CALENDAR }, CONFIG);
  const env = { ...GIT_ENV, PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
  const run = (...args: string[]) => runCommand(args, { cwd: repository.project.root, env, clock });
  await run("apply", "--yes");
  repository.push("lockfile");
  return { service, repository, run };
}

test("pushes only its own file to the main branch, also from another branch, and this clone obeys it", async () => {
  const { service, repository, run } = await team();
  repository.git("checkout", "-q", "-b", "idea");
  await repository.project.write("notes.txt", "unfinished");
  const held = await run("hold", "--only", "client=acme", "--reason", "Recall", "--yes");
  expect(held, held.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("It is on main") });
  expect(repository.log()[0]).toBe("Hold client=acme: Recall");
  expect(repository.remoteFile("plancast.holds.yaml")).toContain('"client":["acme"]');
  expect(repository.remoteFile("notes.txt")).toBe("");
  expect(texts({ service })).toEqual(["Fresh bread"]);
  await run("apply", "--yes");
  expect(texts({ service })).toEqual(["Fresh bread"]);
  const early = await run("release", "--yes");
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("git pull") });
});

test("a clone with an older lockfile schedules each post once after the release, and asks nothing", async () => {
  const { service, repository, run } = await team();
  await run("hold", "--only", "client=acme", "--reason", "Recall", "--yes");
  // The lockfile of the person who held the posts never reaches the branch.
  repository.pull();
  await run("release", "--yes");
  repository.push("release");
  const applied = await run("apply", "--yes");
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(texts({ service })).toEqual(["Fresh bread", "Our new chair", "Our new lamp"]);
});

test("cancels the post that a colleague's newer lockfile has, and fetches it first", async () => {
  const { service, repository, run } = await team();
  const before = await repository.project.read("plancast.lock.json");
  const edited = csv(
    HEADER,
    ["lamp", "2036-03-02 11:00", "linkedin", "A better lamp", "acme"],
    ...ROWS.slice(1),
  );
  await repository.project.write("calendars/a.csv", edited);
  await run("apply", "--yes");
  await repository.pushByOther("plancast.lock.json", await repository.project.read("plancast.lock.json"));
  // This clone knows neither the edit nor its lockfile.
  await repository.project.write("plancast.lock.json", before);
  await repository.project.write("calendars/a.csv", CALENDAR);
  await repository.project.remove(".plancast");
  const held = await run("hold", "--only", "id=lamp", "--reason", "Recall", "--yes");
  expect(held, held.stderr).toMatchObject({ code: 0 });
  expect(texts({ service })).toEqual(["Fresh bread", "Our new chair"]);
});

test("cancels although the push is refused, and says what to do", async () => {
  const { service, repository, run } = await team();
  await repository.beforePush("exit 1");
  const held = await run("hold", "--reason", "Stop", "--yes");
  expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining("push it to main") });
  expect(texts({ service })).toEqual([]);
  expect(await repository.project.read("plancast.holds.yaml")).toContain("Stop");
});

test("holds every client at once, also if a shell expands their folders", async () => {
  const clock: TestClock = new TestClock(() => service.isBusy(), NOW);
  const service: ForeignService = await startForeignService({ now: () => clock.now() });
  afterThisTest(() => service.close());
  const settings = `service: { url: "${service.url}" }\ncolumns: { client: ignore }\ntimezone: UTC\n`;
  const project = await makeProject({
    config: false,
    files: {
      "clients/acme/plancast.yaml": settings,
      "clients/acme/calendars/a.csv": csv(HEADER, ROWS[0]),
      "clients/mill/plancast.yaml": settings,
      "clients/mill/calendars/a.csv": csv(HEADER, ROWS[2]),
      "clients/README.md": "Our clients.",
    },
  });
  const env = { PLANCAST_API_KEY: service.key, PLANCAST_TRUSTED_ORIGINS: `${service.url}=PLANCAST_API_KEY` };
  const run = (...args: string[]) => runCommand(args, { cwd: project.root, env, clock });
  const applied = await run("apply", "--all", "--yes");
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  const folders = ["clients/README.md", "clients/acme", "clients/mill"];
  const held = await run("hold", "--all", ...folders, "--reason", "Day of mourning", "--yes");
  expect(held, held.stderr).toMatchObject({ code: 0 });
  expect(texts({ service })).toEqual([]);
  await run("release", "--all", "clients", "--yes");
  await run("apply", "--all", "--yes");
  expect(texts({ service })).toEqual(["Fresh bread", "Our new lamp"]);
});

test("a clone that is behind the release asks, and creates no second version", async () => {
  const { service, repository, run } = await team();
  await run("hold", "--only", "id=lamp", "--reason", "Recall", "--yes");
  repository.pull();
  const old = await repository.project.read("plancast.lock.json");
  await run("release", "--yes");
  await repository.project.write("calendars/a.csv", CALENDAR.replace("Our new lamp", "A better lamp"));
  await run("apply", "--yes");
  repository.push("released, and applied");
  // Another clone has the release and its own text, but not the lockfile.
  repository.git("reset", "-q", "--hard", "HEAD~1");
  const holds = repository.remoteFile("plancast.holds.yaml");
  await repository.project.write("plancast.holds.yaml", `${holds}\n`);
  await repository.project.write("plancast.lock.json", old);
  await repository.project.remove(".plancast");
  const applied = await run("apply", "--yes");
  expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining("apply/missing") });
  expect(texts({ service })).toEqual(["A better lamp", "Fresh bread", "Our new chair"]);
});
