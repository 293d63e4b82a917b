/** A disk that takes no writes, for every command that writes. Each fault has a code, and says what to do. */
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { type TestProject, makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { builtScript } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";

const HEADER = ["id", "scheduled_at", "platforms", "content"];

const WRITING = [
  ["init", "new"],
  ["convert", "calendars/a.csv", "--out", "b.yaml"],
  ["plan", "--out", "plan.json"],
  ["preview", "--offline"],
  ["calendar", "--out", "feed.ics"],
  ["apply", "--yes"],
  ["hold", "--reason", "Stop", "--yes"],
  ["hold", "--reason", "Stop", "--yes", "--later"],
  ["release", "--yes"],
  ["resolve", "--look-again"],
  ["lockfile", "accept-account", "--yes"],
  ["lockfile", "forget", "--yes"],
  ["lockfile", "merge", "plancast.lock.json", "plancast.lock.json", "plancast.lock.json"],
  ["media", "prune"],
  ["store", "compact"],
  ["serve", "--port", "0"],
  ["listen", "--port", "0"],
].map((args): [string, readonly string[]] => [args.join(" "), args]);

async function appliedProject(): Promise<TestProject> {
  const project = await makeProject({
    config: { service: { url: "embedded" }, timezone: "UTC" },
    files: {
      "calendars/a.csv": csv(HEADER, ["a", "2036-03-01 10:00", "twitter", "Hello"]),
      "plancast.holds.yaml": '- {"hold":"a","only":{"id":"none"},"reason":"Stop"}\n',
    },
  });
  expect(await runCommand(["apply", "--yes"], { cwd: project.root })).toMatchObject({ code: 0 });
  await project.write("calendars/a.csv", csv(HEADER, ["a", "2036-03-01 11:00", "twitter", "Hello"]));
  return project;
}

/** @param how a shell starts the command, without the power to write */
function runWithout(how: string, args: readonly string[], cwd: string): string {
  const ran = spawnSync("sh", ["-c", `${how} "$0" "$@"`, process.execPath, builtScript(), ...args], {
    cwd,
    encoding: "utf8",
    timeout: 60_000,
    env: { PATH: process.env["PATH"] },
  });
  expect([ran.status, ran.signal], ran.stderr).toEqual([1, null]);
  return ran.stderr;
}

/** The superuser may write everywhere. */
const AS_SOMEBODY_ELSE = process.getuid?.() === 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";

function expectTold(stderr: string): void {
  expect(stderr).toContain("disk/not-writable");
  expect(stderr).toMatch(/→ (?:Check|Fix|Free) /);
  expect(stderr).not.toMatch(/internal\/fault|^ {4}at /m);
}

test.each(WRITING)("without space on the disk, `plancast %s` says what to do", async (_line, args) => {
  const { root } = await appliedProject();
  // The system refuses each write, as a full disk does.
  expectTold(runWithout("ulimit -f 0; exec", args, root));
});

test.each(WRITING)(
  "in a folder that it may not write, `plancast %s` says what to do",
  async (_line, args) => {
    const project = await appliedProject();
    const folders = Object.keys(await project.tree()).map((file) => dirname(`${project.root}/${file}`));
    const all = [...new Set([project.root, ...folders])];
    for (const folder of all) await chmod(folder, 0o555);
    try {
      expectTold(runWithout(`exec ${AS_SOMEBODY_ELSE}`, args, project.root));
    } finally {
      for (const folder of all) await chmod(folder, 0o755);
    }
  },
);
