import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and those above it, each entry on the disk before this resolves. */
export async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Puts a folder's entries (new names, renames) on the disk. Windows cannot sync a folder and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
