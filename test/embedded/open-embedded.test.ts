import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  announceServe,
  embeddedFolder,
  findRunningServe,
  openEmbedded,
} from "../../src/embedded/open-embedded.ts";
import { thisProcess } from "../../src/disk/process-lock.ts";
import { StateFolder } from "../../src/disk/state-folder.ts";
import {
  type TestService,
  NEW_YEAR,
  at,
  call,
  countingRandom,
  draft,
  startTestService,
  temporaryFolder,
} from "../support/embedded-service.ts";

const clock = (): number => NEW_YEAR;

/** A project whose `plancast serve` runs. */
async function serving(): Promise<{ root: string; service: TestService; stop: () => Promise<void> }> {
  const root = await temporaryFolder();
  const service = await startTestService({ folder: embeddedFolder(StateFolder.at(root)).path });
  return { root, service, stop: await announceServe(StateFolder.at(root), service) };
}

async function writeServeFile(root: string, what: unknown): Promise<void> {
  await mkdir(join(root, ".plancast"), { recursive: true });
  await writeFile(
    join(root, ".plancast", "serve.json"),
    typeof what === "string" ? what : JSON.stringify(what),
  );
}

describe("a running serve", () => {
  it("is found with its keys until it stops", async () => {
    const { root, service, stop } = await serving();
    const { url, keys } = service;
    const state = StateFolder.at(root);
    expect(await findRunningServe(state, clock)).toEqual({ url, keys, aheadMs: 0 });
    expect(await findRunningServe(state, () => NEW_YEAR - 5_000)).toEqual({ url, keys, aheadMs: 5_000 });
    await stop();
    expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
    await stop();
  });

  it.skipIf(process.platform === "win32")("keeps its keys readable only for its user", async () => {
    const { root } = await serving();
    expect((await stat(join(root, ".plancast", "serve.json"))).mode & 0o777).toBe(0o600);
  });

  it("is not found when it does not answer, or does not know its keys", async () => {
    const { root, service } = await serving();
    await announceServe(StateFolder.at(root), {
      url: service.url,
      keys: { read: "x", write: "y", admin: "z" },
    });
    expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
    await announceServe(StateFolder.at(root), service);
    await service.close();
    expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
  });

  it("is not found by the file of an ended process, even if another process has its number", async () => {
    const { root, service } = await serving();
    const { url, keys } = service;
    await writeServeFile(root, { url, keys, ...(await thisProcess()) });
    expect(await findRunningServe(StateFolder.at(root))).toBeDefined();
    await writeServeFile(root, { url, keys, pid: process.pid, startedAt: "another-boot:1" });
    expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
  });

  it("is only looked for on loopback", async () => {
    const root = await temporaryFolder();
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end(JSON.stringify({ now: new Date().toISOString(), runs: true }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const keys = { read: "r", write: "w", admin: "a" };
    const me = await thisProcess();
    for (const url of [
      `http://localhost:${port}/v1`,
      `http://127.0.0.1:${port}@127.0.0.1:${port}/v1`,
      `http://127.0.0.1:${port}/v1#`,
    ]) {
      await writeServeFile(root, { url, keys, ...me });
      expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
    }
    expect(asked).toBe(0);
    await writeServeFile(root, { url: `http://127.0.0.1:${port}/v1`, keys, ...me });
    expect(await findRunningServe(StateFolder.at(root))).toBeDefined();
    expect(asked).toBe(1);
  });

  it.each(["", "{", "[]", '{"url":"http://127.0.0.1:1/v1"}'])(
    "is not found by a file that says %j",
    async (text) => {
      const root = await temporaryFolder();
      await writeServeFile(root, text);
      expect(await findRunningServe(StateFolder.at(root))).toBeUndefined();
    },
  );
});

function projectAt(root: string, plan?: "pro") {
  return { state: StateFolder.at(root), config: { accounts: {}, service: { plan } } };
}

describe("openEmbedded", () => {
  it("starts its own service if none runs, and keeps its posts", async () => {
    const root = await temporaryFolder();
    const first = await openEmbedded(projectAt(root), "read-write", clock, countingRandom());
    const made = await call(first.url, first.key, "POST", "/posts", draft());
    expect([made.status, made.headers.get("x-ratelimit-limit")]).toEqual([201, null]);
    await first.close();
    const second = await openEmbedded(projectAt(root), "read-only", clock, countingRandom());
    onTestFinished(() => second.close());
    expect(at((await call(second.url, second.key, "GET", "/posts")).body, "data")).toHaveLength(1);
  });

  it("has a rate limit only if the project sets a rate plan", async () => {
    const opened = await openEmbedded(
      projectAt(await temporaryFolder(), "pro"),
      "read-only",
      clock,
      countingRandom(),
    );
    onTestFinished(() => opened.close());
    const listed = await call(opened.url, opened.key, "GET", "/posts");
    expect(listed.headers.get("x-ratelimit-limit")).toBe("120");
  });

  it("gives a plan a key that cannot write, and makes no folder", async () => {
    const root = await temporaryFolder();
    const opened = await openEmbedded(projectAt(root), "read-only", clock, countingRandom());
    expect((await call(opened.url, opened.key, "POST", "/posts", draft())).status).toBe(403);
    await opened.close();
    expect(await readdir(root)).toEqual([]);
  });

  it("uses the project's running serve, and leaves it running", async () => {
    const { root, service } = await serving();
    const plan = await openEmbedded(projectAt(root), "read-only", clock, countingRandom());
    const apply = await openEmbedded(projectAt(root), "read-write", clock, countingRandom());
    expect([plan.url, plan.key, apply.url, apply.key]).toEqual([
      service.url,
      service.keys.read,
      service.url,
      service.keys.write,
    ]);
    await Promise.all([plan.close(), apply.close()]);
    expect((await service.call("GET", "/posts")).status).toBe(200);
  });

  it("refuses to write while `plancast serve` runs but cannot be found", async () => {
    const { root, stop } = await serving();
    await stop();
    await expect(openEmbedded(projectAt(root), "read-write", clock, countingRandom())).rejects.toMatchObject({
      code: "run/locked",
    });
  });
});
