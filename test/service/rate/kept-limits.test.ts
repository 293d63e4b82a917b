/** What a service told about its limits is kept until the next run. */

import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Place } from "../../../src/disk/place.ts";
import { keepLimits, limitsName, readKeptLimits } from "../../../src/service/rate/kept-limits.ts";
import type { ToldLimits } from "../../../src/service/rate/rate-limits.ts";
import { csv, startScenario } from "../../support/scenario.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const NOW = Date.parse("2030-01-01T12:00:00Z");
const MINUTE_MS = 60_000;
const WINDOW = { name: "day", limit: 250, left: 3, endsAt: NOW + 40_000, lengthMs: MINUTE_MS };
const TOLD: ToldLimits = { windows: [WINDOW] };
const NOTHING: ToldLimits = { windows: [] };

async function limitsFile(): Promise<Place> {
  return Place.checked(await tempFolder()).in("limits.json");
}

test("a window is kept until it ends, and a requested wait until it is over", async () => {
  const file = await limitsFile();
  expect(await readKeptLimits(file, "a", NOW)).toEqual(NOTHING);
  await keepLimits(file, "a", { ...TOLD, closedUntil: NOW + 5_000 }, NOW);
  expect(await readKeptLimits(file, "a", NOW + 1)).toEqual({ windows: [WINDOW], closedUntil: NOW + 5_000 });
  expect(await readKeptLimits(file, "a", NOW + 5_000)).toEqual(TOLD);
  expect(await readKeptLimits(file, "a", NOW + 40_000)).toEqual(NOTHING);
  expect(await readKeptLimits(file, "b", NOW)).toEqual(NOTHING);
});

test("a run without a reported limit writes no file, and removes what it replaces", async () => {
  const file = await limitsFile();
  await keepLimits(file, "a", NOTHING, NOW);
  await expect(stat(file.path)).rejects.toThrow("ENOENT");
  await keepLimits(file, "a", TOLD, NOW);
  await keepLimits(file, "b", TOLD, NOW);
  await keepLimits(file, "a", NOTHING, NOW);
  expect(await readKeptLimits(file, "a", NOW)).toEqual(NOTHING);
  expect(await readKeptLimits(file, "b", NOW)).toEqual(TOLD);
});

test("the file shows neither the address nor the key", async () => {
  const file = await limitsFile();
  await keepLimits(file, limitsName("https://api.example.com", "sk_secret"), TOLD, NOW);
  expect(await readFile(file.path, "utf8")).not.toMatch(/api\.example|sk_secret/);
  expect(limitsName("https://api.example.com", "sk_1")).not.toBe(
    limitsName("https://api.example.com", "sk_2"),
  );
});

describe("a file that plancast did not write", () => {
  test.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["another version", JSON.stringify({ version: 99, limits: { a: TOLD } })],
    ["a window that ends later than it lasts", limitsText({ ...WINDOW, endsAt: NOW + 3_600_000 })],
    ["a window of a year", limitsText({ ...WINDOW, lengthMs: 365 * 86_400_000 })],
    ["a negative count", limitsText({ ...WINDOW, left: -1 })],
    ["a text in place of a count", limitsText({ ...WINDOW, limit: "many" })],
    [
      "a wait of a day",
      JSON.stringify({ version: 1, limits: { a: { windows: [], closedUntil: NOW + 86_400_000 } } }),
    ],
  ])("is ignored: %s", async (_what, text) => {
    const file = await limitsFile();
    await writeFile(file.path, text);
    expect(await readKeptLimits(file, "a", NOW)).toEqual(NOTHING);
    await keepLimits(file, "a", TOLD, NOW);
    expect(await readKeptLimits(file, "a", NOW)).toEqual(TOLD);
  });

  test("never holds requests back for longer than a window lasts", async () => {
    const file = await limitsFile();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        await writeFile(file.path, JSON.stringify({ version: 1, limits: { a: value } }));
        for (const { endsAt, lengthMs } of (await readKeptLimits(file, "a", NOW)).windows)
          expect(endsAt - NOW).toBeLessThanOrEqual(lengthMs + 2_000);
      }),
      { numRuns: 50 },
    );
  });
});

function limitsText(window: object): string {
  return JSON.stringify({ version: 1, limits: { a: { windows: [window] } } });
}

function rows(names: readonly string[]): string {
  return csv(
    ["id", "scheduled_at", "platforms", "content"],
    ...names.map((name, index) => [name, `2036-03-01 10:${10 + index}`, "twitter", `Post ${name}`]),
  );
}

describe("a second run", () => {
  const limit = { perWindow: 6, windowMs: MINUTE_MS, resetUnit: "seconds" } as const;

  test("waits for the end of a window that the first one used up, so nothing is refused", async () => {
    const { apply, service, clock, project } = await startScenario({
      service: { limit },
      files: { "calendars/a.csv": rows(["a", "b", "c"]) },
    });
    // Two lists of posts, one of platforms, three creates: the window is used up.
    await apply();
    expect(service.counters).toMatchObject({ requests: 6, rateLimited: 0 });
    const text = await readFile(join(project.root, ".plancast", "limits.json"), "utf8");
    expect(text).not.toContain(service.key);
    await project.write("calendars/a.csv", rows(["a", "b", "c", "d"]));
    const since = clock.now();
    await apply();
    expect(service.counters.rateLimited).toBe(0);
    expect(clock.now() - since).toBeGreaterThan(50_000);
    expect(service.scheduled().length).toBe(4);
  });

  test("with another key, or after the window, waits for nothing", async () => {
    const { run, apply, service, clock, project } = await startScenario({
      service: { limit: { ...limit, perWindow: 20 } },
      files: { "calendars/a.csv": rows(["a"]) },
    });
    await apply();
    service.spendByOthers(20);
    clock.advance(2 * MINUTE_MS);
    const since = clock.now();
    await project.write("calendars/a.csv", rows(["a", "b"]));
    await apply();
    expect(clock.now() - since).toBeLessThan(10_000);
    expect((await run("plan")).code).toBe(0);
  });

  test("sends nothing if a window opens only in many hours, and shows the time", async () => {
    const { run, apply, service, clock, project } = await startScenario({
      service: { limit: { ...limit, perWindow: 20 } },
      files: { "calendars/a.csv": rows(["a"]) },
    });
    await apply();
    const file = join(project.root, ".plancast", "limits.json");
    const { version, limits } = JSON.parse(await readFile(file, "utf8"));
    const endsAt = clock.now() + 20 * 3_600_000;
    const day = { name: "day", limit: 250, left: 0, endsAt, lengthMs: 86_400_000 };
    const told = Object.keys(limits).map((name) => [name, { windows: [day] }]);
    await writeFile(file, JSON.stringify({ version, limits: Object.fromEntries(told) }));
    const { requests } = service.counters;
    const { code, stderr } = await run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("GET /v1/posts was not sent. The rate limit is used up.");
    expect(stderr).toContain(new Date(endsAt).toISOString().slice(0, 10));
    expect(service.counters.requests).toBe(requests);
  });

  test("a plan reads what is kept and writes nothing", async () => {
    const { run, project } = await startScenario({
      service: { limit },
      files: { "calendars/a.csv": rows(["a"]) },
    });
    await run("plan");
    await expect(stat(join(project.root, ".plancast", "limits.json"))).rejects.toThrow("ENOENT");
  });
});
