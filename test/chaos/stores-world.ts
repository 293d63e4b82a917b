/**
 * Two or three `plancast serve` as real processes on one PostgreSQL. Each reaches the database through a proxy of its own,
 * may have a wrong clock, and starts again when it ends, as with `Restart=always` of systemd.
 */
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { SLOWNESS } from "./effort.ts";
import { afterThisTest } from "../support/after-test.ts";
import { type CutProxy, startCutProxy } from "../support/cut-proxy.ts";
import { type TestAccounts, startAccounts } from "../support/networks/accounts.ts";
import { type StandIn, startStandIn } from "../support/networks/stand-in.ts";
import { type TestProject, makeProject } from "../support/project.ts";
import { type RunningProcess, builtScript, startProcess } from "../support/run-process.ts";

export const SETTLE_MS = 1_000;
export const TIMEOUT_MS = 5_000 * SLOWNESS;
/** What systemd waits before it starts a service again. */
const RESTART_MS = 500;

/** The built program with other claims: a copy of it in which only this number differs. @param ms length of a claim */
export function scriptWithClaims(folder: string, ms: number): string {
  const script = builtScript();
  cpSync(dirname(script), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const chunks = join(folder, "chunks");
  const texts = readdirSync(chunks).map((name) => ({
    path: join(chunks, name),
    text: readFileSync(join(chunks, name), "utf8"),
  }));
  const line = "const CLAIM_MS = 6e4;";
  const found = texts.filter(({ text }) => text.includes(line));
  if (found.length !== 1) throw new Error(`${found.length} chunks have ${line}`);
  for (const { path, text } of found) writeFileSync(path, text.replace(line, `const CLAIM_MS = ${ms};`));
  return join(folder, script.slice(dirname(script).length + 1));
}

/** A machine that runs `serve`. */
export class Machine {
  readonly proxy: CutProxy;
  readonly #project: TestProject;
  readonly #start: () => RunningProcess;
  #running: RunningProcess | undefined;
  #isWanted = false;
  #isRetired = false;
  /** Ends that nobody ordered. */
  readonly ends: string[] = [];

  constructor(proxy: CutProxy, project: TestProject, start: () => RunningProcess) {
    this.proxy = proxy;
    this.#project = project;
    this.#start = start;
  }

  /** Nothing starts it again. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.end("SIGKILL");
  }

  start(): void {
    if (this.#isWanted || this.#isRetired) return;
    this.#isWanted = true;
    this.#spawn();
  }

  /** Ends the process, and does not start it again. Resolves to its exit code; null if the signal ended it. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    this.#isWanted = false;
    const running = this.#running;
    this.#running = undefined;
    // A process that is suspended does not get other signals.
    running?.kill(signal);
    running?.kill("SIGCONT");
    const end = await running?.ended;
    return end?.code ?? null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.kill(signal);
  }

  /** Waits until it answers. */
  async ready(): Promise<void> {
    while (this.#isWanted && (await this.status("/readyz")) !== 200) await wait(100);
  }

  /** The status of a request; undefined if there is no answer. */
  async status(path: string): Promise<number | undefined> {
    const answer = await this.#ask(path, {}, 30_000).catch(() => undefined);
    return answer?.status;
  }

  /** Throws if it is refused. */
  async request(path: string, body?: object): Promise<unknown> {
    const keys = z.object({ keys: z.object({ write: z.string() }) });
    const { write } = keys.parse(JSON.parse(await this.#project.read(".plancast/serve.json"))).keys;
    const headers = { authorization: `Bearer ${write}`, "content-type": "application/json" };
    const how = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
    const answer = await this.#ask(`/v1${path}`, how, 30_000);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  #ask(path: string, how: RequestInit, ms: number): Promise<Response> {
    const [, origin = ""] = /"url":"(http:[^"]*)\/v1"/.exec(this.#running?.stdout() ?? "") ?? [];
    return fetch(`${origin}${path}`, { ...how, signal: AbortSignal.timeout(ms) });
  }

  #spawn(): void {
    const running = this.#start();
    this.#running = running;
    const again = async (): Promise<void> => {
      const { code, signal, stderr } = await running.ended;
      if (this.#running !== running) return;
      this.ends.push(`ended with ${code ?? signal}: ${stderr.slice(-300)}`);
      await wait(RESTART_MS);
      if (this.#running === running && this.#isWanted) this.#spawn();
    };
    void again();
  }
}

export interface StoresWorld extends TestAccounts {
  readonly machines: readonly Machine[];
  /** A webhook whose receiver ignores repeats. */
  readonly repeated: StandIn;
  /** Texts that it took. */
  readonly taken: string[];
  /** What posts name the accounts. */
  readonly platforms: readonly string[];
}

export interface StoresOptions {
  readonly databaseUrl: string;
  readonly machines: number;
  readonly script: string;
  readonly ignoresKeys: boolean;
  /** By how much the clock of each machine is wrong, in ms. */
  readonly skewsMs: readonly number[];
}

export async function startStores(options: StoresOptions): Promise<StoresWorld> {
  const world = await startAccounts({ ignoresKeys: options.ignoresKeys });
  const keys = new Set<string>();
  const taken: string[] = [];
  const repeated = await startStandIn(({ body, headers }) => {
    const key = String(headers["idempotency-key"]);
    if (!keys.has(key)) taken.push(String(JSON.parse(body.toString("utf8")).text));
    keys.add(key);
    return { json: {} };
  });
  const config = {
    service: { url: "embedded", timeout: `${TIMEOUT_MS}ms` },
    project: "garden",
    accounts: { ...world.accounts, again: { network: "webhook", url_env: "AGAIN", resend: true } },
    safety: { settle: `${SETTLE_MS}ms` },
  };
  const url = new URL(options.databaseUrl);
  const machines: Machine[] = [];
  for (let index = 0; index < options.machines; index += 1) {
    const project = await makeProject({ config });
    const proxy = await startCutProxy(Number(url.port));
    afterThisTest(() => proxy.close());
    const env = {
      ...world.env,
      AGAIN: `${repeated.origin}/again`,
      PLANCAST_DATABASE_URL: url.href.replace(`:${url.port}/`, `:${proxy.port}/`),
      ...clockEnv(options.skewsMs[index] ?? 0),
    };
    const { script } = options;
    const start = () => startProcess(["serve", "--port", "0", "--stay"], { cwd: project.root, env, script });
    const machine = new Machine(proxy, project, start);
    afterThisTest(() => machine.retire());
    machines.push(machine);
  }
  const platforms = ["bluesky", "mastodon", "webhook/press", "webhook/again"];
  return { ...world, machines, repeated, taken, platforms };
}

/** Preloads a clock that is wrong by that many ms. The clock that nobody sets stays right. */
function clockEnv(skewMs: number): Record<string, string> {
  if (skewMs === 0) return {};
  const code = `const now = Date.now, Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...args) { if (args.length > 0) super(...args); else super(now() + ${skewMs}); }
      static now() { return now() + ${skewMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
