import { link } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LockHeld, acquireProcessLock } from "../../../src/sync/state/process-lock.ts";
import { temporaryFolder } from "../../support/embedded-service.ts";

vi.mock(import("node:fs/promises"), async (original) => ({
  ...(await original()),
  link: vi.fn(() => Promise.reject(Object.assign(new Error("no hard links here"), { code: "EPERM" }))),
}));

it("a process lock works on a file system without hard links", async () => {
  const path = join(await temporaryFolder(), "owner.json");
  const lock = await acquireProcessLock(path);
  expect(vi.mocked(link)).toHaveBeenCalled();
  await expect(acquireProcessLock(path)).rejects.toThrow(LockHeld);
  await lock.release();
  await (await acquireProcessLock(path)).release();
});
