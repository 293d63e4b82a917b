/** The helper that smoke tests of the built command rely on. */
import { expect, test } from "vitest";
import { makeProject } from "./project.ts";
import { runProcess, startProcess } from "./run-process.ts";

async function scriptOf(source: string) {
  const project = await makeProject({ config: false, files: { "script.mjs": source } });
  return { cwd: project.root, script: `${project.root}/script.mjs` };
}

const REPORT = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const input = Buffer.concat(chunks).toString();
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), input, env: process.env }));
process.stderr.write("wärning");
process.exitCode = 3;`;

test("runProcess passes arguments, folder, input and only the given environment, and returns all output", async () => {
  const options = await scriptOf(REPORT);
  const names = ["PLANCAST_API_KEY", "NO_COLOR", "CI", "HTTPS_PROXY", "TZ"];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = "1";
  try {
    const given = { ...options, input: "yés\n", env: { NO_COLOR: "yes" } };
    const { code, signal, stdout, stderr } = await runProcess(["plan", "--x", "a b"], given);
    expect({ code, signal, stderr }).toEqual({ code: 3, signal: null, stderr: "wärning" });
    const { env, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ args: ["plan", "--x", "a b"], cwd: options.cwd, input: "yés\n" });
    expect(names.map((name) => env[name])).toEqual([undefined, "yes", undefined, undefined, undefined]);
    expect(env.PATH).toBe(process.env["PATH"]);
  } finally {
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
  }
});

test("startProcess waits for output, sends signals, and returns how the process ended", async () => {
  const running = startProcess(
    [],
    await scriptOf(`
      process.on("SIGTERM", () => { process.stderr.write("stopping"); process.exit(130); });
      process.stdout.write("rea"); setTimeout(() => process.stdout.write("dy"), 20);
      setInterval(() => {}, 1000);`),
  );
  await running.waitFor("ready");
  expect(running.kill("SIGTERM")).toBe(true);
  await running.waitFor(/stop+ing/);
  expect(await running.ended).toEqual({ code: 130, signal: null, stdout: "ready", stderr: "stopping" });
  expect(running.kill("SIGTERM")).toBe(false);
  await expect(running.waitFor("more")).rejects.toThrow("ended without more");
});

let pid: number | undefined;

test("killAfter ends a process that never ends", async () => {
  const options = await scriptOf("setInterval(() => {}, 1000);");
  expect(await runProcess([], { ...options, killAfter: 50 })).toMatchObject({
    code: null,
    signal: "SIGKILL",
  });
  pid = startProcess([], options).child.pid;
  expect(pid).toBeDefined();
});

test("a process that still runs at the end of its test is killed", () => {
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});
