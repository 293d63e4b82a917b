/** action.yml agrees with docs/run/ci.md and with the inputs that the program reads. */

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readInputs, withoutInputs } from "../../src/commands/ci/inputs.ts";
import { afterThisTest } from "../support/after-test.ts";
import { startInShell } from "../support/github/in-shell.ts";
import { ACTION_FOLDER, type EndedScript, readAction } from "../support/github/runner.ts";

const { inputs, outputs, runs } = await readAction();

/** The rows of the table under a heading of docs/run/ci.md, by their first cell, without blank cells. */
function tableUnder(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = page.split(`### ${heading}\n`);
  const rows = section
    .split("\n### ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| `"));
  return new Map(
    rows?.map((line): [string, string[]] => {
      const [, name = "", ...cells] = line.split("|").map((cell) => cell.trim());
      return [name, cells.filter((cell) => cell !== "")];
    }),
  );
}

function shownDefault(usual: string | undefined): string[] {
  if (usual === undefined) return ["required"];
  return usual === "" ? [] : [`\`${usual}\``];
}

test("docs/run/ci.md lists each input and output of action.yml with its description", async () => {
  const page = await readFile(join(ACTION_FOLDER, "docs", "run", "ci.md"), "utf8");
  expect(Object.fromEntries(tableUnder(page, "Inputs"))).toEqual(
    Object.fromEntries(
      Object.entries(inputs).map(([name, { description, default: usual }]) => [
        `\`${name}\``,
        [...shownDefault(usual), description],
      ]),
    ),
  );
  expect(Object.fromEntries(tableUnder(page, "Outputs"))).toEqual(
    Object.fromEntries(
      Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, [description]]),
    ),
  );
});

test("the examples name the current version", async () => {
  const page = await readFile(join(ACTION_FOLDER, "docs", "run", "ci.md"), "utf8");
  const named = [...page.matchAll(/plancast@v?([\d.]+)/g)].map(([, version]) => version);
  expect([...new Set(named)]).toEqual([manifest.version]);
});

test("no script contains an expression that could turn a name into a command, and no script is long", () => {
  const scripts = runs.steps.flatMap(({ run }) => run ?? []);
  expect(scripts).toHaveLength(5);
  for (const script of scripts) {
    expect(script).not.toContain("${{");
    expect(script.trim().split("\n").length).toBeLessThan(10);
  }
});

test("the build step installs development dependencies, even in a job with NODE_ENV=production", () => {
  const lines = runs.steps[0]?.run?.split("\n").map((line) => line.trim()) ?? [];
  expect(lines.filter((line) => line.startsWith("npm ci"))).toEqual([
    "npm ci --include=dev --ignore-scripts",
  ]);
  expect(lines.indexOf("unset NODE_ENV")).toBeGreaterThan(0);
  expect(lines.indexOf("unset NODE_ENV")).toBeLessThan(lines.findIndex((line) => line.startsWith("npm ci")));
});

test.each([
  ["18.20.8", "1"],
  ["20.18.3", "1"],
  ["20.19.0", "0"],
  ["22.0.0", "0"],
])("the build step in bash ends with Node %s with exit code %s", async (version, code) => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-node-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  // Shows another version number, and does nothing else.
  await writeFile(
    join(folder, "node"),
    `#!/bin/sh\nexec "${process.execPath}" --require "${folder}/version.cjs" "$@"\n`,
    { mode: 0o755 },
  );
  const versions = `{ ...process.versions, node: "${version}" }`;
  await writeFile(
    join(folder, "version.cjs"),
    `Object.defineProperty(process, "versions", { value: ${versions} });`,
  );
  const env = { RUNNER_TEMP: folder, PATH: `${folder}:${process.env["PATH"]}` };
  const [build] = runs.steps;
  const running = await startInShell({ id: build?.id, text: build?.run ?? "", cwd: ACTION_FOLDER, env });
  const ended = await running.ended;
  expect(String(ended.code)).toBe(code);
  expect(ended.log).toBe(
    code === "0" ? "" : "::error::plancast needs Node 20.19 or later: put actions/setup-node before it.\n",
  );
});

