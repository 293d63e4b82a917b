/** `command: watch`: an issue is opened, updated and closed, and plans that are out of date are marked. */
import { expect, test } from "vitest";
import {
  type ActionWorld,
  CALENDAR,
  calendarOf,
  launch,
  row,
  second,
  startWorld,
} from "../support/github/action-world.ts";
import type { JobRecord } from "../support/github/runner.ts";
import { startReceiver } from "../support/receiver.ts";

function watch({ merge }: ActionWorld, over: Parameters<ActionWorld["merge"]>[0] = {}): Promise<JobRecord> {
  return merge({ eventName: "schedule", event: {}, ...over, inputs: { command: "watch", ...over?.inputs } });
}

async function applied(): Promise<ActionWorld> {
  const world = await startWorld([launch, second], { shape: { results: "list" } });
  await world.pullRequest();
  expect(await world.merge()).toMatchObject({ failed: false });
  return world;
}

function fail({ service }: ActionWorld, text: string): void {
  const post = [...service.posts.values()].find(({ content }) => content === text);
  service.edit(post?.id ?? "", {
    status: "failed",
    results: [{ platform: "linkedin", error: `No ${text}` }],
  });
}

test("opens an issue, writes each later alert once in a comment, and closes it when all have ended", async () => {
  const world = await applied();
  const { github, service } = world;
  expect(await watch(world)).toMatchObject({ failed: false, outputs: { result: "nothing" } });
  expect(github.issues).toEqual([]);

  fail(world, "We are live.");
  expect(await watch(world)).toMatchObject({ failed: false, outputs: { result: "alerts" } });
  await watch(world);
  expect(github.issues).toMatchObject([
    { state: "open", title: expect.stringMatching(/^plancast: posts of .+ need you$/) },
  ]);
  expect(github.issues[0]?.body).toContain("1 alert open.");
  expect(github.issues[0]?.body).toContain("LinkedIn: No We are live.");
  const before = github.comments.length;

  fail(world, "And again.");
  await watch(world);
  await watch(world);
  expect(github.issues[0]?.body).toContain("2 alerts open.");
  expect(github.comments.slice(before).map(({ body }) => body)).toEqual([
    expect.stringContaining("No And again."),
  ]);

  for (const { id } of service.posts.values()) service.edit(id, { status: "published", results: [] });
  await watch(world);
  await watch(world);
  expect(github.issues).toMatchObject([{ state: "closed" }]);
  expect(github.comments.slice(before + 1).map(({ body }) => body)).toEqual([
    expect.stringContaining("Nothing is open any more."),
  ]);
});

test("an issue that somebody closed stays closed until something is new", async () => {
  const world = await applied();
  fail(world, "We are live.");
  await watch(world);
  const [issue] = world.github.issues;
  Object.assign(issue ?? {}, { state: "closed" });
  await watch(world);
  expect(issue?.state).toBe("closed");
  fail(world, "And again.");
  await watch(world);
  expect(issue?.state).toBe("open");
  expect(world.github.issues).toHaveLength(1);
});

test("an issue of another author with the same mark does not count", async () => {
  const world = await applied();
  fail(world, "We are live.");
  await watch(world);
  const others = world.github.issues.splice(0).map((own) => ({ ...own, user: { login: "mallory" } }));
  world.github.issues.push(...others);
  await watch(world);
  expect(world.github.issues).toMatchObject([
    { user: { login: "mallory" } },
    { user: { login: "github-actions[bot]" }, state: "open" },
  ]);
});

test("without the permission the job fails with the line to add, and other channels get nothing again and again", async () => {
  const world = await applied();
  const chat = await startReceiver();
  await world.repository.project.write(
    "plancast.yaml",
    JSON.stringify({ timezone: "Europe/Paris", notify: { slack: { url_env: "CHAT" } } }),
  );
  fail(world, "We are live.");
  const env = { CHAT: chat.url };
  world.github.faults.set("GET /repos/acme/social/issues", { status: 403 });
  const refused = await watch(world, { env: { ...env } });
  expect(refused.failed).toBe(true);
  expect(refused.steps.map(({ log }) => log).join("")).toContain("`permissions:` with `issues: write`");
  expect(chat.received).toEqual([]);
  world.github.faults.clear();
  await watch(world, { env });
  await watch(world, { env });
  expect(chat.received).toHaveLength(1);
});

test("does not run on a pull request, whose plancast.yaml nobody has reviewed", async () => {
  const world = await applied();
  fail(world, "We are live.");
  const job = await world.pullRequest({ inputs: { command: "watch" } });
  expect(job.failed).toBe(true);
  expect(world.github.issues).toEqual([]);
});

test("a plan that another apply has made out of date is marked on its pull request, and is an alert once", async () => {
  const world = await applied();
  const { github, repository } = world;
  repository.pull();
  await repository.project.write(CALENDAR, calendarOf(launch, second, row("third")));
  repository.push("third");
  const sha = await repository.head();
  github.pulls.unshift({
    number: 12,
    merged_at: null,
    base: { ref: "main" },
    head: { sha, repo: { full_name: "acme/social" } },
  });
  await world.pullRequest();
  const comment = github.comments.at(-1);
  expect(comment?.body).toContain("Text third.");
  await watch(world);
  expect(comment?.body).not.toContain("out of date");

  // Somebody applied the same row by hand: the plan would no longer create it.
  expect(await world.merge({ inputs: { "reviewed-plan": "off" } })).toMatchObject({ failed: false });
  const job = await watch(world);
  expect(job.outputs).toMatchObject({ result: "alerts" });
  expect(comment?.body).toContain("**This plan is out of date.** Another apply has scheduled 1 post of it.");
  const body = comment?.body;
  await watch(world);
  expect(comment?.body).toBe(body);
  expect(github.issues[0]?.body).toContain("Pull request 12");
});
