import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  LockHeld,
  acquireProcessLock,
  isRunning,
  readProcessLock,
  thisProcess,
} from "../../src/disk/process-lock.ts";
import { Place } from "../../src/disk/place.ts";
import { killChild, startChild } from "../support/child.ts";
import { temporaryFolder } from "../support/embedded-service.ts";
import { until } from "../support/until.ts";

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), "owner.json");
}

/** A lock file of an ended process: it has this process's number and another start time. */
function deadOwner(over: Record<string, unknown> = {}): string {
  const token = "1f0c8c1e-3f6d-4d0e-9d0e-2f7d6a1b2c3d";
  return JSON.stringify({ pid: process.pid, startedAt: "another-boot:1", token, info: {}, ...over });
}

describe("processes", () => {
  it("this process counts as running, but a process with the same number and another start time does not", async () => {
    const me = await thisProcess();
    expect(await isRunning(me)).toBe(true);
    // Reused process numbers can be detected only if the system shows when a process started.
    if (me.startedAt !== null) expect(await isRunning({ ...me, startedAt: "another-boot:1" })).toBe(false);
  });

  it("a killed process is not running", async () => {
    const { child } = await startChild("lock-child.js", await lockPath());
    const identity = { pid: child.pid ?? 0, startedAt: null };
    expect(await isRunning(identity)).toBe(true);
    await killChild(child);
    expect(await isRunning(identity)).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "an ended process that its parent has not collected is not running",
    async () => {
      // The shell starts a process that reads from its fourth pipe. Then the shell becomes a `sleep`, which never waits
      // for that process.
      const script = "cat <&3 >/dev/null & echo $!; exec sleep 60";
      const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "pipe", "pipe"] });
      onTestFinished(() => void parent.kill("SIGKILL"));
      const [said]: unknown[] = await once(parent.stdout, "data");
      const pid = Number(String(said));
      await until(async () => (await readFile(`/proc/${parent.pid}/comm`, "utf8")) === "sleep\n");
      parent.stdio[3]?.destroy();
      await until(async () => !(await isRunning({ pid, startedAt: null })));
      // The process still exists, because it accepts signals.
      expect(process.kill(pid, 0)).toBe(true);
    },
  );
});

describe("a process lock", () => {
  it("has one holder at a time, names it, and is free after its release", async () => {
    const path = await lockPath();
    const lock = await acquireProcessLock(Place.checked(path), { url: "http://one" });
    await expect(acquireProcessLock(Place.checked(path))).rejects.toThrow(LockHeld);
    expect(await readProcessLock(Place.checked(path))).toMatchObject({
      running: true,
      owner: { pid: process.pid, info: { url: "http://one" } },
    });
    await lock.update({ url: "http://two" });
    expect((await readProcessLock(Place.checked(path)))?.owner.info).toEqual({ url: "http://two" });
    await lock.release();
    expect(await readProcessLock(Place.checked(path))).toBeUndefined();
    await (await acquireProcessLock(Place.checked(path))).release();
  });

  it("leaves no other file behind", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "owner.json");
    await writeFile(path, deadOwner());
    const lock = await acquireProcessLock(Place.checked(path));
    await expect(acquireProcessLock(Place.checked(path))).rejects.toThrow(LockHeld);
    expect(await readdir(folder)).toEqual(["owner.json"]);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is not removed by a release when another process has taken it", async () => {
    const path = await lockPath();
    const lock = await acquireProcessLock(Place.checked(path));
    const other = deadOwner();
    await writeFile(path, other);
    await lock.release();
    expect(await readFile(path, "utf8")).toBe(other);
  });

  it("is free after its process is killed", async () => {
    const path = await lockPath();
    const { child, first } = await startChild("lock-child.js", path);
    expect(first).toBe("held");
    await expect(acquireProcessLock(Place.checked(path))).rejects.toMatchObject({
      owner: { pid: child.pid },
    });
    await killChild(child);
    expect(await readProcessLock(Place.checked(path))).toMatchObject({ running: false });
    await (await acquireProcessLock(Place.checked(path))).release();
  });

  it("is free if its process has ended, even if a new process has the same number", async () => {
    const path = await lockPath();
    await writeFile(path, deadOwner());
    const lock = await acquireProcessLock(Place.checked(path));
    expect((await readProcessLock(Place.checked(path)))?.owner).toMatchObject(await thisProcess());
    await lock.release();
  });

  it("is free if a process died while it took over the lock", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "owner.json");
    const token = "5b0b2a38-7f3f-4a3c-8d5e-9b1f0a6c7d8e";
    await writeFile(path, deadOwner({ token }));
    await writeFile(`${path}.${token}`, deadOwner());
    await acquireProcessLock(Place.checked(path));
    expect(await readdir(folder)).toEqual(["owner.json"]);
  });

  it("of a dead process goes to exactly one of many callers", async () => {
    for (let round = 0; round < 3; round += 1) {
      const path = await lockPath();
      await writeFile(path, deadOwner());
      const tries = await Promise.allSettled(
        Array.from({ length: 20 }, () => acquireProcessLock(Place.checked(path))),
      );
      expect(tries.filter((each) => each.status === "fulfilled")).toHaveLength(1);
      const refusals = tries.filter((each) => each.status === "rejected").map((each): unknown => each.reason);
      expect(refusals.every((each) => each instanceof LockHeld)).toBe(true);
    }
  });

  it("of a dead process goes to exactly one of many processes", async () => {
    const path = await lockPath();
    await writeFile(path, deadOwner());
    const children = await Promise.all(Array.from({ length: 4 }, () => startChild("lock-child.js", path)));
    expect(children.filter((each) => each.first === "held")).toHaveLength(1);
    expect(children.filter((each) => each.first === "refused")).toHaveLength(3);
  });

  it.each(["", "{", "[]", '{"pid":-1}', deadOwner({ token: "../../x" })])(
    "is not taken over from a file that cannot be understood: %j",
    async (text) => {
      const path = await lockPath();
      await writeFile(path, text);
      await expect(acquireProcessLock(Place.checked(path))).rejects.toMatchObject({
        name: "LockHeld",
        owner: undefined,
      });
      await expect(readProcessLock(Place.checked(path))).rejects.toThrow(LockHeld);
      expect(await readFile(path, "utf8")).toBe(text);
    },
  );
});
