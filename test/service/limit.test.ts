/** Real runs under a real limit: what the headers say will be refused is not sent. */
import { expect, test } from "vitest";
import { csv, startScenario } from "../support/scenario.ts";

const ROWS = Array.from({ length: 16 }, (_, index) => [
  `post-${index}`,
  `2036-03-01 10:${10 + index}`,
  "twitter",
  `Post ${index}`,
]);
const FILES = { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...ROWS) };

test.each(["seconds", "epoch", "epoch-ms"] as const)("reset in %s", async (resetUnit) => {
  const { apply, service } = await startScenario({
    service: { limit: { perWindow: 6, windowMs: 3_000, resetUnit } },
    files: FILES,
  });
  const { summary, requests } = await apply();
  expect(summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
  expect(service.counters.rateLimited).toBe(0);
  expect(requests).toBe(18);
});

test("beside another client of the same key nothing is lost", async () => {
  const { apply, service } = await startScenario({
    service: { limit: { perWindow: 8, windowMs: 2_000, resetUnit: "epoch-ms" } },
    files: FILES,
  });
  const other = setInterval(() => service.spendByOthers(2), 700);
  try {
    expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
  } finally {
    clearInterval(other);
  }
  expect(service.duplicates()).toEqual([]);
});

test("refusals without any header are waited for", async () => {
  const { apply, service } = await startScenario({ files: FILES });
  service.faults.at(3, "rate-limited-bare");
  service.faults.at(5, { kind: "rate-limited", retryAfter: 1 });
  expect((await apply()).summary).toMatchObject({ created: 16, failed: 0, unknown: 0 });
  expect(service.scheduled().length).toBe(16);
});
