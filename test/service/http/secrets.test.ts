/** The key never appears in output, whatever the service does with it. */

import { expect, test } from "vitest";
import { csv, startScenario } from "../../support/scenario.ts";

const FILES = {
  "calendars/a.csv": csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "twitter", "Hi"]),
};

test.each([401, 403, 422, 500])(
  "the key is not printed or kept when the service echoes it with %i",
  async (status) => {
    const { service, run, project } = await startScenario({ files: FILES });
    const body = JSON.stringify({ error: { code: "validation_error", message: `bad key ${service.key} ` } });
    service.faults.plan(({ method }) =>
      method === "POST" ? { kind: "answer-before", answer: { status, body } } : undefined,
    );
    const { stdout, stderr } = await run("apply", "--yes", "--format", "json", "--verbose");
    expect(stdout + stderr).not.toContain(service.key);
    expect(JSON.stringify(Object.values(await project.tree()))).not.toContain(service.key);
    expect(await project.read("plancast.lock.json")).not.toContain(service.key);
  },
);

test("an id with the key or control characters is not printed or kept", async () => {
  const { service, run, project } = await startScenario({
    files: FILES,
    config: { safety: { settle: "0s" } },
  });
  const body = JSON.stringify({ id: `\u001b[31mEVIL\n::error::${service.key}` });
  service.faults.at(1, { kind: "answer-after", answer: { status: 201, body } }, { method: "POST" });
  const { stdout, stderr } = await run("apply", "--yes");
  expect(stdout + stderr).not.toContain(service.key);
  // oxlint-disable-next-line no-control-regex
  expect(stdout + stderr).not.toMatch(/\u001b|^::/m);
  expect(await project.read("plancast.lock.json")).not.toMatch(/EVIL/);
  expect(service.scheduled().length).toBe(1);
});

test.each([["--\u001b[31mfoo"], ["\u001b[31mcmd"], ["plan", "--format", "\u001b[31mx"]])(
  "control characters of arguments are not printed: %j",
  async (...args) => {
    const { run } = await startScenario({ files: FILES });
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/\u001b/);
  },
);

test.each(["api_key", "api_key_env", "key_env"])(
  "a key in plancast.yaml is refused and not printed: %s",
  async (name) => {
    const { run, project } = await startScenario({ files: FILES });
    await project.write("plancast.yaml", `service:\n  ${name}: s3cr3t-k3y\n`);
    for (const format of ["text", "json"]) {
      const { code, stdout, stderr } = await run("plan", "--format", format);
      expect(code).toBe(1);
      expect(stdout + stderr).not.toContain("s3cr3t");
      expect(stderr).toMatch(/make\s+a\s+new\s+(key|one)/);
    }
  },
);
