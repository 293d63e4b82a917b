/**
 * The compose file of docs/run/several-machines.md, as far as it can be run without containers: its commands and variables
 * are those of the processes here, with the addresses and folders of this machine. PostgreSQL and the proxy are the tests' own.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Server, createServer, request } from "node:http";
import { createServer as createSocket } from "node:net";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { usePostgres } from "../support/postgres-server.ts";
import { makeProject } from "../support/project.ts";
import { runProcess, startProcess } from "../support/run-process.ts";
import { startStandIn } from "../support/networks/stand-in.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { until } from "../support/until.ts";

vi.setConfig({ testTimeout: 240_000 });
const postgres = usePostgres();

const instance = z.object({ command: z.string(), environment: z.record(z.string(), z.string()) });
const recipe = z.object({
  services: z.object({
    one: instance,
    two: instance,
    media: z.object({ command: z.string() }),
    proxy: z.object({ command: z.string() }),
  }),
});

function readRecipe() {
  const page = readFileSync(new URL("../../docs/run/several-machines.md", import.meta.url), "utf8");
  const [, text = ""] = /```yaml\n(x-plancast[^`]*)```/.exec(page) ?? [];
  return recipe.parse(parse(text, { merge: true })).services;
}

const POSTS = 12;
/** Until posts are due, in ms: they are created before that. */
const LEAD_MS = 10_000;
const DAY_MS = 86_400_000;

test("two instances behind a proxy are one service, and one of them may end", async () => {
  const { one, two, media, proxy } = readRecipe();
  const receiver = await startStandIn(() => ({ json: {} }));
  const mediaPort = await startMedia(media.command);
  const database = new URL(await postgres().database());
  const env = {
    ...Object.fromEntries(
      Object.entries(one.environment).map(([name, value]) => [
        name,
        value
          .replace(/@database:5432\/\w+/, `@${database.host}${database.pathname}`)
          .replace("${DATABASE_PASSWORD}", "secret")
          .replace("media:4568", `127.0.0.1:${mediaPort}`),
      ]),
    ),
    HOOK: receiver.origin,
  };
  const config = {
    project: "garden",
    service: { url: "embedded" },
    accounts: { hook: { network: "webhook", url_env: "HOOK" } },
  };
  const projects = [await makeProject({ config }), await makeProject({ config })];
  const machines = projects.map(({ root }, index) => {
    const [program, ...args] = (index === 0 ? one : two).command.split(" ");
    expect(program).toBe("node_modules/.bin/plancast");
    return startProcess([...args, "--port", "0"], { cwd: root, env });
  });
  await Promise.all(machines.map((each) => each.waitFor('"url"')));
  const ports = machines.map((each) => Number(/"url":"http:\/\/[^:]*:(\d+)/.exec(each.stdout())?.[1]));
  expect(proxy.command.match(/--to/g)).toHaveLength(ports.length);
  const balancer = await startBalancer(ports);
  const [first] = projects;
  if (first === undefined) throw new Error("There is no project.");
  // The picture goes through the server for media.
  await first.write("bed.png", tinyPng(1));
  const later = new Date(Date.now() + DAY_MS).toISOString();
  await first.write(
    "calendars/a.csv",
    `id,scheduled_at,platforms,content,media\nl,${later},webhook,Later,bed.png\n`,
  );
  const applied = await runProcess(["apply", "--yes"], { cwd: first.root, env });
  expect([applied.code, applied.stderr + applied.stdout]).toEqual([0, expect.stringContaining("1 created")]);
  // A client uses the key of any instance, and the address of the proxy.
  const { keys } = keysFile.parse(JSON.parse(await first.read(".plancast/serve.json")));
  const headers = { authorization: `Bearer ${keys.write}`, "content-type": "application/json" };
  const scheduled_at = new Date(Math.ceil((Date.now() + LEAD_MS) / 1000) * 1000)
    .toISOString()
    .replace(".000Z", "Z");
  for (let nr = 0; nr < POSTS; nr += 1) {
    const body = JSON.stringify({ content: `Post ${nr}`, platforms: ["webhook"], scheduled_at });
    expect((await fetch(`${balancer}/v1/posts`, { method: "POST", headers, body })).status).toBe(201);
  }
  const count = async (): Promise<number> => {
    const answer = await fetch(`${balancer}/v1/posts?limit=100`, { headers });
    return page.parse(await answer.json()).data.length;
  };
  expect([await count(), await count()]).toEqual([POSTS + 1, POSTS + 1]);
  machines[0]?.kill("SIGTERM");
  await machines[0]?.ended;
  expect([await count(), await count()]).toEqual([POSTS + 1, POSTS + 1]);
  await until(() => receiver.requests.length >= POSTS);
  machines[1]?.kill("SIGTERM");
  expect((await machines[1]?.ended)?.code).toBe(0);
  expect(receiver.requests).toHaveLength(POSTS);
});

const keysFile = z.object({ keys: z.object({ write: z.string() }) });
const page = z.object({ data: z.array(z.unknown()) });

/** The server for media, from node_modules instead of `npx`. Resolves to its port. */
async function startMedia(command: string): Promise<number> {
  const { version } = z
    .object({ version: z.string() })
    .parse(
      JSON.parse(readFileSync(new URL("../../node_modules/s3rver/package.json", import.meta.url), "utf8")),
    );
  const [npx, yes, name, ...args] = command.split(" ");
  expect([npx, yes, name]).toEqual(["npx", "--yes", `s3rver@${version}`]);
  const port = await freePort();
  const folder = await tempFolder({});
  const own = args.map((each) => (each === "/data" ? folder : each === "4568" ? String(port) : each));
  const program = fileURLToPath(new URL("../../node_modules/s3rver/bin/s3rver.js", import.meta.url));
  const child = spawn(process.execPath, [program, ...own], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await until(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return port;
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const port = portOf(socket.address());
  socket.close();
  await once(socket, "close");
  return port;
}

function portOf(address: ReturnType<Server["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  return address.port;
}

/** Passes each request to the next instance that is ready, as the proxy of the recipe does. Resolves to its address. */
async function startBalancer(ports: readonly number[]): Promise<string> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      for (let tries = 0; tries < ports.length; tries += 1) {
        const port = ports[(turn += 1) % ports.length];
        const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        if (ready?.status !== 200) continue;
        const { method, url, headers } = incoming;
        const onward = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        incoming.pipe(onward);
        return;
      }
      outgoing.writeHead(503).end();
    };
    void pass();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${portOf(server.address())}`;
}
