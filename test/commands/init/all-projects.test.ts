/** `plancast init` for clients: a calendar in a client's folder, and all clients at once. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type TestProject, makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { csv } from "../../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];

async function repository(...clients: readonly string[]): Promise<TestProject> {
  const rows = clients.map((name): [string, string] => [
    `clients/${name}/plan.csv`,
    csv(HEADER, [name, "2036-03-01 10:00", "linkedin", `Hello from ${name}`]),
  ]);
  return makeProject({
    config: false,
    files: { ".git/HEAD": "ref: refs/heads/main\n", ...Object.fromEntries(rows) },
  });
}

async function init({ root }: TestProject, ...args: readonly string[]) {
  return runCommand(["init", "--yes", ...args], { cwd: root, env: { TZ: "UTC" } });
}

test("a calendar in a client's folder starts the project there, also for the second client", async () => {
  const project = await repository("acme", "mill");
  expect(await init(project, "clients/acme/plan.csv")).toMatchObject({ code: 0 });
  expect(await init(project, "clients/mill/plan.csv")).toMatchObject({ code: 0 });
  expect(parse(await project.read("clients/acme/plancast.yaml"))).toMatchObject({ calendars: ["plan.csv"] });
  expect(parse(await project.read("clients/mill/plancast.yaml"))).toMatchObject({
    calendars: ["plan.csv"],
    service: { key_env: "MILL_KEY" },
  });
  const all = await runCommand(["validate", "--all"], { cwd: project.root });
  expect(all).toMatchObject({ code: 0 });
});

test.each([
  ["calendars/march.csv", "plancast.yaml"],
  ["posts/march.csv", "plancast.yaml"],
  ["brand/calendars/march.csv", "plancast.yaml"],
  ["march.csv", "plancast.yaml"],
])("a calendar %s starts the project in the working folder", async (file, expected) => {
  const text = csv(HEADER, ["a", "2036-03-01 10:00", "linkedin", "Hello"]);
  const project = await makeProject({ config: false, files: { [file]: text } });
  expect(await init(project, file)).toMatchObject({ code: 0 });
  expect(parse(await project.read(expected)).calendars).toHaveLength(1);
});

test("--all starts every client with one shared file, one workflow, and a key for each", async () => {
  const project = await repository("acme", "mill");
  await project.write("clients/notes.txt", "Not a client");
  const folders = ["clients/acme", "clients/mill", "clients/notes.txt"];
  const { code, stderr } = await init(project, "--timezone", "Europe/Paris", "--all", ...folders);
  expect(code, stderr).toBe(0);
  expect(parse(await project.read("agency.yaml"))).toMatchObject({ timezone: "Europe/Paris" });
  for (const [name, key] of [
    ["acme", "ACME_KEY"],
    ["mill", "MILL_KEY"],
  ])
    expect(parse(await project.read(`clients/${name}/plancast.yaml`))).toEqual({
      extends: "../../agency.yaml",
      service: { key_env: key },
      calendars: ["plan.csv"],
    });
  const workflows = Object.keys(await project.tree()).filter((path) => path.includes("workflows/"));
  expect(workflows).toEqual([".github/workflows/plancast.yml"]);
  const workflow = await project.read(".github/workflows/plancast.yml");
  expect(workflow).toContain("ACME_KEY: ${{ secrets.ACME_KEY }}");
  expect(workflow).toContain("clients/*");
  const lines = stderr.split("\n").filter((line) => line.startsWith("    gh "));
  expect(lines.map((line) => line.trim())).toEqual([
    "gh secret set ACME_KEY --env publish",
    "gh secret set MILL_KEY --env publish",
    "gh secret set ACME_READ_KEY",
    "gh secret set MILL_READ_KEY",
    'gh variable set PLANCAST_TRUSTED_ORIGINS --body "https://YOUR-SERVICE/v1=ACME_KEY,https://YOUR-SERVICE/v1=MILL_KEY"',
  ]);
  expect(await runCommand(["validate", "--all"], { cwd: project.root })).toMatchObject({ code: 0 });
});

test("--all with one folder takes the folders in it, adds later clients, and leaves the others as they are", async () => {
  const project = await repository("acme");
  expect(await init(project, "--all", "clients")).toMatchObject({ code: 0 });
  const before = await project.read("clients/acme/plancast.yaml");
  await project.write("clients/mill/plan.csv", csv(HEADER, ["m", "2036-03-01 10:00", "linkedin", "Hello"]));
  const { code, stderr } = await init(project, "--all", "clients");
  expect(code, stderr).toBe(0);
  expect(await project.read("clients/acme/plancast.yaml")).toBe(before);
  expect(await project.read(".github/workflows/plancast.yml")).toContain("MILL_KEY");
  expect(await init(project, "--all", "clients")).toMatchObject({ code: 1 });
});

test("a client whose calendar needs answers does not stop the others, and is named at the end", async () => {
  const project = await repository("acme", "mill");
  await project.write("clients/beta/plan.csv", "Strange,Other\n1,2\n");
  const { code, stderr } = await init(project, "--all", "clients");
  expect(code).toBe(1);
  expect(stderr).toContain("Not finished: clients/beta.");
  expect(parse(await project.read("clients/mill/plancast.yaml"))).toHaveProperty("extends");
});

test("without a repository, --all says how to start one", async () => {
  const project = await makeProject({ config: false, files: { "clients/a/x.txt": "" } });
  expect((await init(project, "--all", "clients")).stderr).toContain("Run `git init`");
});

test("a project that publishes itself has no name for X, and asks for an account in the same sitting", async () => {
  const project = await makeProject({ config: false, files: { ".git/HEAD": "ref: refs/heads/main\n" } });
  const asked: string[] = [];
  const terminal = { answer: (question: string) => asked.push(question) < 0 };
  const ended = await runCommand(["init", "--publish"], { cwd: project.root, terminal });
  expect(ended.code, ended.stderr).toBe(0);
  expect(asked).toEqual(["Add an account on which plancast publishes now? [y/N] "]);
  expect(parse(await project.read("plancast.yaml"))).not.toHaveProperty("platforms");
});
