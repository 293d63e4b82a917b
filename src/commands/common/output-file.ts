import { access, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type WriteFormatName, WRITE_FORMATS, formatNamed } from "../../calendars/write/formats.ts";
import { Failure, reasonOf } from "../../model/failure.ts";
import { writeAtomic } from "../../sync/state/durable-files.ts";
import type { Shell } from "./shell.ts";

/** By the beginning of a file, whether an earlier run wrote it. */
const GENERATED = {
  plan: /^\{\s*"version": \d+,\s*"hash": "sha256:/,
  page: /^<!doctype html>\s<html lang="en" data-kind="/,
  feed: /^BEGIN:VCALENDAR\s[\s\S]{0,80}PRODID:-\/\/plancast\/\//,
  month: /^\S+ \d{4} {2}times in /,
} as const;

/** Writes a file that the user named. Nothing but what an earlier run wrote is replaced: a calendar is named easily. */
export async function writeGenerated(
  path: string,
  text: string,
  kind: keyof typeof GENERATED,
  { cwd }: Shell,
): Promise<void> {
  const file = resolve(cwd, path);
  const there = await readFile(file, "utf8").catch(() => "");
  if (there !== "" && !GENERATED[kind].test(there)) {
    const message = `${path} is there already, and is no such file as this command writes.`;
    throw new Failure("write/exists", message, "Name another file with --out, or remove that one first.");
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    const why = reasonOf(error);
    throw new Failure("disk/not-writable", `${path} cannot be written: ${why}`, "Name another file.");
  }
}

/**
 * The format to write: the one of --to, else the one of the file's name, else the usual one. Throws a
 * Failure where the file would not be read again as what it is.
 * @param to as said with --to
 * @param out the file, as named with --out
 */
export function outputFormat(
  to: WriteFormatName | undefined,
  out: string | undefined,
  usual?: WriteFormatName,
): WriteFormatName {
  const named = out === undefined ? undefined : formatNamed(out);
  const wanted = to ?? named ?? (out === undefined ? usual : undefined);
  if (wanted === undefined) {
    throw new Failure(
      "usage/arguments",
      out === undefined ? "It is not said which format to write." : `"${out}" names no format to write.`,
      "Say --to csv, yaml or xlsx, or name a file that ends so with --out.",
    );
  }
  if (out !== undefined && named !== wanted) {
    throw new Failure(
      "usage/arguments",
      `"${out}" would not be read as ${wanted} again.`,
      `Give it a name that ends in .${WRITE_FORMATS[wanted].extensions[0]}.`,
    );
  }
  return wanted;
}

interface OutputFile {
  /** Absolute. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  readonly contents: string | Uint8Array;
  /** Whether a file that is there may be replaced. */
  readonly force: boolean;
}

/** Writes a calendar whole, in a folder that is made if need be. Throws a Failure where there is a file already. */
export async function writeNewFile({ path, name, contents, force }: OutputFile): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    if (force) await writeAtomic(path, contents, dirname(path));
    else await writeExclusive(path, contents);
  } catch (error) {
    if (isCode(error, "EEXIST")) throw alreadyExists(name);
    throw notWritable(name, error);
  }
}

/** Throws the Failure of `writeCalendar` before there is anything to write. */
export async function refuseExisting(path: string, name: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw alreadyExists(name);
}

/** Throws the Failure of `writeCalendar` where the file's folder cannot be written; it is made if need be. */
export async function checkWritable({ path, name }: Pick<OutputFile, "path" | "name">): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    // Writing a file shows more than its permissions do: the disk may be read-only, or full.
    const probe = await mkdtemp(join(folder, ".plancast-"));
    await rm(probe, { recursive: true, force: true });
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory() === true) throw new Error("it is a folder");
  } catch (error) {
    throw notWritable(name, error);
  }
}

function notWritable(name: string, error: unknown): Failure {
  const why = reasonOf(error);
  return new Failure("disk/not-writable", `${name} cannot be written: ${why}`, "Name another file.");
}

async function writeExclusive(path: string, contents: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(contents);
    await file.sync();
  } catch (error) {
    // Half a calendar would be read as a whole one.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function alreadyExists(name: string): Failure {
  return new Failure(
    "write/exists",
    `${name} is there already.`,
    "Name another file with --out, or say --force to replace it.",
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
