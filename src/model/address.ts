/**
 * Web addresses: reads them as the WHATWG URL Standard does, and says which are on this machine. Addresses and paths of
 * media: which are accepted, how an address is shown, and how one cell names several media.
 */

import { tidyPath } from "./text.ts";

/**
 * Reads an address; undefined for an invalid one. It does not use `URL.canParse`: after some thousand calls, that
 * function of Node 20 refuses hosts with letters such as ü.
 * @param base for a relative address
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether an address is on this machine, so that plain http shows nothing to anybody. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an address can only be on the user's own network: a private IP address, a name without dots, or a name that
 * public DNS never has.
 */
export function isOnLocalNetwork({ hostname }: URL): boolean {
  return PRIVATE_ADDRESS.test(hostname) || LOCAL_NETWORK_NAME.test(hostname);
}

/** Sources: RFC 1918 for IPv4, RFC 4193 for IPv6. */
const PRIVATE_ADDRESS =
  /^(?:(?:10|127)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[f[cd][0-9a-f]{2}:[0-9a-f:]*\])$/;
/** Sources: RFC 6762 (.local), RFC 8375 (.home.arpa), ICANN 2024 (.internal). */
const LOCAL_NETWORK_NAME = /^(?:[0-9_-]*[a-z][a-z0-9_-]*|.+\.(?:local|home\.arpa|internal))$/;

/**
 * Whether requests to an address must bypass a proxy: for the proxy, these names mean the proxy's own machine. This
 * includes more addresses than `isLoopback`, because it only keeps requests on this machine.
 */
export function mustStayLocal(url: URL): boolean {
  return isLoopback(url) || LOCAL_NAME.test(url.hostname) || LOCAL_ADDRESS.test(url.hostname);
}

