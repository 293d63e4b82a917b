/**
 * Measures apply under a limit, as the only client and beside one that does not cooperate. Compares it with the minimum
 * time that the limit allows, and with simple scripts. All runs wait most of the time, so they run at the same time.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeSection } from "./write-section.js";

const LIMIT = 60;
const WINDOW_MS = 10_000;
const CREATES = 297;
/** Lists the posts twice, because two readings must agree if rows are new. Then lists the platforms. */
const LISTS = 3;
const UNITS = ["seconds", "epoch", "epoch-ms"];
const OTHERS = ["knows all", "p-throttle", "Bottleneck", "retry on 429"];
/** The share of the limit that the other client takes. It sends evenly and ignores the answers. */
const OTHER_SHARE = 0.4;

const here = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/**
 * @typedef {{ name: string, unit: string, sent: number, refused: number, accepted: number, ratio: number }} Row
 */

/**
 * One client against a service of its own.
 * @param {string} name
 * @param {string} unit
 * @param {boolean} beside
 * @returns {Promise<Row>}
 */
async function measure(name, unit, beside) {
  const service = fork(join(here, "limited-service.js"), [
    JSON.stringify({ limit: LIMIT, windowMs: WINDOW_MS, unit }),
  ]);
  const [url] = await once(service, "message");
  const stopping = new AbortController();
  if (beside) void keepSending(url, stopping.signal);
  await (name === "plancast" ? apply(url) : run([join(here, "limited-clients.js"), name, url, JOB], {}));
  stopping.abort();
  service.send("report");
  const [seen] = await once(service, "message");
  service.disconnect();
  return { name, unit, ...figures(name, seen) };
}

const JOB = JSON.stringify({ requests: CREATES + LISTS, limit: LIMIT, windowMs: WINDOW_MS });

/**
 * The shortest possible time: as long as the windows that all accepted requests fill, from any client.
 * @param {string} name
 * @param {{ agent: string, at: number, accepted: boolean }[]} seen
 */
function figures(name, seen) {
  const own = seen.filter(({ agent }) => agent === name);
  const accepted = own.filter((each) => each.accepted);
  const [from, to] = [own[0]?.at ?? 0, accepted.at(-1)?.at ?? 0];
  const all = seen.filter(({ at, accepted: isIn }) => isIn && at >= from && at <= to).length;
  const least = Math.floor((all - 1) / LIMIT) * WINDOW_MS;
  return {
    sent: own.length,
    refused: own.length - accepted.length,
    accepted: accepted.length,
    ratio: (to - from) / least,
  };
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function keepSending(url, signal) {
  const everyMs = WINDOW_MS / (LIMIT * OTHER_SHARE);
  while (!signal.aborted) {
    void fetch(`${url}/posts`, {
      method: "POST",
      headers: { "user-agent": "other/1", "content-type": "application/json" },
      body: JSON.stringify({ content: "Other", platforms: ["x"], scheduled_at: "2036-01-01T00:00:00Z" }),
    }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    await delay(everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

/** @param {string} url */
async function apply(url) {
  const root = await mkdtemp(join(tmpdir(), "plancast-bench-"));
  const rows = Array.from({ length: CREATES }, (_, index) => {
    const at = new Date(Date.UTC(2036, 0, 1, 8, index)).toISOString().slice(0, 19);
    return `post-${index},${at}Z,linkedin,Post ${index}`;
  });
  await mkdir(join(root, "calendars"));
  await writeFile(join(root, "plancast.yaml"), "timezone: UTC\n");
  await writeFile(
    join(root, "calendars", "all.csv"),
    ["id,scheduled_at,platforms,content", ...rows].join("\n"),
  );
  const env = { PLANCAST_BASE_URL: url, PLANCAST_API_KEY: "key" };
  await run([cli, "apply", "--yes", "--quiet", "--config", join(root, "plancast.yaml")], env);
  await rm(root, { recursive: true });
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
async function run(args, env) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}.`);
}

/**
 * Starts them one after the other, so that they do not all work at the same moment.
 * @param {(() => Promise<Row>)[]} runs
 */
function sideBySide(runs) {
  return Promise.all(runs.map(async (one, index) => delay(index * 1_700).then(one)));
}

/** @param {Row[]} rows */
function table(rows) {
  const lines = rows.map(
    ({ name, unit, sent, refused, accepted, ratio }) =>
      `| ${name} | ${unit} | ${ratio.toFixed(3)} | ${sent} | ${refused} (${((100 * refused) / sent).toFixed(1)} %) | ${CREATES + LISTS - accepted} |`,
  );
  const head = ["| client | unit of the reset | time ÷ least time | requests | refused (429) | lost |"];
  return [...head, "| --- | --- | ---: | ---: | ---: | ---: |", ...lines].join("\n");
}

/** @param {boolean} beside */
function rowsOf(beside) {
  return sideBySide([
    ...UNITS.map((unit) => () => measure("plancast", unit, beside)),
    ...OTHERS.map((name) => () => measure(name, "epoch-ms", beside)),
  ]);
}

const alone = await rowsOf(false);
const beside = await rowsOf(true);
const text = `plancast sends ${CREATES} creates and ${LISTS} lists. Other programs send ${CREATES + LISTS} requests. The local service allows ${LIMIT} requests every ${WINDOW_MS / 1_000} seconds,
and a window begins with its first request. Time is measured from the first request of a program to its last accepted one. The least time is that of the full windows that the accepted requests fill.
p-throttle and Bottleneck (as its README shows it) get the limit, and plancast finds it out. "knows all" also gets the end of each window by the service's clock: its time is what this machine allows. All of them wait as long as a refusal asks.

As the only client of the key:

${table(alone)}

Together with a client that takes ${OTHER_SHARE * 100} % of the limit and does not cooperate:

${table(beside)}`;
console.log(text);
writeSection("apply", text);
