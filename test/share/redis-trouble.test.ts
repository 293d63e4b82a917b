/** Redis that is not there, does not let us in, or holds what plancast did not write. And passwords. */
import { describe, expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { CERTIFICATE } from "../support/redis-server.ts";
import { runCommand } from "../support/run-command.ts";
import { APPLY, startMachines } from "./machines.ts";

describe("before a run", () => {
  test.each(["plan", "apply --yes", "plan --format json", APPLY.join(" ")])(
    "gone: %s asks the service for nothing",
    async (words) => {
      const args = words.split(" ");
      const { service, redis, checkout } = await startMachines();
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

  test("it takes the connection and says nothing", async () => {
    const { service, redis, checkout } = await startMachines();
    const one = await checkout("spring", 2);
    redis.freeze();
    const { code, stderr } = await one.run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("share/unreachable");
    expect(service.requests).toEqual([]);
  });

  test("validate, and the embedded service, need none", async () => {
    const project = await makeProject({
      files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-03-01 10:00,twitter,Hi\n" },
      config: { timezone: "UTC", service: { url: "embedded" } },
    });
    const env = { PLANCAST_REDIS_URL: "redis://127.0.0.1:1" };
    const runs = [["validate"], ["plan"], ["apply", "--yes"]].map(
      (args) => () => runCommand(args, { cwd: project.root, env }),
    );
    for (const run of runs) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await run()).toMatchObject({ code: 0 });
    }
  });

  test("a plan that loses it on the way ends, and says why", async () => {
    const { service, redis, checkout } = await startMachines();
    const one = await checkout("spring", 2);
    service.faults.at(1, { kind: "run-before", run: () => redis.kill() }, { path: "/v1/posts" });
    const { code, stderr } = await one.run("plan");
    expect(code).toBe(1);
    expect(stderr).toContain("share/lost");
  });
});

describe("passwords", () => {
  const PASSWORD = "hunter2/&";
  const QUOTED = encodeURIComponent(PASSWORD);

  test("the right one opens, in the environment or in the project file", async () => {
    const { redis, checkout, service } = await startMachines({}, { password: PASSWORD });
    const url = `redis://:${QUOTED}@127.0.0.1:${redis.port}/3`;
    const one = await checkout("spring", 2, { service: { share: url } });
    const env = { PLANCAST_BASE_URL: service.url, PLANCAST_API_KEY: service.key };
    for (const each of [env, { ...env, PLANCAST_REDIS_URL: url }]) {
      // oxlint-disable-next-line no-await-in-loop
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
    ["none", ""],
    ["a wrong one", ":hunter2-wrong@"],
    ["one of nobody", "ann:hunter2-wrong@"],
  ])("%s is refused, and not shown", async (_name, credentials) => {
    const { redis, checkout, service } = await startMachines({}, { password: PASSWORD });
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
      "a key beside it that is unknown",
      "  share: redis://:hunter2@cache\n  shar: 'redis://:hunter2@x'\n",
      "unknown-key",
    ],
    ["a list", "  share: ['redis://:hunter2@cache']\n", "project/invalid"],
    ["broken YAML", "  share: redis://:hunter2@cache: {\n", "yaml/"],
  ])("in a project file with %s it is not shown", async (_name, lines, code) => {
    const project = await makeProject({
      files: { "calendars/a.csv": "scheduled_at,platforms,content\n2036-03-01 10:00,twitter,Hi\n" },
      config: `timezone: UTC\nservice:\n  url: https://api.example.com\n${lines}`,
    });
    const env = { PLANCAST_API_KEY: "sk" };
    for (const format of ["text", "json", "markdown"]) {
      // oxlint-disable-next-line no-await-in-loop
      const ended = await runCommand(["plan", "--format", format, "--verbose"], { cwd: project.root, env });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(code);
      expect(ended.stdout + ended.stderr).not.toContain("hunter2");
    }
  });
});

test("hostile texts in the lock are shown harmlessly", async () => {
  const { redis, checkout, service } = await startMachines();
  const one = await checkout("spring", 2);
  const applying = one.start(...APPLY);
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
  const lost = await applying.ended;
  expect(lost.stderr).toContain("share/lock-lost");
  const refused = await (await checkout("spring", 2)).run("apply", "--yes");
  expect(refused.stderr).toContain("run/locked");
  for (const { stderr } of [lost, refused]) {
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/\u001b|\u202e|^\s*::/m);
  }
});

test("rediss: with TLS, and only where the certificate is trusted", async () => {
  const { redis, checkout, service } = await startMachines({}, { tls: true });
  const { project, run } = await checkout("spring", 2);
  const distrusted = await run("plan");
  expect(distrusted.code).toBe(1);
  expect(distrusted.stderr).toMatch(/share\/unreachable[^]*self-signed/);
  const env = {
    PLANCAST_BASE_URL: service.url,
    PLANCAST_API_KEY: service.key,
    PLANCAST_REDIS_URL: redis.url,
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  };
  expect(await runCommand([...APPLY], { cwd: project.root, env })).toMatchObject({ code: 0 });
  expect(service.counters.creates).toBe(2);
});
