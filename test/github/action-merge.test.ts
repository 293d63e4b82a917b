/** The Action on a merge: which plans count as reviewed, and what plancast applies without a review. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { FakePull } from "../support/github/fake-api.ts";
import {
  CALENDAR,
  calendarOf,
  draft,
  launch,
  second,
  startWorld,
  strangeCommands,
  type ActionWorld,
} from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import type { JobRecord } from "../support/github/runner.ts";

/** A world with one scheduled post. Its row is gone. */
async function startWithoutRow(): Promise<ActionWorld> {
  const world = await startWorld([launch]);
  const { merge, repository } = world;
  await merge({ inputs: { "reviewed-plan": "off" } });
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(draft));
  repository.push("no row is left");
  return world;
}

describe("a merge applies", () => {
  test("the changes of two pull requests, if no run applied the first", async () => {
    const { pullRequest, merge, service, repository } = await startWorld([launch]);
    await pullRequest();
    await repository.project.write(CALENDAR, calendarOf(second));
    repository.push("second pull request");
    await pullRequest();
    await repository.project.write(CALENDAR, calendarOf(launch, second));
    const job = await merge();
    expect(job.outputs["result"]).toBe("applied");
    expect(service.scheduled()).toHaveLength(2);
    // The job plans before it asks whether the changes were reviewed, and again to apply them.
    expect(job.step(/Run/).log.match(/^Plan: /gm)).toHaveLength(1);
  });

  test("a reviewed plan even if the plan of another pull request is unreadable", async () => {
    const { pullRequest, merge, service, github, repository } = await startWorld([second]);
    await pullRequest();
    const old = github.pulls[0]?.head.sha ?? "";
    github.artifacts.length = 0;
    github.addArtifact(`plancast-plan-${old}`, { "plan.json": "{}" }, old);
    await repository.project.write(CALENDAR, calendarOf(launch));
    repository.push("second pull request");
    await pullRequest();
    expect((await merge()).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toHaveLength(1);
  });

  test("a plan even if somebody else has made a post since, unless the plan must be exact", async () => {
    const { pullRequest, merge, service } = await startWorld([launch]);
    await pullRequest();
    service.addForeignPost();
    const exact = await merge({ inputs: { "reviewed-plan": "exact" } });
    expect(exact.outputs["result"]).toBe("refused");
    expect(exact.step(/Run/).log).toContain("differs from the reviewed one");
    expect((await merge()).outputs["result"]).toBe("applied");
  });

  test("exactly the number of cancels in the input", async () => {
    const { merge, service } = await startWithoutRow();
    const cancel = (count: string): Promise<JobRecord> =>
      merge({ inputs: { "reviewed-plan": "off", "allow-cancels": count } });
    const stopped = await cancel("");
    expect([stopped.outputs["result"], (await cancel("2")).outputs["result"]]).toEqual([
      "refused",
      "refused",
    ]);
    expect(stopped.step(/Run/).log).toContain("run the workflow by hand with this plan's hash");
    expect(service.scheduled()).toHaveLength(1);
    expect((await cancel("1")).outputs["result"]).toBe("applied");
    expect(service.scheduled()).toEqual([]);
  });

  test("the cancels of a plan that the input names by its hash", async () => {
    const { merge, service } = await startWithoutRow();
    const refused = await merge();
    expect([refused.outputs["result"], refused.outputs["cancel"]]).toEqual(["refused", "1"]);
    const job = await merge({ inputs: { plan: refused.outputs["hash"] ?? "" } });
    expect([job.outputs["result"], service.scheduled()]).toEqual(["applied", []]);
  });
});

describe("a merge refuses", () => {
  test("a commit without a pull request with a plan, unless the inputs switch the review off", async () => {
    const { merge, service } = await startWorld([launch]);
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(service.posts.size).toBe(0);
    expect((await merge({ inputs: { "reviewed-plan": "off" } })).outputs["result"]).toBe("applied");
  });

  test("a plan that an earlier run refused, although that run saved it for the same commit", async () => {
    const { pullRequest, merge, service, github } = await startWorld([launch]);
    // The pull request exists, but its plan job failed.
    await pullRequest();
    github.artifacts.length = 0;
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(github.artifacts).toHaveLength(1);
    expect((await merge()).outputs["result"]).toBe("refused");
    expect(service.posts.size).toBe(0);
  });

  test("a plan that a job made again after the merge", async () => {
    const { pullRequest, merge, service, github } = await startWorld([launch]);
    await pullRequest();
    const [pull] = github.pulls;
    if (pull !== undefined) github.pulls.splice(0, 1, { ...pull, merged_at: "2025-12-31T00:00:00Z" });
    expect([(await merge()).outputs["result"], service.posts.size]).toEqual(["refused", 0]);
  });

  test("a plan whose artifact has no plan file, and says to run the job again", async () => {
    const { pullRequest, merge, github, service } = await startWorld([launch]);
    await pullRequest();
    const sha = github.pulls[0]?.head.sha ?? "";
    github.artifacts.length = 0;
    github.addArtifact(`plancast-plan-${sha}`, { "notes.txt": "x" }, sha);
    const job = await merge();
    expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
    const [refused] = commandsIn(job.step(/Run/).log);
    expect(refused?.message).toContain("plancast cannot download the reviewed plan");
    expect(refused?.message).toContain("run the job again");
  });

  test.each([
    ["of a fork's run", true, (text: string) => text],
    ["that was edited", false, (text: string) => text.replace("We are live.", "We are dead.")],
    ["that is not JSON", false, () => "::set-output name=x::y"],
  ])("to trust a plan %s", async (_name, isFork, change) => {
    const { pullRequest, merge, github, service } = await startWorld([launch]);
    await pullRequest({
      uses: async (_action, { name = "", path = "" }) =>
        github.addArtifact(
          name,
          { "plan.json": change(await readFile(path, "utf8")) },
          name.split("-").at(-1) ?? "",
          isFork,
        ),
    });
    const job = await merge();
    expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
    expect(strangeCommands(job)).toEqual([]);
  });

  test.each<[string, Partial<FakePull>]>([
    ["was merged into another branch", { base: { ref: "next" } }],
    ["is closed, but not merged", { merged_at: null }],
  ])("to trust the plan of a pull request that %s", async (_what, change) => {
    const { pullRequest, merge, github, service } = await startWorld([launch]);
    await pullRequest();
    const [pull] = github.pulls;
    if (pull !== undefined) github.pulls.splice(0, 1, { ...pull, ...change });
    const job = await merge();
    expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
  });

  test("a wrong input before anything is scheduled", async () => {
    const { pullRequest, merge, service } = await startWorld([launch]);
    await pullRequest();
    const job = await merge({ inputs: { lockfile: "pr" } });
    expect([job.failed, service.posts.size]).toEqual([true, 0]);
    expect(job.outputs).toMatchObject({ result: "failed", "exit-code": "1" });
    const found = commandsIn(job.step(/Run/).log);
    expect(found).toMatchObject([{ command: "error", properties: { title: "ci/input" } }]);
    expect(job.step(/Run/).summary).toContain("ci/input");
  });

  test("to run on a tag", async () => {
    const { merge, service } = await startWorld([launch]);
    const job = await merge({ refName: "v1", refType: "tag", inputs: { "reviewed-plan": "off" } });
    expect([job.failed, service.requests.length]).toEqual([true, 0]);
    expect(commandsIn(job.step(/Run/).log)[0]?.message).toContain("not on a tag");
  });

  test("to apply when GitHub does not show artifacts, and names the permission", async () => {
    const { pullRequest, merge, github, service } = await startWorld([launch]);
    await pullRequest();
    github.faults.set("GET /repos/acme/social/actions/artifacts", { status: 403 });
    const job = await merge();
    expect([job.failed, service.posts.size]).toEqual([true, 0]);
    expect(commandsIn(job.step(/Run/).log)[0]?.message).toContain("actions: read");
  });
});
