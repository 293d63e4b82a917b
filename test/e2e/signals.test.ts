/** A signal stops the built command cleanly while it applies. Needs `npm run build`. */
import { expect, test } from "vitest";
import { endedBy, startProcess } from "../support/run-process.ts";
import { csv, startScenario } from "../support/scenario.ts";
import { until } from "../support/until.ts";

const ROWS = ["a", "b", "c"].map((id) => [id, "2036-03-01 10:00", "twitter", `Text ${id}`]);
const CALENDAR = csv(["id", "scheduled_at", "platforms", "content"], ...ROWS);
/** The longest time that a process may take, in ms. A busy machine may need longer, but not for ever. */
const [AT_MOST_MS, BUSY_MS] = [7_000, 30_000];

test("one signal ends an apply that waits for answers, and the next run creates nothing twice", async () => {
  let isOrderly = false;
  // If the machine is too busy for a clean end, plancast stops immediately.
  for (let tries = 0; tries < 3 && !isOrderly; tries += 1) {
    const { project, service, env } = await startScenario({
      files: { "calendars/a.csv": CALENDAR },
      config: { safety: { settle: "0s" } },
    });
    service.faults.plan(({ method }) => (method === "POST" ? "hang-after" : undefined));
    const apply = ["apply", "--yes"];
    const running = startProcess(apply, { cwd: project.root, env });
    await until(() => service.counters.creates === 3);
    const { tookMs, result } = await endedBy(running, ["SIGTERM"]);
    expect(result).toMatchObject({ code: 130, signal: null });
    expect(tookMs).toBeLessThan(AT_MOST_MS + BUSY_MS);
    isOrderly =
      result.stdout.includes("3 changes with an unknown outcome") &&
      !result.stderr.includes("Stopped immediately.");

    service.faults.plan(() => undefined);
    expect(await startProcess(apply, { cwd: project.root, env }).ended).toMatchObject({ code: 0 });
    expect(service.scheduled().map(({ content }) => content)).toEqual(["Text a", "Text b", "Text c"]);
  }
  expect(isOrderly).toBe(true);
});
