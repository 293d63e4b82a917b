/** A repository on the hub that publishes on its own, with one post on a stand-in of Bluesky. */
import { expect } from "vitest";
import { publishWorkflow, workflowTemplate } from "../../src/commands/init/workflows.ts";
import {
  type ScheduledPost,
  parseSchedule,
  scheduleText,
  withDigest,
} from "../../src/repository/schedule.ts";
import { type Hub, type Person, type Pull, type RanJob, WORKFLOW, startHub } from "../support/github/hub.ts";
import { BLUESKY_PASSWORD, type BlueskyStandIn, startBluesky } from "../support/networks/bluesky.ts";

export const DUE = Date.UTC(2036, 2, 1, 8);
export const MINUTE_MS = 60_000;
export const SCHEDULE = "plancast.schedule.json";
export const CALENDAR = "calendars/march.yaml";
export const FORGED = "Buy our coins.";
const TARGET = { action: "plancast/plancast@v0.1.0", branch: "main", folder: "" };

export function calendarWith(content: string): string {
  return `- { id: launch, scheduled_at: 2036-03-01T08:00:00Z, platforms: bluesky, content: ${content} }\n`;
}

export interface World {
  readonly hub: Hub;
  readonly team: Person;
  readonly bluesky: BlueskyStandIn;
  readonly propose: (branch: string, files: Readonly<Record<string, string>>) => Promise<Pull>;
}

export async function startPublishing(): Promise<World> {
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

export async function startApplied(): Promise<World> {
  const world = await startPublishing();
  const { hub, propose } = world;
  const pull = await propose("first", { [CALENDAR]: calendarWith("Tulips") });
  await hub.plan(pull);
  expect(results(await hub.pushed(hub.merge(pull)))).toEqual(["applied"]);
  return world;
}

export function results(jobs: readonly RanJob[]): unknown[] {
  return jobs.map(({ outputs }) => outputs["result"]);
}

export function logOf(jobs: readonly RanJob[]): string {
  return jobs.flatMap(({ steps }) => steps.map(({ log, summary }) => `${log}\n${summary}`)).join("\n");
}

export function texts({ bluesky }: World): unknown[] {
  return [...bluesky.records.values()].map(({ text }) => text);
}

type Posts = Readonly<Record<string, ScheduledPost>>;

/** The schedule on main with other posts, whose digests are right. */
export function forgedSchedule({ hub }: World, forge: (posts: Posts) => Posts): string {
  const { posts, ...rest } = parseSchedule(hub.remoteFile(SCHEDULE));
  const forged = Object.entries(forge(posts)).map(([id, { digest: _digest, publications, ...post }]) => [
    id,
    { ...withDigest(post), ...(publications === undefined ? {} : { publications }) },
  ]);
  return scheduleText({ ...rest, posts: Object.fromEntries(forged) });
}

/** Every post with other parts. */
export function withParts(parts: Partial<ScheduledPost>): (posts: Posts) => Posts {
  return (posts) =>
    Object.fromEntries(Object.entries(posts).map(([id, post]) => [id, { ...post, ...parts }]));
}

export function goTo({ hub }: World, time: number): void {
  hub.clock.advance(time - hub.clock.now());
}
