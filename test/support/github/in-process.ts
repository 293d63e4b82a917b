/** A step's script in this process. It only starts `plancast ci`, which needs no shell and no process of its own. */

import { startCommand } from "../run-command.ts";
import { TestClock } from "../test-clock.ts";
import { startInShell } from "./in-shell.ts";
import type { EndedScript, Script, StartScript, StopSignal } from "./runner.ts";

// Commands load what they need when they run. Loaded here, so that it does not slow the first test down.
await Promise.all([
  import("../../../src/commands/ci/comment.ts"),
  import("../../../src/commands/ci/lockfile.ts"),
  import("../../../src/commands/ci/merge.ts"),
  import("../../../src/commands/ci/run.ts"),
]);

/** The scripts of action.yml that start plancast, with its arguments. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['exec node "$GITHUB_ACTION_PATH/dist/cli.js" ci run', ["ci", "run"]],
  ['exec node "$GITHUB_ACTION_PATH/dist/cli.js" ci comment', ["ci", "comment"]],
  ['exec node "$GITHUB_ACTION_PATH/dist/cli.js" ci lockfile', ["ci", "lockfile"]],
  ['exec node "$GITHUB_ACTION_PATH/dist/cli.js" ci merge', ["ci", "merge"]],
]);

export interface InProcess {
  readonly clock: TestClock;
  /** Throws for a script that action.yml did not have when this was written. */
  readonly startScript: StartScript;
}

/** @param isBusy whether time has to wait, as for a `TestClock` */
export function inProcess(isBusy: () => boolean): InProcess {
  let isStopping = false;
  // A stopped run waits a few seconds for running requests. These take real time.
  const clock = new TestClock(() => isStopping || isBusy());
  const startScript: StartScript = async (script) => {
    if (script.id === "build") return { stop: () => undefined, ended: builtOnce(script) };
    const args = COMMANDS.get(script.text);
    if (args === undefined)
      throw new Error(`action.yml has a script that cannot run in this process:\n${script.text}`);
    const running = startCommand(args, { cwd: script.cwd, env: script.env, clock });
    const stop = (signal: StopSignal): void => {
      if (signal === "SIGKILL") throw new Error("This process cannot be killed: run the job in a shell.");
      isStopping = true;
      running.stop();
    };
    const ended = running.ended.then(({ code, stdout, stderr }) => {
      isStopping = false;
      return { code, log: `${stdout}\n${stderr}` };
    });
    return { stop, ended };
  };
  return { clock, startScript };
}

/** By script. */
const builds = new Map<string, Promise<EndedScript>>();

/** The build step does not depend on the job and finds everything built, so it runs once, in a real shell. */
function builtOnce(script: Script): Promise<EndedScript> {
  const known = builds.get(script.text) ?? startInShell(script).then(({ ended }) => ended);
  builds.set(script.text, known);
  return known;
}
