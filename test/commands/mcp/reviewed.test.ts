/** An assistant applies a plan that people reviewed in a merged pull request, and no other. */

import { appendFile, cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { projectStem } from "../../../src/github/reviewed-plans.ts";
import { savedPlan } from "../../../src/sync/apply/saved-plan.ts";
import { type Assistant, type ToolAnswer, startAssistant } from "../../support/assistant.ts";
import { type FakeGitHub, startFakeGitHub } from "../../support/github/fake-api.ts";
import { TOKEN } from "../../support/github/runner.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { type World, startWorld } from "./assistant-world.ts";

const SHA = "c0ffee0123456789c0ffee0123456789c0ffee01";
const MERGED = {
  number: 12,
  merged_at: "2036-02-01T00:00:00Z",
  base: { ref: "main" },
  head: { sha: SHA, repo: { full_name: "acme/social" } },
};

const NO_PLAN = "No pull request merged into main has exactly this plan of this project";

const FILES = ["plancast.yaml", "calendars/march.csv", "calendars/april.csv"];

interface Reviewed extends World {
  readonly github: FakeGitHub;
  /** The text of the plan file that the pull request's job made. */
  readonly file: string;
  readonly reviewed: Assistant;
  readonly reviewedEnv: Readonly<Record<string, string>>;
}

async function startReviewed(env: Readonly<Record<string, string>> = {}): Promise<Reviewed> {
  const [world, github] = [await startWorld(), await startFakeGitHub()];
  const { root } = world.project;
  for (const name of FILES) github.main.set(name, await readFile(join(root, name), "utf8"));
  await world.run("plan", "--out", "plan.json");
  const path = join(root, "plan.json");
  const file = await readFile(path, "utf8");
  await rm(path);
  const forGitHub = { GITHUB_TOKEN: TOKEN, GITHUB_REPOSITORY: "acme/social", GITHUB_API_URL: github.url };
  const reviewedEnv = { ...world.personEnv, ...forGitHub, ...env };
  const reviewed = await startAssistant({ cwd: root, env: reviewedEnv, clock: world.clock });
  return { ...world, github, file, reviewed, reviewedEnv };
}

/** Merges a pull request with this plan. @param changed what its plan file says instead */
function mergePlan({ github, file }: Reviewed, changed: object = {}): void {
  const { shown: _shown, ...plan } = z.looseObject({ accounts: z.array(z.string()) }).parse(JSON.parse(file));
  const document = savedPlan(plan, { calendars: [], only: [], accounts: plan.accounts, ...changed });
  github.pulls.push(MERGED);
  github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": JSON.stringify(document) }, SHA);
}

function applyReviewed({ reviewed, hash }: Reviewed): Promise<ToolAnswer> {
  return reviewed.call("apply", { hash });
}

test.each(["plan.json", `${projectStem("")}.json`])(
  "a plan that was reviewed is applied without a confirmation, if the job saved it as %s",
  async (name) => {
    const world = await startReviewed();
    const { github, file, service } = world;
    github.pulls.push(MERGED);
    github.addArtifact(`plancast-plan-${SHA}`, { [name]: file }, SHA);
    expect(await applyReviewed(world)).toMatchObject({ isError: false });
    expect(service.posts.size).toBe(3);
  },
);

test.each<[string, (world: Reviewed) => unknown, string]>([
  [
    "a pull request that is not merged",
    ({ github, file }) => {
      github.pulls.push({ ...MERGED, merged_at: null });
      github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": file }, SHA);
    },
    "Nobody has confirmed",
  ],
  [
    "a pull request into another branch",
    ({ github, file }) => {
      github.pulls.push({ ...MERGED, base: { ref: "drafts" } });
      github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": file }, SHA);
    },
    "Nobody has confirmed",
  ],
  [
    "a fork",
    ({ github, file }) => {
      github.pulls.push(MERGED);
      github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": file }, SHA, true);
    },
    "Nobody has confirmed",
  ],
  [
    "a plan file that was edited",
    ({ github, file }) => {
      github.pulls.push(MERGED);
      github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": file.replace("We open", "We closed") }, SHA);
    },
    "Nobody has confirmed",
  ],
  [
    "the plan of another project",
    ({ github, file }) => {
      github.pulls.push(MERGED);
      github.addArtifact(`plancast-plan-${SHA}`, { "plan-other-0123456789ab.json": file }, SHA);
    },
    "Nobody has confirmed",
  ],
  [
    "a plan of other changes",
    async ({ github, file, project }) => {
      github.pulls.push(MERGED);
      github.addArtifact(`plancast-plan-${SHA}`, { "plan.json": file }, SHA);
      await rm(join(project.root, "calendars/april.csv"));
    },
    "apply/plan-changed",
  ],
  ["a plan for other accounts", (world) => mergePlan(world, { accounts: ["acc_9"] }), "Nobody has confirmed"],
  ["a plan for another service", (world) => mergePlan(world, { service: "https://b.example" }), NO_PLAN],
  ["a plan for another project", (world) => mergePlan(world, { project: "clients/beta" }), NO_PLAN],
  [
    "a plan that was made after the merge",
    (world) => {
      mergePlan(world);
      world.github.pulls.splice(0, 1, { ...MERGED, merged_at: "2025-12-31T00:00:00Z" });
    },
    NO_PLAN,
  ],
  [
    "a plan that main has taken back",
    (world) => {
      mergePlan(world);
      world.github.main.set("calendars/march.csv", "id,content\n");
    },
    "calendars/march.csv is not as in main on GitHub",
  ],
  [
    "a plan that another run has applied",
    (world) => {
      mergePlan(world);
      world.github.main.set("plancast.lock.json", "{}");
    },
    "plancast.lock.json is not as in main on GitHub",
  ],
  [
    "an automation that main does not have",
    async (world) => {
      mergePlan(world);
      const path = join(world.project.root, "plancast.yaml");
      await appendFile(path, "\nautomations: { after_apply: { id: boost, input: x } }\n");
    },
    "apply/plan-changed",
  ],
  [
    "a plancast.yaml that main does not have",
    async (world) => {
      mergePlan(world);
      await appendFile(join(world.project.root, "plancast.yaml"), "\n# Nobody has seen this line.\n");
    },
    "plancast.yaml is not as in main on GitHub",
  ],
  [
    "a GitHub that refuses",
    ({ github }) => {
      github.faults.set("GET /repos", { status: 404 });
    },
    "It does not count as reviewed: GitHub's API",
  ],
])("%s does not count as a review", async (_name, prepare, says) => {
  const world = await startReviewed();
  await prepare(world);
  expect(await applyReviewed(world)).toEqual({ isError: true, text: expect.stringContaining(says) });
  expect(world.service.posts.size).toBe(0);
});

test("a review counts once, even in another clone on the same machine", async () => {
  const world = await startReviewed();
  mergePlan(world);
  const clone = await tempFolder();
  await cp(world.project.root, clone, { recursive: true });
  expect(await applyReviewed(world)).toMatchObject({ isError: false });
  for (const { id } of world.service.scheduled()) world.service.cancelByHand(id);
  const other = await startAssistant({ cwd: clone, env: world.reviewedEnv, clock: world.clock });
  expect(await other.call("apply", { hash: world.hash })).toEqual({
    isError: true,
    text: expect.stringContaining("This machine has applied it before"),
  });
  expect(world.service.scheduled()).toEqual([]);
});

test.each([{ GITHUB_TOKEN: "" }, { GITHUB_REPOSITORY: "" }, { GITHUB_REPOSITORY: "acme/social/../other" }])(
  "with %j, plancast does not ask GitHub",
  async (env) => {
    const world = await startReviewed(env);
    expect(await applyReviewed(world)).toMatchObject({ isError: true });
    expect(world.github.requests).toEqual([]);
  },
);
