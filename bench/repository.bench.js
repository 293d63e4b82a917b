/**
 * A schedule in the repository: how long apply works for new posts, and how much a bare repository grows when publish sends
 * a few of them. Processor time and bytes hardly depend on what else the machine does.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { CLI } from "./side-by-side.js";
import { writeSection } from "./write-section.js";

const SIZES = [1_000, 5_000, 20_000];
const DUE = 50;
const PUBLISHED_SIZES = [500, 5_000];
const HOUR_MS = 3_600_000;
const CLOCK = new URL("../test/support/shift-clock.js", import.meta.url).href;
/** Prints the processor time of its process at the end, in ms. */
const TIMES = `data:text/javascript,${encodeURIComponent(`import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.CPU_FILE, String((user + system) / 1000));
});`)}`;

const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
});
await new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = server.address();
const HOOK = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`;

const applies = [];
for (const size of SIZES) {
  const project = makeProject(`apply-${size}`, size);
  const file = join(folder, "cpu");
  await run(["apply", "--yes"], project, { NODE_OPTIONS: `--import=${TIMES}`, CPU_FILE: file });
  applies.push(`| ${count(size)} | ${(Number(readFileSync(file, "utf8")) / 1000).toFixed(1)} s |`);
}
const growths = [];
for (const size of PUBLISHED_SIZES) {
  const project = makeProject(`publish-${size}`, size);
  await run(["apply", "--yes"], project, {});
  const origin = join(folder, `origin-${size}.git`);
  git(["init", "-q", "--bare", origin], folder);
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["commit", "-q", "-m", "Applied"],
    ["push", "-q", origin, "main"],
    ["remote", "add", "origin", origin],
  ])
    git(args, project);
  const before = git(["rev-parse", "main"], origin);
  await run(["publish"], project, { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SHIFT_MS: String(HOUR_MS) });
  const commits = git(["rev-list", `${before}..main`], origin).split("\n").length;
  const added = git(["rev-list", "--objects", `${before}..main`], origin).replaceAll(/^(\w+).*$/gm, "$1");
  const sizes = git(["cat-file", "--batch-check=%(objectsize:disk)"], origin, added).split("\n");
  const bytes = sizes.reduce((sum, each) => sum + Number(each), 0);
  growths.push(`| ${count(size)} | ${commits} | ${(bytes / 1024).toFixed(1)} kB |`);
}
server.close();
rmSync(folder, { recursive: true });

const text = `Processor time of \`plancast apply\` of new rows:

| posts | processor time |
| ---: | ---: |
${applies.join("\n")}

\`plancast publish\` of ${DUE} due posts on one account:

| posts in the schedule | commits | the repository grows by |
| ---: | ---: | ---: |
${growths.join("\n")}`;
console.log(text);
writeSection("repository", text);

/**
 * @param {string} name
 * @param {number} posts
 */
function makeProject(name, posts) {
  const root = join(folder, name);
  mkdirSync(join(root, "calendars"), { recursive: true });
  const accounts = { hook: { network: "webhook", url_env: "HOOK", resend: true } };
  const config = { timezone: "UTC", service: { url: "repository" }, accounts };
  writeFileSync(join(root, "plancast.yaml"), stringify(config));
  writeFileSync(join(root, ".gitignore"), ".plancast/\n");
  const first = Date.now() + HOUR_MS / 2;
  const rows = Array.from({ length: posts }, (_, nr) => {
    const at = new Date(nr < DUE ? first : first + nr * HOUR_MS).toISOString().replace(/\.\d+Z/, "Z");
    return `p${nr},${at},webhook,"No. ${nr}. Doors open at nine: bring a friend, the first coffee is on us."`;
  });
  writeFileSync(join(root, "calendars", "a.csv"), `id,scheduled_at,platforms,content\n${rows.join("\n")}\n`);
  return root;
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} env
 */
async function run(args, cwd, env) {
  const all = { ...process.env, HOOK, ...env };
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: all, stdio: "ignore" });
  const code = await new Promise((resolve) => void child.once("exit", resolve));
  if (code !== 0) throw new Error(`plancast ${args.join(" ")} ended with ${code}.`);
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} [input]
 */
function git(args, cwd, input = "") {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const { status, stdout, stderr } = spawnSync("git", [...who, ...args], { cwd, input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** @param {number} size */
function count(size) {
  return size.toLocaleString("en");
}
