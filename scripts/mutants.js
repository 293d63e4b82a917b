/**
 * Measures how well the tests protect the code where a mistake would publish a post twice, lose one, or spend the rate
 * limit of others: planning, applying, reading lists, and the rate window.
 *
 *     npm run mutants                      all of them: about 300; takes long
 *     npm run mutants -- --list            only list them
 *     npm run mutants -- --only 1a2b3c4    one of them (or several: 1a2b3c4,5d6e7f8)
 *     npm run mutants -- --files 'src/sync/state/*.ts' those of other files
 *     npm run mutants -- --tests 'test/sync/plan/*'   only these tests count
 *     npm run mutants -- --again           only what tests that changed since the run before may decide otherwise
 *
 * A mutant is one small fault: a condition negated, a boundary moved, a statement or an `await` left out, a default
 * dropped, a number or a word changed. Which ones are chosen depends only on the statement that holds them, so the list
 * stays the same for the same source, even when files move. Type checking does not count: only tests kill a mutant.
 *
 * 1. Every chosen mutant is written into its file behind a switch (scripts/mutants/find-mutants.js). The main suite runs
 *    once with all switches off, and notes which tests reach which mutants. Commands that run in the test's process count;
 *    the built program does not.
 * 2. For each mutant, the tests that reach it run with its switch on, the quickest file first, until one fails: the mutant
 *    is killed. One that makes tests hang is killed too. If all of them pass, it survived.
 *
 * Two processes keep one vitest each (`--workers N`). The results are in coverage/mutants/results.json. Some survivors
 * are no holes: they behave as the original does, or differ in nothing that anybody can see.
 */
import { fork } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { globSync } from "tinyglobby";
import { allMutants } from "./mutants/find-mutants.js";

/** What is measured, by part. */
const PARTS = {
  planning: ["src/sync/plan/*.ts"],
  applying: ["src/sync/apply/*.ts"],
  "reading lists": [
    "src/service/answers/{list-page,read-list,post}.ts",
    "src/service/endpoints/http-service.ts",
  ],
  "rate window": ["src/service/rate/*.ts"],
};
/** Those with a lower rank are chosen: gives about 300. */
const CHOSEN_BELOW = 0.09;
/** Tests in the folder that is named like the source file's folder find a fault soonest. */
const NEAR = 0.2;

const { values: flags } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    only: { type: "string" },
    files: { type: "string" },
    tests: { type: "string", default: "test/**" },
    again: { type: "boolean", default: false },
    workers: { type: "string", default: "2" },
    seconds: { type: "string", default: "120" },
  },
});
/** The time limit for the tests of one mutant: the sum of their usual durations, in ms. */
const mostMs = Number(flags.seconds) * 1_000;
const root = process.cwd();
const folder = join(root, "coverage", "mutants");
const parts = flags.files === undefined ? PARTS : { [flags.files]: [flags.files] };
const chosen = allMutants(root, Object.values(parts).flat()).filter(({ rank }) => rank < CHOSEN_BELOW);

if (flags.list) for (const mutant of chosen) console.log(described(mutant));
else await measure();

async function measure() {
  const files = [...new Set(chosen.map(({ file }) => file))];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "list.json"), JSON.stringify({ mutants: chosen, files }));
  const workers = await Promise.all(Array.from({ length: Number(flags.workers) }, () => startWorker()));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      for (const worker of workers) worker.stop();
      process.exit(1);
    });
  }
  const started = Date.now();
  const tests = await whatTestsReach(workers, files);
  console.log(`${tests.length} test files ran once in ${minutes(started)}.`);
  const ids = flags.only?.split(",");
  const known = flags.again ? stillKilled() : new Map();
  const queue = chosen
    .map((mutant, number) => ({ mutant, runs: runsFor(number, mutant, files, tests), number }))
    .filter(({ mutant }) => (ids === undefined ? !known.has(mutant.id) : ids.includes(mutant.id)))
    .sort((one, other) => (one.runs[0]?.cost ?? 0) - (other.runs[0]?.cost ?? 0));
  const results = ids === undefined ? [...known.values()] : [];
  const total = results.length + queue.length;
  await eachOn(workers, queue, async (worker, { mutant, runs, number }) => {
    const result = { ...mutant, ...(await attack(worker, number, runs)) };
    results.push(result);
    writeFileSync(join(folder, "results.json"), JSON.stringify(results, undefined, 2));
    console.log(
      `${results.length}/${total} ${result.outcome}: ${described(mutant)}${result.by ? `\n    by ${result.by}` : ""}`,
    );
  });
  for (const worker of workers) worker.stop();
  report(results);
  console.log(`\nTook ${minutes(started)}.`);
}

/** Runs each test file once. Gives what it reaches, and how long it takes. */
async function whatTestsReach(workers, files) {
  const path = join(folder, "reached.json");
  const list = JSON.stringify(chosen.map(({ id }) => id).concat(files));
  const before = flags.again && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  const usable = before?.list === list ? before.tests : [];
  const isCurrent = ({ file, at }) => workers[0].files.includes(file) && isOlder(file, at);
  const tests = usable.filter(isCurrent);
  const known = new Set(tests.map(({ file }) => file));
  const wanted = globSync(flags.tests, { cwd: root });
  const missing = workers[0].files.filter((file) => wanted.includes(file) && !known.has(file));
  await eachOn(workers, missing, async (worker, file) => {
    const { ms, durations, failures, failed, why, hits } = await worker.run(
      { file, timeoutMs: 60_000 },
      600_000,
    );
    if (failed !== undefined)
      console.log(
        `Without a fault, ${file} fails: ${failed}: ${why}\nTests that fail without a mutant are left out.`,
      );
    // A test that fails without a fault kills no mutant.
    for (const id of failures ?? []) delete hits?.tests[id];
    tests.push({ file, at: Date.now(), ms, durations, hits: hits ?? { before: [], tests: {} } });
    // At once, so that it is kept when this ends early.
    writeFileSync(path, JSON.stringify({ list, tests }));
  });
  return tests.filter(({ file }) => wanted.includes(file));
}

