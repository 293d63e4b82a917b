/** `plancast serve` as a test double for the real service. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { isFailure } from "../../src/index.ts";
import { startService } from "../../src/testing.ts";
import { runCommand, startCommand } from "../support/run-command.ts";
import { builtScript } from "../support/run-process.ts";
import { until } from "../support/until.ts";

const line = z.object({
  url: z.string(),
  keys: z.object({ read: z.string(), write: z.string(), admin: z.string() }),
  outbox: z.string(),
  openapi: z.string(),
  control: z.string(),
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plancast-serve-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function send(address: string, key: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.headers.get("x-ratelimit-limit")).toBe("120");
  return await answer.json();
}

async function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    () => true,
    () => false,
  );
}

const MEMORY = ["serve", "--memory", "--port", "0"];

describe("serve --memory", () => {
  test("prints one line of JSON, publishes when its clock is moved, and leaves no file", async () => {
    const cwd = await emptyFolder();
    const args = [...MEMORY, "--plan", "pro", "--clock", "2027-03-01T08:00Z", "--fail", "platform=instagram"];
    const serve = startCommand([...args, "--fail", "platform=tiktok"], { cwd, env: { TMPDIR: cwd } });
    await serve.waitFor("\n");
    const { url, keys, outbox, openapi, control } = line.parse(JSON.parse(serve.stdout()));
    const post = { content: "Hi", scheduled_at: "2027-03-01T08:01:00Z" };
    const made = [];
    for (const platform of ["twitter", "instagram", "tiktok"]) {
      made.push(await send(`${url}/posts`, keys.write, { ...post, platforms: [platform] }));
    }
    const moved = await send(`${control}/clock`, keys.admin, { by: "1m" });
    expect(moved).toMatchObject({
      now: "2027-03-01T08:01:00.000Z",
      posts: [{ status: "published" }, { status: "failed" }, { status: "failed" }],
    });
    const page = await fetch(outbox, { headers: { authorization: `Bearer ${keys.read}` } });
    expect(await page.text()).toContain("failed: instagram is set to fail.");
    expect((await fetch(openapi)).status).toBe(200);
    expect(await readdir(cwd)).toEqual([]);
    serve.stop();
    const ended = await serve.ended;
    expect([ended.code, ended.stderr, ended.stdout.split("\n").length]).toEqual([0, "", 2]);
    expect(await readdir(cwd)).toEqual([]);
  });

  test.each([
    [["--clock", "2027-03-01"], "2027-03-01T08:00Z"],
    [["--clock", "2027-03-01T08:00"], "offset"],
    [["--clock", "2027-02-30T08:00Z"], "usage/arguments"],
    [["--fail", "instagram"], "platform=NAME"],
    [["--fail", "platform=instagramm"], "instagram"],
  ])("refuses %j", async (args, said) => {
    const { code, stdout, stderr } = await runCommand([...MEMORY, ...args], { cwd: await emptyFolder() });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("usage/arguments");
    expect(stderr).toContain(said);
  });
});

describe("serve after the end of the program that started it", () => {
  test.each([
    ["parent", "The process that started the service has ended"],
    ["stdin", "The pipe to stdin was closed"],
  ] as const)("ends and says why: %s", async (abandoned, why) => {
    const ended = await runCommand(MEMORY, {
      cwd: await emptyFolder(),
      abandoned: Promise.resolve(abandoned),
    });
    expect(ended).toMatchObject({
      code: 0,
      stderr: `${why}, so the service stops. --stay keeps it running.\n`,
    });
  });

  test("stays with --stay until it is stopped", async () => {
    const serve = startCommand([...MEMORY, "--stay"], {
      cwd: await emptyFolder(),
      abandoned: Promise.resolve("parent"),
    });
    await serve.waitFor("\n");
    const { openapi } = line.parse(JSON.parse(serve.stdout()));
    expect((await fetch(openapi)).status).toBe(200);
    serve.stop();
    expect(await serve.ended).toMatchObject({ code: 0, stderr: "" });
  });

  // Linux gives this machine every address that starts with 127.
  test.each([
    ["127.0.0.1", false],
    ["0.0.0.0", true],
  ])("with --host %s, connections to other addresses work: %s", async (host, works) => {
    const serve = startCommand([...MEMORY, "--stay", "--host", host], { cwd: await emptyFolder() });
    await serve.waitFor("\n");
    const { openapi } = line.parse(JSON.parse(serve.stdout()));
    expect((await fetch(openapi)).status).toBe(200);
    const other = fetch(openapi.replace("127.0.0.1", "127.0.0.2")).then(({ ok }) => ok);
    expect(await other.catch(() => false)).toBe(works);
    serve.stop();
    expect((await serve.ended).stderr.includes("Other machines can connect")).toBe(works);
  });

  /** A program that starts the service through a shell and never stops it, as many programs do. */
  const STARTER = `
    const { spawn } = require("node:child_process");
    spawn(process.execPath, process.argv.slice(1), { stdio: [process.env.STDIN, "inherit", "inherit"] });
    process.stdin.resume();
  `;

  function startByAnother(stdin: "inherit" | "ignore"): { child: ChildProcess; output: () => string } {
    const child = spawn(process.execPath, ["-e", STARTER, builtScript(), ...MEMORY], {
      env: { ...process.env, STDIN: stdin },
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.on("data", (text) => (output += String(text)));
    return { child, output: () => output };
  }

  test.each([
    ["its parent is killed", "ignore", (child: ChildProcess) => child.kill("SIGKILL")],
    ["the pipe to stdin is closed", "inherit", (child: ChildProcess) => child.stdin?.end()],
  ] as const)("ends, as a process, when %s", async (_when, stdin, leave) => {
    const { child, output } = startByAnother(stdin);
    await until(() => output().includes("\n"));
    const { openapi } = line.parse(JSON.parse(output()));
    expect(await answers(openapi)).toBe(true);
    // If stdin ends immediately, nobody kept a pipe open for the service.
    if (stdin === "inherit") await setTimeout(1000);
    leave(child);
    await until(async () => !(await answers(openapi)));
  });
});

describe("startService", () => {
  test("starts a service in this process, with a clock that tests move", async () => {
    const service = await startService({
      clock: "2027-03-01T08:00Z",
      fail: ["platform=instagram"],
      plan: "pro",
    });
    onTestFinished(() => service.close());
    const post = { content: "Hi", scheduled_at: "2027-03-01T08:01:00Z", platforms: ["instagram"] };
    await send(`${service.url}/posts`, service.keys.write, post);
    expect(await send(`${service.control}/clock`, service.keys.admin, { by: "1m" })).toMatchObject({
      posts: [{ status: "failed" }],
    });
    await service.close();
    await expect(fetch(service.openapi)).rejects.toThrow();
  });

  test.each([
    [{ clock: "tomorrow" }, "is not a time"],
    [{ clok: "2027-03-01T08:00Z" }, "Did you mean `clock`?"],
  ])("refuses %j with a code", async (options, says) => {
    // @ts-expect-error -- programs in JavaScript can pass anything
    const error = await startService(options).catch((thrown: unknown) => thrown);
    if (!isFailure(error)) throw error;
    expect([error.code, error.message]).toEqual(["usage/arguments", expect.stringContaining(says)]);
  });
});
