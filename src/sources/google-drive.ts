/**
 * Pictures and videos in Google Drive. Their addresses show a page, so the file is asked for where Drive keeps it.
 * Source: Drive API v3, "files.get" with `alt=media`, and "files.list" (November 2026).
 */

import { z } from "zod";
import type { LocatedMedia } from "../media/web-media.ts";
import type { MediaFault } from "../media/media-fault.ts";
import { displayAddress, isInDrive, parseUrl } from "../model/address.ts";
import { once } from "../model/data.ts";
import { clipped } from "../model/text.ts";
import { type GoogleAccess, googleAccess, googleHosts } from "./google-access.ts";
import type { SourceAccess } from "./source.ts";

/** `/file/d/ID/view`, also with the number of an account. */
const FILE = /^\/file\/(?:u\/\d+\/)?d\/([\w-]{10,200})(?:\/|$)/;
/** Pages with the id in the query. */
const FILE_PAGES: ReadonlySet<string> = new Set(["/open", "/uc", "/thumbnail"]);
const FOLDER = /^\/drive\/(?:u\/\d+\/)?folders\/([\w-]{10,200})(?:\/|$)/;
const ID = /^[\w-]{10,200}$/;

type Locate = (url: string) => Promise<LocatedMedia | MediaFault | undefined>;

/** Undefined for addresses that are not in Drive. */
export function driveLocator(access: SourceAccess): Locate {
  const signedIn = once(() => googleAccess(access));
  return async (text) => {
    const url = parseUrl(text);
    if (url === undefined || !isInDrive(text)) return undefined;
    const folder = FOLDER.exec(url.pathname)?.[1];
    const id = fileId(url);
    if (folder === undefined && id === undefined) return undefined;
    const google = await signedIn();
    if (google !== undefined && "message" in google) return fault(google.message);
    if (folder !== undefined) return folderFault(text, folder, google, access);
    return id === undefined ? undefined : locatedFile(text, id, google, access);
  };
}

function fileId({ pathname, searchParams }: URL): string | undefined {
  const named = FILE_PAGES.has(pathname) ? (searchParams.get("id") ?? "") : "";
  return FILE.exec(pathname)?.[1] ?? (ID.test(named) ? named : undefined);
}

function fault(message: string): MediaFault {
  return { code: "media/url", message };
}

/** Without a key, only a file that everybody with the link can open can be had. */
function locatedFile(
  text: string,
  id: string,
  google: GoogleAccess | undefined,
  { env }: SourceAccess,
): LocatedMedia {
  const shown = `"${displayAddress(text)}"`;
  const { api, drive } = googleHosts(env);
  if (google === undefined) {
    const refused = `${shown} gives no file to strangers. In Drive, share it with everybody who has the link, or give plancast a key: see docs/run/sheets.md.`;
    const address = new URL("/uc", drive);
    address.searchParams.set("export", "download");
    address.searchParams.set("id", id);
    return { address: address.href, refused: (was) => (isRefusal(was) ? fault(refused) : was) };
  }
  const address = new URL(`/drive/v3/files/${id}`, api);
  address.searchParams.set("alt", "media");
  const refused = `Google Drive does not show ${shown} to ${google.person}. Share the file, or its folder, with this account as a viewer.`;
  return {
    address: address.href,
    authorization: ({ origin }) => (origin === address.origin ? `Bearer ${google.token}` : undefined),
    refused: (was) => (isRefusal(was) ? fault(refused) : was),
  };
}

/** A status such as 403 or 404, or a page to sign in. Other faults say what to do. */
function isRefusal({ code }: MediaFault): boolean {
  return code === "media/url" || code === "media/type";
}

const listed = z.object({ files: z.array(z.object({ id: z.string().regex(ID), name: z.string() })) });

/** Files that a message names. */
const MOST_LISTED = 20;

async function folderFault(
  text: string,
  folder: string,
  google: GoogleAccess | undefined,
  access: SourceAccess,
): Promise<MediaFault> {
  const head = `"${displayAddress(text)}" is a folder. Write the address of each file.`;
  if (google === undefined) return fault(`${head} In Drive, choose the file, then Share, Copy link.`);
  const url = new URL("/drive/v3/files", googleHosts(access.env).api);
  url.searchParams.set("q", `'${folder}' in parents and trashed = false`);
  url.searchParams.set("fields", "files(id,name)");
  url.searchParams.set("orderBy", "name");
  url.searchParams.set("pageSize", String(MOST_LISTED));
  const answer = await access.web.get(url, { value: `Bearer ${google.token}`, origin: url.origin });
  const files = "message" in answer ? undefined : filesIn(answer.bytes);
  if (files === undefined || files.length === 0)
    return fault(`${head} plancast cannot list its files: share it with ${google.person}.`);
  const names = files.map(({ id, name }) => `${clipped(name)}: https://drive.google.com/file/d/${id}/view`);
  return fault(`${head} Its files are ${names.join(", ")}.`);
}

function filesIn(bytes: Uint8Array): z.infer<typeof listed>["files"] | undefined {
  try {
    return listed.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).files;
  } catch {
    return undefined;
  }
}
