/** Whole runs under a rate limit: plancast sends nothing that the headers say would be refused. */

import { describe, expect, test } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import type { LimitOptions } from "../../support/foreign/rate-limit.ts";
import { makeProject } from "../../support/project.ts";
import { runCommand } from "../../support/run-command.ts";
import { type ScenarioOptions, csv, startScenario } from "../../support/scenario.ts";

const ROWS = Array.from({ length: 16 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };
/** A little less than the difference of clocks that plancast accepts. */
const CLOCK_DIFFERENCE_MS = 9 * 60_000;

function start(limit: Partial<LimitOptions>, more: Partial<ScenarioOptions> = {}) {
  const usual: LimitOptions = { perWindow: 6, windowMs: 60_000, resetUnit: "epoch-ms" };
  return startScenario({ service: { limit: { ...usual, ...limit } }, files: FILES, ...more });
}

/** The number of requests in each window. A window begins with the first request after the end of the previous one. */
function windowsOf(requests: readonly { readonly at: number }[], windowMs: number): number[] {
  const counts: number[] = [];
  let end = 0;
  for (const { at } of requests) {
    if (at >= end) {
      end = at + windowMs;
      counts.push(0);
    }
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  return counts;
}

describe("as the only user of its key, apply sends each request once and none is refused", () => {
  test.each([
    { resetUnit: "seconds", rounding: "up" },
    { resetUnit: "seconds", rounding: "down" },
    { resetUnit: "epoch", rounding: "up" },
    { resetUnit: "epoch", rounding: "nearest" },
    { resetUnit: "epoch-ms", rounding: "up" },
  ] as const)("reset in $resetUnit, rounded $rounding", async (limit) => {
    const { apply, service } = await start(limit);
    const { summary, requests } = await apply();
    expect(summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.counters.rateLimited).toBe(0);
    // The rows are new, so two lists of posts must agree. plancast also reads the list of platforms.
    expect([requests, service.counters.requests]).toEqual([19, 19]);
  });

  test.each([CLOCK_DIFFERENCE_MS, -CLOCK_DIFFERENCE_MS])(
    "with a service whose clock is %i ms ahead",
    async (serviceAheadMs) => {
      const { apply, service } = await start({ resetUnit: "epoch" }, { serviceAheadMs });
      expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
      expect(service.counters.rateLimited).toBe(0);
    },
  );
});

test("apply sends the earliest posts first, whatever the order of the rows", async () => {
  const rows = ROWS.toReversed();
  const files = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...rows) };
  const limit = { perWindow: 1, windowMs: 200, resetUnit: "epoch-ms" } as const;
  const { apply, service } = await startScenario({ service: { limit }, files });
  await apply();
  const times = [...service.posts.values()].map((post) => post.scheduled_at);
  expect(times).toEqual(times.toSorted());
});

describe("with other clients on the same key", () => {
  test("apply loses nothing while another client uses the key", async () => {
    const { apply, service, clock } = await start({ perWindow: 8 });
    const over = new AbortController();
    const other = async (): Promise<void> => {
      while (!over.signal.aborted) {
        service.spendByOthers(2);
        await clock.sleep(20_000, over.signal);
      }
    };
    afterThisTest(() => over.abort());
    void other();
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.duplicates()).toEqual([]);
  });

  test("two projects applied at once lose nothing and create nothing twice", async () => {
    const first = await start({ perWindow: 10, resetUnit: "seconds" });
    const texts = ROWS.map(([id = "", at = "", platforms = ""]) => [
      `other-${id}`,
      at,
      platforms,
      `Other ${id}`,
    ]);
    const files = { "calendars/b.csv": csv(["id", "scheduled_at", "platforms", "content"], ...texts) };
    const project = await makeProject({ files, config: { timezone: "Europe/Paris" } });
    const both = await Promise.all([
      first.run("apply", "--yes"),
      runCommand(["apply", "--yes"], { cwd: project.root, env: first.env, clock: first.clock }),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(first.service.scheduled().length).toBe(32);
    expect(first.service.duplicates()).toEqual([]);
  });

  test("apply leaves the reserved share to other users of the key", async () => {
    const { service, apply } = await start({}, { config: { service: { reserve: "50%" } } });
    await apply();
    expect(service.counters.rateLimited).toBe(0);
    expect(Math.max(...windowsOf(service.requests, 60_000))).toBe(3);
  });
});

describe("after a refusal", () => {
  test("apply waits and sends again, even without any header", async () => {
    const { apply, service } = await startScenario({ files: FILES });
    service.faults.at(3, "rate-limited-bare");
    service.faults.at(5, { kind: "rate-limited", retryAfter: 1 });
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.scheduled().length).toBe(16);
  });

  test("apply ends immediately with a message if the service asks it to wait for hours", async () => {
    const { run, service } = await startScenario({ files: FILES });
    service.faults.plan(({ method }) =>
      method === "POST" ? { kind: "rate-limited", retryAfter: 7_200 } : undefined,
    );
    const { code, stdout } = await run("apply", "--yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Applied: nothing; [1-6] failed, 1\d not started$/m);
    expect(stdout).toContain("It asks plancast to wait until ");
    // Three lists, and the requests that were under way at the first refusal.
    expect(service.counters.requests).toBeLessThanOrEqual(3 + 6);
  });
});

test("without --quiet, stderr shows which request waits, for what and until when", async () => {
  const { run, service } = await start({ perWindow: 9, resetUnit: "seconds" });
  const { stderr } = await run("apply", "--yes");
  expect(stderr).toMatch(
    /^Waiting until \d\d:\d\d(:\d\d)? \(\d+ (?:second|minute)s?(?: \d+ seconds?)?\): \d+ requests, for the service's rate limit\.$/m,
  );
  for (const post of service.scheduled()) service.cancelByHand(post.id);
  expect((await run("apply", "--yes", "--quiet")).stderr).not.toContain("Waiting");
});
