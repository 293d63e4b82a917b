/** A Redis that is missing, refuses the login, is full, or contains data that plancast did not write. And passwords. */

import { describe, expect, test, vi } from "vitest";
import { outageClock } from "../../support/outage-clock.ts";
import { makeProject } from "../../support/project.ts";
import { CERTIFICATE, startRedis, useRedis } from "../../support/redis-server.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess } from "../../support/run-process.ts";
import { APPLY, startMachines } from "./machines.ts";

vi.setConfig({ testTimeout: 120_000 });
const freshRedis = useRedis();

describe("a Redis that cannot be used", () => {
  test.each(["plan", "apply --yes", "plan --format json", APPLY.join(" ")])(
    "that is down keeps %s from asking the service for anything",
    async (words) => {
      const args = words.split(" ");
      const { service, redis, checkout } = await startMachines(await freshRedis());
      const one = await checkout("spring", 2);
      await redis.kill();
      const { code, stdout, stderr } = await one.run(...args);
      expect(code).toBe(1);
      expect(stderr).toContain("share/unreachable");
      expect(stderr).toContain("ECONNREFUSED");
      if (args.includes("json")) expect(() => JSON.parse(stdout)).not.toThrow();
      expect(service.requests).toEqual([]);
    },
  );

  test("that connects but does not answer keeps a plan from asking the service", async () => {
    const redis = await freshRedis();
    const { service, checkout } = await startMachines(redis);
    const one = await checkout("spring", 2, { clock: outageClock(redis) });
    redis.freeze();
    const { code, stderr } = await one.run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("share/unreachable");
    expect(service.requests).toEqual([]);
  });

  test("that goes down during a plan ends the plan with the reason", async () => {
    const redis = await freshRedis();
    const { service, checkout } = await startMachines(redis);
    const one = await checkout("spring", 2, { clock: outageClock(redis) });
    service.faults.at(1, { kind: "run-before", run: () => redis.kill() }, { path: "/v1/posts" });
    const { code, stderr } = await one.run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("share/unreachable");
  });

  test("that is full ends an apply with the reason, before it creates anything", async () => {
    const redis = await startRedis();
    const { service, checkout } = await startMachines(redis);
    const one = await checkout("spring", 2);
    const run = async (): Promise<void> => void (await redis.client.config("SET", "maxmemory", "1"));
    service.faults.at(1, { kind: "run-before", run }, { path: "/v1/posts" });
    const { code, stderr } = await one.run(...APPLY);
    expect(code).toBe(1);
    expect(stderr).toMatch(/share\/refused[^]*OOM/);
    expect(service.counters.creates).toBe(0);
  });

  test("is not needed by validate, nor with the embedded service", async () => {
    const project = await makeProject({
      files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-03-01 10:00,twitter,Hi\n" },
      config: { timezone: "UTC", service: { url: "embedded" } },
    });
    const env = { PLANCAST_REDIS_URL: "redis://127.0.0.1:1" };
    const runs = [["validate"], ["plan"], ["apply", "--yes"]].map(
      (args) => () => runCommand(args, { cwd: project.root, env }),
    );
    for (const run of runs) {
      expect(await run()).toMatchObject({ code: 0 });
    }
  });
});

describe("a password of Redis", () => {
  const PASSWORD = "hunter2/&";
  const QUOTED = encodeURIComponent(PASSWORD);
  const guardedRedis = useRedis({ password: PASSWORD });

  test("is taken from the environment or plancast.yaml, and never printed or kept", async () => {
    const { redis, checkout, service } = await startMachines(await guardedRedis());
    const url = `redis://:${QUOTED}@127.0.0.1:${redis.port}/3`;
    const one = await checkout("spring", 2, { config: { service: { share: url } } });
    const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
    for (const each of [env, { ...env, PLANCAST_REDIS_URL: url }]) {
      const { code, stdout, stderr } = await runCommand(["apply", "--yes", "--verbose"], {
        cwd: one.project.root,
        env: each,
      });
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(/hunter2/);
    }
    expect(JSON.stringify(Object.values(await one.project.tree()))).not.toContain("hunter2");
    expect(await one.project.read("plancast.lock.json")).not.toContain("hunter2");
  });

  test.each([
    ["missing", ""],
    ["wrong", ":hunter2-wrong@"],
    ["of an unknown user", "ann:hunter2-wrong@"],
  ])("that is %s is refused, and not shown", async (_name, credentials) => {
    const { redis, checkout, service } = await startMachines(await guardedRedis());
    const one = await checkout("spring", 2);
    const { code, stdout, stderr } = await runCommand(["plan", "--verbose"], {
      cwd: one.project.root,
      env: {
        PLANCAST_BASE_URL: service.url,
        PLANCAST_API_KEY: service.key,
        PLANCAST_REDIS_URL: `redis://${credentials}127.0.0.1:${redis.port}`,
      },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/share\/unreachable[^]*(NOAUTH|WRONGPASS)/);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(service.requests).toEqual([]);
  });

  test.each([
    ["an address that is none", "  share: http://ann:hunter2@cache\n", "share/address"],
    [
      "an unknown key next to it",
      "  share: redis://:hunter2@cache\n  shar: 'redis://:hunter2@x'\n",
      "unknown-key",
    ],
    ["a list", "  share: ['redis://:hunter2@cache']\n", "project/invalid"],
    ["broken YAML", "  share: redis://:hunter2@cache: {\n", "yaml/"],
  ])("is not shown from a plancast.yaml with %s", async (_name, lines, code) => {
    const project = await makeProject({
      files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-03-01 10:00,twitter,Hi\n" },
      config: `timezone: UTC\nservice:\n  url: https://api.example.com\n${lines}`,
    });
    const env = { PLANCAST_BASE_URL: "https://api.example.com", PLANCAST_API_KEY: "sk" };
    for (const format of ["text", "json", "markdown"]) {
      const ended = await runCommand(["plan", "--format", format, "--verbose"], { cwd: project.root, env });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(code);
      expect(ended.stdout + ended.stderr).not.toContain("hunter2");
    }
  });
});

test("control characters in the lock are not printed", async () => {
  const { redis, checkout, service } = await startMachines(await freshRedis());
  const one = await checkout("spring", 2);
  service.faults.at(
    1,
    {
      kind: "run-before",
      run: async () => {
        const [name = ""] = await redis.client.keys("plancast:run:*");
        const owner = { token: "x", host: "\u001b[31mevil\n::error::", pid: 1, since: "\u202enow" };
        await redis.client.set(name, JSON.stringify(owner), "PX", 60_000);
      },
    },
    { method: "GET" },
  );
  const lost = await one.run(...APPLY);
  expect(lost.stderr).toContain("share/lock-lost");
  const refused = await (await checkout("spring", 2)).run("apply", "--yes");
  expect(refused.stderr).toContain("run/locked");
  for (const { stderr } of [lost, refused]) {
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/\u001b|\u202e|^\s*::/m);
  }
});

test("a rediss address is used with TLS, and refused if the certificate is not trusted", async () => {
  const { checkout, service } = await startMachines(await startRedis({ tls: true }));
  const { project, run, env } = await checkout("spring", 2);
  const untrusted = await run("plan");
  expect(untrusted.code).toBe(1);
  expect(untrusted.stderr).toMatch(/share\/unreachable[^]*self-signed/);
  // Node reads this variable when it starts.
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: CERTIFICATE };
  const applied = startProcess(APPLY, { cwd: project.root, env: trusting });
  expect(await applied.ended).toMatchObject({ code: 0 });
  expect(service.counters.creates).toBe(2);
});
