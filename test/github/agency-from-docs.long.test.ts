/** An agency with eight clients, built as docs/run/several-projects.md says, with the workflow that init writes. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { afterThisTest } from "../support/after-test.ts";
import { startForeignService } from "../support/foreign-service.ts";
import { calendarPath, clientCalendar, newestFiles, startAgency } from "../support/github/agency-world.ts";
import { interpolate } from "../support/github/expression.ts";
import { runCommand } from "../support/run-command.ts";

vi.setConfig({ testTimeout: 240_000 });

const CLIENTS = ["acme", "beta", "cora", "dune", "echo", "flux", "gala", "hugo"];
const WORKFLOW = ".github/workflows/plancast.yml";

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const job = z.object({
  steps: z.array(z.object({ uses: z.string(), with: texts.default({}), env: texts.default({}) })),
});
const workflow = z.object({ jobs: z.object({ plan: job, apply: job }) });

/** The inputs and the environment of the step that plans or applies. */
function stepOf(text: string, name: "plan" | "apply", contexts: Readonly<Record<string, string>>) {
  const step = workflow.parse(parse(text)).jobs[name].steps.find((each) => each.with["command"] === name);
  const fill = (fields: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, interpolate(value, contexts)]));
  return { inputs: fill(step?.with), env: fill(step?.env) };
}

test("its workflow plans with read keys what a pull request touches, and applies it with the keys of the environment", async () => {
  const keys = CLIENTS.flatMap((name) => [
    [`sk_read_${name}_0123456789`, "read"] as const,
    [`sk_write_${name}_0123456789`, "write"] as const,
  ]);
  const service = await startForeignService({ keys: Object.fromEntries(keys) });
  afterThisTest(() => service.close());
  const world = await startAgency([], { isReal: true });
  const { project, git } = world.repository;
  git("remote", "add", "hub", "https://github.com/acme/social.git");
  const init = async (name: string): Promise<string> => {
    const args = ["init", `clients/${name}`, "--no-sample"];
    const ended = await runCommand(args, { cwd: project.root, env: { TZ: "UTC" } });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stderr;
  };
  await init("acme");
  await rm(join(project.root, "clients/acme/.github"), { recursive: true });
  await project.write("agency.yaml", `service: { url: "${service.url}" }\ntimezone: UTC\n`);
  await project.write(
    "clients/acme/plancast.yaml",
    "extends: ../../agency.yaml\nservice: { key_env: ACME_KEY }\n",
  );
  for (const name of CLIENTS.slice(1)) await init(name);
  for (const name of CLIENTS) await project.write(calendarPath(name), clientCalendar());
  world.repository.push("clients");

  const text = await project.read(WORKFLOW);
  const vars = {
    "vars.PLANCAST_TRUSTED_ORIGINS": CLIENTS.map(
      (name) => `${service.origin}=${name.toUpperCase()}_KEY`,
    ).join(", "),
    "inputs.plan": "",
  };
  const read = CLIENTS.map((name) => [
    `secrets.${name.toUpperCase()}_READ_KEY`,
    `sk_read_${name}_0123456789`,
  ]);
  const write = CLIENTS.map((name) => [`secrets.${name.toUpperCase()}_KEY`, `sk_write_${name}_0123456789`]);
  // The secrets of the environment exist only in the job that runs in it.
  const plan = stepOf(text, "plan", { ...vars, ...Object.fromEntries(read) });
  const apply = stepOf(text, "apply", { ...vars, ...Object.fromEntries([...read, ...write]) });
  expect(Object.keys(plan.env).toSorted()).toEqual(
    [...CLIENTS.map((name) => `${name.toUpperCase()}_KEY`), "PLANCAST_TRUSTED_ORIGINS"].toSorted(),
  );

  await world.open(12, {
    [calendarPath("beta")]: clientCalendar("b"),
    [calendarPath("gala")]: clientCalendar("g"),
  });
  const planned = await world.plan(12, plan);
  expect(planned.step(/Run/).log).not.toContain("service/");
  expect([planned.failed, planned.outputs["result"], planned.outputs["create"]]).toEqual([
    false,
    "changes",
    "2",
  ]);
  const merged = await world.merge(12, apply);
  expect([merged.failed, merged.outputs["result"]]).toEqual([false, "applied"]);
  expect(service.scheduled()).toHaveLength(2);
  expect(newestFiles(world)).toEqual(["clients/beta/plancast.lock.json", "clients/gala/plancast.lock.json"]);
});
