/**
 * What the last fetch found in each sheet: the file `plancast.fetched.json`, which is committed with the copies. It shows
 * whether somebody edited the sheet, its copy, or both.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { readRegular, writeAtomic } from "../disk/files.ts";
import { placeInProject } from "../disk/place.ts";
import { sortKeys } from "../model/data.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import type { SheetCopy } from "../settings/calendar-settings.ts";
import type { Project } from "../settings/config.ts";

export const FETCH_RECORD = "plancast.fetched.json";
const VERSION = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a hash of 64 digits");

const recordFile = z.strictObject({
  version: z.literal(VERSION),
  /** By the name of the copy. `from`: of the address, which may have a secret in its query. */
  calendars: z.record(z.string().max(1_000), z.strictObject({ from: hash, cells: hash })),
});

type FetchedCalendars = z.infer<typeof recordFile>["calendars"];

/** The digest of each sheet's cells as they were fetched last. */
export class FetchRecord {
  readonly #calendars: FetchedCalendars;

  constructor(calendars: FetchedCalendars) {
    this.#calendars = calendars;
  }

  /** Undefined if this sheet was never fetched into this file. */
  cellsOf({ file, from }: SheetCopy): string | undefined {
    const known = this.#calendars[file];
    return known?.from === hashOf(from) ? known.cells : undefined;
  }

  with({ file, from }: SheetCopy, cells: string): FetchRecord {
    return new FetchRecord({ ...this.#calendars, [file]: { from: hashOf(from), cells } });
  }

  text(): string {
    return `${JSON.stringify({ version: VERSION, calendars: this.#calendars }, sortKeys, 2)}\n`;
  }
}

function hashOf(address: string): string {
  return createHash("sha256").update(address).digest("hex");
}

/** Throws a Failure if the file cannot be used. */
export async function readFetchRecord({ root }: Pick<Project, "root">): Promise<FetchRecord> {
  try {
    return parseFetchRecord((await readRegular(await placeInProject(root, FETCH_RECORD))).toString("utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new FetchRecord({});
    throw error instanceof Failure ? error : unreadable(reasonOf(error));
  }
}

/** @param text blank if there is no record yet. Throws a Failure if it is not a record. */
export function parseFetchRecord(text: string): FetchRecord {
  if (text === "") return new FetchRecord({});
  try {
    return new FetchRecord(recordFile.parse(JSON.parse(text)).calendars);
  } catch (error) {
    throw unreadable(
      error instanceof z.ZodError ? (error.issues[0]?.message ?? "not valid") : reasonOf(error),
    );
  }
}

function unreadable(why: string): Failure {
  return new Failure(
    "fetch/conflict",
    `${FETCH_RECORD} cannot be read: ${why}.`,
    "If git left conflict markers, keep either side: at worst, the next fetch asks about edits. Otherwise, restore the file from git.",
  );
}

export async function writeFetchRecord(
  { root, state }: Pick<Project, "root" | "state">,
  record: FetchRecord,
): Promise<void> {
  await writeAtomic(await placeInProject(root, FETCH_RECORD), record.text(), { scratch: state });
}
