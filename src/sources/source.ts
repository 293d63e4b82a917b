/**
 * Where calendars come from that people keep elsewhere. To add a source, write one file with a `CalendarSource`, and add
 * a line in all-sources.ts.
 */

import type { Clock } from "../model/clock.ts";
import { displayAddress } from "../model/address.ts";
import type { Env } from "../settings/environment.ts";
import type { SourceAnswer, SourceFault, SourceWeb } from "./source-web.ts";

/** The contents of a sheet, as a file in the wanted format. */
export type Fetched = { readonly bytes: Uint8Array } | SourceFault;

/** A tab as it was at one moment. */
export interface TabLook {
  /** The name of the tab. */
  readonly tab: string;
  /** Differs if any cell differs. */
  readonly cells: string;
}

/** Cells to write: row from 1, column from 0. */
export interface TabCells {
  readonly tab: string;
  readonly cells: readonly { readonly row: number; readonly column: number; readonly text: string }[];
}

export type Written = "written" | SourceFault;

/** What a source works with. */
export interface SourceAccess {
  readonly web: SourceWeb;
  readonly env: Env;
  readonly clock: Pick<Clock, "now">;
}

/**
 * A place where sheets are kept.
 * - It sends credentials only to its own hosts, which are constants of its file, or to the host that the environment
 *   names for tests. An address from plancast.yaml decides only which sheet is read.
 * - It returns the whole file, or a fault. It never returns a part, and never a page to sign in.
 */
export interface CalendarSource {
  /** For people, such as `Google Sheets`. */
  readonly name: string;
  /** Whether an address is one of its sheets. */
  readonly owns: (address: URL) => boolean;
  /** The endings of the files that it can give, the usual one first. */
  readonly endings: readonly string[];
  /** @param ending of the wanted file, one of `endings` */
  readonly fetch: (address: URL, ending: string, access: SourceAccess) => Promise<Fetched>;
  /**
   * Writes results into a tab: all cells in one request, and as text, so that no cell becomes a formula. Without it,
   * results cannot be written.
   */
  readonly write?: (address: URL, cells: TabCells, access: SourceAccess) => Promise<Written>;
  /** The cells of a tab as the source shows them, only to see later whether anybody changed them. */
  readonly look?: (
    address: URL,
    tab: string | undefined,
    access: SourceAccess,
  ) => Promise<TabLook | SourceFault>;
  /** Whether a stranger with the address cannot open the sheet. Without it, nobody can know. */
  readonly isClosed?: (address: URL, access: SourceAccess) => Promise<boolean>;
}

/** The start of a web page, as Latin-1. */
const PAGE = /^(?:\xEF\xBB\xBF)?\s*<(?:!doctype\s+html|html|head|body)\b/i;
const START_BYTES = 256;

/** Whether an answer is a web page instead of a file, which usually asks to sign in. */
export function isPage({ bytes }: Pick<SourceAnswer, "bytes">): boolean {
  return PAGE.test(Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1"));
}

/** The usual meaning of a status that is not 200, for addresses that need no credentials. */
export function statusFault(address: URL, status: number): SourceFault {
  return { message: `${shown(address)} answers ${status}: ${meaning(status)}` };
}

function meaning(status: number): string {
  if (status === 401 || status === 403)
    return "it needs a login, or the link has expired. Share the file with everybody who has the link.";
  if (status === 404 || status === 410) return "the file does not exist. Check the address.";
  if (status === 429 || status >= 500) return "the host has a fault, or is busy. Run again later.";
  return "this is not a file. Use the address that downloads the file.";
}

export function shown(address: URL): string {
  return `"${displayAddress(address.href)}"`;
}
