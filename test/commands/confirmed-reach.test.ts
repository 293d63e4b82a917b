/**
 * Other targets that a checkout could try to reach: a Redis or another port, private hosts, and a proxy for requests to
 * this machine.
 */

import { once } from "node:events";
import { type IncomingMessage, createServer as createHttpServer } from "node:http";
import { type Server, createServer } from "node:net";
import { stringify } from "yaml";
import { describe, expect, test } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import { KEY, keyProject, startListener } from "../support/key-commands.ts";
import { startMediaHost } from "../support/media-host.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { runProcess, startProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";

/** A port that accepts connections and never answers. */
async function startPort(): Promise<{ port: number; received: () => string; connections: () => number }> {
  const chunks: Buffer[] = [];
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => undefined);
  });
  const port = await listen(server);
  return { port, received: () => Buffer.concat(chunks).toString("latin1"), connections: () => connections };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("It has no port.");
  return address.port;
}

describe("service.share", () => {
  test.each(["%0d%0aFLUSHALL%0d%0a", "%0AMAIL FROM:<a@b>%0A", "\\r\\nFLUSHALL"])(
    "sends no text from the checkout to a port: %s",
    async (lines) => {
      const [{ port, connections }, listener] = [await startPort(), await startListener()];
      for (const credentials of [`${lines}:x`, `x:${lines}`]) {
        const url = `"redis://${credentials}@127.0.0.1:${port}"`;
        const { root } = await makeProject({
          config: `timezone: UTC\nservice:\n  url: ${listener.origin}\n  share: ${url}\n`,
          files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-03-01 10:00,twitter,Hi\n" },
        });
        const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
        const { code, stderr } = await runCommand(["plan"], { cwd: root, env });
        expect([code, stderr]).toEqual([1, expect.stringContaining("share/address")]);
      }
      expect([connections(), listener.requests]).toEqual([0, []]);
    },
  );

  test("in CI, a Redis that only the checkout names stops the command before any connection", async () => {
    const [{ port, connections }, listener] = [await startPort(), await startListener()];
    const share = `redis://ann:hunter2@127.0.0.1:${port}`;
    const { root } = await keyProject({ share });
    const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin, CI: "true" };
    for (const args of [["plan"], ["apply", "--yes"], ["posts", "list"], ["doctor"]]) {
      const { code, stdout, stderr } = await runCommand(args, { cwd: root, env });
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(`redis://127.0.0.1:${port}`)]);
      expect(stdout + stderr).toContain("PLANCAST_REDIS_URL");
      expect(stdout + stderr).not.toContain("hunter2");
    }
    expect([connections(), listener.requests]).toEqual([0, []]);
  });

  test("in CI, the environment's Redis is used, and not the checkout's", async () => {
    const [named, confirmed, listener] = [await startPort(), await startPort(), await startListener()];
    const { root } = await keyProject({ share: `redis://127.0.0.1:${named.port}` });
    const env = {
      PLANCAST_API_KEY: KEY,
      PLANCAST_BASE_URL: listener.origin,
      PLANCAST_REDIS_URL: `redis://127.0.0.1:${confirmed.port}`,
      CI: "true",
    };
    const running = startProcess(["plan"], { cwd: root, env });
    while (confirmed.received() === "") await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill("SIGKILL");
    expect([named.connections(), listener.requests]).toEqual([0, []]);
  });
});

async function mediaProject(hosts: readonly string[], url: string): Promise<string> {
  const { root } = await makeProject({
    config: stringify({ timezone: "UTC", media: { allow_hosts: hosts } }),
    files: {
      "calendars/a.csv": csv(
        ["id", "scheduled_at", "platforms", "content", "media"],
        ["a", "2036-03-01T08:00:00Z", "linkedin", "Hello", url],
      ),
    },
  });
  return root;
}

describe("media.allow_hosts", () => {
  test("in CI, hosts that only the checkout names stop the command, even if nothing is downloaded", async () => {
    const [host, listener] = [await startMediaHost(), await startListener()];
    const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin, CI: "true" };
    const named = `127.0.0.1:${host.port}`;
    for (const confirmed of ["", "127.0.0.1:1", "example.com", `example.com:${host.port}`]) {
      for (const url of [`http://${named}/a.png`, ""]) {
        const root = await mediaProject([named], url);
        const { code, stderr } = await runCommand(["plan"], {
          cwd: root,
          env: { ...env, PLANCAST_MEDIA_ALLOW_HOSTS: confirmed },
        });
        expect([code, stderr]).toEqual([1, expect.stringContaining("media/url-private")]);
        expect(stderr).toContain(named);
      }
    }
    expect([host.asked.length, listener.requests]).toEqual([0, []]);
  });

  test("hosts that the environment names are allowed, in CI and elsewhere", async () => {
    const [host, listener] = [await startMediaHost(), await startListener()];
    const named = `127.0.0.1:${host.port}`;
    for (const [hosts, confirmed] of [
      [[named], `example.com, ${named}`],
      [[named], "127.0.0.1"],
      [[], named],
    ] as const) {
      const before = host.asked.length;
      const root = await mediaProject(hosts, `http://${named}/a.png`);
      const env = {
        PLANCAST_API_KEY: KEY,
        PLANCAST_BASE_URL: listener.origin,
        PLANCAST_MEDIA_ALLOW_HOSTS: confirmed,
        CI: "true",
      };
      await runCommand(["plan"], { cwd: root, env });
      expect(host.asked.length).toBeGreaterThan(before);
    }
  });
});

test("a proxy never gets a request to this machine", async () => {
  const proxied: string[] = [];
  const proxy = createHttpServer((request, response) => {
    proxied.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end("{}");
  });
  proxy.on("connect", (request: IncomingMessage, socket) => {
    proxied.push(`CONNECT ${request.url}`);
    socket.end();
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
  const [host, listener] = [await startMediaHost(), await startListener()];
  const { port } = new URL(listener.origin);
  const env = {
    HTTP_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    https_proxy: proxyUrl,
    NODE_USE_ENV_PROXY: "1",
    NO_PROXY: "",
    no_proxy: "",
    PLANCAST_API_KEY: KEY,
  };
  const files = {
    "calendars/a.csv": csv(
      ["id", "scheduled_at", "platforms", "content", "media"],
      ["a", "2036-03-01T08:00:00Z", "linkedin", "Hello", `http://127.0.0.1:${host.port}/ok.png`],
    ),
  };
  const config = stringify({ timezone: "UTC", media: { allow_hosts: ["127.0.0.1"] } });
  const { root } = await makeProject({ config, files });
  // A plan requests the service and downloads media.
  for (const [name, args] of [
    ["127.0.0.1", ["plan"]],
    ["localhost", ["plan"]],
    ["127.1", ["plan"]],
    ["127.0.0.1", ["posts", "list"]],
  ] as const)
    await runProcess(args, { cwd: root, env: { ...env, PLANCAST_BASE_URL: `http://${name}:${port}` } });
  expect(listener.credentials().length).toBeGreaterThanOrEqual(4);
  expect(host.asked.length).toBeGreaterThan(0);
  const embedded = { cwd: root, env: { ...env, PLANCAST_BASE_URL: "embedded" } };
  const serving = startProcess(["serve", "--port", "0"], embedded);
  await serving.waitFor(/http:\/\/127\.0\.0\.1:\d+/);
  expect((await runProcess(["apply", "--yes"], embedded)).code).toBe(0);
  expect(proxied).toEqual([]);
});
