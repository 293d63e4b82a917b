import { link } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LockHeld, acquireProcessLock } from "../../src/disk/process-lock.ts";
import { Place } from "../../src/disk/place.ts";
import { temporaryFolder } from "../support/embedded-service.ts";

vi.mock(import("node:fs/promises"), async (original) => ({
  ...(await original()),
  link: vi.fn(() => Promise.reject(Object.assign(new Error("no hard links here"), { code: "EPERM" }))),
}));

it("a process lock works on a file system without hard links", async () => {
  const place = Place.checked(join(await temporaryFolder(), "owner.json"));
  const lock = await acquireProcessLock(place);
  expect(vi.mocked(link)).toHaveBeenCalled();
  await expect(acquireProcessLock(place)).rejects.toThrow(LockHeld);
  await lock.release();
  await (await acquireProcessLock(place)).release();
});
