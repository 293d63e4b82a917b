/** A hostile project beside others in one job: it reaches neither their posts nor their keys. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { projectPatterns, workflowTemplate } from "../../src/commands/init/workflows.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { calendarOf, launch } from "../support/github/action-world.ts";
import { type Hub, type Person, WORKFLOW, startHub } from "../support/github/hub.ts";

vi.setConfig({ testTimeout: 120_000 });

const CALENDAR = "calendars/march.csv";
const LOCKFILE = "plancast.lock.json";

const NEIGHBOURS: readonly [what: string, attack: (person: Person, hub: Hub) => Promise<void>][] = [
  [
    "the key of the other project",
    ({ write }, { service }) =>
      write({ "clients/beta/plancast.yaml": `service: { url: "${service.url}", key_env: ACME_KEY }\n` }),
  ],
  [
    "the lockfile of the other project, by its path",
    async ({ read, write }) =>
      write({
        "clients/beta/plancast.yaml": `${await read("clients/beta/plancast.yaml")}lockfile: ../acme/${LOCKFILE}\n`,
      }),
  ],
  [
    "the lockfile of the other project, by a link",
    async ({ root, write }) => {
      await write({ [`clients/beta/${LOCKFILE}`]: undefined });
      await symlink(`../acme/${LOCKFILE}`, join(root, `clients/beta/${LOCKFILE}`));
    },
  ],
  [
    "a copy of the lockfile of the other project",
    async ({ read, write }) =>
      write({ [`clients/beta/${LOCKFILE}`]: await read(`clients/acme/${LOCKFILE}`) }),
  ],
  [
    "its posts with the origin of this one",
    async ({ read, write }) => {
      const [mine, theirs] = await Promise.all(
        ["beta", "acme"].map(async (name) => JSON.parse(await read(`clients/${name}/${LOCKFILE}`))),
      );
      mine.posts = { ...mine.posts, ...Object.fromEntries([["gone", theirs.posts.launch]]) };
      await write({ [`clients/beta/${LOCKFILE}`]: JSON.stringify(mine) });
    },
  ],
  [
    "the calendars of the other project",
    async ({ read, write }) =>
      write({
        "clients/beta/plancast.yaml": `${await read("clients/beta/plancast.yaml")}calendars: ../acme/calendars/*.csv\n`,
      }),
  ],
  [
    "the folder of the other project, by a link",
    async ({ root, write }) => {
      await write({ "clients/beta/calendars": undefined });
      await symlink("../acme/calendars", join(root, "clients/beta/calendars"));
    },
  ],
  [
    "the settings of the other project",
    ({ write }) => write({ "clients/beta/plancast.yaml": "extends: ../acme/plancast.yaml\n" }),
  ],
  [
    "a project around the other one",
    ({ write }, { service }) =>
      write({
        "clients/plancast.yaml": `service: { url: "${service.url}", key_env: ACME_KEY }\ncalendars: "**/*.csv"\n`,
      }),
  ],
];

function settings(url: string, key: string): string {
  return `service: { url: "${url}", key_env: ${key} }\ntimezone: UTC\n`;
}

test.each(NEIGHBOURS)("a fork and a branch cannot use %s", async (_what, attack) => {
  const hub = await startHub({
    [WORKFLOW]: workflowTemplate({
      action: "plancast/plancast@v0.1.0",
      branch: "main",
      repeats: false,
      patterns: projectPatterns(["clients/acme", "clients/beta"]),
      variables: ["ACME_KEY", "BETA_KEY"],
    }),
    "clients/acme/README.md": "Acme",
  });
  const beta = await startForeignService({ now: hub.clock.now });
  afterThisTest(() => beta.close());
  Object.assign(hub.secrets, { ACME_KEY: hub.service.key, BETA_KEY: beta.key });
  hub.vars["PLANCAST_TRUSTED_ORIGINS"] = `${hub.service.origin}=ACME_KEY, ${beta.origin}=BETA_KEY`;
  const team = await hub.clone();
  team.start("first");
  await team.commit("first", {
    "clients/acme/plancast.yaml": settings(hub.service.url, "ACME_KEY"),
    "clients/beta/plancast.yaml": settings(beta.url, "BETA_KEY"),
    [`clients/acme/${CALENDAR}`]: calendarOf(launch),
    [`clients/beta/${CALENDAR}`]: calendarOf(launch.with(3, "Of beta.")),
  });
  const first = hub.open(team);
  await hub.plan(first);
  const [job] = await hub.pushed(hub.merge(first));
  expect([job?.outputs["result"], hub.service.scheduled().length, beta.scheduled().length]).toEqual([
    "applied",
    1,
    1,
  ]);
  team.start("attack");
  await attack(team, hub);
  await team.commit("tidy up");
  const before = JSON.stringify(hub.service.scheduled());
  const writes = (): number => hub.service.requests.filter(({ method }) => method !== "GET").length;
  const count = writes();
  const planned = await hub.plan(hub.open(team));
  const seen = planned.flatMap(({ steps }) => steps.map(({ summary }) => summary)).join("\n");
  const [after] = await hub.pushed(hub.merge(hub.open(team, { isFork: true })));
  expect([JSON.stringify(hub.service.scheduled()), writes()], seen).toEqual([before, count]);
  expect(beta.duplicates()).toEqual([]);
  for (const { headers } of beta.requests) expect(JSON.stringify(headers)).not.toContain(hub.service.key);
  // Posts of the other calendar on this account are shown, and refused without a review.
  if (beta.scheduled().length !== 1) expect(after?.failed).toBe(true);
  expect(beta.scheduled().map(({ content }) => content)).toEqual(["Of beta."]);
});
