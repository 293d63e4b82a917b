/**
 * The records of publications on disk, under .plancast: `….events` from the receiver, `….outcomes` from plancast's own
 * requests. Each file has one writer at a time; readers read both.
 */

import { basename } from "node:path";
import { type LogContents, AppendLog, readLog } from "../disk/append-log.ts";
import { makeFolder } from "../disk/files.ts";
import { LockHeld, acquireProcessLock } from "../disk/process-lock.ts";
import { Failure } from "../model/failure.ts";
import type { Project } from "../settings/config.ts";
import { notWritable, stateFile } from "../sync/state/project-state.ts";
import {
  type PublicationRecord,
  type RecordFile,
  Publications,
  publicationRecordSchema,
} from "./publications.ts";

const FILES: readonly RecordFile[] = ["outcomes", "events"];

/** The records about a service's posts. Throws a Failure for records that plancast did not write. */
export async function readPublications(project: Project, origin: string): Promise<Publications> {
  const publications = new Publications(origin);
  for (const file of FILES) {
    for (const record of (await readRecords(project, file)).records) publications.take(record, file);
  }
  return publications;
}

export interface PublicationLog {
  /** Resolves when the record is on the disk. Throws a Failure if it cannot be written. */
  append(record: PublicationRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens records for writing; cuts off a torn last line. Throws LockHeld while another process writes them. */
export async function openPublicationLog(project: Project, file: RecordFile): Promise<PublicationLog> {
  const place = stateFile(project, file);
  try {
    await makeFolder(project.state);
    const lock = await acquireProcessLock(place.beside(`${basename(place.path)}.lock`));
    try {
      const { contents } = await readRecords(project, file);
      const log = await AppendLog.open(place, contents);
      return {
        append: (record) =>
          log.append(record).catch((error: unknown) => {
            throw notWritable(error);
          }),
        close: async () => {
          await log.close();
          await lock.release();
        },
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw error instanceof Failure || error instanceof LockHeld ? error : notWritable(error);
  }
}

interface Records {
  readonly records: readonly PublicationRecord[];
  readonly contents: LogContents;
}

async function readRecords(project: Project, file: RecordFile): Promise<Records> {
  const place = stateFile(project, file);
  const name = project.state.nameOf(place);
  const contents = await readLog(place).catch((error: unknown) => {
    throw error instanceof Failure ? invalid(error.message) : error;
  });
  const records = contents.records.map((record, index) => {
    const read = publicationRecordSchema.safeParse(record);
    if (read.success) return read.data;
    throw invalid(`${name}, line ${index + 1}: this version of plancast does not know this record.`);
  });
  return { records, contents };
}

function invalid(message: string): Failure {
  return new Failure(
    "outcomes/invalid",
    message,
    "Use the version that wrote it. Or move the file away: plancast then asks the service about the posts again.",
  );
}
