/** `plancast init FOLDER` in a repository that already has projects. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { type TestProject, makeProject } from "../../support/project.ts";
import { type CommandResult, runCommand } from "../../support/run-command.ts";

async function repository(files: Readonly<Record<string, string>>): Promise<TestProject> {
  return makeProject({ config: false, files: { ".git/HEAD": "ref: refs/heads/main\n", ...files } });
}

async function init(project: TestProject, ...args: readonly string[]): Promise<CommandResult> {
  const ended = await runCommand(["init", ...args], { cwd: project.root, env: { TZ: "UTC" } });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

async function settings(project: TestProject, file: string): Promise<unknown> {
  return parse(await project.read(file));
}

test("a further project has its own key, extends the shared settings, and repeats none of them", async () => {
  const project = await repository({
    "agency.yaml":
      "service: {url: https://api.example.com}\ntimezone: Europe/Paris\nplatforms: {x: twitter}\ndefaults: {time: '09:00'}\n",
    "clients/acme/plancast.yaml": "extends: ../../agency.yaml\nservice: {key_env: ACME_KEY}\n",
    "clients/broken/plancast.yaml": "timezoen: UTC\n",
    ".gitignore": ".plancast/\npreview.html\nclient.html\nnode_modules/\n",
    ".gitattributes": "plancast.lock.json merge=plancast\nplancast.holds.yaml merge=union\n",
    ".git/config": '[remote "origin"]\n\turl = https://github.com/acme/posts.git\n',
  });
  const { stderr } = await init(project, "clients/été 2");
  expect(await settings(project, "clients/été 2/plancast.yaml")).toEqual({
    extends: "../../agency.yaml",
    service: { key_env: "ETE_2_KEY" },
    calendars: ["calendars/**/*.{csv,tsv,yaml,yml,xlsx,ods,md,tweet}"],
  });
  const files = Object.keys(await project.tree()).filter((path) => path.startsWith("clients/été"));
  expect(files.map((path) => path.replace(/\d{4}-\d\d/, "MONTH"))).toEqual([
    "clients/été 2/calendars/MONTH.csv",
    "clients/été 2/calendars/README.md",
    "clients/été 2/calendars/media/welcome.png",
    "clients/été 2/plancast.yaml",
  ]);
  expect(await project.read("clients/été 2/calendars/README.md")).not.toContain("GitHub");
  expect(stderr).toContain("The project uses the key in ETE_2_KEY.");
  expect(stderr).toContain(".github/workflows/plancast.yml plans and applies all projects.");
  expect(stderr).toMatch(/add the secret\s+ETE_2_KEY to the environment publish/);
  expect(stderr).not.toMatch(/Times are in|git config/);
  const checked = await runCommand(["validate", "--all", "clients/été 2"], { cwd: project.root });
  expect(checked).toMatchObject({ code: 0 });
});

test("without shared settings, it starts with the embedded service, and works immediately", async () => {
  const project = await repository({
    "clients/acme/plancast.yaml": "service: {url: embedded, key_env: BETA_KEY}\n",
    ".gitignore": "/.plancast/\n",
  });
  await init(project, "brands/beta", "--timezone", "Asia/Tokyo");
  expect(await settings(project, "brands/beta/plancast.yaml")).toMatchObject({
    // Another project has BETA_KEY.
    service: { key_env: "BRANDS_BETA_KEY", url: "embedded" },
    timezone: "Asia/Tokyo",
    platforms: { x: "twitter" },
    defaults: { time: "10:00" },
  });
  // A line with a slash at its start applies only to the root.
  expect(await project.read("brands/beta/.gitignore")).toContain(".plancast/");
  expect(await runCommand(["plan"], { cwd: `${project.root}/brands/beta` })).toMatchObject({ code: 0 });
});

test("extends nothing if the other projects extend different files", async () => {
  const project = await repository({
    "a.yaml": "timezone: UTC\n",
    "b.yaml": "timezone: UTC\n",
    "clients/a/plancast.yaml": "extends: ../../a.yaml\n",
    "clients/b/plancast.yaml": "extends: ../../b.yaml\n",
  });
  await init(project, "clients/c");
  expect(await settings(project, "clients/c/plancast.yaml")).not.toHaveProperty("extends");
});

test("the first project of a repository is as before, with a workflow", async () => {
  const project = await repository({ "node_modules/p/plancast.yaml": "timezone: UTC\n" });
  await init(project, "clients/acme");
  expect(Object.keys(await project.tree())).toContain("clients/acme/.github/workflows/plancast.yml");
  expect(await settings(project, "clients/acme/plancast.yaml")).toMatchObject({
    service: { url: "embedded" },
  });
});
