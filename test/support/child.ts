import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Starts a script of this folder and waits for its first message. It is killed when the test ends. */
export async function startChild(
  script: string,
  ...args: string[]
): Promise<{ child: ChildProcess; first: unknown }> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, { execArgv: [] });
  onTestFinished(() => killChild(child));
  return { child, first: await nextMessage(child) };
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const failed = new AbortController();
  child.once("exit", () => failed.abort());
  const [message]: unknown[] = await once(child, "message", { signal: failed.signal });
  return message;
}

/** kill -9, and the process is gone when this resolves. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
