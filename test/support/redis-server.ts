/** A real redis-server on a free port of the loopback, which keeps nothing on disk. It must be on the PATH. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterThisTest } from "./after-test.ts";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Another connection, to see what is there and to do mischief. */
  readonly client: Redis;
  /** kill -9; it is gone when this resolves, and so is all that it held. */
  kill(): Promise<void>;
  /** Starts it again at the same port, empty. */
  restart(): Promise<void>;
  /** It stays connected but does not answer any more. */
  freeze(): void;
  thaw(): void;
}

export interface RedisOptions {
  readonly password?: string;
  /** Speaks nothing but TLS, with the certificate of `tls/`; `client` does not. */
  readonly tls?: boolean;
}

/** The certificate that a server with TLS shows. */
export const CERTIFICATE = fileURLToPath(new URL("tls/cert.pem", import.meta.url));
const KEY = fileURLToPath(new URL("tls/key.pem", import.meta.url));

export async function startRedis({ password, tls = false }: RedisOptions = {}): Promise<TestRedis> {
  const port = await freePort();
  const args = [
    ...(password === undefined ? [] : ["--requirepass", password]),
    ...(tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)]),
    ...(tls ? ["--tls-cert-file", CERTIFICATE, "--tls-key-file", KEY, "--tls-auth-clients", "no"] : []),
  ];
  let server = await launch(args);
  const client = new Redis({ port, host: "127.0.0.1", lazyConnect: true, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  };
  afterThisTest(async () => {
    client.disconnect();
    await kill();
  });
  return {
    url: `${tls ? "rediss" : "redis"}://127.0.0.1:${port}`,
    port,
    client,
    kill,
    restart: async () => {
      await kill();
      server = await launch(args);
    },
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
  };
}

async function launch(args: readonly string[]): Promise<ChildProcess> {
  const options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...args];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    server.once("error", () =>
      reject(new Error("redis-server is not on the PATH: install it, for example with apt-get.")),
    );
    server.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
    server.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Ready to accept connections")) resolve();
    });
  });
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}
