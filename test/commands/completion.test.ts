/** What the Tab key brings, asked for by the real shells. */
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const CONFIG = { service: { url: "embedded" } };

async function complete(words: readonly string[], files: Record<string, string> = {}): Promise<string[]> {
  const { root } = await makeProject({ config: CONFIG, files });
  const { stdout, code } = await runCommand(["--complete", "bash", ...words], { cwd: root });
  expect(code).toBe(0);
  return stdout.split("\n").slice(0, -1);
}

test.each<[string[], string[]]>([
  [["pla"], ["plan", "platforms"]],
  [["plan", "--f"], ["--format"]],
  [["plan", "--format", "js"], ["json"]],
  [["plan", "--format=js"], ["--format=json"]],
  [["plan", "--format", "=", "js"], ["json"]],
  [["plan", "--no-"], ["--no-color"]],
  [
    ["plan", "--only", "a=b", "--quiet", "--o"],
    ["--only", "--out"],
  ],
  [["plan", "--watch", "--wa"], []],
  [["plan", "--out", ""], []],
  [["validate", "--preset", "b"], ["buffer"]],
  [["posts", "c"], ["cancel"]],
  [["posts", "cancel", "c"], []],
  [["--config", "x.yaml", "vali"], ["validate"]],
  [["nonsense", ""], ["init"]],
  [["init", "--timezone", "Europe/Par"], ["Europe/Paris"]],
])("%j", async (words, expected) => {
  const found = await complete(words);
  if (words[0] === "nonsense") expect(found).toContain(expected[0]);
  else expect(found).toEqual(expected);
});

test("calendars of the project, as they are named from here, and no name that is more than one line", async () => {
  const files = { "calendars/a b.csv": "", "calendars/x\ny.csv": "", "sub/readme.txt": "" };
  expect(await complete(["plan", ""], files)).toEqual(["calendars/a b.csv"]);
  const { root } = await makeProject({ config: CONFIG, files });
  const inFolder = await runCommand(["--complete", "zsh", "plan", ""], { cwd: join(root, "sub") });
  expect(inFolder.stdout).toBe("../calendars/a b.csv\n");
});

test("a broken project, or none, has no calendars to offer, and nothing is said", async () => {
  for (const config of ["bogus: [", false] as const) {
    const { root } = await makeProject({ config });
    const ran = await runCommand(["--complete", "bash", "plan", ""], { cwd: root });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" });
  }
});

/** A shell with the completion loaded, and plancast on its path. */
async function inShell(shell: string, args: readonly string[]): Promise<string> {
  const project = await makeProject({ config: CONFIG, files: { "calendars/a b.csv": "" } });
  const script = new URL(`../../${manifest.bin.plancast}`, import.meta.url).pathname;
  const { root } = project;
  await project.write("bin/plancast", `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  await chmod(join(root, "bin/plancast"), 0o755);
  const PATH = join(root, "bin") + delimiter + process.env["PATH"];
  const { stdout, stderr, status } = spawnSync(shell, args, {
    cwd: root,
    env: { PATH, HOME: root },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

test("bash: names are quoted as bash wants them", async () => {
  const asked = `source <(plancast completion bash)
    COMP_WORDS=(plancast plan ""); COMP_CWORD=2; _plancast; printf '%s\\n' "\${COMPREPLY[@]}"
    COMP_WORDS=(plancast va); COMP_CWORD=1; _plancast; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(await inShell("bash", ["--norc", "-c", asked])).toBe("calendars/a\\ b.csv\nvalidate\n");
});

test("fish: with what each is for", async () => {
  const asked = `plancast completion fish | source
    complete -C "plancast plan "; complete -C "plancast conv"`;
  expect(await inShell("fish", ["--no-config", "-c", asked])).toBe(
    "calendars/a b.csv\nconvert\tWrite a calendar in another format; the posts stay the same\n",
  );
});

test("zsh: the script is one that zsh takes, and hands over the words", async () => {
  const asked = `autoload -Uz compinit; compinit -u -D
    source <(plancast completion zsh)
    _describe() { print -rl -- "\${(@P)2}" }
    words=(plancast plan ""); CURRENT=3; _plancast
    words=(plancast conv); CURRENT=2; _plancast`;
  expect(await inShell("zsh", ["-f", "-c", asked])).toBe(
    "calendars/a b.csv\nconvert:Write a calendar in another format; the posts stay the same\n",
  );
});