/** The mutants of the previous run, by id, that were killed by test files which have not changed since then. */
function stillKilled() {
  const path = join(folder, "results.json");
  const before = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  const now = new Map(chosen.map((mutant) => [mutant.id, mutant]));
  const isKilled = ({ id, outcome, test, at }) =>
    outcome === "killed" && now.has(id) && existsSync(join(root, test)) && isOlder(test, at);
  return new Map(before.filter(isKilled).map((result) => [result.id, { ...result, ...now.get(result.id) }]));
}

function isOlder(test, at) {
  return statSync(join(root, test)).mtimeMs < at;
}

/** The test files that reach a mutant, with their tests that do: the most promising first. */
function runsFor(number, { file: source }, files, tests) {
  const entered = chosen.length + files.indexOf(source);
  const near = source.split("/").at(-2);
  return tests
    .flatMap(({ file, ms, durations, hits }) => {
      const idsOf = (wanted) => Object.keys(hits.tests).filter((id) => hits.tests[id].includes(wanted));
      const isAtImport = hits.before.includes(number);
      const testIds = isAtImport ? idsOf(entered) : idsOf(number);
      if (testIds.length === 0) return [];
      const own = testIds.reduce((sum, id) => sum + (durations[id] ?? 0), 0);
      const overhead = Math.max(0, ms - Object.values(durations).reduce((sum, each) => sum + each, 0));
      const longest = Math.max(...testIds.map((id) => durations[id] ?? 0));
      const cost = overhead + own;
      return [{ file, testIds, cost, longest, order: file.split("/").includes(near) ? cost * NEAR : cost }];
    })
    .sort((one, other) => one.order - other.order);
}

async function attack(worker, number, runs) {
  if (runs.length === 0) return { outcome: "not covered" };
  let spent = 0;
  for (const [index, { file, testIds, cost, longest }] of runs.entries()) {
    if (spent > 0 && spent + cost > mostMs) return { outcome: "survived", tried: index, of: runs.length };
    spent += cost;
    const task = { file, active: number, testIds, timeoutMs: Math.round(10_000 + 4 * longest) };
    let { failed, why } = await worker.run(task, 30_000 + 6 * cost);
    // A run that took too long may only have had too little of the machine's time.
    if (failed !== undefined && /timed out/.test(why ?? "timed out")) {
      const patient = { ...task, timeoutMs: 3 * task.timeoutMs };
      ({ failed, why } = await worker.run(patient, 60_000 + 12 * cost));
    }
    if (failed !== undefined)
      return { outcome: "killed", by: `${file}: ${failed}`, why, test: file, at: Date.now() };
  }
  return { outcome: "survived", tried: runs.length, of: runs.length };
}

/** A worker that is ended and started again if a run takes too long. */
async function startWorker() {
  let child;
  let files;
  const start = async () => {
    child = fork(fileURLToPath(new URL("mutants/worker.js", import.meta.url)), [folder], {
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    ({ ready: files } = await answerOf(child));
  };
  await start();
  return {
    files,
    async run(task, limitMs) {
      let timer;
      const late = new Promise((resolve) => {
        timer = setTimeout(
          () => resolve({ ms: limitMs, durations: {}, failed: "(it took too long)", isLate: true }),
          limitMs,
        );
      });
      child.send(task);
      const result = await Promise.race([answerOf(child), late]);
      clearTimeout(timer);
      if (result.isLate === true) {
        stop(child);
        await start();
      }
      return result;
    },
    stop: () => stop(child),
  };
}

function answerOf(child) {
  return new Promise((resolve) => {
    const ended = () => resolve({ ms: 0, durations: {}, failed: "(the tests' process ended)", isLate: true });
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}

/** With all processes that it started. */
function stop(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function eachOn(workers, items, work) {
  const left = [...items];
  await Promise.all(
    workers.map(async (worker) => {
      while (left.length > 0) await work(worker, left.shift());
    }),
  );
}

function report(results) {
  const alive = results.filter(({ outcome }) => outcome !== "killed");
  if (alive.length > 0) console.log("\nNot killed:");
  for (const result of alive.sort(
    (one, other) => one.file.localeCompare(other.file) || one.line - other.line,
  )) {
    const tried = result.tried < result.of ? ` (${result.tried} of ${result.of} test files tried)` : "";
    console.log(`  ${result.outcome}${tried}: ${described(result)}`);
  }
  console.log("\n| part | mutants | killed | survived | not covered |\n| --- | --- | --- | --- | --- |");
  for (const part of [...Object.keys(parts), "all"]) {
    const files = globSync(parts[part] ?? Object.values(parts).flat(), { cwd: root });
    const own = results.filter(({ file }) => files.includes(file));
    const count = (outcome) => own.filter((each) => each.outcome === outcome).length;
    console.log(
      `| ${part} | ${own.length} | ${count("killed")} | ${count("survived")} | ${count("not covered")} |`,
    );
  }
}

function short(text) {
  return text.replaceAll(/\s+/g, " ").slice(0, 90);
}

function described({ id, file, line, operator, was, becomes }) {
  return `${id} ${file}:${line} ${operator}: ${short(was)}${becomes === "" ? "" : ` → ${short(becomes)}`}`;
}

function minutes(since) {
  return `${((Date.now() - since) / 60_000).toFixed(1)} minutes`;
}
