/** The one workflow of a repository with several projects: `init` writes it, and adds the key of each new project. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { keyLine, projectPatterns } from "../../../src/commands/init/workflows.ts";
import { readAction } from "../../support/github/runner.ts";
import { type TestProject, makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";

const WORKFLOW = ".github/workflows/plancast.yml";

const step = z.object({
  uses: z.string(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});
const job = z.object({ environment: z.string().optional(), steps: z.array(step) });
const workflow = z.object({ jobs: z.object({ plan: job, apply: job }) });

async function repository(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  return makeProject({
    config: false,
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/config": '[remote "origin"]\n\turl = https://github.com/acme/posts.git\n',
      ...files,
    },
  });
}

async function init({ root }: TestProject, folder: string): Promise<string> {
  const ended = await runCommand(["init", folder, "--no-sample"], { cwd: root, env: { TZ: "UTC" } });
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stderr.replaceAll(/\s+/g, " ");
}

async function read(project: TestProject): Promise<z.infer<typeof workflow>["jobs"]> {
  return workflow.parse(parse(await project.read(WORKFLOW))).jobs;
}

/** The environment of the plan step and of the apply step. */
async function environments(project: TestProject): Promise<unknown[]> {
  const { plan, apply } = await read(project);
  return [plan, apply].map(({ steps }) => steps.at(-1)?.env);
}

const TRUSTED = { PLANCAST_TRUSTED_ORIGINS: "${{ vars.PLANCAST_TRUSTED_ORIGINS }}" };

test("is written with the second project, with a read key for plan and an environment for apply", async () => {
  const project = await repository({ "clients/acme/plancast.yaml": "service: { key_env: ACME_KEY }\n" });
  expect(await init(project, "clients/beta")).toContain(`${WORKFLOW} plans and applies all projects.`);
  expect(await environments(project)).toEqual([
    {
      ACME_KEY: "${{ secrets.ACME_READ_KEY || secrets.ACME_KEY }}",
      BETA_KEY: "${{ secrets.BETA_READ_KEY || secrets.BETA_KEY }}",
      ...TRUSTED,
    },
    { ACME_KEY: "${{ secrets.ACME_KEY }}", BETA_KEY: "${{ secrets.BETA_KEY }}", ...TRUSTED },
  ]);
  const { plan, apply } = await read(project);
  expect([plan.environment, apply.environment]).toEqual([undefined, "publish"]);
  expect(plan.steps[0]?.with).toEqual({ "persist-credentials": false, "fetch-depth": 2 });
  const { inputs } = await readAction();
  for (const { steps } of [plan, apply]) {
    expect(steps[1]?.with["projects"]).toBe("clients/*\n");
    expect(Object.keys(steps[1]?.with ?? {}).filter((name) => !(name in inputs))).toEqual([]);
  }
});

test("replaces the workflow of the first project as init wrote it, whichever key that project uses", async () => {
  const project = await repository();
  await init(project, "clients/acme");
  await project.write(WORKFLOW, await project.read(`clients/acme/${WORKFLOW}`));
  expect(await init(project, "clients/beta")).toContain("ran one project, and now runs all.");
  const [, apply] = await environments(project);
  expect(apply).toEqual({
    BETA_KEY: "${{ secrets.BETA_KEY }}",
    PLANCAST_API_KEY: "${{ secrets.PLANCAST_API_KEY }}",
    ...TRUSTED,
  });
});

test("gets a line for the key of each further project", async () => {
  const project = await repository({ "clients/acme/plancast.yaml": "service: { key_env: ACME_KEY }\n" });
  await init(project, "clients/beta");
  const before = (await project.read(WORKFLOW)).split("\n");
  expect(await init(project, "clients/cora")).toContain("now passes on the key in CORA_KEY");
  const added = (await project.read(WORKFLOW)).split("\n").filter((line) => !before.includes(line));
  expect(added.map((line) => line.trim())).toEqual([
    keyLine("CORA_KEY", "plan"),
    keyLine("CORA_KEY", "apply"),
    keyLine("CORA_KEY", "hold"),
  ]);
});

test("stays as it is if somebody has edited it, under any name: init shows the lines", async () => {
  const project = await repository({ "clients/acme/plancast.yaml": "service: { key_env: ACME_KEY }\n" });
  await init(project, "clients/beta");
  const edited = (await project.read(WORKFLOW)).replace("timeout-minutes: 15", "timeout-minutes: 20 # ours");
  const other = ".github/workflows/social.yaml";
  await project.write(other, edited);
  await project.remove(WORKFLOW);
  const said = await init(project, "clients/cora");
  expect(said).toContain(`Change two steps in ${other}:`);
  expect(said).toContain("projects: | clients/*");
  expect(said).toContain("CORA_KEY: ${{ secrets.CORA_READ_KEY || secrets.CORA_KEY }}");
  expect(await project.read(other)).toBe(edited);
});

test("is not written over another workflow of that name", async () => {
  const project = await repository({
    "clients/acme/plancast.yaml": "service: { key_env: ACME_KEY }\n",
    [WORKFLOW]: "jobs: {}\n",
  });
  expect(await init(project, "clients/beta")).toContain(`Change two steps in ${WORKFLOW}:`);
  expect(await project.read(WORKFLOW)).toBe("jobs: {}\n");
});

test("a client whose key GitHub would refuse gets another variable", async () => {
  const project = await repository({ "clients/acme/plancast.yaml": "service: { key_env: ACME_KEY }\n" });
  await init(project, "clients/github");
  expect(parse(await project.read("clients/github/plancast.yaml"))).toMatchObject({
    service: { key_env: "CLIENT_GITHUB_KEY" },
  });
});

test("patterns cover the folders of all projects, and are plain text in YAML", () => {
  expect(projectPatterns(["clients/acme", "clients/beta", "brands/été 2", "own", ""])).toEqual([
    ".",
    "brands/*",
    "clients/*",
    "own",
  ]);
  expect(projectPatterns(["!x", "a ${{ secrets.B }}", "#c", "- d"])).toEqual(["**"]);
});
