/**
 * Sheets of Google. A sheet that everybody with the link can open needs no key. Any other one is exported with a token,
 * or as a service account. Source: Google Drive API v3, "files.export" and "Export MIME types" (November 2026).
 */

import { z } from "zod";
import { type GoogleAccess, googleAccess, googleHosts } from "./google-access.ts";
import { lookAtTab, writeCells } from "./google-values.ts";
import {
  type CalendarSource,
  type Fetched,
  type SourceAccess,
  isPage,
  shown,
  statusFault,
} from "./source.ts";
import type { SourceAnswer, SourceFault } from "./source-web.ts";

/** The id of a sheet in its address. Published sheets have `/d/e/…`, and their addresses give files. */
const SHEET = /^\/spreadsheets\/(?:u\/\d+\/)?d\/(?!e\/)([\w-]{10,200})(?:\/|$)/;

const MIME_TYPES: Readonly<Record<string, string>> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ods: "application/x-vnd.oasis.opendocument.spreadsheet",
};

export const GOOGLE_SHEETS: CalendarSource = {
  name: "Google Sheets",
  owns: (address) => address.hostname === "docs.google.com" && SHEET.test(address.pathname),
  endings: ["xlsx", "ods", "csv"],
  fetch: fetchSheet,
  isClosed: isClosedSheet,
  look: (address, tab, access) => lookAtTab(spreadsheet(address), tab, access),
  write: (address, cells, access) => writeCells(spreadsheet(address), cells, access),
};

function spreadsheet(address: URL): Parameters<typeof lookAtTab>[0] {
  return { address, id: idOf(address), gid: tabOf(address) };
}

async function fetchSheet(address: URL, ending: string, access: SourceAccess): Promise<Fetched> {
  const google = await googleAccess(access);
  if (google === undefined) return withoutKey(address, ending, access);
  return "message" in google ? google : withToken(address, ending, google, access);
}

function idOf({ pathname }: URL): string {
  return SHEET.exec(pathname)?.[1] ?? "";
}

/** The list of people who can edit is shown only to people who can share the sheet. So this asks as a stranger. */
async function isClosedSheet(address: URL, access: SourceAccess): Promise<boolean> {
  const answer = await exportForStranger(address, "xlsx", access);
  return !("message" in answer) && isSignIn(answer);
}

/** As a browser that is not signed in exports it. */
async function exportForStranger(
  address: URL,
  ending: string,
  { web, env }: SourceAccess,
): Promise<SourceAnswer | SourceFault> {
  const id = idOf(address);
  const url = new URL(`/spreadsheets/d/${id}/export`, googleHosts(env).docs);
  url.searchParams.set("format", ending);
  const tab = tabOf(address);
  // A file of text has one tab. A workbook has all, and `sheet:` names one.
  if (ending === "csv" && tab !== undefined) url.searchParams.set("gid", tab);
  return web.get(url);
}

/** Google sends a stranger to the page to sign in, or answers 401. */
function isSignIn(answer: SourceAnswer): boolean {
  return answer.status === 401 || answer.status === 403 || (answer.status === 200 && isPage(answer));
}

async function withoutKey(address: URL, ending: string, access: SourceAccess): Promise<Fetched> {
  const answer = await exportForStranger(address, ending, access);
  if ("message" in answer) return answer;
  if (answer.status === 200 && !isPage(answer)) return { bytes: answer.bytes };
  return isSignIn(answer)
    ? { message: `Google shows ${shown(address)} only after signing in. ${SHARE}` }
    : statusFault(address, answer.status);
}

const SHARE =
  "In the sheet, choose Share, and under General access “Anyone with the link”. Or give plancast a key: see docs/run/sheets.md.";

/** The number of the tab that the browser showed: `#gid=0`. */
function tabOf({ hash, searchParams }: URL): string | undefined {
  return /^#gid=(\d+)$/.exec(hash)?.[1] ?? searchParams.get("gid") ?? undefined;
}

async function withToken(
  address: URL,
  ending: string,
  google: GoogleAccess,
  { web, env }: SourceAccess,
): Promise<Fetched> {
  const type = MIME_TYPES[ending];
  if (type === undefined)
    return {
      message: `With a key, Google exports only the first tab as .${ending}. Let \`file:\` of ${shown(address)} end in .xlsx.`,
    };
  const url = new URL(`/drive/v3/files/${idOf(address)}/export`, googleHosts(env).api);
  url.searchParams.set("mimeType", type);
  const answer = await web.get(url, { value: `Bearer ${google.token}`, origin: url.origin });
  if ("message" in answer) return answer;
  if (answer.status === 200 && !isPage(answer)) return { bytes: answer.bytes };
  return refusal(address, answer, google);
}

/** Source: Drive API, "Resolve errors". */
const refused = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).min(1) }),
});

function refusal(address: URL, answer: SourceAnswer, { person }: GoogleAccess): SourceFault {
  const sheet = shown(address);
  switch (reasonIn(answer)) {
    case "exportSizeLimitExceeded":
      return {
        message: `Google exports at most 10 MB, and ${sheet} is larger. Move old posts into another sheet.`,
      };
    case "fileNotExportable":
      return {
        message: `${sheet} is not a Google Sheet but a file in Drive. Open it, and choose File, Save as Google Sheets.`,
      };
    case "insufficientPermissions":
      return {
        message: `The token may not read files of Drive. It needs the scope https://www.googleapis.com/auth/drive.readonly.`,
      };
    case "rateLimitExceeded":
    case "userRateLimitExceeded":
      return { message: "Google refuses more requests for now. Run again in some minutes." };
    case undefined:
    default:
      return refusalByStatus(address, answer.status, person);
  }
}

function refusalByStatus(address: URL, status: number, person: string): SourceFault {
  const sheet = shown(address);
  switch (status) {
    case 401:
      return {
        message: `Google does not accept the token. It may have expired: make a new one, and run again.`,
      };
    case 403:
    case 404:
      return {
        message: `Google does not show ${sheet} to ${person}. Share the sheet with it as a viewer, and check the address.`,
      };
    default:
      return statusFault(address, status);
  }
}

function reasonIn({ bytes }: SourceAnswer): string | undefined {
  try {
    return refused.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).error.errors[0]?.reason;
  } catch {
    return undefined;
  }
}
