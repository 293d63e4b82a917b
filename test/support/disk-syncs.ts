/**
 * Reports when this process forces files and folders to the disk, so that a test can check what is on the disk then.
 */
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { afterThisTest } from "./after-test.ts";

/** The delay of a slow disk, in ms. If code does not wait for the disk, the test notices it. */
const SLOW_MS = { folder: 25, file: 5 };

type Look = (kind: "file" | "folder") => Promise<void>;

/**
 * Until the test ends, calls `look` each time after a file or folder was forced to the disk.
 * @param before runs just before: files that do not exist then must not be forced to the disk
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
