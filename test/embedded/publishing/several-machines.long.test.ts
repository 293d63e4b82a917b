/**
 * Two `plancast serve` on one PostgreSQL publish together. Either may be killed at any moment, and the database, too. Each
 * post is on Bluesky and Mastodon once, and at the webhook at most once.
 */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type CutProxy, startCutProxy } from "../../support/cut-proxy.ts";
import { counts, startAccounts } from "../../support/networks/accounts.ts";
import { openTestStore, usePostgres } from "../../support/postgres-server.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { BUCKET_KEY, type TestBucket, startBucket } from "../../support/s3-server.ts";
import { scriptWithClaims } from "../../chaos/stores-world.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { tinyPng } from "../../support/tiny-media.ts";
import { until } from "../../support/until.ts";

vi.setConfig({ testTimeout: 300_000 });
const postgres = usePostgres();
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
const POSTS = 30;
/** What two machines may send to the webhook at the same moment. Nobody can ask it what arrived. */
const UNDER_WAY = 8;
/** How long before their time posts are moved to it, in ms. The machines are up, and see what is due. */
const LEAD_MS = 3_000;
/** Short, so that another machine soon takes over what a killed one has claimed. */
const CLAIM_MS = 8_000;

const HOUR_MS = 3_600_000;

interface Round {
  readonly name: string;
  /** Called while posts go out. @param start starts another process on the first machine's folder */
  readonly disturb?: (machines: readonly Machine[], proxy: CutProxy, start: () => Machine) => Promise<void>;
  /** How far the machines' clocks are ahead, in ms. */
  readonly clocks?: readonly [number, number];
  /** The texts that the webhook may lack, because nobody can ask it what a killed process sent. */
  readonly mayLack: boolean;
}

type Machine = ReturnType<typeof startProcess>;

const ROUNDS: readonly Round[] = [
  { name: "without trouble", mayLack: false },
  { name: "their clocks are wrong by ten minutes", clocks: [-600_000, 600_000], mayLack: false },
  {
    name: "one is killed",
    disturb: async ([first]) => {
      first?.kill("SIGKILL");
      await first?.ended;
    },
    mayLack: true,
  },
  {
    name: "both are killed, and one is started again",
    disturb: async (machines, _proxy, start) => {
      for (const each of machines) each.kill("SIGKILL");
      await Promise.all(machines.map((each) => each.ended));
      await start().waitFor('"url"');
    },
    mayLack: true,
  },
  {
    name: "answers of the database get lost, and those to COMMIT, too",
    disturb: async (_machines, proxy) => {
      proxy.mute();
      await wait(300);
      proxy.heal();
    },
    mayLack: true,
  },
  {
    name: "one is cut off from the database while it sends",
    disturb: (_machines, proxy) => {
      proxy.cut();
      return Promise.resolve();
    },
    mayLack: true,
  },
  ...[2, 30].map((seconds) => ({
    name: `the database is killed, and is back after ${seconds} s`,
    disturb: async () => {
      await postgres().kill();
      await wait(seconds * 1_000);
      await postgres().start();
    },
    mayLack: true,
  })),
];

test.each(ROUNDS)(
  "two machines publish each post once: $name",
  async ({ disturb, clocks = [0, 0], mayLack }) => {
    const script = scriptWithClaims(await tempFolder({}), CLAIM_MS);
    const world = await startAccounts({ ignoresKeys: true });
    const texts = Array.from({ length: POSTS }, (_, index) => `Post ${index}`);
    const posts = texts.map(
      (text, index) =>
        `  - { id: p${index}, scheduled_at: "${new Date(Date.now() + HOUR_MS).toISOString()}", platforms: [bluesky, mastodon, webhook], content: "${text}"${index % 3 === 0 ? ", media: [bed.png]" : ""} }`,
    );
    const files = { "bed.png": tinyPng(1), "calendars/a.yaml": `posts:\n${posts.join("\n")}\n` };
    const config = {
      service: { url: "embedded", timeout: "5s" },
      project: "garden",
      accounts: world.accounts,
      safety: { settle: "1s" },
    };
    const media = { PLANCAST_MEDIA_URL: bucket.url, ...BUCKET_KEY };
    const env = { ...world.env, ...media, PLANCAST_DATABASE_URL: await postgres().database() };
    const [one, other] = [await makeProject({ config, files }), await makeProject({ config, files })];
    const applied = await runCommand(["apply", "--yes"], { cwd: one.root, env });
    expect(applied.stdout).toContain(`${POSTS} created`);
    for (const network of [world.bluesky, world.mastodon, world.webhook]) network.delayMs = 50;
    // The first machine reaches the database through a proxy.
    const direct = new URL(env.PLANCAST_DATABASE_URL);
    const proxy = await startCutProxy(Number(direct.port));
    onTestFinished(() => proxy.close());
    const through = direct.href.replace(`:${direct.port}/`, `:${proxy.port}/`);
    const start = (index: 0 | 1): Machine =>
      startProcess(["serve", "--port", "0", "--stay"], {
        cwd: (index === 0 ? one : other).root,
        script,
        env: {
          ...env,
          NODE_OPTIONS: `--import=${new URL("../../support/shift-clock.js", import.meta.url).href}`,
          CLOCK_SHIFT_MS: String(clocks[index]),
          ...(index === 0 ? { PLANCAST_DATABASE_URL: through } : {}),
        },
      });
    const machines = [start(0), start(1)];
    await Promise.all(machines.map((each) => each.waitFor('"url"')));
    // Nobody waits for the time that an apply takes: its posts are moved to a time that is near.
    const store = await openTestStore(env.PLANCAST_DATABASE_URL);
    const scheduled_at = new Date(Date.now() + LEAD_MS).toISOString();
    for (const { id } of await store.list("post"))
      await store.update("post", id, (post) => ({ record: { ...post, scheduled_at } }));
    await store.close();
    await until(() => world.bluesky.records.size >= 3);
    await disturb?.(machines, proxy, () => {
      const machine = start(0);
      machines.push(machine);
      return machine;
    });
    const isThere = (index: 0 | 1 | 2) => texts.filter((text) => counts(world, text)[index] >= 1).length;
    await until(
      () => isThere(0) === POSTS && isThere(1) === POSTS && isThere(2) >= POSTS - (mayLack ? UNDER_WAY : 0),
    );
    for (const each of machines) each.kill("SIGTERM");
    await Promise.all(machines.map((each) => each.ended));
    for (const text of texts) {
      const [bluesky, mastodon, webhook] = counts(world, text);
      expect([text, bluesky, mastodon]).toEqual([text, 1, 1]);
      expect(webhook).toBeLessThanOrEqual(1);
    }
    expect([...world.bluesky.blobs.values()].every((each) => each.equals(tinyPng(1)))).toBe(true);
  },
);
