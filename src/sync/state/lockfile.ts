/** The lockfile on disk: read with strict checks, written atomically. Its service is checked before a key is sent. */

import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { z } from "zod";
import { readRegular } from "../../disk/files.ts";
import { type Place, placeInProject } from "../../disk/place.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import { reportInput } from "../../model/input-size.ts";
import { sortKeys } from "../../model/data.ts";
import { type Lockfile, LOCKFILE_VERSION, checkLockfile, emptyLockfile } from "../../model/lockfile.ts";
import type { Project } from "../../settings/config.ts";

interface LockfileOnDisk {
  readonly lockfile: Lockfile;
  /** Hash of the file's bytes; of nothing if there is no file. */
  readonly hash: string;
}

/** The place of a project's lockfile. Throws a Failure if it is a link, or leads out of the project. */
export function lockfilePlace({ root, config }: Pick<Project, "root" | "config">): Promise<Place> {
  return placeInProject(root, config.lockfile);
}

/**
 * Reads the lockfile; an absent one is empty. Throws a Failure if plancast did not write the file, if it belongs to
 * another service, or if it has git's conflict markers.
 */
export async function readLockfile(place: Place, origin: string): Promise<LockfileOnDisk> {
  const bytes = await readBytes(place);
  const hash = hashOf(bytes);
  reportInput(bytes.byteLength);
  // Most are ASCII, and the ASCII decoder is several times as fast.
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  return { lockfile: parseLockfile(text, basename(place.path), origin), hash };
}

/** Hash of the lockfile's bytes now; of nothing if there is no file. */
export async function hashOnDisk(place: Place): Promise<string> {
  return hashOf(await readBytes(place));
}

/** Hex SHA-256. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Parses a lockfile's text; `name` is for messages. */
export function parseLockfile(text: string, name: string, origin: string): Lockfile {
  return text === "" ? emptyLockfile(origin) : validateLockfile(parseJson(text, name), name, origin);
}

/** Parses a lockfile's text, whichever service it belongs to; undefined for a blank one. `name` is for messages. */
export function parseAnyLockfile(text: string, name: string): Lockfile | undefined {
  if (text.trim() === "") return undefined;
  const value = parseJson(text, name);
  return validateLockfile(value, name, withOrigin.safeParse(value).data?.origin ?? "");
}

async function readBytes(place: Place): Promise<Buffer> {
  try {
    return await readRegular(place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw unreadable(place, error);
  }
}

/** It is there, but is not a file, or may not be read. */
export function unreadable({ path }: Place, error: unknown): Failure {
  const message = `${basename(path)} cannot be read: ${reasonOf(error)}`;
  return new Failure("disk/unreadable", message, "Check its permissions.");
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw (
      conflictFailure(text, name) ??
      invalidFailure(name, "it is not JSON, perhaps because it was cut off or edited", faultLine(text, error))
    );
  }
}

/** The line of a text, from 1, at which JSON.parse stopped; undefined if its error names no position. */
function faultLine(text: string, error: unknown): number | undefined {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
}

/** A text with conflict markers is never JSON. */
function conflictFailure(text: string, name: string): Failure | undefined {
  const marker = text.split(/\r?\n/).findIndex((line) => /^(<<<<<<<|=======|>>>>>>>)( |$)/.test(line));
  if (marker === -1) return undefined;
  return new Failure(
    "lockfile/conflict",
    `${name}, line ${marker + 1}: git left conflict markers.`,
    "Run `plancast lockfile merge`, which keeps the posts of both sides.",
  );
}

const versioned = z.object({ version: z.number() });

function validateLockfile(value: unknown, name: string, origin: string): Lockfile {
  const version = versioned.safeParse(value).data?.version;
  if (version !== undefined && version > LOCKFILE_VERSION) {
    throw new Failure(
      "run/newer-version",
      `A newer plancast wrote ${name} (lockfile version ${version}, but this plancast knows only ${LOCKFILE_VERSION}).`,
      "Update plancast to the version that your team uses.",
    );
  }
  const read = checkLockfile(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalidFailure(
      name,
      `at ${issue?.path.join(".") || "the top"}: ${issue?.message ?? "changed by hand"}`,
    );
  }
  if (read.data.origin !== origin) {
    throw otherService(name, read.data.origin, origin);
  }
  return read.data;
}

function otherService(name: string, theirs: string, ours: string): Failure {
  return new Failure(
    "lockfile/other-service",
    `${name} belongs to another service (${theirs}), but this run is for ${ours}.`,
    "Restore service.url (or PLANCAST_BASE_URL). To start fresh on this service, run `plancast lockfile forget`. To use both services, name another file with `lockfile:` in plancast.yaml.",
  );
}

/** @param line of the text, from 1, if known */
function invalidFailure(name: string, why: string, line?: number): Failure {
  return new Failure(
    "lockfile/invalid",
    `${name} is not as plancast wrote it: ${why}.`,
    `Restore it from git, or correct ${line === undefined ? "it" : `line ${line}`}. Without it, plancast no longer knows the posts of rows that you edited or deleted.`,
  );
}

/** The lockfile's text: sorted keys and one entry per group of lines, so that git merges it well. */
export function lockfileText(lockfile: Lockfile): string {
  const { retiring, unknown, cancelled, ...rest } = lockfile;
  const whole = {
    ...rest,
    ...(Object.keys(retiring).length > 0 ? { retiring } : {}),
    ...(Object.keys(unknown).length > 0 ? { unknown } : {}),
    ...(Object.keys(cancelled).length > 0 ? { cancelled } : {}),
  };
  return `${JSON.stringify(whole, sortKeys, 2)}\n`;
}

/**
 * Throws a Failure if the project's lockfile belongs to another origin. A lockfile without an origin, or an unreadable
 * one, is not an error here: code that needs its content reports that. Throws a Failure for a link.
 */
export async function checkLockfileOrigin(project: Project, origin: string): Promise<void> {
  const place = await lockfilePlace(project);
  const text = await readRegular(place).then(String, () => "");
  const other = originsIn(text, origin).find((each) => each !== origin);
  if (other !== undefined) throw otherService(basename(place.path), other, origin);
}

/** As plancast writes it: two spaces before a top-level key, more before all others. */
const WRITTEN = /^ {2}"origin": ("[^"\\]*"),?$/gm;

const withOrigin = z.object({ origin: z.string() });

/** The origins that a lockfile names: several, if it has git's conflict markers. */
function originsIn(text: string, expected: string): string[] {
  const written = [...text.matchAll(WRITTEN)].map(([, json = ""]) => String(JSON.parse(json)));
  // Fast path: parsing a long lockfile is slow.
  if (written.length === 1 && written[0] === expected) return written;
  try {
    const { origin } = withOrigin.parse(JSON.parse(text));
    return [origin];
  } catch {
    return written;
  }
}
