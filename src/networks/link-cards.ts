/** Cards of links: what a page says about itself, and its picture, read when a post is published. */

import { TextDecoder } from "node:util";
import type { Parser } from "htmlparser2";
import type { Dispatcher } from "undici";
import type { AllowsHost } from "../media/allowed-hosts.ts";
import {
  type MediaAnswer,
  type GetRules,
  anyConnections,
  firstValue,
  getChecked,
  bodyParts,
  publicConnections,
} from "../media/checked-request.ts";
import { factsOf } from "../media/media-file.ts";
import { parseUrl } from "../model/address.ts";
import { windows1252 } from "../model/windows-1252.ts";
import type { NetworkMedia } from "./network.ts";

/** For the page, and again for its picture: a post must not wait long for somebody else's server. */
const TIMEOUT = "10s";
/** Bytes of a page that are read, if its head has no end before. Heads of video sites have more than 700,000. */
const MAX_BYTES = 4_000_000;
/** Bytes at the beginning of a page in which it names its encoding. Source: HTML standard, "prescan a byte stream". */
const PRESCAN_BYTES = 1_024;
/** A larger picture is not read, bytes. */
const MAX_PICTURE_BYTES = 10_000_000;
/** Longest texts of a card, characters. */
const LONGEST_TITLE = 300;
const LONGEST_DESCRIPTION = 1_000;

interface LinkCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly picture?: NetworkMedia;
}

export interface PageOptions {
  readonly userAgent: string;
  /** Aborted when the run is interrupted. */
  readonly stop: AbortSignal;
  /** Private hosts whose pages may be read. Default: none. */
  readonly allowsPages?: AllowsHost | undefined;
}

export class LinkCards {
  readonly #options: PageOptions;
  #connections: Dispatcher | undefined;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  /** The card of a link; undefined if its page cannot be read. A picture that cannot be read is left out. */
  async of(url: string): Promise<LinkCard | undefined> {
    const rules = this.#rules();
    const page = await readPage(url, rules);
    if (page === undefined) return undefined;
    const { picture: address, ...facts } = page;
    const picture = address === undefined ? undefined : await readPicture(address, rules);
    return { url, ...facts, ...(picture === undefined ? {} : { picture: await mediaOf(picture) }) };
  }

  #rules(): GetRules {
    this.#connections ??= pageConnections(this.#options);
    return pageRules(this.#options, this.#connections, TIMEOUT);
  }

  close(): Promise<void> {
    return this.#connections?.destroy() ?? Promise.resolve();
  }
}

export function pageConnections({ allowsPages }: PageOptions): Dispatcher {
  return allowsPages === undefined ? publicConnections() : anyConnections();
}

/** @param timeout for example `10s` */
export function pageRules(
  { allowsPages: allows = () => false, userAgent, stop }: PageOptions,
  connections: Dispatcher,
  timeout: string,
): GetRules {
  return { allows, dispatcherFor: () => connections, timeout, userAgent, stop };
}

async function mediaOf(blob: Blob): Promise<NetworkMedia> {
  const open = (): Promise<Blob> => Promise.resolve(blob);
  return { mime: blob.type, bytes: blob.size, facts: await factsOf(blob), open };
}

interface PageFacts {
  readonly title: string;
  /** Blank if the page has none. */
  readonly description: string;
  /** Address of its picture. */
  readonly picture?: string;
}

/**
 * Title, description and picture of a page: those for other sites (Open Graph, ogp.me), otherwise those for browsers.
 * Undefined if there is no readable page with a title. Throws only if the run is interrupted.
 */
async function readPage(address: string, rules: GetRules): Promise<PageFacts | undefined> {
  const head = new PageHead();
  const found = await getChecked(address, { accept: "text/html" }, rules, (answer) => readHead(answer, head));
  return found === true ? head.facts(address) : undefined;
}

/** A picture. Its content shows its type. Undefined if there is none, or a very large one. Throws as `readPage` does. */
async function readPicture(address: string, rules: GetRules): Promise<Blob | undefined> {
  const found = await getChecked(address, { accept: "image/*" }, rules, pictureOf);
  return found instanceof Blob ? found : undefined;
}

/** Undefined if the answer is something else. */
async function pictureOf(answer: MediaAnswer): Promise<Blob | undefined> {
  const bytes = await firstBytes(answer, MAX_PICTURE_BYTES + 1);
  if (bytes === undefined || bytes.length > MAX_PICTURE_BYTES) return undefined;
  const { fileTypeFromBuffer } = await import("file-type");
  const type = (await fileTypeFromBuffer(bytes))?.mime;
  return type?.startsWith("image/") === true ? new Blob([bytes], { type }) : undefined;
}

