/** Two `plancast serve` that are started at once on an empty database share the limits of their accounts and of their keys. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { startStandIn } from "../../support/networks/stand-in.ts";
import { usePostgres } from "../../support/postgres-server.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { TestClock } from "../../support/test-clock.ts";
import { until } from "../../support/until.ts";

vi.setConfig({ testTimeout: 240_000 });
const postgres = usePostgres();
const HOUR_MS = 3_600_000;
const POSTS = 70;
/** What Slack takes in a minute. */
const PER_MINUTE = 60;
/** The smallest plan of keys. */
const PLAN = 30;

test("two machines together send no more than an account may take, and answer no more than a key may ask", async () => {
  const received: number[] = [];
  const webhook = await startStandIn(() => {
    received.push(Date.now());
    return { json: {} };
  });
  const due = Math.ceil(Date.now() / 1000) * 1000 + 45_000;
  const posts = Array.from(
    { length: POSTS },
    (_, index) =>
      `  - { id: p${index}, scheduled_at: "${new Date(due).toISOString()}", platforms: [webhook], content: "Post ${index}" }`,
  );
  const files = { "calendars/a.yaml": `posts:\n${posts.join("\n")}\n` };
  const accounts = { press: { network: "webhook", url_env: "PRESS", form: "slack" } };
  const config = { service: { url: "embedded" }, project: "garden", accounts };
  const env = { PRESS: `${webhook.origin}/hook`, PLANCAST_DATABASE_URL: await postgres().database() };
  const [one, other] = [await makeProject({ config, files }), await makeProject({ config, files })];
  const machines = [one, other].map(({ root }) =>
    startProcess(["serve", "--port", "0", "--stay", "--plan", "free"], { cwd: root, env }),
  );
  await Promise.all(machines.map((each) => each.waitFor('"url"')));
  // The key of the database, not the one in the folder of the second machine.
  const { keys } = Object(JSON.parse(await readFile(join(one.root, ".plancast", "serve.json"), "utf8")));
  const authorization = `Bearer ${String(Object(keys).read)}`;
  const addresses = machines.map((each) => String(Object(JSON.parse(each.stdout())).url));
  const answers = await Promise.all(
    Array.from({ length: PLAN + 10 }, async (_, index) =>
      fetch(`${addresses[index % 2]}/posts`, { headers: { authorization } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PLAN);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  // Without a machine: the commands of a project would wait for the key.
  const apart = await makeProject({ config, files });
  const clock = new TestClock(undefined, due - HOUR_MS);
  const applied = await runCommand(["apply", "--yes"], { cwd: apart.root, env, clock });
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining(`${POSTS} created`)]);
  expect(received).toEqual([]);
  await until(() => received.length >= PER_MINUTE);
  const first = received[0] ?? 0;
  await wait(Math.max(0, first + 55_000 - Date.now()));
  expect(received).toHaveLength(PER_MINUTE);
  await until(() => received.length >= POSTS);
  await wait(1_000);
  expect(received).toHaveLength(POSTS);
  for (const each of machines) {
    expect(each.stderr()).toContain("Published");
    each.kill("SIGTERM");
  }
  await Promise.all(machines.map((each) => each.ended));
});
