/**
 * How long `plancast serve` takes to publish 100 posts that become due at once, with networks that take 150 ms for each
 * answer. Prints figures and checks none of them, because the machine is shared.
 */
import { expect, test, vi } from "vitest";
import { startAccounts } from "../../support/networks/accounts.ts";
import type { StandIn } from "../../support/networks/stand-in.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { TestClock } from "../../support/test-clock.ts";
import { until } from "../../support/until.ts";

vi.setConfig({ testTimeout: 180_000 });
const POSTS = 100;
const HOUR_MS = 3_600_000;
/** Time for `serve` to start, in ms. */
const START_MS = 15_000;
/** A usual time for an answer from another continent, in ms. */
const ANSWER_MS = 150;
const SUBMIT = /putRecord|\/api\/v1\/statuses$|\/hook$/;

test.each([[["bluesky"]], [["mastodon"]], [["webhook"]], [["bluesky", "mastodon", "webhook"]]])(
  "100 posts that are due at once on %s are published soon after, each once",
  async (platforms) => {
    const world = await startAccounts({ ignoresKeys: true });
    const due = Math.ceil((Date.now() + START_MS) / 1000) * 1000;
    const posts = Array.from({ length: POSTS }, (_, index) => {
      const time = new Date(due).toISOString();
      return `  - { id: p${index}, scheduled_at: "${time}", platforms: [${platforms.join(", ")}], content: "Post ${index}" }`;
    });
    const project = await makeProject({
      config: { service: { url: "embedded" }, accounts: world.accounts },
      files: { "calendars/a.yaml": `posts:\n${posts.join("\n")}\n` },
    });
    const clock = new TestClock(undefined, due - HOUR_MS);
    expect((await runCommand(["apply", "--yes"], { cwd: project.root, env: world.env, clock })).code).toBe(0);
    const times = new Map<string, number[]>();
    const record = (name: string): StandIn["watch"] => {
      const at: number[] = [];
      times.set(name, at);
      return (request, moment) => {
        if (moment === "handled" && SUBMIT.test(request)) at.push(Date.now() - due);
        return undefined;
      };
    };
    for (const name of ["bluesky", "mastodon", "webhook"] as const) {
      world[name].watch = record(name);
      world[name].delayMs = ANSWER_MS;
    }
    const serving = startProcess(["serve", "--port", "0", "--stay"], { cwd: project.root, env: world.env });
    await serving.waitFor('"url"');
    expect(Date.now()).toBeLessThan(due);
    const used = platforms.map((name) => times.get(name) ?? []);
    await until(() => used.every((at) => at.length >= POSTS));
    for (const [index, at] of used.entries())
      console.info(`${platforms[index]}: first after ${at[0]} ms, last after ${at[POSTS - 1]} ms`);
    serving.kill("SIGINT");
    await serving.ended;
    expect(used.map((at) => at.length)).toEqual(platforms.map(() => POSTS));
  },
);
