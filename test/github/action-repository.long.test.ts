/** The Action without a service: a merge schedules in the repository, and a scheduled job publishes. */
import { expect, test } from "vitest";
import { startFakeGitHub } from "../support/github/fake-api.ts";
import { inProcess } from "../support/github/in-process.ts";
import { GIT_ENV, makeRepository } from "../support/github/repository.ts";
import { type JobRecord, runAction } from "../support/github/runner.ts";
import { pushedSchedule } from "../repository/world.ts";
import { BLUESKY_PASSWORD, startBluesky } from "../support/networks/bluesky.ts";

const DUE = Date.UTC(2036, 2, 1, 8);
const MINUTE_MS = 60_000;
const CALENDAR = "calendars/march.yaml";

function calendarWith(content: string): string {
  return `- { id: launch, scheduled_at: 2036-03-01T08:00:00Z, platforms: bluesky, content: ${content} }\n`;
}

async function startWorld() {
  const { clock, startScript } = inProcess(() => false);
  const [bluesky, github] = [await startBluesky(), await startFakeGitHub()];
  const accounts = {
    garden: { network: "bluesky", handle: "garden.test", password_env: "BSKY", server: bluesky.origin },
  };
  const repository = await makeRepository(
    { [CALENDAR]: calendarWith("Open") },
    { service: { url: "repository" }, accounts },
  );
  const env = { ...GIT_ENV, BSKY: BLUESKY_PASSWORD, PLANCAST_TRUSTED_ORIGINS: `${bluesky.origin}=BSKY` };
  const { root: workspace } = repository.project;
  const job = async (eventName: string, inputs: Record<string, string>): Promise<JobRecord> =>
    runAction({
      startScript,
      workspace,
      apiUrl: github.url,
      env,
      eventName,
      event: {},
      sha: await repository.head(),
      inputs,
      uses: () => Promise.resolve(undefined),
    });
  return {
    bluesky,
    repository,
    moveTo: (time: number) => clock.advance(time - clock.now()),
    apply: () => job("push", { command: "apply", "reviewed-plan": "off" }),
    publish: (inputs: Record<string, string> = {}) => job("schedule", { command: "publish", ...inputs }),
    /** As actions/checkout does it. */
    checkOut: (commit = "origin/main") => {
      repository.git("fetch", "-q", "origin", "main:refs/remotes/origin/main");
      repository.git("reset", "-q", "--hard", commit);
    },
    scheduled: (): unknown[] => Object.values(pushedSchedule(repository).posts),
    texts: () => [...bluesky.records.values()].map(({ text }) => text),
  };
}

test("a merge commits the schedule with the lockfile, and a scheduled job publishes what is due", async () => {
  const { apply, publish, repository, moveTo, checkOut, texts } = await startWorld();
  moveTo(DUE - 60 * MINUTE_MS);
  const merged = await apply();
  expect(merged.outputs).toMatchObject({ result: "applied", lockfile: "committed" });
  // The next step did it.
  expect(merged.step(/Run/).log).not.toContain("Commit and push it");
  expect(repository.log()[0]).toBe("Update plancast.lock.json and plancast.schedule.json");
  checkOut();
  expect((await publish()).outputs["result"]).toBe("nothing");
  moveTo(DUE + MINUTE_MS);
  const published = await publish();
  expect([published.outputs["result"], texts()]).toEqual(["published", ["Open"]]);
  expect(published.step(/Run/).summary).toContain("https://bsky.app/profile/garden.test/post/");
  checkOut();
  expect((await apply()).outputs).toMatchObject({ result: "nothing", lockfile: "unchanged" });
});

test("a scheduled job that cannot push sends nothing, and its summary says why", async () => {
  const { apply, publish, repository, moveTo, checkOut, texts } = await startWorld();
  moveTo(DUE - 60 * MINUTE_MS);
  await apply();
  checkOut();
  await repository.beforePush("echo 'protected branch' >&2; exit 1");
  moveTo(DUE + MINUTE_MS);
  const refused = await publish();
  expect([refused.outputs["result"], texts()]).toEqual(["failed", []]);
  const { summary } = refused.step(/Run/);
  expect([summary.includes("repository/push"), summary.includes("Nothing is due")]).toEqual([true, false]);
});

test("an apply that edits a post while it is published changes nothing that was sent, and sends nothing twice", async () => {
  const { apply, publish, repository, moveTo, checkOut, texts, scheduled } = await startWorld();
  moveTo(DUE - 60 * MINUTE_MS);
  await apply();
  checkOut();
  await repository.project.write(CALENDAR, calendarWith("Edited"));
  repository.push("edit");
  const edit = await repository.head();
  moveTo(DUE + MINUTE_MS);
  await publish();
  expect(texts()).toEqual(["Open"]);
  // The apply of the edit began before the post was due, and its clock is slow.
  checkOut(edit);
  const late = inProcess(() => false);
  late.clock.advance(DUE - 10 * MINUTE_MS - late.clock.now());
  const github = await startFakeGitHub();
  const applied = await runAction({
    startScript: late.startScript,
    workspace: repository.project.root,
    apiUrl: github.url,
    env: GIT_ENV,
    eventName: "push",
    event: {},
    sha: edit,
    inputs: { command: "apply", "reviewed-plan": "off" },
    uses: () => Promise.resolve(undefined),
  });
  expect(applied.outputs).toMatchObject({ result: "applied", lockfile: "committed" });
  expect(scheduled()).toMatchObject([{ content: "Open", publications: { bluesky: { state: "published" } } }]);
  checkOut();
  expect((await publish()).outputs["result"]).toBe("nothing");
  expect(texts()).toEqual(["Open"]);
});

test("a scheduled job for several projects publishes those that have a schedule, and leaves the others out", async () => {
  const { apply, publish, repository, moveTo, checkOut, texts } = await startWorld();
  await repository.project.write(
    "clients/acme/plancast.yaml",
    'service: { url: "https://api.example.com" }\n',
  );
  repository.push("a client with a service");
  moveTo(DUE - 60 * MINUTE_MS);
  await apply();
  checkOut();
  moveTo(DUE + MINUTE_MS);
  const job = await publish({ projects: ".\nclients/*" });
  expect([job.failed, job.outputs["result"], texts()]).toEqual([false, "published", ["Open"]]);
  expect(JSON.parse(job.outputs["projects"] ?? "")).toMatchObject([
    { project: "clients/acme", result: "nothing" },
    { project: ".", result: "published" },
  ]);
});
