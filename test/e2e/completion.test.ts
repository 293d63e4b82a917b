/** Completion in the shells people use. Needs `npm run build`, bash, fish and zsh. */
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { makeProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const CONFIG = { service: { url: "embedded" } };
const FILES = { "calendars/a b.csv": "" };
const SCRIPT = new URL(`../../${manifest.bin.plancast}`, import.meta.url).pathname;

test("the built command answers a shell's question for candidates", async () => {
  const { root } = await makeProject({ config: CONFIG, files: FILES });
  const asked = await runProcess(["--complete", "bash", "plan", ""], { cwd: root });
  expect(asked).toMatchObject({ code: 0, stdout: "calendars/a b.csv\n", stderr: "" });
});

const DESCRIBED = "Convert a calendar to CSV, YAML or XLSX";

test.each([
  {
    shell: "bash",
    args: ["--norc", "-c"],
    asked: `source <(plancast completion bash)
      COMP_WORDS=(plancast plan ""); COMP_CWORD=2; _plancast; printf '%s\\n' "\${COMPREPLY[@]}"
      COMP_WORDS=(plancast va); COMP_CWORD=1; _plancast; printf '%s\\n' "\${COMPREPLY[@]}"`,
    offered: "calendars/a\\ b.csv\nvalidate\n",
  },
  {
    shell: "fish",
    args: ["--no-config", "-c"],
    asked: `plancast completion fish | source
      complete -C "plancast plan "; complete -C "plancast conv"`,
    offered: `calendars/a b.csv\nconvert\t${DESCRIBED}\n`,
  },
  {
    shell: "zsh",
    args: ["-f", "-c"],
    asked: `autoload -Uz compinit; compinit -u -D
      source <(plancast completion zsh)
      _describe() { print -rl -- "\${(@P)2}" }
      words=(plancast plan ""); CURRENT=3; _plancast
      words=(plancast conv); CURRENT=2; _plancast`,
    offered: `calendars/a b.csv\nconvert:${DESCRIBED}\n`,
  },
])("$shell offers calendars, quoted, and commands, described", async ({ shell, args, asked, offered }) => {
  const project = await makeProject({ config: CONFIG, files: FILES });
  const { root } = project;
  await project.write("bin/plancast", `#!/bin/sh\nexec "${process.execPath}" "${SCRIPT}" "$@"\n`);
  await chmod(join(root, "bin/plancast"), 0o755);
  const PATH = join(root, "bin") + delimiter + process.env["PATH"];
  const { stdout, stderr, status } = spawnSync(shell, [...args, asked], {
    cwd: root,
    env: { PATH, HOME: root },
    encoding: "utf8",
  });
  expect([status, stderr, stdout]).toEqual([0, "", offered]);
});
