/** A file that is replaced whole. */
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAtomic } from "../../src/state/write-atomic.ts";
import { afterThisTest } from "../support/after-test.ts";

const isPosix = process.platform !== "win32";

test.runIf(isPosix)(
  "a replaced file keeps its permissions or gets the requested mode, whatever the umask",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "plancast-test-"));
    afterThisTest(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    const modeOf = async (): Promise<number> => (await stat(path)).mode & 0o7777;
    await writeAtomic(path, "old", folder, 0o600);
    expect(await modeOf()).toBe(0o600);
    for (const mode of [0o664, 0o666, 0o640]) {
      // oxlint-disable-next-line no-await-in-loop
      await chmod(path, mode);
      // oxlint-disable-next-line no-await-in-loop
      await writeAtomic(path, `new ${mode}`, folder);
      // oxlint-disable-next-line no-await-in-loop
      expect([await readFile(path, "utf8"), await modeOf()]).toEqual([`new ${mode}`, mode]);
    }
    await writeAtomic(path, "secret", folder, 0o600);
    expect(await modeOf()).toBe(0o600);
  },
);
