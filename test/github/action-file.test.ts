/** What action.yml says, and what docs/ci.md and the program make of it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { readInputs } from "../../src/commands/ci-inputs.ts";
import { ACTION_FOLDER, readAction } from "../support/github/runner.ts";

const { inputs, outputs, runs } = await readAction();

/** The rows of the table under a heading of docs/ci.md, by their first cell; blank cells left out. */
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

test("docs/ci.md lists each input and output as action.yml has it", async () => {
  const page = await readFile(join(ACTION_FOLDER, "docs", "ci.md"), "utf8");
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

test("the examples name the version that they are of", async () => {
  const page = await readFile(join(ACTION_FOLDER, "docs", "ci.md"), "utf8");
  const named = [...page.matchAll(/plancast@v?([\d.]+)/g)].map(([, version]) => version);
  expect([...new Set(named)]).toEqual([manifest.version]);
});

test("no script holds an expression, in which a name could become a command, and none is long", () => {
  const scripts = runs.steps.flatMap(({ run }) => run ?? []);
  expect(scripts).toHaveLength(3);
  for (const script of scripts) {
    expect(script).not.toContain("${{");
    expect(script.trim().split("\n").length).toBeLessThan(10);
  }
});

test("the build installs what builds it, also in a job for production", () => {
  const lines = runs.steps[0]?.run?.split("\n").map((line) => line.trim()) ?? [];
  expect(lines.filter((line) => line.startsWith("npm ci"))).toEqual([
    "npm ci --include=dev --ignore-scripts",
  ]);
  expect(lines.indexOf("unset NODE_ENV")).toBeGreaterThan(0);
  expect(lines.indexOf("unset NODE_ENV")).toBeLessThan(lines.findIndex((line) => line.startsWith("npm ci")));
});

test("the key and the token go to the steps that need them", () => {
  const given = runs.steps.map(({ name, env }) => [
    name,
    "INPUT_API_KEY" in env,
    "INPUT_GITHUB_TOKEN" in env,
  ]);
  expect(given).toEqual([
    ["Build plancast", false, false],
    ["Run plancast", true, true],
    ["Keep the plan", false, false],
    ["Bring the lockfile into the repository", false, true],
  ]);
});

test("each input is handed over under a name that a shell passes on", () => {
  const names = new Set(runs.steps.flatMap(({ env }) => Object.keys(env)));
  for (const name of Object.keys(inputs).filter((each) => each !== "working-directory"))
    expect(names.has(`INPUT_${name.toUpperCase().replaceAll("-", "_")}`), name).toBe(true);
});

test.each([
  [{ INPUT_COMMAND: "aply" }, "command"],
  [{ INPUT_COMMAND: "plan", INPUT_REVIEWED_PLAN: "no" }, "reviewed-plan"],
  [{ INPUT_COMMAND: "plan", INPUT_NAME: "a b --> <script>" }, "name"],
  [{ INPUT_COMMAND: "plan", INPUT_COMMENT: "yes" }, "comment"],
  [{ INPUT_COMMAND: "apply", INPUT_PLAN: "5f2a" }, "plan: is not the hash of a plan"],
  [{ INPUT_COMMAND: "apply", INPUT_ALLOW_CANCELS: "-1" }, "allow-cancels: is not a whole number"],
  [{ INPUT_COMMAND: "apply", INPUT_ALLOW_CANCELS: "all" }, "allow-cancels: is not a whole number"],
])("an input that is wrong is named: %j", (env, name) => {
  expect(() => readInputs(env)).toThrow(`The input ${name}`);
});

test("inputs that are empty are as good as none", () => {
  const empty = { INPUT_COMMAND: "plan", INPUT_NAME: "", INPUT_CALENDARS: " a.csv\n\n b c.csv " };
  expect(readInputs(empty)).toMatchObject({
    name: "plancast",
    calendars: ["a.csv", "b c.csv"],
    lockfile: "commit",
    token: "",
  });
});
