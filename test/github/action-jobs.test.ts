/**
 * Each kind of job of the GitHub Action, in this process. Differences between kinds are in the files next to this one.
 */
import { expect, test } from "vitest";
import { inProcess } from "../support/github/in-process.ts";
import { readAction } from "../support/github/runner.ts";
import { startRealWorld, startWorld } from "../support/github/action-world.ts";
import { JOB_KINDS, LONG_APPLY } from "./action-jobs.ts";

for (const { name, check } of JOB_KINDS) test(name, () => check(startWorld));

// Only a process can be killed, so this job runs in a shell.
test("an apply that is killed loses nothing: the lockfile is committed with what the journal says", async () => {
  const { merge, service, repository } = await startRealWorld(LONG_APPLY.rows, LONG_APPLY.service);
  const job = await merge({
    inputs: { "reviewed-plan": "off" },
    during: ({ name, kill }) => {
      if (/Run/.test(name))
        service.faults.at(4, { kind: "run-after", run: kill }, { method: "POST", path: "/v1/posts" });
    },
  });
  await service.whenQuiet();
  expect([job.step(/Run/).code, job.outputs["lockfile"]]).toEqual([null, "committed"]);
  const lockfile = JSON.parse(repository.remoteFile("plancast.lock.json"));
  const known = [...Object.keys(lockfile.posts), ...Object.keys(lockfile.unknown ?? {})];
  expect(service.scheduled().length).toBeGreaterThanOrEqual(4);
  expect(known.length).toBeGreaterThanOrEqual(service.scheduled().length);
});

test("tests in this process know every script of action.yml, and refuse any other", async () => {
  const { runs } = await readAction();
  const { startScript } = inProcess(() => false);
  const script = { id: "run", cwd: "/", env: {} };
  const [, run = ""] = runs.steps.map((step) => step.run ?? "");
  await expect(startScript({ ...script, text: `${run} --verbose` })).rejects.toThrow(
    "cannot run in this process",
  );
});
