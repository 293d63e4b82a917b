/**
 * A long run: `status` agrees with the server for every row, whatever happened to the receiver of its events. A service
 * that is killed publishes nothing twice and loses no event.
 */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventEnvelope } from "../../src/model/service-interface.ts";
import { seeded } from "../support/rate/random.ts";
import { startReceiver } from "../support/receiver.ts";
import { LONG_MS, SEED, perEffort } from "./effort.ts";
import { type Night, nightCalendar, startKeptService, startNight } from "./night.ts";

const ROWS = Number(process.env["CHAOS_NIGHT"] ?? perEffort({ quick: 30, long: 100, full: 500 }));
const MINUTES = 5;
/** From the service's start until the last post is due. The first is due ten minutes after the start. */
const WHOLE = 10 + MINUTES;
const CANCELLED = 3;
/** The minutes in which the receiver is killed. */
const KILLED_IN = perEffort({ quick: [MINUTES], long: [1, 3, MINUTES], full: [1, 3, MINUTES] });
const KILLS = KILLED_IN.length;
/** The latest kill after the first event, in ms. */
const UNTIL_KILL_MS = 1_500;

test(
  "status agrees with the service for every row after listen was killed",
  { timeout: LONG_MS },
  async () => {
    const random = seeded(SEED);
    const night = await startNight(nightCalendar(ROWS, MINUTES));
    const applied = await night.run("write", "apply", "--yes");
    expect([applied.code, applied.stderr]).toMatchObject([0, expect.anything()]);
    let listen = await night.startListen();
    const { url } = JSON.parse(listen.stdout());
    expect((await night.run("admin", "webhooks", "add", "--url", url)).code).toBe(0);
    for (const { id } of (await night.posts()).slice(-CANCELLED)) await night.cancel(id);

    await night.move("10m");
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const moved = night.move("1m");
      const isKilled = KILLED_IN.includes(minute);
      if (isKilled) {
        await wait(random() * UNTIL_KILL_MS);
        listen.kill("SIGKILL");
        await listen.ended;
        await wait(random() * UNTIL_KILL_MS);
      }
      // After the last kill, nothing listens for the rest of the night. Those events are lost.
      if (minute === MINUTES) await moved;
      if (isKilled) listen = await night.startListen();
      await moved;
    }
    const [received, confirmed] = await recordedIn(night);
    expect([received, confirmed].every((count) => count > 0)).toBe(true);

    const first = await night.status();
    const asked = await agrees(first, night);
    expect(first.code).toBe(1);
    // One or two lists, and a request for each post that they did not show.
    expect(asked).toBeLessThan(12);
    // Final results are recorded. plancast looks for failed posts in one or two lists while they can be tried again.
    const second = await night.status();
    expect(second.requests).toBeLessThanOrEqual(2);
    expect(second.rows).toEqual(first.rows);
    process.stdout.write(
      `chaos night, seed ${SEED}: rows ${ROWS}, kills ${KILLS}, events received ${received}, posts confirmed ${confirmed}, requests of status ${asked}\n`,
    );
  },
);

/** Returns the number of requests. */
async function agrees(status: Awaited<ReturnType<Night["status"]>>, night: Night): Promise<number> {
  const server = new Map((await night.posts()).map((post) => [post.id, post]));
  expect(server.size).toBe(ROWS);
  expect(status.rows.length).toBe(ROWS);
  const seen = status.rows.map(({ post_id: id = "", status: state, results }) => ({ id, state, results }));
  const wanted = status.rows.map(({ post_id: id = "" }) => {
    const post = server.get(id);
    const results = (post?.results ?? []).map(({ platform, status: state, url, error }) => ({
      platform,
      status: state,
      ...(url !== undefined && { url }),
      ...(error !== undefined && { reason: error.message }),
    }));
    // plancast's own clock did not move, so the post is still due.
    return { id, state: post?.status === "cancelled" ? "missing" : post?.status, results };
  });
  expect(seen).toEqual(wanted);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(ROWS);
  expect(new Set(seen.map(({ state }) => state))).toEqual(new Set(["published", "failed", "missing"]));
  return status.requests;
}

/** How many events listen has kept, and how many posts it has confirmed. */
async function recordedIn({ project }: Night): Promise<readonly [number, number]> {
  const lines = (await project.read(".plancast/plancast.lock.json.events")).split("\n");
  const count = (what: string): number => lines.filter((line) => line.includes(what)).length;
  return [count('"received"'), count('"told"')];
}

const deliveries = z.object({
  data: z.array(z.object({ state: z.string(), event: eventEnvelope })),
  next_cursor: z.null(),
});

test(
  "a killed embedded service publishes nothing twice and loses no event",
  { timeout: LONG_MS },
  async () => {
    const random = seeded(SEED);
    const receiver = await startReceiver();
    const service = await startKeptService(nightCalendar(ROWS, MINUTES));
    await service.register(receiver.url);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = receiver.received.length;
      const move = { isOver: false };
      const moved = service
        .moveTo(WHOLE)
        .catch(() => undefined)
        .finally(() => (move.isOver = true));
      // On a fast machine, everything may have arrived before the last kill.
      while (receiver.received.length === before && !move.isOver) await wait(5);
      await wait((random() * UNTIL_KILL_MS) / KILLS);
      await service.kill();
      await moved;
      await service.start();
    }
    await service.moveTo(WHOLE);

    const log = deliveries.parse(await service.ask("GET", "/_control/deliveries?limit=1000"));
    expect(log.data.filter(({ state }) => state !== "delivered")).toEqual([]);
    const events = log.data.map(({ event }) => nameOf(event));
    const arrived = receiver.received.map((event) => nameOf(eventEnvelope.parse(event)));
    expect(new Set(events).size).toBe(events.length);
    // An event may arrive twice, but each one arrives, and no others.
    expect(new Set(arrived)).toEqual(new Set(events));

    const folder = join(service.root, ".plancast", "embedded");
    const store = (await readFile(join(folder, "store.jsonl"), "utf8")).trimEnd().split("\n");
    const published = store.flatMap((line) => publishedIn(line));
    expect([published.length, new Set(published).size]).toEqual([ROWS, ROWS]);
    const outbox = await readdir(join(folder, "outbox"), { recursive: true });
    const shown = outbox.filter((path) => path.endsWith("post.json")).map((path) => path.replace(/.*\//, ""));
    expect(shown.length).toBe(events.filter((name) => name.startsWith("post.published")).length);
  },
);

function nameOf({ event, data }: z.infer<typeof eventEnvelope>): string {
  return [event, data["post_id"], data["platform"]].join(" ");
}

const storedLine = z.array(
  z.object({ kind: z.string(), record: z.object({ id: z.string(), published_at: z.string().optional() }) }),
);

function publishedIn(line: string): string[] {
  return storedLine
    .parse(JSON.parse(line))
    .filter(({ kind, record }) => kind === "post" && record.published_at !== undefined)
    .map(({ record }) => record.id);
}
