/** A repository that publishes on its own: publish sends only what an apply of a job has confirmed. */
import { expect, test } from "vitest";
import { publishWorkflow, workflowTemplate } from "../../src/commands/init/workflows.ts";
import { accountNames } from "../../src/networks/open-accounts.ts";
import { parseSchedule, scheduleText, withDigest } from "../../src/repository/schedule.ts";
import { type Hub, type Person, type Pull, type RanJob, WORKFLOW, startHub } from "../support/github/hub.ts";
import { BLUESKY_PASSWORD, type BlueskyStandIn, startBluesky } from "../support/networks/bluesky.ts";

const DUE = Date.UTC(2036, 2, 1, 8);
const MINUTE_MS = 60_000;
const SCHEDULE = "plancast.schedule.json";
const CALENDAR = "calendars/march.yaml";
const FORGED = "Buy our coins.";
const TARGET = { action: "plancast/plancast@v0.1.0", branch: "main", folder: "" };

function calendarWith(content: string): string {
  return `- { id: launch, scheduled_at: 2036-03-01T08:00:00Z, platforms: bluesky, content: ${content} }\n`;
}

interface World {
  readonly hub: Hub;
  readonly team: Person;
  readonly bluesky: BlueskyStandIn;
  readonly propose: (branch: string, files: Readonly<Record<string, string>>) => Promise<Pull>;
}

async function start(): Promise<World> {
  const bluesky = await startBluesky();
  const hub = await startHub({
    "plancast.yaml": `timezone: UTC
service: { url: repository }
accounts:
  bluesky: { network: bluesky, handle: garden.test, password_env: BLUESKY_APP_PASSWORD, server: ${bluesky.origin} }
`,
    [CALENDAR]: "[]\n",
    [WORKFLOW]: workflowTemplate({ ...TARGET, repeats: false }),
    ".github/workflows/plancast-publish.yml": publishWorkflow(TARGET),
  });
  const secrets = { PLANCAST_API_KEY: "", BLUESKY_APP_PASSWORD: BLUESKY_PASSWORD, MASTODON_TOKEN: "" };
  Object.assign(hub.secrets, secrets);
  const trusted = `${bluesky.origin}=BLUESKY_APP_PASSWORD`;
  Object.assign(hub.vars, { PLANCAST_BASE_URL: "", PLANCAST_TRUSTED_ORIGINS: trusted });
  const team = await hub.clone();
  const propose: World["propose"] = async (branch, files) => {
    team.start(branch);
    await team.commit(branch, files);
    return hub.open(team);
  };
  return { hub, team, bluesky, propose };
}

async function applied(): Promise<World> {
  const world = await start();
  const { hub, propose } = world;
  const pull = await propose("first", { [CALENDAR]: calendarWith("Tulips") });
  await hub.plan(pull);
  expect(results(await hub.pushed(hub.merge(pull)))).toEqual(["applied"]);
  return world;
}

function results(jobs: readonly RanJob[]): unknown[] {
  return jobs.map(({ outputs }) => outputs["result"]);
}

function logOf(jobs: readonly RanJob[]): string {
  return jobs.flatMap(({ steps }) => steps.map(({ log, summary }) => `${log}\n${summary}`)).join("\n");
}

function texts({ bluesky }: World): unknown[] {
  return [...bluesky.records.values()].map(({ text }) => text);
}

/** The schedule on main with another text, whose digest is right. */
function withForgedText({ hub }: World): string {
  const { posts, ...rest } = parseSchedule(hub.remoteFile(SCHEDULE));
  const changed = Object.entries(posts).map(([id, { digest: _digest, publications: _results, ...post }]) => [
    id,
    withDigest({ ...post, content: FORGED }),
  ]);
  return scheduleText({ ...rest, posts: Object.fromEntries(changed) });
}

function goTo({ hub }: World, time: number): void {
  hub.clock.advance(time - hub.clock.now());
}

test("publish holds a post with another text that a merge brought, until apply has repaired it", async () => {
  const world = await applied();
  const { hub, propose } = world;
  const pull = await propose("forged", { [SCHEDULE]: withForgedText(world) });
  expect(logOf(await hub.plan(pull))).toContain("repository/schedule-edited");
  // The run of this merge is dropped.
  hub.merge(pull);
  goTo(world, DUE + 2 * MINUTE_MS);
  const held = await hub.run("schedule");
  expect([results(held), texts(world)]).toEqual([["failed"], []]);
  expect(logOf(held)).toContain("no apply of a job has confirmed this post");
  // A run by hand starts both workflows. Publish goes first.
  expect(results(await hub.run("workflow_dispatch", { inputs: { plan: "" } }))).toEqual([
    "failed",
    "nothing",
  ]);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  expect([texts(world), hub.remoteFile(SCHEDULE)]).toEqual([["Tulips"], expect.not.stringContaining(FORGED)]);
});

test("before the first apply of a job, publish sends nothing that a merge brought", async () => {
  const world = await start();
  const { hub, bluesky, propose } = world;
  const [account] = accountNames({
    bluesky: {
      network: "bluesky",
      handle: "garden.test",
      password_env: "BLUESKY_APP_PASSWORD",
      server: bluesky.origin,
      links: "written",
    },
  });
  const post = withDigest({
    content: FORGED,
    platforms: ["bluesky"],
    accounts: { bluesky: account?.id ?? "" },
    scheduled_at: "2036-03-01T08:00:00Z",
    media: [],
    created_at: "2036-01-01T00:00:00Z",
  });
  const schedule = scheduleText({ version: 1, posts: { post_00000000000f: post } });
  hub.merge(await propose("forged", { [SCHEDULE]: schedule }));
  goTo(world, DUE + 2 * MINUTE_MS);
  const jobs = await hub.run("schedule");
  expect([texts(world), logOf(jobs)]).toEqual([
    [],
    expect.stringContaining("no apply of a job has confirmed this post"),
  ]);
});

test("ordinary work holds nothing: edits, results, and an edit that is too late", async () => {
  const world = await applied();
  const { hub, propose } = world;
  const land = async (pull: Pull): Promise<void> => {
    const planned = await hub.plan(pull);
    const ran = await hub.pushed(hub.merge(pull, "squash"));
    expect(logOf([...planned, ...ran])).not.toMatch(/schedule-edited|not-confirmed|not-as-recorded/);
  };
  await land(await propose("edit", { [CALENDAR]: calendarWith("Roses") }));
  goTo(world, DUE + MINUTE_MS);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  // The branch has results that the record lacks.
  const later = calendarWith("Asters").replace("launch", "second").replace("03-01", "03-02");
  await land(await propose("later", { [CALENDAR]: calendarWith("Roses") + later }));
  goTo(world, DUE + 1441 * MINUTE_MS);
  expect(results(await hub.run("schedule"))).toEqual(["published"]);
  await land(await propose("again", { "NOTES.md": "More notes" }));
  expect(results(await hub.run("schedule"))).toEqual(["nothing"]);
  expect(texts(world)).toEqual(["Roses", "Asters"]);
});
