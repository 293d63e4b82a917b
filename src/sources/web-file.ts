/** A file at any address, and links that share one. */

import {
  type CalendarSource,
  type Fetched,
  type SourceAccess,
  isPage,
  shown,
  statusFault,
} from "./source.ts";

/** A service for files whose links show a page: the address that gives the file itself. */
interface ShareLinks {
  readonly name: string;
  readonly isLink: (address: URL) => boolean;
  readonly fileAt: (address: URL) => URL;
}

function withQuery(address: URL, name: string, value: string): URL {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url;
}

function withPath(address: URL, path: string): URL {
  const url = new URL(address);
  url.pathname = path;
  url.search = "";
  return url;
}

/** `https://cloud.example/s/TOKEN`, also below `index.php`. */
const NEXTCLOUD = /^((?:\/index\.php)?\/s\/\w+)\/?$/;
/** `https://team.sharepoint.com/:x:/g/…`: `x` is a workbook. */
const SHAREPOINT = /^\/:[a-z]:\//;

/**
 * Sources, read in November 2026:
 * - SharePoint: Microsoft Learn, "Download files".
 * - OneDrive: Microsoft Learn, "Accessing shared DriveItems".
 * - Dropbox: help, "Force a shared link to download".
 * - Nextcloud: user manual, "Public link shares".
 */
const SHARE_LINKS: readonly ShareLinks[] = [
  {
    name: "SharePoint or OneDrive",
    isLink: ({ hostname, pathname }) => hostname.endsWith(".sharepoint.com") && SHAREPOINT.test(pathname),
    fileAt: (address) => withQuery(address, "download", "1"),
  },
  {
    name: "OneDrive",
    isLink: ({ hostname }) => hostname === "1drv.ms" || hostname === "onedrive.live.com",
    fileAt: ({ href }) =>
      new URL(
        `https://api.onedrive.com/v1.0/shares/u!${Buffer.from(href).toString("base64url")}/root/content`,
      ),
  },
  {
    name: "Dropbox",
    isLink: ({ hostname }) => hostname === "www.dropbox.com" || hostname === "dropbox.com",
    fileAt: (address) => withQuery(address, "dl", "1"),
  },
  {
    name: "Nextcloud",
    isLink: ({ pathname }) => NEXTCLOUD.test(pathname),
    fileAt: (address) => withPath(address, `${NEXTCLOUD.exec(address.pathname)?.[1] ?? ""}/download`),
  },
];

/** Any other address: it gives the file itself. */
export const WEB_FILE: CalendarSource = {
  name: "a file on the web",
  owns: () => true,
  endings: ["xlsx", "csv", "ods", "tsv"],
  fetch: fetchFile,
};

async function fetchFile(address: URL, _ending: string, { web }: SourceAccess): Promise<Fetched> {
  const links = SHARE_LINKS.find(({ isLink }) => isLink(address));
  const answer = await web.get(links?.fileAt(address) ?? address);
  if ("message" in answer) return answer;
  if (answer.status !== 200) return statusFault(address, answer.status);
  if (!isPage(answer)) return { bytes: answer.bytes };
  const way =
    links === undefined
      ? "Use the address that downloads the file."
      : `In ${links.name}, share the file with everybody who has the link.`;
  return { message: `${shown(address)} gives a web page, usually to sign in, and not the file. ${way}` };
}
