import { access, mkdir, mkdtemp, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, reasonOf } from "../calendar/failure.ts";
import { writeAtomic } from "../state/write-atomic.ts";

export interface OutputFile {
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
    // A file tells more than a look at the permissions: the disk may be read-only, or full.
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
