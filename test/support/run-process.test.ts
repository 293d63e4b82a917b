import { expect, test } from "vitest";
import { makeProject } from "./project.ts";
import { runProcess, startProcess } from "./run-process.ts";

async function scriptOf(source: string) {
  const project = await makeProject({ config: false, files: { "script.mjs": source } });
  return { cwd: project.root, script: `${project.root}/script.mjs` };
}

const TELL = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const input = Buffer.concat(chunks).toString();
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), input, env: process.env }));
process.stderr.write("wärning");
process.exitCode = 3;`;

test("arguments, folder, input, output and exit code", async () => {
  const options = await scriptOf(TELL);
  const { code, signal, stdout, stderr } = await runProcess(["plan", "--x", "a b"], {
    ...options,
    input: "yés\n",
  });
  expect({ code, signal, stderr }).toEqual({ code: 3, signal: null, stderr: "wärning" });
  expect(JSON.parse(stdout)).toMatchObject({
    args: ["plan", "--x", "a b"],
    cwd: options.cwd,
    input: "yés\n",
  });
});

test("the environment holds what was given and nothing that changes what a command does", async () => {
  const options = await scriptOf(TELL);
  const names = ["PLANCAST_API_KEY", "NO_COLOR", "CI", "HTTPS_PROXY", "TZ"];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = "1";
  try {
    const { stdout } = await runProcess([], { ...options, env: { NO_COLOR: "yes" } });
    const { env } = JSON.parse(stdout);
    expect(names.map((name) => env[name])).toEqual([undefined, "yes", undefined, undefined, undefined]);
    expect(env.PATH).toBe(process.env["PATH"]);
  } finally {
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
  }
});

test("a process that never ends is killed after the time given", async () => {
  const options = await scriptOf("setInterval(() => {}, 1000);");
  expect(await runProcess([], { ...options, killAfter: 50 })).toMatchObject({
    code: null,
    signal: "SIGKILL",
  });
});

test("a process that does not read its input is no fault", async () => {
  const options = await scriptOf("process.exit(0);");
  expect(await runProcess([], { ...options, input: "x".repeat(1_000_000) })).toMatchObject({ code: 0 });
});

test("a running process can be waited for and sent a signal", async () => {
  const running = startProcess(
    [],
    await scriptOf(`
      process.on("SIGTERM", () => { process.stderr.write("stopping"); process.exit(130); });
      process.stdout.write("rea"); setTimeout(() => process.stdout.write("dy"), 20);
      setInterval(() => {}, 1000);`),
  );
  await running.waitFor("ready");
  expect(running.stdout()).toBe("ready");
  expect(running.kill("SIGTERM")).toBe(true);
  await running.waitFor(/stop+ing/);
  expect(await running.ended).toEqual({ code: 130, signal: null, stdout: "ready", stderr: "stopping" });
  expect(running.kill("SIGTERM")).toBe(false);
  await expect(running.waitFor("more")).rejects.toThrow("ended without more");
});

let pid: number | undefined;

test("a process that still runs at the end of its test", async () => {
  const running = startProcess(
    [],
    await scriptOf('process.stdout.write("up"); setInterval(() => {}, 1000);'),
  );
  await running.waitFor("up");
  pid = running.child.pid;
  expect(pid).toBeDefined();
});

test("is gone after it", () => {
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});

test("runs the command that package.json names", async () => {
  const { root } = await makeProject();
  const { signal, stdout, stderr } = await runProcess(["--help"], { cwd: root });
  expect(signal).toBeNull();
  expect(stdout + stderr).toContain("plancast");
});
