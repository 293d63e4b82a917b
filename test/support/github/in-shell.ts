/** A step's script in a real shell, as GitHub's runner starts it, with the built command. Needs `npm run build`. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterThisTest } from "../after-test.ts";
import { builtScript } from "../run-process.ts";
import type { EndedScript, RunningScript, Script } from "./runner.ts";

/** Without plancast's variables, and those of a real runner. */
const INHERITED = ["PATH", "HOME", "TMPDIR"] as const;

export async function startInShell({ text, cwd, env }: Script): Promise<RunningScript> {
  // Without it, the action would install and build plancast in this very folder.
  builtScript();
  const file = join(env["RUNNER_TEMP"] ?? "", `${randomUUID()}.sh`);
  await writeFile(file, text);
  const inherited = INHERITED.flatMap((name) => [[name, process.env[name] ?? ""]]).filter(([, set]) => set);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const parts: Uint8Array[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Uint8Array) => parts.push(part));
  const ended = new Promise<EndedScript>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, log: Buffer.concat(parts).toString("utf8") }));
  });
  afterThisTest(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  // Sends the signal only to this process, as the runner does. The scripts replace the shell by plancast.
  return { stop: (signal) => void child.kill(signal), ended };
}
