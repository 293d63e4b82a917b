/**
 * The job of `apply` as other programs do it: it sends a number of requests to a service with a limit, and repeats
 * each one until it is accepted. All of them wait as long as a refusal says. Runs in its own process.
 *
 *   node bench/limited-clients.js NAME URL JSON
 */
import Bottleneck from "bottleneck";
import pLimit from "p-limit";
import pThrottle from "p-throttle";
import { setTimeout as delay } from "node:timers/promises";

const [name = "", url = "", options = "{}"] = process.argv.slice(2);
const { requests, limit, windowMs } = JSON.parse(options);

/** @param {number} index */
async function answerTo(index) {
  const response = await fetch(`${url}/posts`, {
    method: "POST",
    headers: { "user-agent": `${name}/1`, "content-type": "application/json" },
    body: JSON.stringify({ content: `Post ${index}` }),
  });
  await response.arrayBuffer();
  return response;
}

/**
 * @param {number} index
 * @returns {Promise<number>} ms to wait before it is sent again; 0 when it was accepted
 */
async function send(index) {
  const { status, headers } = await answerTo(index);
  return status === 429 ? Number(headers.get("retry-after")) * 1_000 : 0;
}

/** @param {(index: number) => Promise<number>} sendOne */
async function untilAccepted(sendOne, index = 0) {
  for (let wait = await sendOne(index); wait > 0; wait = await sendOne(index)) await delay(wait);
}

const clients = {
  /** This many requests in each interval: the limit must be known. */
  "p-throttle": () => {
    const throttled = pThrottle({ limit, interval: windowMs })(send);
    return all((index) => untilAccepted(throttled, index));
  },
  /** As its README describes it: a reservoir that is filled again after each interval. The limit must be known. */
  Bottleneck: () => {
    const limiter = new Bottleneck({
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: windowMs,
      maxConcurrent: 6,
    });
    return all((index) => untilAccepted((each) => limiter.schedule(() => send(each)), index));
  },
  /** Knows the limit and, by the service's own clock, when each window ends: nothing is faster on this machine. */
  "knows all": async () => {
    const six = pLimit(6);
    for (let sent = 0; sent < requests; sent += limit) {
      const { headers } = await answerTo(sent);
      const inWindow = Math.min(limit, requests - sent) - 1;
      await all((index) => six(() => untilAccepted(send, sent + 1 + index)), inWindow);
      if (sent + limit >= requests) break;
      const end = Number(headers.get("x-ratelimit-reset"));
      while (Date.now() < end) await delay(end - Date.now());
    }
  },
  /** Knows nothing: sends, and waits when refused. */
  "retry on 429": () => {
    const six = pLimit(6);
    return all((index) => six(() => untilAccepted(send, index)));
  },
};

/** @param {(index: number) => Promise<void>} one */
function all(one, count = requests) {
  return Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}

await new Map(Object.entries(clients)).get(name)?.();
process.exit();
