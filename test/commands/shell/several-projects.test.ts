/** --all: one command for every project below a folder. */

import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type ForeignOptions,
  type ForeignService,
  startForeignService,
} from "../../support/foreign-service.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type CommandOptions, type CommandResult, runCommand } from "../../support/run-command.ts";
import { csv } from "../../support/scenario.ts";
import { TestClock } from "../../support/test-clock.ts";

const CALENDAR = csv(
  ["id", "scheduled_at", "platforms", "content"],
  ["a", "2036-03-01 09:00", "linkedin", "Hello"],
);

/** The calendar with another post. */
function posts(id: string): string {
  return CALENDAR.replace('"a"', `"${id}"`).replace("Hello", id);
}

interface Client {
  readonly service: ForeignService;
  /** Name of the variable with its key. */
  readonly variable: string;
  readonly calendar?: string;
}

interface Agency {
  readonly project: TestProject;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], options?: Partial<CommandOptions>) => Promise<CommandResult>;
}

async function startService(options: ForeignOptions = {}): Promise<ForeignService> {
  const service = await startForeignService(options);
  afterThisTest(() => service.close());
  return service;
}

/** A repository with a project for each client in clients/. */
async function startAgency(clients: Readonly<Record<string, Client>>): Promise<Agency> {
  const files = Object.entries(clients).flatMap(([name, { service, variable, calendar = CALENDAR }]) => [
    [
      `clients/${name}/plancast.yaml`,
      `service: { url: "${service.url}", key_env: ${variable} }\ntimezone: UTC\n`,
    ],
    [`clients/${name}/calendars/posts.csv`, calendar],
  ]);
  const project = await makeProject({
    config: false,
    files: { ".git/HEAD": "ref: refs/heads/main\n", ...Object.fromEntries(files) },
  });
  const all = Object.values(clients);
  const env = {
    ...Object.fromEntries(all.map(({ service, variable }) => [variable, service.key])),
    PLANCAST_TRUSTED_ORIGINS: all.map(({ service, variable }) => `${service.origin}=${variable}`).join(","),
  };
  const clock = new TestClock(() => all.some(({ service }) => service.isBusy()));
  return {
    project,
    env,
    run: (args, options = {}) => runCommand(args, { cwd: project.root, env, clock, ...options }),
  };
}

const document = z.object({
  version: z.literal(1),
  projects: z.array(
    z.looseObject({
      project: z.string(),
      exit_code: z.number().optional(),
      summary: z.record(z.string(), z.number()).optional(),
      problems: z.array(z.object({ code: z.string(), file: z.string().optional() })).optional(),
    }),
  ),
  problems: z.array(z.object({ code: z.string() })).optional(),
});

function read({ stdout }: CommandResult): z.infer<typeof document> {
  return document.parse(JSON.parse(stdout));
}

