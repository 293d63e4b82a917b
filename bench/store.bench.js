/**
 * What `plancast serve` needs with a long history: time and memory to start, a page of the list, a create, and how late
 * 1,000 posts are that are due in the same second. For the file store, and for PostgreSQL with several instances.
 *
 *   npm run bench -- store                        10,000, 100,000 and 1,000,000 posts of history
 *   npm run bench -- store --sizes 10000          one size
 *   npm run bench -- store --sizes 10000 --lag    only how late posts are
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { stringify } from "yaml";
import { startPostgres } from "./postgres.js";
import { CLI, ratio, sideBySide } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const { values } = parseArgs({
  options: { sizes: { type: "string" }, lag: { type: "boolean", default: false } },
});
const SIZES = (values.sizes ?? "10000,100000,1000000").split(",").map(Number);
const SCHEDULED = 50_000;
const DUE = 1_000;
/** Years over which the history is spread. */
const YEARS = 5;
const ANSWER_MS = 100;
const STARTS = 3;
const PAGES = 20;
const CREATES = 50;
const PLANNED = 5_000;
const PLANS = 5;
const DAY_MS = 86_400_000;

const who = createHash("sha256")
  .update(JSON.stringify(["webhook", "hook", "HOOK", ""]))
  .digest("hex");
const ACCOUNT = `account_webhook_${who.slice(0, 12)}`;
const CONTENT =
  "Doors open at nine. Bring a friend, bring two: the first coffee is on us all morning long. ".repeat(2);
const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const receiver = await startReceiver();
const database = await startPostgres();
/** @type {string[]} */
const rows = [];
/** @type {string[]} */
const lags = [];
let planned = "";
try {
  for (const size of SIZES) {
    await measureFile(size);
    await measurePostgres(size);
  }
  if (!values.lag) planned = await comparePlans();
} finally {
  await database.stop();
  receiver.server.close();
  rmSync(folder, { recursive: true, force: true });
}

const text = `${SCHEDULED.toLocaleString("en")} posts are scheduled, and the history is spread over ${YEARS} years. Start: until the service answers. Memory: the most that the process had by then. A page has 100 posts; the slowest of three lists counts. Medians.

| store | posts in history | start | memory | page | create |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}

${DUE.toLocaleString("en")} posts are due in the same second, on a webhook that answers after ${ANSWER_MS} ms. How late requests arrive there:

Processor time is that of the instances. They, the database and the receiver share ${cpus().length} cores.

| store | posts in history | instances | half | 99 % | all | statements for a post | processor time for a post |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${lags.join("\n")}

${planned}

${new Date().toISOString().slice(0, 10)}.`;
console.log(text);
if (!values.lag) writeSection("store", text);

/**
 * Keeps a row, and shows it at once, because all of them take long.
 * @param {string[]} table
 * @param {string} row
 */
function add(table, row) {
  console.error(row);
  table.push(row);
}

/** @param {number} size */
async function measureFile(size) {
  const project = makeProject(`file-${size}`);
  const store = join(project, ".plancast", "embedded");
  mkdirSync(join(store, "archive"), { recursive: true });
  const recent = Date.now() - 90 * DAY_MS;
  const log = createWriteStream(join(store, "store.jsonl"));
  /** @type {Map<string, import("node:fs").WriteStream>} */
  const years = new Map();
  for (let index = 0; index < size; index += 1) {
    const post = oldPost(index, size);
    const year = post.scheduled_at.slice(0, 4);
    const archive = years.get(year) ?? createWriteStream(join(store, "archive", `${year}.jsonl`));
    years.set(year, archive);
    const isRecent = Date.parse(post.scheduled_at) > recent;
    const line = isRecent ? JSON.stringify([{ kind: "post", record: post }]) : JSON.stringify(post);
    if (!(isRecent ? log : archive).write(`${line}\n`)) await new Promise((go) => setImmediate(go));
  }
  for (let index = 0; index < SCHEDULED; index += 1)
    log.write(`${JSON.stringify([{ kind: "post", record: nextPost(index) }])}\n`);
  for (const each of [log, ...years.values()]) await finished(each.end());
  if (!values.lag) add(rows, `| file | ${count(size)} | ${await sizesOf(project, {})} |`);
  const due = dueIn(15_000);
  writeFileSync(
    join(store, "store.jsonl"),
    duePosts(due)
      .map((record) => `${JSON.stringify([{ kind: "post", record }])}\n`)
      .join(""),
    { flag: "a" },
  );
  const running = await serve(project, {});
  const before = running.processorMs();
  const lag = await lagOf(due);
  add(lags, `| file | ${count(size)} | 1 | ${lag} | | ${forPost(running.processorMs() - before)} |`);
  await running.stop();
}

