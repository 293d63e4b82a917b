/** A `plancast serve` that is stopped hands its posts to another one at once: nobody waits for the end of its claims. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { counts, startAccounts } from "../../support/networks/accounts.ts";
import { usePostgres } from "../../support/postgres-server.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { BUCKET_KEY, startBucket } from "../../support/s3-server.ts";
import { TestClock } from "../../support/test-clock.ts";
import { tinyPng } from "../../support/tiny-media.ts";
import { until } from "../../support/until.ts";

vi.setConfig({ testTimeout: 180_000 });
const postgres = usePostgres();
const POSTS = 8;
const CLAIM_MS = 60_000;
const HOUR_MS = 3_600_000;

test("another machine publishes what a stopped one had claimed, long before the claims end", async () => {
  const bucket = await startBucket();
  const world = await startAccounts({ ignoresKeys: true });
  const due = Math.ceil(Date.now() / 1000) * 1000 + 15_000;
  const texts = Array.from({ length: POSTS }, (_, index) => `Post ${index}`);
  const posts = texts.map(
    (text, index) =>
      `  - { id: p${index}, scheduled_at: "${new Date(due).toISOString()}", platforms: [bluesky], content: "${text}", media: [bed.png] }`,
  );
  const files = { "bed.png": tinyPng(1), "calendars/a.yaml": `posts:\n${posts.join("\n")}\n` };
  const { bsky } = world.accounts;
  const config = { service: { url: "embedded" }, project: "garden", accounts: { bsky: bsky ?? {} } };
  const media = { PLANCAST_MEDIA_URL: bucket.url, ...BUCKET_KEY };
  const env = { ...world.env, ...media, PLANCAST_DATABASE_URL: await postgres().database() };
  const [one, other] = [await makeProject({ config, files }), await makeProject({ config, files })];
  const clock = new TestClock(undefined, due - HOUR_MS);
  expect((await runCommand(["apply", "--yes"], { cwd: one.root, env, clock })).code).toBe(0);
  const serve = ({ root }: { readonly root: string }) =>
    startProcess(["serve", "--port", "0", "--stay"], { cwd: root, env });
  const first = serve(one);
  await first.waitFor('"url"');
  // Uploads are under way when it is stopped. They end, and the posts that need them are not sent any more.
  const uploads = (): number => world.bluesky.requests.filter((name) => name.includes("uploadBlob")).length;
  world.bluesky.delayMs = 4_000;
  await until(() => uploads() >= POSTS);
  const second = serve(other);
  await second.waitFor('"url"');
  expect(world.bluesky.records.size).toBe(0);
  const stoppedAt = Date.now();
  first.kill("SIGTERM");
  const { code } = await first.ended;
  expect(code).toBe(0);
  expect(world.bluesky.records.size).toBeLessThan(POSTS);
  world.bluesky.delayMs = 0;
  await until(() => world.bluesky.records.size >= POSTS);
  expect(Date.now() - stoppedAt).toBeLessThan(CLAIM_MS / 3);
  await wait(1_000);
  second.kill("SIGTERM");
  await second.ended;
  for (const text of texts) expect([text, counts(world, text)[0]]).toEqual([text, 1]);
  await bucket.close();
});
