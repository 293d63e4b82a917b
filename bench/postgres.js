/** A PostgreSQL in a folder of its own. As root, it runs as the user `postgres`, because it refuses root. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";

/** It counts the statements of each database. */
const COUNTING = "shared_preload_libraries=pg_stat_statements";
const VERSIONS = "/usr/lib/postgresql";

export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "plancast-postgres-"));
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const [newest = ""] = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one));
  const programs = join(VERSIONS, newest, "bin");
  const user = process.getuid?.() === 0 ? { uid: idOfPostgres("-u"), gid: idOfPostgres("-g") } : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const how = { ...user, cwd: folder };
  const data = join(folder, "data");
  const form = ["-U", "plancast", "-A", "trust", "-E", "UTF8", "--locale=C"];
  execFileSync(join(programs, "initdb"), ["-D", data, ...form], { ...how, stdio: "ignore" });
  const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", COUNTING];
  const server = spawn(join(programs, "postgres"), args, { ...how, stdio: "ignore" });
  const url = `postgres://plancast@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) await wait(100);
  return {
    url,
    async stop() {
      server.kill("SIGQUIT");
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {"-u" | "-g"} flag */
function idOfPostgres(flag) {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

/** @param {string} url */
async function answers(url) {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
