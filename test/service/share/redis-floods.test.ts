/** A Redis with an answer that never ends, with answers that nobody requested, or with nothing in any answer. */
import { once } from "node:events";
import { type Socket, createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import { outageClock } from "../../support/outage-clock.ts";
import { runCommand } from "../../support/run-command.ts";
import { csv, startScenario } from "../../support/scenario.ts";

vi.setConfig({ testTimeout: 120_000 });

interface FalseRedis {
  readonly url: string;
  /** While this is false, time passes faster. */
  isUp: boolean;
}

type Ending = (socket: Socket, redis: FalseRedis) => void;

/** What it sends instead of the fourth answer. */
const ENDINGS: readonly (readonly [string, Ending, string])[] = [
  ["brings one byte of an answer now and then", drip, "share/unreachable"],
  ["sends one answer without end", (socket) => flood(socket, "$1000000000000\r\n", "x"), "share/refused"],
  ["sends a list without end", (socket) => flood(socket, "*1000000000\r\n", ":1\r\n"), "share/refused"],
  ["sends answers that nobody asked for", (socket) => flood(socket, "", "+OK\r\n"), "share/"],
  ["nests lists without end", (socket) => flood(socket, "", "*1\r\n"), "share/refused"],
];

test.each(ENDINGS)("a Redis that %s ends the plan", async (_name, end, code) => {
  const { project, env, service } = await startScenario({
    files: {
      "calendars/a.csv": csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "twitter", "Hi"]),
    },
  });
  const redis = await startFalseRedis(end);
  const { code: exit, stderr } = await runCommand(["plan"], {
    cwd: project.root,
    env: { ...env, PLANCAST_REDIS_URL: redis.url },
    clock: outageClock(redis),
  });
  expect(exit).toBe(1);
  expect(stderr).toContain(code);
  expect(service.requests).toEqual([]);
});

const NIL = "$-1\r\n";
const INFO = "$19\r\nredis_version:7.0.0\r\n";

/** All that it answers to some commands, by name. It answers nil to the others. */
const NOTHINGS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["to everything", {}],
  ["after it said what it is", { info: INFO }],
  ["after it answered PING", { info: INFO, ping: "+PONG\r\n", auth: "+OK\r\n", select: "+OK\r\n" }],
  ["in lists", { info: INFO, evalsha: "*1\r\n$-1\r\n", eval: "*2\r\n$-1\r\n$-1\r\n", subscribe: "*-1\r\n" }],
];

test.each(NOTHINGS)("a Redis that answers nil %s refuses the plan", async (_name, answers) => {
  const { project, env, service } = await startScenario({
    files: {
      "calendars/a.csv": csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "twitter", "Hi"]),
    },
  });
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtException", note);
  afterThisTest(() => process.off("uncaughtException", note));
  const commands: string[] = [];
  const redis = await serveRedis((socket, name) => {
    commands.push(name);
    socket.write(answers[name] ?? NIL);
  });
  for (const args of [["plan"], ["apply", "--yes"]]) {
    const { code, stderr } = await runCommand(args, {
      cwd: project.root,
      env: { ...env, PLANCAST_REDIS_URL: redis.url },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("share/refused");
  }
  expect(commands.length).toBeGreaterThan(2);
  expect(uncaught).toEqual([]);
  expect(service.requests).toEqual([]);
});

test.each([
  ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", "not those of a Redis"],
  ["deep lists", `${"*1\r\n".repeat(50_000)}:1\r\n`, "not those of a Redis"],
  ["an endless reason", `-ERR \u{1b}[31m ${"x".repeat(100_000)}\r\n`, "ERR"],
])("a Redis that answers with %s gets a short message of our own", async (_what, answer, said) => {
  const { project, env } = await startScenario({ files: {} });
  await project.write(
    "calendars/a.csv",
    csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "twitter", "Hi"]),
  );
  const redis = await serveRedis((socket) => void socket.write(answer));
  const { code, stderr } = await runCommand(["plan"], {
    cwd: project.root,
    env: { ...env, PLANCAST_REDIS_URL: redis.url },
  });
  const text = stderr.replaceAll(/\s+/g, " ");
  expect([code, text]).toEqual([1, expect.stringContaining(said)]);
  expect(text).not.toContain("report");
  expect(text).not.toContain("\u{1b}");
  expect(text.length).toBeLessThan(1_200);
});

function drip(socket: Socket, redis: FalseRedis): void {
  redis.isUp = false;
  socket.write("$1000000\r\n");
  const timer = setInterval(() => socket.write("x"), 5);
  socket.once("close", () => clearInterval(timer));
}

function flood(socket: Socket, start: string, part: string): void {
  const chunk = part.repeat(16_384);
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", write);
  socket.write(start + part);
  write();
}

async function startFalseRedis(end: Ending): Promise<FalseRedis> {
  const left = new Map<Socket, number>();
  const redis: FalseRedis = await serveRedis((socket, name) => {
    const rest = (left.get(socket) ?? 3) - 1;
    left.set(socket, rest);
    if (rest >= 0) socket.write(name === "info" ? INFO : "+OK\r\n");
    else if (rest === -1) end(socket, redis);
  });
  return redis;
}

/** @param answer called for each command, with its name in small letters */
async function serveRedis(answer: (socket: Socket, name: string) => void): Promise<FalseRedis> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      for (const [, name = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        answer(socket, name.toLowerCase());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `redis://127.0.0.1:${port}`, isUp: true };
}
