/** What happens more rarely on a merge: runs by hand, pushes of others, pictures, missing and edited posts, accounts. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { savedPlan } from "../../src/sync/apply/saved-plan.ts";
import { csv } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";
import {
  CALENDAR,
  calendarOf,
  launch,
  row,
  second,
  startWorld,
  type ActionWorld,
} from "../support/github/action-world.ts";
import { commandsIn } from "../support/github/log-commands.ts";
import type { JobRecord } from "../support/github/runner.ts";

test("a run by hand refuses a plan without its hash, and a hash whose plan has changed", async () => {
  const { pullRequest, merge, service, repository } = await startWorld([launch]);
  await pullRequest();
  await repository.project.write(CALENDAR, calendarOf(launch, second));
  const byHand = (plan: string): Promise<JobRecord> =>
    merge({ eventName: "workflow_dispatch", inputs: { plan } });
  const refused = await byHand("");
  const hash = refused.outputs["hash"] ?? "";
  expect(refused.outputs["result"]).toBe("refused");
  service.addForeignPost();
  const moved = await byHand(hash);
  expect([moved.outputs["result"], service.scheduled()]).toEqual(["refused", [expect.anything()]]);
  expect(commandsIn(moved.step(/Run/).log)[0]?.message).toContain(`the hash in the input plan (${hash})`);
  const now = moved.outputs["hash"] ?? "";
  expect(moved.step(/Run/).summary).toContain(`\n${now}\n`);
  expect((await byHand(now)).outputs["result"]).toBe("applied");
  expect(service.scheduled()).toHaveLength(3);
  expect((await byHand(now)).outputs["result"]).toBe("nothing");
});

test("if somebody pushed during the apply, the lockfile is committed on top of that commit", async () => {
  const { merge, repository } = await startWorld([launch]);
  const job = await merge({
    inputs: { "reviewed-plan": "off" },
    during: async ({ name }) => {
      if (/Run/.test(name)) await repository.pushByOther("README.md", "hello");
    },
  });
  expect(job.outputs["lockfile"]).toBe("committed");
  expect(repository.log()).toEqual(["Update plancast.lock.json", "other: README.md", "first"]);
  expect(repository.remoteFile("README.md")).toBe("hello");
});

test("the lockfile is pushed again if somebody else pushes between fetch and push", async () => {
  const { merge, repository } = await startWorld([launch]);
  // At the first push, the branch has already moved.
  await repository.beforePush(`
    [ -e raced ] && exit 0
    touch raced
    unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    git update-ref refs/heads/main $(git commit-tree -p main -m 'other: in between' 'main^{tree}')`);
  const job = await merge({ inputs: { "reviewed-plan": "off" } });
  expect([job.failed, job.outputs["lockfile"]]).toEqual([false, "committed"]);
  expect(repository.log()).toEqual(["Update plancast.lock.json", "other: in between", "first"]);
});

const MEDIA = "media/a.png";

function illustrated(...rows: string[][]): string {
  return csv(["id", "scheduled_at", "platforms", "content", "status", "media"], ...rows);
}

/** Two pictures that are on the service, and a pull request with a row that uses the first. */
async function reviewedWithKnownPicture(): Promise<ActionWorld> {
  const pictures = [launch, second].map((each, index) => [...each, `media/${index === 0 ? "a" : "b"}.png`]);
  const world = await startWorld([]);
  const { repository, merge, pullRequest } = world;
  await repository.project.write(MEDIA, tinyPng(1));
  await repository.project.write("media/b.png", tinyPng(2));
  await repository.project.write(CALENDAR, illustrated(...pictures));
  repository.push("two pictures");
  await merge({ inputs: { "reviewed-plan": "off" } });
  repository.pull();
  await repository.project.write(CALENDAR, illustrated(...pictures, [...row("third"), MEDIA]));
  repository.push("a third row");
  await pullRequest();
  return world;
}

test("a merge applies a reviewed row with a picture that the service has", async () => {
  const { merge, service } = await reviewedWithKnownPicture();
  expect((await merge()).outputs["result"]).toBe("applied");
  expect(service.scheduled()).toHaveLength(3);
});

