import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { workflowTemplate } from "../../src/init/workflow-template.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plancast-workflow-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const step = z.object({
  name: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const job = z.object({
  if: z.string(),
  permissions: z.record(z.string(), z.string()).optional(),
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.boolean() }),
  steps: z.array(step),
});
const workflow = z.object({
  on: z.object({ pull_request: z.null(), push: z.object({ branches: z.array(z.string()) }) }),
  permissions: z.record(z.string(), z.string()),
  env: z.record(z.string(), z.string()),
  jobs: z.object({ plan: job, apply: job }),
});

function script(of: z.infer<typeof job>, ending: RegExp): string {
  const found = of.steps.find(({ run }) => run !== undefined && ending.test(run))?.run;
  if (found === undefined) throw new Error(`no step runs ${ending}`);
  return found;
}

/** Runs a script as GitHub does, in a folder with a `plancast` that only notes what it was asked. */
async function runScript(text: string, variables: Record<string, string>): Promise<string[]> {
  const asked = path.join(folder, "asked");
  await writeFile(path.join(folder, "plancast"), `#!/bin/sh\necho "$@" >> "${asked}"\necho "# Plan"\n`, {
    mode: 0o755,
  });
  const done = spawnSync("bash", ["-e", "-c", `${text}\n`], {
    encoding: "utf8",
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env["PATH"] ?? ""}`,
      GITHUB_STEP_SUMMARY: path.join(folder, "summary.md"),
      ...variables,
    },
  });
  const calls = spawnSync("cat", [asked], { encoding: "utf8" }).stdout.trim();
  return [String(done.status), calls, done.stdout.split("::")[1] ?? ""];
}

const GIT_ENV = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

/** Runs commands, which must succeed. */
function sh(text: string): string {
  const done = spawnSync("bash", ["-e", "-c", text], { cwd: folder, encoding: "utf8", env: GIT_ENV });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout.trim();
}

describe("the workflow", () => {
  const { permissions, env, jobs } = workflow.parse(parseYaml(workflowTemplate("plancast@1.2.3")));
  const steps = [...jobs.plan.steps, ...jobs.apply.steps];

  test("may write only where it commits the lockfile, and gives the key only to the steps that need it", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.plan.permissions).toBeUndefined();
    expect(jobs.apply.permissions).toEqual({ contents: "write" });
    expect(Object.keys(env)).toEqual(["PLANCAST_BASE_URL"]);
    expect(steps.filter((each) => each.env !== undefined).map(({ name }) => name)).toEqual([
      "Show the plan",
      "Apply",
    ]);
  });

  test("plans on pull requests, applies on a push, and never stops an apply for a newer one", () => {
    expect(jobs.plan.if).toBe("github.event_name == 'pull_request'");
    expect(jobs.apply.if).toBe("github.event_name == 'push'");
    expect(jobs.apply.concurrency["cancel-in-progress"]).toBe(false);
    expect(jobs.apply.concurrency.group).not.toContain("${{");
    expect(jobs.plan.steps.map(({ run = "" }) => run).join("\n")).not.toContain("apply");
  });

  test("has scripts that a shell can read, and no expression of GitHub within them", () => {
    const scripts = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(scripts).toHaveLength(6);
    for (const text of scripts) {
      expect(text).not.toContain("${{");
      expect(spawnSync("bash", ["-n", "-c", text]).status).toBe(0);
    }
    expect(scripts.filter((text) => text.includes("npm install --global plancast@1.2.3"))).toHaveLength(2);
  });

  const both = { PLANCAST_BASE_URL: "https://api.example.com/v1", PLANCAST_API_KEY: "k" };
  test.each([
    ["the plan", jobs.plan, /plancast plan/, "plan --format markdown"],
    ["apply", jobs.apply, /plancast apply/, "apply --yes"],
  ] as const)("%s runs with both settings, and fails without either", async (_name, of, ending, call) => {
    const text = script(of, ending);
    for (const missing of ["PLANCAST_BASE_URL", "PLANCAST_API_KEY"] as const) {
      expect(await runScript(text, { ...both, [missing]: "" })).toEqual(["1", "", "error"]);
    }
    expect(await runScript(text, both)).toEqual(["0", call, ""]);
  });

  test("commits a lockfile that changed, over a push that came meanwhile, and is quiet otherwise", () => {
    const text = script(jobs.apply, /git push/);
    sh("git init -q --bare -b main origin.git && git clone -q origin.git other");
    sh("cd other && echo 1 > calendar && git add . && git commit -qm first && git push -q");
    sh("git clone -q origin.git work");
    const commits = (): string => sh("git -C origin.git log --format=%s main");

    sh(`cd work && ${text}`);
    expect(commits()).toBe("first");

    sh("cd other && echo 2 > calendar && git commit -qam meanwhile && git push -q");
    sh(`echo '{}' > work/plancast.lock.json; cd work && ${text}`);
    expect(commits().split("\n")).toEqual(["Update plancast.lock.json", "meanwhile", "first"]);

    sh(`cd work && ${text}`);
    expect(commits().split("\n")).toHaveLength(3);
  });
});
