/** `plancast serve` as a stand-in for the real service in other programs' tests. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { runCommand, startCommand } from "../support/run-command.ts";

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
    expect(await page.text()).toContain("failed: instagram is made to fail.");
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