test("a merge refuses a reviewed row if its picture was replaced by another one that the service has", async () => {
  const { merge, repository, service } = await reviewedWithKnownPicture();
  await repository.project.write(MEDIA, tinyPng(2));
  repository.push("other bytes");
  const job = await merge();
  expect([job.outputs["result"], service.scheduled().length]).toEqual(["refused", 2]);
  expect(job.step(/Run/).log).toContain("create third, with other contents");
});

const THREE = ["1", "2", "3"].map((id) => row(id));

test("a merge creates missing posts again only after a decision: an input, or a plan that showed them", async () => {
  const { pullRequest, merge, service } = await startWorld(THREE);
  await pullRequest();
  expect((await merge()).outputs["result"]).toBe("applied");
  for (const { id } of service.scheduled()) service.cancelByHand(id);
  const again = (count: string): Promise<JobRecord> => merge({ inputs: { "allow-recreates": count } });
  const refused = await again("");
  expect([refused.outputs["result"], service.scheduled()]).toEqual(["failed", []]);
  expect(refused.step(/Run/).log).toContain("apply/missing");
  expect((await again("2")).outputs["result"]).toBe("refused");
  expect((await again("3")).outputs["result"]).toBe("applied");
  expect(service.scheduled()).toHaveLength(3);
  for (const { id } of service.scheduled().slice(1)) service.cancelByHand(id);
  await pullRequest();
  // Whoever reviewed did not see that this post is gone, too.
  service.cancelByHand(service.scheduled()[0]?.id ?? "");
  expect((await merge()).outputs["result"]).toBe("failed");
  expect(service.scheduled()).toHaveLength(2);
});

test("a merge cancels a post that was edited on the service only if the pull request showed that", async () => {
  const { pullRequest, merge, repository, service } = await startWorld([launch, second]);
  await pullRequest();
  await merge();
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(second));
  repository.push("a row is gone");
  service.edit(service.scheduled()[0]?.id ?? "", { content: "Edited there" });
  const job = await merge({ inputs: { "reviewed-plan": "off" } });
  expect([job.outputs["result"], service.scheduled().length]).toEqual(["refused", 2]);
  expect(job.step(/Run/).log).toContain("guard/not-as-recorded");
  await pullRequest();
  expect((await merge()).outputs["result"]).toBe("applied");
  expect(service.scheduled()).toHaveLength(1);
});

test("a merge refuses a plan that was reviewed for other accounts, even without a lockfile", async () => {
  const accountIds = ["acc_1"];
  const { pullRequest, merge, service } = await startWorld(THREE, { platforms: ["linkedin"], accountIds });
  await pullRequest();
  accountIds[0] = "acc_9";
  const job = await merge();
  expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
  expect(job.step(/Run/).log).toContain("lockfile/other-account");
});

test("a merge refuses the key of another account", async () => {
  const accountIds = ["acc_1"];
  const { merge, service, repository } = await startWorld([launch], { platforms: ["linkedin"], accountIds });
  await merge({ inputs: { "reviewed-plan": "off" } });
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(launch, second));
  repository.push("a second row");
  accountIds[0] = "acc_9";
  const job = await merge({ inputs: { "reviewed-plan": "off" } });
  expect([job.outputs["result"] === "applied", service.posts.size]).toEqual([false, 1]);
  expect(job.step(/Run/).log).toContain("lockfile/other-account");
});

test("a merge refuses a reviewed plan whose file shows another plan, although its hash is right", async () => {
  const { pullRequest, merge, github, service } = await startWorld([launch]);
  const { outputs } = await pullRequest();
  const sha = github.pulls[0]?.head.sha ?? "";
  const plan = JSON.parse(await readFile(outputs["plan-file"] ?? "", "utf8"));
  plan.changes[0].post.content = "Something else";
  const { shown: _shown, ...shown } = plan;
  const text = JSON.stringify(savedPlan(shown, { calendars: plan.calendars, only: plan.only }));
  github.artifacts.length = 0;
  github.addArtifact(`plancast-plan-${sha}`, { "plan.json": text }, sha);
  const job = await merge({ inputs: { "reviewed-plan": "exact" } });
  expect([job.outputs["result"], service.posts.size]).toEqual(["refused", 0]);
});