describe("plan --all", () => {
  test("plans each project with its own service and key, below its name", async () => {
    const [acme, beta] = [await startService(), await startService()];
    const { run } = await startAgency({
      beta: { service: beta, variable: "BETA_KEY", calendar: CALENDAR.replace("Hello", "From Beta") },
      acme: { service: acme, variable: "ACME_KEY", calendar: CALENDAR.replace("Hello", "From Acme") },
    });
    const { code, stdout, stderr } = await run(["plan", "--all"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "\n2 projects: 2 done.\n" });
    expect(stdout).toMatch(
      /^Project clients\/acme\n[^]*From Acme[^]*1 to create[^]*\n\nProject clients\/beta\n[^]*From Beta[^]*1 to create/,
    );
    expect(stdout).not.toContain(acme.key);
    for (const service of [acme, beta]) {
      expect(service.requests.length).toBeGreaterThan(0);
      // With the key of the other project, the scope would be undefined.
      expect(service.requests.every(({ scope }) => scope !== undefined)).toBe(true);
    }
  });

  test("continues after a failed project, names it, and exits with the worst code", async () => {
    const [acme, beta, gone] = [await startService(), await startService(), await startService()];
    const { run, project } = await startAgency({
      acme: { service: acme, variable: "ACME_KEY" },
      beta: { service: beta, variable: "BETA_KEY", calendar: CALENDAR.replace("linkedin", "nowhere") },
      gone: { service: gone, variable: "GONE_KEY" },
      zeta: { service: acme, variable: "ACME_KEY" },
    });
    await gone.close();
    await project.write("clients/broken/plancast.yaml", "timezoen: UTC\n");
    const { code, stdout, stderr } = await run(["plan", "--all", "--detailed-exitcode"]);
    expect(code).toBe(1);
    expect(stdout.match(/1 to create/g)).toHaveLength(2);
    expect(stderr).toMatch(
      /Project clients\/beta\n[^]*nowhere[^]*Project clients\/broken\n[^]*project\/unknown-key/,
    );
    expect(stderr).toContain("5 projects: 2 with changes, 3 failed.\n");
    expect(stderr).toContain("failed: clients/beta, clients/broken, clients/gone\n");
    const changes = await run(["plan", "--all", "--detailed-exitcode", "--only", "platform=linkedin"]);
    expect(changes.code).toBe(1);
  });

  test("exits with 2 if there are changes and nothing failed", async () => {
    const service = await startService();
    const { run } = await startAgency({
      acme: { service, variable: "ACME_KEY" },
      done: { service, variable: "ACME_KEY", calendar: CALENDAR.replace("2036", "2020") },
    });
    expect((await run(["plan", "--all", "--detailed-exitcode"])).code).toBe(2);
    expect((await run(["plan", "--all=clients/done", "--detailed-exitcode"])).code).toBe(0);
  });

  test("prints one JSON document that contains the document of each project", async () => {
    const [acme, beta] = [await startService(), await startService()];
    const { run, project } = await startAgency({
      acme: { service: acme, variable: "ACME_KEY" },
      beta: { service: beta, variable: "BETA_KEY", calendar: CALENDAR.replace("linkedin", "nowhere") },
    });
    await project.write("clients/broken/plancast.yaml", "timezoen: UTC\n");
    const ended = await run(["plan", "--all", "--format", "json"]);
    expect(read(ended)).toMatchObject({
      version: 1,
      projects: [
        { project: "clients/acme", exit_code: 0, version: 1, summary: { create: 1 }, problems: [] },
        { project: "clients/beta", exit_code: 1, problems: [{ file: "calendars/posts.csv" }] },
        { project: "clients/broken", exit_code: 1, problems: [{ code: "project/unknown-key" }] },
      ],
    });
    expect(ended.code).toBe(1);
    const below = await run(["plan", "--format", "json", "--all", "../.."], {
      cwd: join(project.root, "clients/acme"),
    });
    expect(read(below).projects.map((each) => each.project)).toEqual([".", "../beta", "../broken"]);
  });

  test("asks for one list, which projects with the same service and key share", async () => {
    const [shared, other] = [
      await startService(),
      await startService({ keys: { one: "write", two: "write" } }),
    ];
    const { run, project, env } = await startAgency({
      acme: { service: shared, variable: "SHARED_KEY", calendar: posts("acme") },
      beta: { service: shared, variable: "SHARED_KEY", calendar: posts("beta") },
      gamma: { service: other, variable: "GAMMA_KEY", calendar: posts("gamma") },
      zeta: { service: other, variable: "ZETA_KEY", calendar: posts("zeta") },
    });
    const keys = { ...env, GAMMA_KEY: "one", ZETA_KEY: "two" };
    const applied = await run(["apply", "--all", "--yes", "--format", "json"], { env: keys });
    expect(applied.code, applied.stderr).toBe(0);
    expect(read(applied).projects.map(({ summary }) => summary?.["created"])).toEqual([1, 1, 1, 1]);
    const before = [shared.counters.lists, other.counters.lists];
    const planned = read(await run(["plan", "--all", "--format", "json"], { env: keys }));
    expect(planned.projects.map(({ summary }) => summary?.["keep"])).toEqual([1, 1, 1, 1]);
    expect(shared.counters.lists - (before[0] ?? 0)).toBe(1);
    expect(other.counters.lists - (before[1] ?? 0)).toBe(2);
    expect(
      Object.keys(await project.tree()).filter((path) => path.endsWith("plancast.lock.json")),
    ).toHaveLength(4);
  });

  test("reads a list of its own for a new row, whatever earlier projects requested", async () => {
    const service = await startService();
    const { run } = await startAgency({
      acme: { service, variable: "ACME_KEY", calendar: CALENDAR.replace("2036", "2020") },
      beta: { service, variable: "ACME_KEY" },
    });
    await run(["plan", "--all"]);
    const both = service.counters.lists;
    await run(["plan", "--all=clients/beta"]);
    const alone = service.counters.lists - both;
    expect(alone).toBe(2);
    expect(both).toBe(2);
  });

  test("asks about each key below the name of its project", async () => {
    const { run, project, env } = await startAgency({
      acme: { service: await startService(), variable: "ACME_KEY" },
      beta: { service: await startService(), variable: "BETA_KEY" },
    });
    const { PLANCAST_TRUSTED_ORIGINS: _trusted, ...keys } = env;
    const asked: string[] = [];
    const { code, stdout } = await run(["plan", "--all"], {
      env: { ...keys, NO_COLOR: "1", XDG_CONFIG_HOME: join(project.root, ".git") },
      terminal: {
        answer: (question) => {
          asked.push(/\w+_KEY/.exec(question)?.[0] ?? "");
          return question.includes("BETA_KEY");
        },
      },
    });
    expect(asked).toEqual(["ACME_KEY", "BETA_KEY"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Project clients\/acme\n\nProject clients\/beta\n[^]*1 to create/);
  });

  test("stops between two projects, and says which were not started", async () => {
    const service = await startService();
    const { run } = await startAgency({
      acme: { service, variable: "ACME_KEY" },
      beta: { service, variable: "ACME_KEY" },
      zeta: { service, variable: "ACME_KEY" },
    });
    const stop = new AbortController();
    service.faults.at(1, { kind: "run-before", run: () => stop.abort() });
    const ended = await run(["plan", "--all", "--format", "json"], { stop: stop.signal });
    expect(ended.code).toBe(130);
    expect(read(ended).projects.slice(1)).toEqual([{ project: "clients/beta" }, { project: "clients/zeta" }]);
    const text = await run(["plan", "--all"], { stop: stop.signal });
    expect(text.code).toBe(130);
    expect(text.stderr).toMatch(/not started: .*clients\/zeta/);
  });
});

describe("other commands with --all", () => {
  test("validate checks each project without the service", async () => {
    const service = await startService();
    const { run } = await startAgency({
      acme: { service, variable: "ACME_KEY" },
      beta: { service, variable: "BETA_KEY", calendar: CALENDAR.replace("2036-03-01", "2036-02-30") },
    });
    const { code, stdout } = await run(["validate", "--all"], { env: {} });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Project clients\/acme\n1 calendar without problems[^]*Project clients\/beta\n[^]*02-30/,
    );
    expect(service.requests).toEqual([]);
  });

  test("status and preview run for each project, and preview writes into its folder", async () => {
    const service = await startService();
    const { run, project } = await startAgency({
      acme: { service, variable: "ACME_KEY" },
      beta: { service, variable: "ACME_KEY", calendar: CALENDAR.replace("linkedin", "twitter") },
    });
    expect((await run(["apply", "--all", "--yes"])).code).toBe(0);
    const status = await run(["status", "--all"]);
    expect(status.stdout).toMatch(
      /^Project clients\/acme\n[^]*Status: 1 scheduled[^]*\nProject clients\/beta\n[^]*Status: 1 scheduled/,
    );
    const preview = await run(["preview", "--all"]);
    expect(preview.stdout).toContain("Wrote clients/beta/preview.html: 1 upcoming post.");
    expect(await project.read("clients/acme/preview.html")).toContain("Hello");
    expect(await run(["preview", "--all", "--for-client"])).toMatchObject({ code: 0 });
    expect(await project.read("clients/beta/client.html")).toContain("Hello");
    expect(await project.read("clients/acme/preview.html")).toContain("Hello");
  });

  test("apply needs --yes without a terminal, and applies the projects that can be applied", async () => {
    const [acme, beta] = [await startService(), await startService()];
    const { run } = await startAgency({
      acme: { service: acme, variable: "ACME_KEY", calendar: CALENDAR.replace("linkedin", "nowhere") },
      beta: { service: beta, variable: "BETA_KEY" },
    });
    const refused = await run(["apply", "--all"]);
    expect(refused.stderr).toContain("run/needs-terminal");
    expect(beta.scheduled()).toEqual([]);
    const { code, stderr } = await run(["apply", "--all", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("2 projects: 1 done, 1 failed.");
    expect(beta.scheduled()).toHaveLength(1);
  });
});

describe("--all finds projects", () => {
  test("in the folder, below it and inside other projects, but not through links or in tool folders", async () => {
    const project = await makeProject({ config: "timezone: UTC\n" });
    const below = ["b", "b/calendars/c", "a.b", "node_modules/p", "b/.git/p", "b/.plancast/p", "other/d"];
    for (const folder of below) await project.write(`${folder}/plancast.yaml`, "timezone: UTC\n");
    await mkdir(join(project.root, "e/plancast.yaml"), { recursive: true });
    await symlink("../other", join(project.root, "b/link"));
    await symlink(".", join(project.root, "b/self"));
    const { stdout } = await runCommand(["validate", "--all", "--format", "json"], { cwd: project.root });
    expect(read({ stdout, stderr: "", code: 0 }).projects.map((each) => each.project)).toEqual([
      "a.b",
      "b/calendars/c",
      "b",
      "other/d",
      ".",
    ]);
  });

  test("but reports a plancast.yaml that is a link out of its folder", async () => {
    const project = await makeProject({
      config: false,
      files: { "a/plancast.yaml": "timezone: UTC\n", "b/.keep": "" },
    });
    await symlink("../a/plancast.yaml", join(project.root, "b/plancast.yaml"));
    const ended = await runCommand(["validate", "--all", "--format", "json"], { cwd: project.root });
    expect(read(ended).projects).toMatchObject([
      { project: "a", exit_code: 0 },
      { project: "b", exit_code: 1, problems: [{ code: "disk/outside" }] },
    ]);
  });

  test("but runs no two projects that would publish the same calendar", async () => {
    const service = await startService();
    const { run, project, env } = await startAgency({ acme: { service, variable: "ACME_KEY" } });
    await project.write(
      "plancast.yaml",
      `service: { url: "${service.url}", key_env: ACME_KEY }\ntimezone: UTC\ncalendars: ["**/*.csv"]\n`,
    );
    await project.write("other/plancast.yaml", "timezone: UTC\ncalendars: [a.csv]\n");
    await project.write("clients/broken/plancast.yaml", "timezoen: UTC\n");
    const ended = await run(["validate", "--all", "--format", "json"], { env: {} });
    expect(read(ended).projects).toMatchObject([
      { project: "clients/acme", problems: [{ code: "project/shared-calendar" }] },
      { project: "clients/broken", problems: [{ code: "project/unknown-key" }] },
      { project: "other", exit_code: 0 },
      { project: ".", problems: [{ code: "project/shared-calendar" }] },
    ]);
    expect((await run(["apply", "--all", "--yes"])).stderr).toContain(
      "clients/acme/calendars/posts.csv is also a calendar of the project clients/acme",
    );
    expect(service.scheduled()).toEqual([]);
    await project.write("extra.csv", posts("extra"));
    const narrowed = (await project.read("plancast.yaml")).replace('"**/*.csv"', '"**/*.csv", "!clients/**"');
    await project.write("plancast.yaml", narrowed);
    expect((await run(["apply", "--yes", "--all", "."], { env })).stderr).toContain("2 failed");
    expect(service.scheduled()).toHaveLength(2);
  });

  test("but runs no two projects whose lockfiles name the same post", async () => {
    const service = await startService();
    const client = { service, variable: "ACME_KEY" };
    const { run, project } = await startAgency({
      acme: client,
      beta: { ...client, calendar: posts("beta") },
    });
    expect((await run(["apply", "--all", "--yes"])).code).toBe(0);
    const lockfile = await project.read("clients/acme/plancast.lock.json");
    // As if somebody had copied the project.
    await project.write("clients/copy/plancast.yaml", await project.read("clients/acme/plancast.yaml"));
    await project.write("clients/copy/calendars/posts.csv", posts("copy"));
    await project.write("clients/copy/plancast.lock.json", lockfile);
    const ended = await run(["apply", "--all", "--yes", "--format", "json"]);
    expect(ended.code).toBe(1);
    expect(read(ended).projects).toMatchObject([
      { project: "clients/acme", exit_code: 1 },
      { project: "clients/beta", exit_code: 0 },
      { project: "clients/copy", exit_code: 1 },
    ]);
    expect(service.scheduled()).toHaveLength(2);
    expect((await run(["plan", "--all"])).stderr).toContain(
      "The lockfile of the project clients/copy also names the post",
    );
    await project.write("clients/copy/plancast.lock.json", "<<<<<<< ours\n");
    expect((await run(["validate", "--all"], { env: {} })).code).toBe(0);
  });

  test("without --all, the message for a folder with projects below names one of them", async () => {
    const files = { "clients/acme/plancast.yaml": "", "clients/beta/plancast.yaml": "" };
    const project = await makeProject({ config: false, files });
    const { code, stderr } = await runCommand(["plan"], { cwd: project.root });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /There are 2 projects below. Go to clients\/acme, or to another one. Or add --all/,
    );
  });

  test("or says that there are no projects", async () => {
    const project = await makeProject({ config: false, files: { "a/posts.csv": CALENDAR } });
    const none = await runCommand(["plan", "--all", "a", "--format", "json"], { cwd: project.root });
    expect(none.code).toBe(1);
    expect(read(none)).toMatchObject({ projects: [], problems: [{ code: "project/not-found" }] });
    for (const folder of ["none", "a/posts.csv"]) {
      const { code, stderr } = await runCommand(["plan", "--all", folder], { cwd: project.root });
      expect(code).toBe(1);
      expect(stderr).toContain(`${folder} is not a folder.`);
    }
  });
});

describe("--all refuses what is for one project", () => {
  test.each([
    [["plan", "calendars/posts.csv", "--all"], "You cannot name calendars with --all"],
    [["plan", "--all", "--out", "plan.json"], "--out"],
    [["plan", "--all", "--watch"], "--watch"],
    [["plan", "--all", "--config", "plancast.yaml"], "--config"],
    [["plan", "--all", "--api-key-file", "key"], "--api-key-file"],
    [["apply", "--all", "--plan", "plan.json"], "--plan"],
    [["apply", "--all", "--yes", "--allow-cancels", "0"], "--allow-cancels"],
    [["apply", "--all", "--yes", "--allow-recreates", "3"], "--allow-recreates"],
    [["preview", "--all", "--serve"], "--serve"],
  ])("%j", async (args, message) => {
    const service = await startService();
    const { run } = await startAgency({ acme: { service, variable: "ACME_KEY" } });
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain("usage/arguments");
    expect(service.requests).toEqual([]);
  });

  test("refuses PLANCAST_BASE_URL, which would send each key to the same address", async () => {
    const service = await startService();
    const { run, env } = await startAgency({ acme: { service, variable: "ACME_KEY" } });
    for (const command of ["validate", "plan", "apply", "status", "preview"]) {
      const { code, stderr } = await run([command, "--all"], {
        env: { ...env, PLANCAST_BASE_URL: service.url },
      });
      expect(code).toBe(1);
      expect(stderr).toContain("service/one-address");
    }
    expect(service.requests).toEqual([]);
    expect((await run(["plan", "--all"], { env: { ...env, PLANCAST_BASE_URL: "" } })).code).toBe(0);
  });

  test("a command that runs for one project does not have --all", async () => {
    const project = await makeProject();
    const { code, stderr } = await runCommand(["rules", "--all"], { cwd: project.root });
    expect(code).toBe(1);
    expect(stderr).toContain("has no flag `--all`");
  });
});