/** @param {number} size */
async function measurePostgres(size) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const name = `size_${size}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = database.url.replace(/postgres$/, name);
  const env = { PLANCAST_DATABASE_URL: url };
  const project = makeProject(`postgres-${size}`);
  await (await serve(project, env)).stop();
  const store = new Client({ connectionString: url });
  await store.connect();
  await store.query("CREATE EXTENSION pg_stat_statements");
  const recent = Date.now() - 90 * DAY_MS;
  for (let from = 0; from < size; from += 10_000) {
    const posts = Array.from({ length: Math.min(10_000, size - from) }, (_, index) =>
      oldPost(from + index, size),
    );
    await insert(store, posts, (post) => (Date.parse(post.scheduled_at) > recent ? "post" : "archived"));
  }
  for (let from = 0; from < SCHEDULED; from += 10_000)
    await insert(
      store,
      Array.from({ length: 10_000 }, (_, index) => nextPost(from + index)),
      () => "post",
    );
  await store.query("ANALYZE");
  if (!values.lag) add(rows, `| PostgreSQL | ${count(size)} | ${await sizesOf(project, env)} |`);
  for (const instances of [1, 2, 4]) {
    const running = [];
    for (let index = 0; index < instances; index += 1)
      running.push(await serve(makeProject(`postgres-${size}-${instances}-${index}`), env));
    const due = dueIn(4_000);
    await insert(store, duePosts(due), () => "post");
    await store.query("SELECT pg_stat_statements_reset()");
    const before = processorMsOf(running);
    const lag = await lagOf(due);
    const spent = forPost(processorMsOf(running) - before);
    const { rows: statements } = await store.query("SELECT sum(calls)::int AS count FROM pg_stat_statements");
    const each = (statements[0].count / DUE).toFixed(1);
    add(lags, `| PostgreSQL | ${count(size)} | ${instances} | ${lag} | ${each} | ${spent} |`);
    await Promise.all(running.map((each) => each.stop()));
  }
  await store.end();
}

/** @param {readonly { processorMs(): number }[]} running */
function processorMsOf(running) {
  return running.reduce((sum, each) => sum + each.processorMs(), 0);
}

/** @param {number} ms for all posts */
function forPost(ms) {
  return `${(ms / DUE).toFixed(1)} ms`;
}

/** `plan` of a project whose posts are all on the service, with both stores. */
async function comparePlans() {
  const posts = Array.from({ length: PLANNED }, (_, index) => nextPost(index));
  const calendar = posts.map(
    ({ content, scheduled_at }, index) => `p${index},${scheduled_at},webhook,"${content}"`,
  );
  const csv = `id,scheduled_at,platforms,content\n${calendar.join("\n")}\n`;
  const file = makeProject("plan-file", csv);
  const store = join(file, ".plancast", "embedded");
  mkdirSync(store, { recursive: true });
  writeFileSync(
    join(store, "store.jsonl"),
    posts.map((record) => `${JSON.stringify([{ kind: "post", record }])}\n`).join(""),
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const shared = makeProject("plan-postgres", csv);
  const env = { PLANCAST_DATABASE_URL: database.url };
  await (await serve(shared, env)).stop();
  await insert(client, posts, () => "post");
  await client.end();
  const hook = { HOOK: receiver.url };
  const times = sideBySide(
    {
      file: { args: [CLI, "plan"], cwd: file, env: hook },
      postgres: { args: [CLI, "plan"], cwd: shared, env: { ...hook, ...env } },
    },
    PLANS,
  );
  return `\`plancast plan\` of ${count(PLANNED)} posts takes ${ratio(times.postgres, times.file).toFixed(2)} times as long with PostgreSQL as with the file store (median of ${PLANS} rounds).`;
}

/**
 * @param {string} name
 * @param {string} [calendar] CSV
 */
function makeProject(name, calendar) {
  const root = join(folder, name);
  mkdirSync(join(root, "calendars"), { recursive: true });
  const accounts = { hook: { network: "webhook", url_env: "HOOK", resend: true } };
  writeFileSync(
    join(root, "plancast.yaml"),
    stringify({ project: "garden", service: { url: "embedded" }, accounts }),
  );
  if (calendar !== undefined) writeFileSync(join(root, "calendars", "a.csv"), calendar);
  return root;
}

/**
 * @param {string} id
 * @param {number} at
 */
function post(id, at) {
  return {
    id,
    content: CONTENT,
    platforms: ["webhook"],
    accounts: { webhook: ACCOUNT },
    scheduled_at: time(at),
    media_ids: [],
    created_at: time(at - 30 * DAY_MS),
  };
}

/**
 * Ids sort as in an archive.
 * @param {number} index
 * @param {number} size
 */
function oldPost(index, size) {
  const at = Date.now() - DAY_MS - Math.floor(((size - index) / size) * YEARS * 365 * DAY_MS);
  const sent = { account_id: ACCOUNT, state: "published", attempts: 1, sent_at: time(at), parts: [] };
  return {
    ...post(`post_a${String(index).padStart(9, "0")}`, at),
    published_at: time(at),
    results: [{ platform: "webhook" }],
    publications: { webhook: sent },
  };
}

/** @param {number} index */
function nextPost(index) {
  return {
    ...post(`post_b${String(index).padStart(9, "0")}`, Date.now() + DAY_MS + index * 60_000),
    content: `No. ${index}. ${CONTENT}`,
  };
}

