/** Real runs under a real limit: what the headers say will be refused is not sent. */
import { describe, expect, test } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import type { LimitOptions } from "../support/foreign/rate-limit.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { csv, startScenario } from "../support/scenario.ts";

const ROWS = Array.from({ length: 16 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };
const DAY_MS = 86_400_000;

async function start(
  limit: Partial<LimitOptions>,
  more: Parameters<typeof startScenario>[0]["service"] = {},
) {
  const usual: LimitOptions = { perWindow: 6, windowMs: 3_000, resetUnit: "epoch-ms" };
  return startScenario({ service: { limit: { ...usual, ...limit }, ...more }, files: FILES });
}

/** How many requests there were in each window; one begins with the first request after the end of the one before. */
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

describe("alone on the key, nothing is refused, and each request is sent once", () => {
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
    // The rows are new, so two lists of posts must agree; and one of platforms.
    expect([requests, service.counters.requests]).toEqual([19, 19]);
  });

  test.each([DAY_MS, -DAY_MS])("with a service clock that is %i ms ahead", async (aheadMs) => {
    const { apply, service } = await start({ resetUnit: "epoch" }, { now: () => Date.now() + aheadMs });
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.counters.rateLimited).toBe(0);
  });
});

test("posts go out earliest first, whatever the order of the rows, also where they wait", async () => {
  const rows = ROWS.toReversed();
  const files = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...rows) };
  const limit = { perWindow: 1, windowMs: 200, resetUnit: "epoch-ms" } as const;
  const { apply, service } = await startScenario({ service: { limit }, files });
  await apply();
  const times = [...service.posts.values()].map((post) => post.scheduled_at);
  expect(times).toEqual(times.toSorted());
});

describe("beside others on the same key", () => {
  test("another client: nothing is lost", async () => {
    const { apply, service } = await start({ perWindow: 8, windowMs: 2_000 });
    const other = setInterval(() => service.spendByOthers(2), 700);
    afterThisTest(() => clearInterval(other));
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.duplicates()).toEqual([]);
  });

  test("another project's apply: nothing is lost, nothing is made twice", async () => {
    const first = await start({ perWindow: 10, windowMs: 2_000, resetUnit: "seconds" });
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
      runCommand(["apply", "--yes"], { cwd: project.root, env: first.env }),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(first.service.scheduled().length).toBe(32);
    expect(first.service.duplicates()).toEqual([]);
  });

  test("what is reserved is left to them", async () => {
    const { service, project, apply } = await start({ perWindow: 6, windowMs: 1_000 });
    await project.write("plancast.yaml", 'service: { reserve: "50%" }\ntimezone: Europe/Paris\n');
    await apply();
    expect(service.counters.rateLimited).toBe(0);
    expect(Math.max(...windowsOf(service.requests, 1_000))).toBe(3);
  });
});

describe("refusals", () => {
  test("without any header are waited for", async () => {
    const { apply, service } = await startScenario({ files: FILES });
    service.faults.at(3, "rate-limited-bare");
    service.faults.at(5, { kind: "rate-limited", retryAfter: 1 });
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
    expect(service.scheduled().length).toBe(16);
  });

  test("that are to last for hours end the run, which says so and sends nothing more", async () => {
    const { run, service } = await startScenario({ files: FILES });
    service.faults.plan(({ method }) =>
      method === "POST" ? { kind: "rate-limited", retryAfter: 7_200 } : undefined,
    );
    const { code, stdout } = await run("apply", "--yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Applied: nothing; [1-6] failed, 1\d not started$/m);
    expect(stdout).toContain("It asks to stay away for 120 minutes.");
    // Three lists, and what was in flight when the first refusal came.
    expect(service.counters.requests).toBeLessThanOrEqual(3 + 6);
  });
});

test("who waits, for what, until when is said on stderr; not when quiet", async () => {
  const { run, service } = await start({ perWindow: 9, windowMs: 2_500, resetUnit: "seconds" });
  const { stderr } = await run("apply", "--yes");
  expect(stderr).toMatch(
    /^Waiting until \d\d:\d\d(:\d\d)? \(\d+ seconds?\): \d+ requests, for the service's rate limit\.$/m,
  );
  for (const post of service.scheduled()) service.cancelByHand(post.id);
  expect((await run("apply", "--yes", "--quiet")).stderr).not.toContain("Waiting");
});
