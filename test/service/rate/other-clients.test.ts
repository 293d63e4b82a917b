/** The rate window with other users of the same key who do not cooperate: models with a simulated clock. */

import { expect, test } from "vitest";
import { RateModel } from "../../support/rate/model.ts";
import { seeded } from "../../support/rate/random.ts";
import { simulate } from "../../support/rate/simulate.ts";

const START = Date.parse("2030-01-01T12:00:00Z");
const WINDOW_MS = 10_000;
const LIMIT = 60;

/** The requests of another user at one time. Returns the time of the next ones. */
type Other = (model: RateModel, now: number, random: () => number) => number;

function burst(model: RateModel, now: number, requests: number): void {
  for (let sent = 0; sent < requests; sent += 1) model.request(now);
}

const OTHERS: Readonly<Record<string, Other>> = {
  "a quarter of the limit, evenly": (model, now, random) => {
    burst(model, now, 1);
    return now + 2 * random() * 667;
  },
  "half the limit, evenly": (model, now, random) => {
    burst(model, now, 1);
    return now + 2 * random() * 333;
  },
  "five at once, every two seconds or so": (model, now, random) => {
    burst(model, now, 5);
    return now + 2 * random() * 2_000;
  },
  "forty at once, every window": (model, now) => {
    burst(model, now, 40);
    return now + WINDOW_MS;
  },
  "all it can get": (model, now, random) => {
    const { refused, retryAfterMs = 0 } = model.request(now);
    return now + (refused ? retryAfterMs : 2 * random() * 40);
  },
};

interface Totals {
  sent: number;
  refused: number;
  /** The time of the slowest process, in ms. */
  tookMs: number;
}

/** Many runs with this many plancast clients, with reset times in all units. */
function totals(clients: readonly number[], latencyMs: number, other?: Other): Totals {
  const all: Totals = { sent: 0, refused: 0, tookMs: 0 };
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seeded(seed);
    const unit = (["seconds", "epoch", "epoch-ms"] as const)[seed % 3] ?? "seconds";
    const told = { unit, rounding: "up", hasDate: true, retryAfter: true } as const;
    const model = new RateModel({ kind: "first", limit: LIMIT, windowMs: WINDOW_MS, ...told });
    const startAt = START + seed * 1_337;
    const simulated = simulate({
      answer: (now) => model.request(now),
      clients,
      startAt,
      latency: () => latencyMs * (0.5 + random()),
      ...(other && { other: { at: startAt + 3_000 * random(), act: (now) => other(model, now, random) } }),
      mostMs: 3_600_000,
    });
    for (const { sent, refused, tookMs } of simulated) {
      all.sent += sent;
      all.refused += refused;
      all.tookMs = Math.max(all.tookMs, tookMs);
    }
  }
  return all;
}

test.each(Object.keys(OTHERS).flatMap((name) => [3, 40].map((ms) => [name, ms] as const)))(
  "few requests are refused while another client sends %s, %i ms away",
  (name, latencyMs) => {
    const { sent, refused, tookMs } = totals([300], latencyMs, OTHERS[name]);
    expect(refused / sent).toBeLessThan(0.01);
    expect(tookMs).toBeLessThan(600_000);
  },
);

test.each([
  [2, 3],
  [2, 40],
  [2, 150],
  [3, 3],
  [3, 40],
])("%i separate processes with a delay of %i ms get almost no refusals", (processes, latencyMs) => {
  const { sent, refused, tookMs } = totals(
    Array.from({ length: processes }, () => 200),
    latencyMs,
  );
  expect(refused / sent).toBeLessThan(0.01);
  // Twice as long as one process would take for all requests, because each process leaves room for the other.
  expect(tookMs).toBeLessThan(2 * ((processes * 200) / LIMIT) * WINDOW_MS);
});

test("the reserve is always left to others", () => {
  for (const unit of ["seconds", "epoch", "epoch-ms"] as const) {
    const told = { unit, rounding: "up", hasDate: true, retryAfter: true } as const;
    const model = new RateModel({ kind: "first", limit: LIMIT, windowMs: WINDOW_MS, ...told });
    let least = LIMIT;
    const [simulated] = simulate({
      answer: (now) => {
        const news = model.request(now);
        least = Math.min(least, news.reading.windows[0]?.remaining ?? 0);
        return news;
      },
      clients: [241],
      startAt: START,
      latency: () => 4,
      window: { reserve: () => 12 },
      mostMs: 3_600_000,
    });
    expect(least).toBe(12);
    expect(simulated?.refused).toBe(0);
    // 48 in each window.
    expect((simulated?.tookMs ?? 0) / (5 * WINDOW_MS)).toBeLessThan(1.02);
  }
});

test("a reserve of the whole limit still leaves one request a window", () => {
  const told = { unit: "epoch-ms", rounding: "up", hasDate: true, retryAfter: true } as const;
  const model = new RateModel({ kind: "first", limit: 5, windowMs: WINDOW_MS, ...told });
  const [simulated] = simulate({
    answer: (now) => model.request(now),
    clients: [4],
    startAt: START,
    latency: () => 4,
    window: { reserve: () => 50 },
    mostMs: 3_600_000,
  });
  expect(simulated?.tookMs).toBeLessThan(3.1 * WINDOW_MS);
});