/** @param {number} due */
function duePosts(due) {
  return Array.from({ length: DUE }, (_, index) => post(`post_c${due}x${index}`, due));
}

/** @param {number} ms */
function time(ms) {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** @param {number} ms */
function dueIn(ms) {
  return Math.ceil((Date.now() + ms) / 1000) * 1000;
}

/** @param {number} size */
function count(size) {
  return size.toLocaleString("en");
}

/**
 * @template {ReturnType<typeof post>} P
 * @param {Client} client
 * @param {P[]} posts
 * @param {(post: P) => string} kindOf
 */
async function insert(client, posts, kindOf) {
  await client.query(
    `INSERT INTO plancast_records (project, kind, id, place, status, record)
     SELECT 'garden', * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    [
      posts.map(kindOf),
      posts.map(({ id }) => id),
      posts.map(({ scheduled_at: at, id }) => `${at} ${id}`),
      posts.map((each) => ("results" in each ? "published" : "scheduled")),
      posts.map((each) => JSON.stringify(each)),
    ],
  );
  const waiting = posts.filter((each) => !("results" in each));
  await client.query(
    `INSERT INTO plancast_due (project, kind, id, lane, at, added)
     SELECT 'garden', 'post', id, $3, at, added FROM unnest($1::text[], $2::bigint[]) AS news (id, at)
     JOIN plancast_records USING (id) WHERE project = 'garden' AND kind = 'post'`,
    [waiting.map(({ id }) => id), waiting.map(({ scheduled_at: at }) => Date.parse(at)), ACCOUNT],
  );
}

/**
 * Start, memory, page and create, as cells of the table.
 * @param {string} project
 * @param {Record<string, string>} env
 */
async function sizesOf(project, env) {
  const starts = [];
  const memory = [];
  for (let nr = 0; nr < STARTS; nr += 1) {
    const running = await serve(project, env);
    starts.push(running.startMs);
    memory.push(running.megabytes);
    await running.stop();
  }
  const running = await serve(project, env);
  const pages = [];
  for (const query of ["", "status=scheduled&", "status=failed&"]) {
    const times = [];
    for (let nr = 0; nr < PAGES; nr += 1)
      times.push(await timed(() => running.ask(`/posts?${query}limit=100`)));
    pages.push(median(times));
  }
  const creates = [];
  for (let nr = 0; nr < CREATES; nr += 1) {
    const body = {
      content: `New ${nr}`,
      platforms: ["webhook"],
      scheduled_at: time(Date.now() + 90 * DAY_MS),
    };
    creates.push(await timed(() => running.ask("/posts", body)));
  }
  await running.stop();
  return `${(median(starts) / 1000).toFixed(2)} s | ${median(memory).toFixed(0)} MB | ${Math.max(...pages).toFixed(0)} ms | ${median(creates).toFixed(1)} ms`;
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {number[]} numbers */
function median(numbers) {
  return share(numbers, 0.5);
}

/**
 * @param {number[]} numbers
 * @param {number} part from 0 to 1
 */
function share(numbers, part) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/**
 * @param {string} cwd
 * @param {Record<string, string>} more
 */
async function serve(cwd, more) {
  const start = performance.now();
  const env = { ...process.env, HOOK: receiver.url, ...more };
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--stay"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  const line = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
      if (output.includes("\n")) resolve(output);
    });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}.`)));
  });
  const startMs = performance.now() - start;
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  const { url } = JSON.parse(line);
  const { keys } = JSON.parse(readFileSync(join(cwd, ".plancast", "serve.json"), "utf8"));
  const headers = { authorization: `Bearer ${keys.write}`, "content-type": "application/json" };
  return {
    startMs,
    megabytes: Number(kilobytes) / 1024,
    /** What it has used so far. The system counts in hundredths of a second. */
    processorMs() {
      const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${child.pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      return (Number(user) + Number(system)) * 10;
    },
    /**
     * @param {string} path
     * @param {object} [body]
     */
    async ask(path, body) {
      const how = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(url + path, how);
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function startReceiver() {
  /** @type {number[]} */
  const arrivals = [];
  const server = createServer((incoming, outgoing) => {
    arrivals.push(Date.now());
    incoming.resume();
    setTimeout(() => outgoing.writeHead(200, { "content-type": "application/json" }).end("{}"), ANSWER_MS);
  });
  await new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { server, arrivals, url: `http://127.0.0.1:${port}/hook` };
}

/** @param {number} due */
async function lagOf(due) {
  receiver.arrivals.length = 0;
  while (receiver.arrivals.length < DUE && Date.now() < due + 300_000) await wait(50);
  const late = receiver.arrivals.map((at) => at - due);
  if (late.length !== DUE) throw new Error(`${late.length} of ${DUE} posts arrived.`);
  // Each post once: nothing more may come.
  await wait(500);
  if (receiver.arrivals.length !== DUE)
    throw new Error(`${receiver.arrivals.length} requests for ${DUE} posts.`);
  return [0.5, 0.99, 1].map((part) => `${(share(late, part) / 1000).toFixed(2)} s`).join(" | ");
}