test("a release holds dist/: the build step starts only Node, and plancast runs from there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plancast-release-"));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  await cp(join(ACTION_FOLDER, "dist"), join(folder, "dist"), { recursive: true });
  const bin = join(folder, "bin");
  await mkdir(bin);
  await symlink(process.execPath, join(bin, "node"));
  await symlink("/bin/bash", join(bin, "bash"));
  const env = { RUNNER_TEMP: folder, PATH: bin };
  const [build] = runs.steps;
  const run = async (text: string): Promise<EndedScript> =>
    (await startInShell({ id: build?.id, text, cwd: folder, env })).ended;
  expect(await run(build?.run ?? "")).toEqual({ code: 0, log: "" });
  expect(await run("exec node dist/cli.js --version")).toEqual({ code: 0, log: `${manifest.version}\n` });
  // Without it, npm is needed.
  await rm(join(folder, "dist"), { recursive: true });
  expect(await run(build?.run ?? "")).toMatchObject({
    log: expect.stringContaining("npm: command not found"),
  });
});

test("only the steps that need them get the key and the token", () => {
  const given = runs.steps.map(({ name, env }) => [
    name,
    "INPUT_API_KEY" in env,
    "INPUT_GITHUB_TOKEN" in env,
  ]);
  expect(given).toEqual([
    ["Build plancast", false, false],
    ["Run plancast", true, true],
    ["Keep the plan", false, false],
    ["Keep the preview", false, false],
    ["Show it on the pull request", false, true],
    ["Bring the lockfile into the repository", false, true],
    ["Merge the fetched sheets", false, true],
  ]);
});

test("each input becomes an environment variable whose name every shell accepts", () => {
  const names = new Set(runs.steps.flatMap(({ env }) => Object.keys(env)));
  for (const name of Object.keys(inputs).filter((each) => each !== "working-directory"))
    expect(names.has(`INPUT_${name.toUpperCase().replaceAll("-", "_")}`), name).toBe(true);
});

test.each([
  [{ INPUT_COMMAND: "aply" }, "command"],
  [{ INPUT_COMMAND: "plan", INPUT_REVIEWED_PLAN: "no" }, "reviewed-plan"],
  [{ INPUT_COMMAND: "plan", INPUT_NAME: "a b --> <script>" }, "name"],
  [{ INPUT_COMMAND: "plan", INPUT_COMMENT: "yes" }, "comment"],
  [{ INPUT_COMMAND: "plan", INPUT_PAGES: "private" }, "pages"],
  [{ INPUT_COMMAND: "apply", INPUT_PLAN: "5f2a" }, "plan: is not the hash of a plan"],
  [{ INPUT_COMMAND: "apply", INPUT_ALLOW_CANCELS: "-1" }, "allow-cancels: is not a whole number"],
  [{ INPUT_COMMAND: "apply", INPUT_ALLOW_CANCELS: "all" }, "allow-cancels: is not a whole number"],
  [{ INPUT_COMMAND: "plan", INPUT_PROJECTS: "clients/*\n../*" }, "projects: is not a pattern"],
  [{ INPUT_COMMAND: "plan", INPUT_PROJECTS: "/etc" }, "projects: is not a pattern"],
  [{ INPUT_COMMAND: "plan", INPUT_PROJECTS: "~/clients" }, "projects: is not a pattern"],
  [{ INPUT_COMMAND: "plan", INPUT_PROJECTS: "clients/{a,..}/x" }, "projects: is not a pattern"],
  [{ INPUT_COMMAND: "plan", INPUT_PROJECTS: "!../x" }, "projects: is not a pattern"],
  [
    { INPUT_COMMAND: "plan", INPUT_PROJECTS: "clients/*", INPUT_API_KEY: "sk_1" },
    "api-key is for one project",
  ],
  [
    { INPUT_COMMAND: "plan", INPUT_PROJECTS: "a", INPUT_BASE_URL: "https://a.example" },
    "base-url is for one",
  ],
  [{ INPUT_COMMAND: "apply", INPUT_PROJECTS: "a", INPUT_ALLOW_CANCELS: "3" }, "allow-cancels is for one"],
])("the message names a wrong input: %j", (env, name) => {
  expect(() => readInputs(env)).toThrow(`The input ${name}`);
});

test("an empty input counts as not given", () => {
  const empty = { INPUT_COMMAND: "plan", INPUT_NAME: "", INPUT_CALENDARS: " a.csv\n\n b c.csv " };
  expect(readInputs(empty)).toMatchObject({
    name: "plancast",
    calendars: ["a.csv", "b c.csv"],
    lockfile: "commit",
    token: "",
  });
});

test("git gets no input and no key, because filters of the checkout may be a stranger's", () => {
  const secret = {
    INPUT_API_KEY: "k",
    INPUT_GITHUB_TOKEN: "t",
    PLANCAST_API_KEY: "k",
    PLANCAST_REDIS_URL: "r",
  };
  expect(withoutInputs({ PATH: "/bin", ...secret })).toEqual({ PATH: "/bin" });
});
