/** A real redis-server on this machine, which keeps nothing on disk. It must be on the PATH. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { afterThisTest } from "./after-test.ts";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Another connection, to look at the data and to change it. */
  readonly client: Redis;
  /** Whether it answers: it runs and is not frozen. */
  readonly isUp: boolean;
  /** kill -9. When this resolves, the server and its data are gone. */
  kill(): Promise<void>;
  /** Starts it again at the same port, empty. */
  restart(): Promise<void>;
  /** It stays connected but does not answer any more. */
  freeze(): void;
  thaw(): void;
}

export interface RedisOptions {
  readonly password?: string;
  /** Accepts only TLS, with the certificate of `tls/`. `client` has no TLS. */
  readonly tls?: boolean;
}

/** The certificate that a server with TLS shows. */
export const CERTIFICATE = fileURLToPath(new URL("tls/cert.pem", import.meta.url));
const KEY = fileURLToPath(new URL("tls/key.pem", import.meta.url));

/** A server of one test. Outside of a test, it ends with the process. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const { redis, close } = await open(options);
  afterThisTest(close);
  return redis;
}

/**
 * One server for the tests of a file. @returns gives it to a test, running and empty, whatever happened to it before
 */
export function useRedis(options: RedisOptions = {}): () => Promise<TestRedis> {
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  beforeAll(async () => {
    opened = await open(options);
  });
  afterAll(() => opened?.close());
  return async () => {
    if (opened === undefined) throw new Error("Redis has not been started.");
    const { redis } = opened;
    redis.thaw();
    if (!redis.isUp) await redis.restart();
    await redis.client.flushall();
    return redis;
  };
}

async function open({ password, tls = false }: RedisOptions) {
  const argsAt = (port: number): string[] => [
    ...(password === undefined ? [] : ["--requirepass", password]),
    ...(tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)]),
    ...(tls ? ["--tls-cert-file", CERTIFICATE, "--tls-key-file", KEY, "--tls-auth-clients", "no"] : []),
  ];
  const first = await launchAnywhere(argsAt);
  const { port } = first;
  let { server } = first;
  let isFrozen = false;
  const auth = password === undefined ? {} : { password };
  const client = new Redis({
    port,
    host: "127.0.0.1",
    lazyConnect: true,
    maxRetriesPerRequest: null,
    // The server comes back when a test wants it to.
    retryStrategy: () => 20,
    ...auth,
  });
  client.on("error", () => undefined);
  const isGone = (): boolean => server.exitCode !== null || server.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (isGone()) return;
    server.kill("SIGKILL");
    await once(server, "exit");
    isFrozen = false;
  };
  const redis: TestRedis = {
    url: `${tls ? "rediss" : "redis"}://127.0.0.1:${port}`,
    port,
    client,
    get isUp() {
      return !isFrozen && !isGone();
    },
    kill,
    restart: async () => {
      await kill();
      server = await launch(argsAt(port));
    },
    freeze: () => {
      isFrozen = server.kill("SIGSTOP");
    },
    thaw: () => {
      server.kill("SIGCONT");
      isFrozen = false;
    },
  };
  const close = async (): Promise<void> => {
    client.disconnect();
    await kill();
  };
  return { redis, close };
}

/** A port outside the range that systems assign automatically: it stays free while the server is killed. */
async function launchAnywhere(
  argsAt: (port: number) => string[],
  tries = 5,
): Promise<{ server: ChildProcess; port: number }> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  try {
    return { server: await launch(argsAt(port)), port };
  } catch (error) {
    if (tries <= 1 || error instanceof NotInstalled) throw error;
    return launchAnywhere(argsAt, tries - 1);
  }
}

class NotInstalled extends Error {
  override readonly message = "redis-server is not on the PATH: install it, for example with apt-get.";
}

async function launch(args: readonly string[]): Promise<ChildProcess> {
  const options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...args];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(new NotInstalled()));
    server.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
    server.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Ready to accept connections")) resolve();
    });
  });
  return server;
}
