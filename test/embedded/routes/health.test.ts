/** What watchers and load balancers see: without a key, without content, and bad as long as nothing can be published. */
import { describe, expect, test } from "vitest";
import { Health } from "../../../src/embedded/publishing/health.ts";
import { SIMULATED_ACCOUNTS } from "../../../src/embedded/publishing/accounts.ts";
import { NEW_YEAR, draft, startTestService } from "../../support/embedded-service.ts";
import { openTestStore, usePostgres } from "../../support/postgres-server.ts";
import { until } from "../../support/until.ts";

async function read(origin: string, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${origin}${path}`);
  return { status: answer.status, text: await answer.text() };
}

describe("a service that works", () => {
  test.each(["/healthz", "/readyz"])("says so at %s, without a key", async (path) => {
    const service = await startTestService();
    expect(await read(new URL(service.url).origin, path)).toEqual({ status: 200, text: "ok\n" });
  });

  test("gives its numbers without any content", async () => {
    const service = await startTestService();
    await service.call("POST", "/posts", draft({ content: "Secret launch" }));
    const { status, text } = await read(new URL(service.url).origin, "/metrics");
    expect(status).toBe(200);
    expect(text).toContain("plancast_posts_due 0\n");
    expect(text).toContain("# TYPE plancast_publications_total counter");
    expect(text).toContain('plancast_publications_total{result="published"} 0\n');
    expect(text).not.toContain("Secret");
    // Each line is a comment, or a name with labels and one number.
    const LINE = /^(?:# (?:HELP|TYPE) plancast_[a-z_]+ .+|plancast_[a-z_]+(?:\{[a-z]+="[a-z]+"\})? [0-9.]+)$/;
    expect(
      text
        .trimEnd()
        .split("\n")
        .filter((line) => !LINE.test(line)),
    ).toEqual([]);
  });
});

describe("a database that is gone", () => {
  const postgres = usePostgres();

  test("makes the service unready, and unhealthy after five minutes", async () => {
    let now = NEW_YEAR;
    const url = await postgres().database();
    const store = await openTestStore(url);
    const health = new Health({ store, accounts: SIMULATED_ACCOUNTS, now: () => now });
    expect([await health.isReady(), await health.isAlive()]).toEqual([true, true]);
    await postgres().kill();
    // Its process for this connection may answer once more.
    await until(async () => !(await health.isReady()));
    expect([await health.isReady(), await health.isAlive()]).toEqual([false, true]);
    await expect(health.metrics()).rejects.toThrow();
    now += 5 * 60_000;
    expect(await health.isAlive()).toBe(false);
    await postgres().start();
    expect([await health.isReady(), await health.isAlive()]).toEqual([true, true]);
    await store.close();
  });
});