const LOCAL_NAME = /(^|\.)localhost\.?$/;
/** The unspecified addresses, which lead to this machine, and IPv4's loopback written as IPv6. */
const LOCAL_ADDRESS = /^(0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

const ADDRESS = /^https?:\/\//i;

/** Longest path that is shown in full, characters. */
const PATH_SHOWN = 80;
/** For a longer path, messages show its end, because it contains the name of the file. */
const PATH_END = 40;

/** Whether a part of a media cell is meant as a web address. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Why an address cannot be used: it is invalid, or holds a user name or password. */
type AddressFault = "not-readable" | "user";

/**
 * An address in the form in which it is requested and compared: as the WHATWG URL Standard writes it, without the
 * fragment, which is never sent. If plancast cannot use the address, says what is wrong.
 */
export function readAddress(text: string): { readonly url: string } | { readonly wrong: AddressFault } {
  const url = parseUrl(text);
  if (url === undefined || !isHttpUrl(url)) return { wrong: "not-readable" };
  if (hasCredentials(url)) return { wrong: "user" };
  url.hash = "";
  return { url: url.href };
}

export function isHttpUrl({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}

export function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/**
 * An address as it is shown and stored. The query of a signed address opens the file to anybody who has it, so `?…`
 * replaces every query, and `…` a user name. The middle of a long path is left out.
 */
export function displayAddress(address: string): string {
  const bare = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1…@");
  const [, start = "", path = "", query = ""] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(\??)/i.exec(
    bare,
  ) ?? ["", "", bare];
  return `${start}${shortenPath(path)}${query === "" ? "" : "?…"}`;
}

const SECRETS = /(https?:\/\/)(?:([^\s/?#@"'<>]+)(?=@))?([^\s?"'<>]*)(?:\?([^\s"'<>]*))?/gi;

/** A text with the queries and user names of its addresses masked. Its length does not change. */
export function maskAddresses(text: string): string {
  return text.replaceAll(
    SECRETS,
    (_all, scheme: string, user: string | undefined, rest: string, query: string | undefined) =>
      scheme + dots(user) + rest + (query === undefined ? "" : `?${dots(query)}`),
  );
}

function dots(text = ""): string {
  return "•".repeat(text.length);
}

function shortenPath(path: string): string {
  if (path.length <= PATH_SHOWN) return path;
  return `${path.slice(0, PATH_SHOWN - PATH_END)}…${path.slice(-PATH_END)}`;
}

/** The file name in an address, for people; undefined if the path has none. */
export function fileNameInAddress(address: string): string | undefined {
  const { pathname } = new URL(address);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name;
  }
}

const SEPARATOR = /([|;,\n\r])/;

/** Characters that an address may contain, if more of the address follows. */
const IN_ADDRESS = new Set([",", ";"]);

/** Ends an address: the end of the text, a space or a quote, another address, or an id of the service. */
const NO_REST = /^(?:$|[\s"'“”„«»‘’‚\p{Cf}]|https?:\/\/|media_[\w-]+\s*$)/iu;

/** An address holds no space, so an address after a space is a new one. */
const NEXT_ADDRESS = /(?<=\S)\s+(?=https?:\/\/)/i;

/**
 * Splits at `|` `;` `,` and line ends. Addresses may hold commas and semicolons: a comma or semicolon belongs to the
 * address if more of the address follows it without a space. Parts are as written, and may be blank.
 */
export function splitMedia(cell: string): readonly string[] {
  const target = linkInFormula(cell);
  if (target !== undefined) return [target];
  return splitParts(cell).map(withoutLabel);
}

/** The files of one text of a thread, as one text. */
export function joinFiles(names: readonly string[]): string {
  return names.join(names.every((name) => splitMedia(name).length === 1) ? ", " : "\n");
}

/** The reverse of `joinFiles`. */
export function splitFiles(text: string): readonly string[] {
  return text.includes("\n") ? text.split("\n") : splitMedia(text);
}

const LINK_FORMULA = /^\s*(?:(?:of:)?=\s*)?HYPERLINK\s*\(\s*"((?:[^"]|"")*)"/i;

/** The address in `=HYPERLINK("https://…","photo")`, in a workbook or in a text file; undefined for other texts. */
export function linkInFormula(text: string): string | undefined {
  return LINK_FORMULA.exec(text)?.[1]?.replaceAll('""', '"');
}

/** A file name with an extension, such as `photo.jpg`. */
const FILE_NAME = /\.[a-z0-9]{2,4}\s*$/i;

/** The medium of a cell that shows a label and links to an address; undefined if its text names the medium itself. */
export function linkedMedium(text: string, target: string | undefined): string | undefined {
  if (target === undefined || !isAddress(target) || isAddress(text) || FILE_NAME.test(text)) return undefined;
  return target;
}

/** `photo.jpg (https://…)`: the name and the address of an attachment, as databases such as Airtable write it. */
function withoutLabel(part: string): string {
  const end = part.trimEnd();
  const start = end.endsWith(")") ? end.lastIndexOf("(") : -1;
  const address = end.slice(start + 1, -1);
  return start > 0 && isAddress(address) && !/\s/.test(address) ? address : part;
}

function splitParts(cell: string): readonly string[] {
  const [first = "", ...rest] = cell.split(SEPARATOR);
  const parts = [first];
  let isInAddress = isAddress(tidyPath(first));
  for (let index = 0; index < rest.length; index += 2) {
    const [separator = "", next = ""] = rest.slice(index, index + 2);
    if (isInAddress && IN_ADDRESS.has(separator) && !NO_REST.test(next)) {
      parts[parts.length - 1] += separator + next;
    } else {
      parts.push(next);
      isInAddress = isAddress(tidyPath(next));
    }
  }
  return parts.flatMap((part) => part.split(NEXT_ADDRESS));
}

/** Whether a part stays one part when other parts follow it in the cell. */
export function isOnePart(part: string): boolean {
  return splitMedia(part).length === 1;
}

/** Pages of services that show a file. A download of them gives a web page. The pages of Drive lead to their files. */
const FILE_PAGES: readonly RegExp[] = [
  /^drive\.google\.com\/(?!(?:uc|open|thumbnail)\b|file\/|drive\/(?:u\/\d{1,3}\/)?folders\/)/,
  /^photos\.(?:google\.com|app\.goo\.gl)\//,
  /^(?:www\.)?canva\.(?:com|link)\//,
  /^(?:www\.)?figma\.com\//,
  /^(?:www\.)?dropbox\.com\/(?!.{0,2000}[?&](?:dl|raw)=1\b)/,
  /^(?:1drv\.ms|onedrive\.live\.com|[\w-]{1,63}\.sharepoint\.com)\//,
  /^(?:wetransfer\.com|we\.tl|(?:www\.)?icloud\.com|(?:app\.)?frame\.io|(?:app\.)?box\.com)\//,
];

/** Whether an address is one of Google Drive, whose pages lead to their files. */
export function isInDrive(address: string): boolean {
  const url = parseUrl(address);
  return url?.protocol === "https:" && url.hostname === "drive.google.com";
}

/** Whether an address is a page of a service that keeps files, such as Google Drive, and not the file. */
export function isFilePage(address: string): boolean {
  const bare = address.trim().replace(/^https?:\/\//i, "");
  return bare.length < address.trim().length && FILE_PAGES.some((page) => page.test(bare));
}
