/** A real PostgreSQL on this machine, in a temporary folder. As root, it runs as the user `postgres`, because it refuses root. */
import { mediaInMemory } from "../../src/embedded/store/media-files.ts";
import { PostgresStore } from "../../src/embedded/store/postgres-store.ts";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";

export interface TestPostgres {
  /** Address of an empty database, which only this call has. */
  database(): Promise<string>;
  /** kill -9 of the server. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A store in a database. @param monotonic the machine's clock that only goes forward, in ms */
export function openTestStore(
  url: string,
  monotonic = () => performance.now(),
  project = "garden",
): Promise<PostgresStore> {
  return PostgresStore.open({ url, project, files: mediaInMemory(), monotonic });
}

/** One server for the tests of a file. */
export function usePostgres(): () => TestPostgres {
  let server: Server | undefined;
  beforeAll(async () => {
    server = new Server();
    await server.start();
  });
  afterAll(() => server?.remove());
  return () => {
    if (server === undefined) throw new Error("PostgreSQL has not been started.");
    return server;
  };
}

/** Debian keeps the programs of each version in a folder of their own. */
function program(name: string): string {
  const versions = "/usr/lib/postgresql";
  const found = (existsSync(versions) ? readdirSync(versions) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, "bin", name))
    .find((path) => existsSync(path));
  return found ?? name;
}

function ids(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOfPostgres("-u"), gid: idOfPostgres("-g") };
}

function idOfPostgres(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function childrenOf({ pid = 0 }: ChildProcess): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, "utf8").split(" ").map(Number).filter(Boolean) : [];
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

class Server implements TestPostgres {
  readonly #folder = mkdtempSync(join(tmpdir(), "plancast-postgres-"));
  readonly #ids = ids();
  readonly #port = 10_000 + Math.floor(Math.random() * 20_000);
  #process: ChildProcess | undefined;
  #databases = 0;

  constructor() {
    if (this.#ids.uid !== undefined && this.#ids.gid !== undefined)
      chownSync(this.#folder, this.#ids.uid, this.#ids.gid);
    execFileSync(
      program("initdb"),
      [
        "-D",
        join(this.#folder, "data"),
        "-U",
        "plancast",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
      ],
      { ...this.#ids, cwd: this.#folder, stdio: "ignore" },
    );
  }

  async start(): Promise<void> {
    const args = [
      "-D",
      join(this.#folder, "data"),
      "-p",
      String(this.#port),
      "-h",
      "127.0.0.1",
      "-k",
      this.#folder,
    ];
    const options = { ...this.#ids, cwd: this.#folder, stdio: "ignore" } as const;
    for (let tries = 0; tries < 600; tries += 1) {
      // It refuses to start before all processes of one that was killed have ended.
      if (this.#process === undefined || isOver(this.#process))
        this.#process = spawn(program("postgres"), args, options);
      const client = new Client({ connectionString: this.#url("postgres") });
      client.on("error", () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch {
        await new Promise((resolve) => void setTimeout(resolve, 100));
      }
    }
    throw new Error("PostgreSQL did not start.");
  }

  async database(): Promise<string> {
    const name = `test_${(this.#databases += 1)}`;
    const client = new Client({ connectionString: this.#url("postgres") });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return this.#url(name);
  }

  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || isOver(running)) return;
    const others = childrenOf(running);
    running.kill("SIGKILL");
    await once(running, "exit");
    // They end when they see that this one is gone, on a busy machine after more answers.
    for (const pid of others) endProcess(pid);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #url(name: string): string {
    return `postgres://plancast@127.0.0.1:${this.#port}/${name}`;
  }
}
