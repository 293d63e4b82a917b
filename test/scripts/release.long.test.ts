/** `npm run release` in its own repository: what it refuses, and its messages. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject, type TestProject } from "../support/project.ts";

const script = (name: string): string =>
  readFileSync(new URL(`../../scripts/${name}.js`, import.meta.url), "utf8");
const SCRIPTS = {
  "scripts/release.js": script("release"),
  "scripts/readme-links.js": script("readme-links"),
};
const GOOD = {
  "package.json":
    '{ "name": "x", "version": "1.2.3", "type": "module", "repository": "github:example/x", "scripts": { "advisories": "echo asked", "build": "mkdir -p dist && echo built > dist/cli.js" } }',
  ".gitignore": "dist/\n",
  "CHANGELOG.md": "# Changelog\n\n## 1.2.3, 2036-03-01\n\n- New.\n",
  "README.md": "# x\n\n[All](https://github.com/example/x/blob/main/docs/a.md#b) and [below](#x).\n",
  // Replaces what CI runs.
  ".ci/run": "#!/bin/sh\necho checked\n",
};

async function repository(changed: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const project = await makeProject({
    config: false,
    files: { ...SCRIPTS, ...GOOD, ...changed },
  });
  git(project, "init", "--quiet", "--initial-branch", "main");
  git(project, "config", "user.email", "ana@example.com");
  git(project, "config", "user.name", "Ana");
  spawnSync("chmod", ["+x", join(project.root, ".ci/run")]);
  git(project, "add", ".");
  git(project, "commit", "--quiet", "--message", "All");
  return project;
}

function git({ root }: TestProject, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  expect({ args, status, stderr }).toMatchObject({ status: 0 });
  return stdout.trim();
}

function release({ root }: TestProject, ...args: string[]): { status: number | null; text: string } {
  const ran = spawnSync(process.execPath, ["scripts/release.js", ...args], { cwd: root, encoding: "utf8" });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

test("if all checks pass, a dry run changes nothing and a release creates the tag", async () => {
  const project = await repository();
  expect(release(project, "--dry-run")).toMatchObject({
    status: 0,
    text: expect.stringMatching(/checked[\s\S]*could be/),
  });
  expect(git(project, "tag")).toBe("");
  expect(release(project).status).toBe(0);
  expect(git(project, "tag")).toBe("v1.2.3");
  // The tag holds dist/, which the Action runs. The branch does not.
  expect(git(project, "diff", "--name-status", "main", "v1.2.3")).toBe("A\tdist/cli.js");
  expect(git(project, "rev-parse", "v1.2.3^{commit}^")).toBe(git(project, "rev-parse", "main"));
  expect(git(project, "status", "--porcelain")).toBe("");
  expect(release(project)).toMatchObject({ status: 1, text: expect.stringContaining("is a tag already") });
});

test("one run names all obstacles", async () => {
  const project = await repository({
    "package.json": '{ "name": "x", "version": "1.3.0", "type": "module", "private": true }',
  });
  await project.write("notes.txt", "new");
  git(project, "checkout", "--quiet", "-b", "side");
  const { status, text } = release(project, "--dry-run");
  expect(status).toBe(1);
  for (const obstacle of [
    "not clean",
    "is side, not main",
    "## 1.3.0, YYYY-MM-DD",
    "`repository`",
    "`private`",
  ]) {
    expect(text).toContain(obstacle);
  }
  expect(text).not.toContain("checked");
});

test("notes that are true only until the first release stop a release, with their places", async () => {
  const note = "# x\n\nThe package is not on npm before the first release.\n";
  const project = await repository({
    "README.md": note,
    "docs/run/ci.md": note,
    "docs/change/releasing.md": "It finds notes about the time until the first release.\n",
    "src/init.ts": "// Until the First Release, use a clone.\n",
    "test/a.test.ts": "// until the first release\n",
  });
  const { status, text } = release(project, "--dry-run");
  expect(status).toBe(1);
  expect(text).toContain("what follows from it: README.md:3, docs/run/ci.md:3, src/init.ts:1.");
});

test("a mistyped flag creates no tag", async () => {
  const project = await repository();
  const { status, text } = release(project, "--dryrun");
  expect(status).toBe(1);
  expect(text).toContain("'--dryrun'");
  expect(git(project, "tag")).toBe("");
});

test("a failure in CI stops a release", async () => {
  const project = await repository({ ".ci/run": "#!/bin/sh\nexit 1\n" });
  expect(release(project).status).toBe(1);
  expect(git(project, "tag")).toBe("");
});

test("the workflow publishes a tag that is the version, and no other", async () => {
  const project = await repository();
  const check = (tag: string): number | null =>
    spawnSync(process.execPath, ["scripts/release.js", "--check-tag"], {
      cwd: project.root,
      env: { ...process.env, TAG: tag },
    }).status;
  expect([check("v1.2.3"), check("v1.2.4")]).toEqual([0, 1]);
});

test("relative links of the README stop a release, and one command makes them absolute", async () => {
  const readme =
    "# x\n\n![A plan [1]](docs/a.svg) and [two](docs/b.md#c), [above](#x), [npm](https://npmjs.com).\n";
  const project = await repository({ "README.md": readme });
  expect(release(project, "--dry-run")).toMatchObject({
    status: 1,
    text: expect.stringContaining("npm run readme-links"),
  });
  const links = () =>
    spawnSync(process.execPath, ["scripts/readme-links.js"], { cwd: project.root, encoding: "utf8" });
  expect(links().stdout).toBe("2 links are now absolute.\n");
  expect(await project.read("README.md")).toBe(
    "# x\n\n![A plan [1]](https://raw.githubusercontent.com/example/x/main/docs/a.svg) and " +
      "[two](https://github.com/example/x/blob/main/docs/b.md#c), [above](#x), [npm](https://npmjs.com).\n",
  );
  expect(links().stdout).toBe("0 links are now absolute.\n");
  git(project, "commit", "--all", "--quiet", "--message", "Links");
  expect(release(project, "--dry-run").status).toBe(0);
});