/** Reads a page up to the end of its head. False if the answer is something else. */
async function readHead(answer: MediaAnswer, head: PageHead): Promise<boolean> {
  const type = headerOf(answer, "content-type") ?? "";
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/.test(type);
  if (!isHtml || !isPlain(answer)) return false;
  const parser = await head.parser();
  let start = Buffer.alloc(0);
  let decode: Decode | undefined;
  let bytes = 0;
  for await (const part of bodyParts(answer)) {
    bytes += part.byteLength;
    start = decode === undefined ? Buffer.concat([start, part]) : Buffer.from(part);
    if (decode === undefined && start.length < PRESCAN_BYTES) continue;
    decode ??= decoderOf(start, type);
    parser.write(decode(start));
    if (head.isOver || bytes >= MAX_BYTES) break;
  }
  if (decode === undefined) parser.write(decoderOf(start, type)(start));
  parser.end();
  return true;
}

/** The start of what was asked for. @param most in bytes. Undefined for an error, or if it is compressed. */
async function firstBytes(answer: MediaAnswer, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!isPlain(answer)) return undefined;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of bodyParts(answer)) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}

/** Whether it is a success, and not compressed. */
function isPlain(answer: MediaAnswer): boolean {
  return answer.statusCode === 200 && (headerOf(answer, "content-encoding") ?? "identity") === "identity";
}

function headerOf({ headers }: MediaAnswer, name: string): string | undefined {
  return firstValue(headers[name])?.toLowerCase();
}

/** The text of the next part of a page. */
type Decode = (part: Buffer) => string;

/**
 * The encoding that a byte order mark, the header or the page itself names, in this order. Most pages are UTF-8.
 * @param type the media type, perhaps with the encoding
 */
function decoderOf(start: Buffer, type: string): Decode {
  const named = /charset\s*=\s*["']?([\w:-]{1,40})/i;
  const prescan = start.toString("latin1", 0, PRESCAN_BYTES);
  const metas = prescan.match(/<meta\s[^>]{0,500}/gi) ?? [];
  const own = metas.map((meta) => named.exec(meta)?.[1]).find((name) => name !== undefined);
  const name = markedEncoding(start) ?? named.exec(type)?.[1] ?? withoutUtf16(own) ?? "utf-8";
  const decoder = knownDecoder(name) ?? new TextDecoder();
  return (part) => {
    const text = decoder.decode(part, { stream: true });
    return decoder.encoding === "windows-1252" ? windows1252(text) : text;
  };
}

/** Undefined for an unknown name. */
function knownDecoder(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}

function markedEncoding(start: Buffer): string | undefined {
  const mark = start.toString("hex", 0, 3);
  if (mark === "efbbbf") return "utf-8";
  if (mark.startsWith("feff")) return "utf-16be";
  return mark.startsWith("fffe") ? "utf-16le" : undefined;
}

/** A page whose letters have one byte each up to here is not in UTF-16, whatever it says. Source: HTML standard. */
function withoutUtf16(name: string | undefined): string | undefined {
  return name?.toLowerCase().startsWith("utf-16") === true ? "utf-8" : name;
}

/** What the head of a page says, collected while it is read. */
class PageHead {
  readonly #metas = new Map<string, string>();
  #title = "";
  /** What follows can no longer be the page's own. */
  isOver = false;

  async parser(): Promise<Parser> {
    const { Parser } = await import("htmlparser2");
    let isInTitle = false;
    return new Parser({
      onopentag: (name, { property, name: called, content = "" }) => {
        this.isOver ||= name === "body";
        const key = (property ?? called ?? "").toLowerCase();
        if (name === "meta" && !this.isOver && !this.#metas.has(key)) this.#metas.set(key, content);
        isInTitle = name === "title" && this.#title === "" && !this.isOver;
      },
      ontext: (text) => {
        if (isInTitle) this.#title += text;
      },
      onclosetag: () => {
        isInTitle = false;
      },
    });
  }

  /** Undefined for a page without a title. @param address of the page */
  facts(address: string): PageFacts | undefined {
    const metas = this.#metas;
    const title = firstText(metas.get("og:title"), this.#title);
    if (title === "") return undefined;
    const about = firstText(metas.get("og:description"), metas.get("description"));
    const shown = firstText(metas.get("og:image"), metas.get("twitter:image"));
    const picture = shown === "" ? undefined : parseUrl(shown, address)?.href;
    return {
      title: shortened(title, LONGEST_TITLE),
      description: shortened(about, LONGEST_DESCRIPTION),
      ...(picture === undefined ? {} : { picture }),
    };
  }
}

function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

/** The first text that is not blank, on one line. */
function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.map((text = "") => text.replaceAll(/\s+/g, " ").trim()).find((text) => text !== "") ?? "";
}
