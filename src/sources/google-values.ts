/**
 * Cells of a sheet of Google, for results. Source: Google Sheets API v4, "spreadsheets.values" (November 2026): `RAW`
 * stores a text as it is, and a range outside of the grid is an error.
 */

import { z } from "zod";
import { columnLetters } from "../model/columns.ts";
import { clipped } from "../model/text.ts";
import { googleAccess, googleHosts } from "./google-access.ts";
import {
  type SourceAccess,
  type TabCells,
  type TabLook,
  type Written,
  shown,
  statusFault,
} from "./source.ts";
import type { SourceAnswer, SourceFault } from "./source-web.ts";

interface Spreadsheet {
  readonly address: URL;
  readonly id: string;
  /** The number of the tab in its address; undefined for the first. */
  readonly gid: string | undefined;
}

const properties = z.object({
  sheets: z.array(z.object({ properties: z.object({ sheetId: z.int(), title: z.string() }) })).min(1),
});

export async function lookAtTab(
  sheet: Spreadsheet,
  tab: string | undefined,
  access: SourceAccess,
): Promise<TabLook | SourceFault> {
  const google = await writeAccess(sheet, access);
  if ("message" in google) return google;
  const get = (path: string): Promise<SourceAnswer | SourceFault> => {
    const url = new URL(`/v4/spreadsheets/${sheet.id}${path}`, googleHosts(access.env).sheets);
    return access.web.get(url, { value: `Bearer ${google.token}`, origin: url.origin });
  };
  let name = tab;
  if (name === undefined) {
    const found = await get("?fields=sheets.properties(sheetId,title)");
    if ("message" in found) return found;
    if (found.status !== 200) return refusal(sheet, found, google.person);
    const all = properties.safeParse(jsonOf(found)).data?.sheets ?? [];
    const own = all.find((each) => String(each.properties.sheetId) === sheet.gid) ?? all[0];
    name = own?.properties.title;
    if (name === undefined) return { message: `Google does not say which tabs ${shown(sheet.address)} has.` };
  }
  const answer = await get(`/values/${encodeURIComponent(quoted(name))}`);
  if ("message" in answer) return answer;
  if (answer.status !== 200) return refusal(sheet, answer, google.person);
  return { tab: name, cells: Buffer.from(answer.bytes).toString("utf8") };
}

const updated = z.object({ totalUpdatedCells: z.int() });

export async function writeCells(
  sheet: Spreadsheet,
  { tab, cells }: TabCells,
  access: SourceAccess,
): Promise<Written> {
  const google = await writeAccess(sheet, access);
  if ("message" in google) return google;
  const url = new URL(`/v4/spreadsheets/${sheet.id}/values:batchUpdate`, googleHosts(access.env).sheets);
  const data = cells.map(({ row, column, text }) => ({
    range: `${quoted(tab)}!${columnLetters(column)}${row}`,
    values: [[text]],
  }));
  const body = { valueInputOption: "RAW", data };
  const answer = await access.web.postJson(url, body, `Bearer ${google.token}`);
  if ("message" in answer) return answer;
  if (answer.status !== 200) return refusal(sheet, answer, google.person);
  const count = updated.safeParse(jsonOf(answer)).data?.totalUpdatedCells;
  return count === cells.length
    ? "written"
    : { message: `Google confirms ${count ?? "no"} of ${cells.length} cells of ${shown(sheet.address)}.` };
}

async function writeAccess(
  { address }: Spreadsheet,
  access: SourceAccess,
): Promise<{ readonly token: string; readonly person: string } | SourceFault> {
  const google = await googleAccess(access, "write");
  if (google !== undefined) return google;
  return {
    message: `Results go into ${shown(address)} only with a key. Set GOOGLE_SERVICE_ACCOUNT_JSON, and share the sheet with the service account as an editor.`,
  };
}

/** The name of a tab in a range. */
function quoted(tab: string): string {
  return `'${tab.replaceAll("'", "''")}'`;
}

function jsonOf({ bytes }: SourceAnswer): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

const refused = z.object({ error: z.object({ message: z.string() }) });

function refusal({ address }: Spreadsheet, answer: SourceAnswer, person: string): SourceFault {
  const sheet = shown(address);
  switch (answer.status) {
    case 400: {
      const why = refused.safeParse(jsonOf(answer)).data?.error.message ?? "";
      return /exceeds grid limits/i.test(why)
        ? {
            message: `${sheet} has no room for another column at its right end. Add columns there, and run again.`,
          }
        : {
            message: `Google refuses the cells of ${sheet}: ${clipped(why)}. If somebody renamed the tab, fetch first.`,
          };
    }
    case 401:
      return {
        message: "Google does not accept the token. It may have expired: make a new one, and run again.",
      };
    case 403:
    case 404:
      return {
        message: `${person} may not write into ${sheet}. Share it with this account as an editor. A token needs the scope https://www.googleapis.com/auth/spreadsheets.`,
      };
    case 429:
      return { message: "Google refuses more requests for now. Run again in some minutes." };
    default:
      return statusFault(address, answer.status);
  }
}
