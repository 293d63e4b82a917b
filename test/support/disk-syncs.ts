/** When this process forces files and folders to the disk, so that a test can look at what is there by then. */
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { afterThisTest } from "./after-test.ts";

/** A disk that takes its time, ms: code that does not wait for it goes on too early, and the test sees that. */
const SLOW_MS = { folder: 25, file: 5 };

type Look = (kind: "file" | "folder") => Promise<void>;

/**
 * Calls `look` each time after something was forced to the disk, until the test ends.
 * @param before the same, but just before: what is not there by then may not be forced to the disk
 */
export async function onDiskSync(look: Look, before: Look = async () => {}): Promise<void> {
  const handle = await open(tmpdir(), "r");
  const methods: Pick<FileHandle, "sync" | "datasync"> = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of ["sync", "datasync"] as const) {
    const original = methods[name];
    methods[name] = async function slowly(this: FileHandle): Promise<void> {
      const kind = (await this.stat()).isDirectory() ? "folder" : "file";
      await before(kind);
      await wait(SLOW_MS[kind]);
      await original.call(this);
      await look(kind);
    };
    afterThisTest(() => {
      methods[name] = original;
    });
  }
}
