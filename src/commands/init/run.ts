import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, reasonOf } from "../../model/failure.ts";
import type { FileToWrite } from "./files.ts";

/** The text of a file, or nothing where there is none. */
export async function readIfExists(root: string, path: string): Promise<string> {
  try {
    return await readFile(join(root, path), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw notWritable(path, error);
  }
}

/** Writes files, all or none: one that is there already stops it before the first. */
export async function writeNewFiles(root: string, files: readonly FileToWrite[]): Promise<void> {
  for (const { path, extendsExisting } of files) {
    if (!extendsExisting && (await exists(join(root, path)))) {
      throw new Failure(
        "project/exists",
        `${path} is there already; init overwrites nothing.`,
        "Run it in an empty folder, or move the file away.",
      );
    }
  }
  for (const { path, contents } of files) {
    try {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), contents);
    } catch (error) {
      throw notWritable(path, error);
    }
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function notWritable(path: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure(
    "disk/not-writable",
    `${path} cannot be written: ${why}`,
    "Check the folder's permissions.",
  );
}
