/**
 * Several processes apply separate projects with one key, with and without a Redis. Measures how much of the limit
 * they use, and how often the service refuses a request. Needs redis-server on the PATH.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSharedService } from "./shared-service.js";
import { writeSection } from "./write-section.js";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const LIMIT = { perWindow: 60, windowMs: 10_000 };
/** The requests of all processes together fill some windows, and a part of the last one. */
const POSTS = 200;

const CASES = [
  { processes: 1, shared: false },
  { processes: 2, shared: false },
  { processes: 2, shared: true },
  { processes: 4, shared: false },
  { processes: 4, shared: true },
];

const folder = mkdtempSync(join(tmpdir(), "plancast-bench-"));
const redis = await startRedis();
try {
  const rows = [];
  for (const each of CASES) {
    // One after the other: they would disturb each other.
    rows.push(await measure(each));
  }
  const table = [
    "| processes | through Redis | requests refused (429) | allowance used |",
    "| --------: | ------------- | ---------------------: | -------------: |",
    ...rows,
  ].join("\n");
  console.log(table);
  writeSection(
    "share",
    `${POSTS} posts in all, ${LIMIT.perWindow} requests in ${LIMIT.windowMs / 1_000} seconds. The share of the allowance that was used leaves out the last window.\n\n${table}`,
  );
} finally {
  redis.server.kill("SIGKILL");
  rmSync(folder, { recursive: true });
}

/** @param {{ processes: number, shared: boolean }} given */
async function measure({ processes, shared }) {
  const service = await startSharedService(LIMIT);
  const env = {
    ...process.env,
    PLANCAST_BASE_URL: service.url,
    PLANCAST_API_KEY: "sk_bench",
    PLANCAST_REDIS_URL: shared ? redis.url : "",
  };
  const runs = Array.from({ length: processes }, (_, index) => {
    const cwd = project(`${processes}-${shared}-${index}`, POSTS / processes);
    return spawn(process.execPath, [CLI, "apply", "--yes", "--quiet"], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  });
  const codes = await Promise.all(runs.map(async (run) => (await once(run, "exit"))[0]));
  service.close();
  if (codes.some((code) => code !== 0)) throw new Error(`apply ended with ${codes.join(", ")}`);
  const full = service.windows.slice(0, -1);
  const used = full.reduce((sum, count) => sum + count, 0) / (full.length * LIMIT.perWindow);
  return `| ${processes} | ${shared ? "yes" : "no"} | ${service.refused()} | ${(100 * used).toFixed(1)} % |`;
}

/** @param {string} name @param {number} posts */
function project(name, posts) {
  const root = join(folder, name);
  mkdirSync(join(root, "calendars"), { recursive: true });
  writeFileSync(join(root, "plancast.yaml"), `project: "${name}"\ntimezone: UTC\n`);
  const rows = Array.from({ length: posts }, (_, index) => `2036-01-01 10:00,twitter,${name} ${index}`);
  writeFileSync(join(root, "calendars", "a.csv"), ["scheduled_at,platforms,content", ...rows, ""].join("\n"));
  return root;
}

async function startRedis() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  probe.close();
  await once(probe, "close");
  const options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of server.stdout) if (String(chunk).includes("Ready to accept connections")) break;
  return { server, url: `redis://127.0.0.1:${port}` };
}
