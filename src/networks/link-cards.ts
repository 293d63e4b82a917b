/** Cards of links: what a page says about itself, and its picture, read when a post is published. */

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
import type { NetworkMedia } from "./network.ts";

/** For the page, and again for its picture: a post must not wait long for somebody else's server. */
const TIMEOUT = "10s";
/** Bytes of a page that are read. Its head comes first. */
const MAX_BYTES = 512_000;
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
    const { allowsPages, stop, userAgent } = this.#options;
    const connections = (this.#connections ??=
      allowsPages === undefined ? publicConnections() : anyConnections());
    return {
      allows: allowsPages ?? (() => false),
      dispatcherFor: () => connections,
      timeout: TIMEOUT,
      userAgent,
      stop,
    };
  }

  close(): Promise<void> {
    return this.#connections?.destroy() ?? Promise.resolve();
  }
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
  const found = await getChecked(address, { accept: "text/html" }, rules, htmlOf);
  return typeof found === "string" ? factsIn(found, address) : undefined;
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

/** Undefined if the answer is something else. */
async function htmlOf(answer: MediaAnswer): Promise<string | undefined> {
  const type = headerOf(answer, "content-type") ?? "";
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/.test(type);
  const bytes = isHtml ? await firstBytes(answer, MAX_BYTES) : undefined;
  return bytes === undefined ? undefined : decoded(bytes, type);
}

/** The start of what was asked for. @param most in bytes. Undefined for an error, or if it is compressed. */
async function firstBytes(answer: MediaAnswer, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const encoding = headerOf(answer, "content-encoding") ?? "identity";
  if (answer.statusCode !== 200 || encoding !== "identity") return undefined;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of bodyParts(answer)) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}

function headerOf({ headers }: MediaAnswer, name: string): string | undefined {
  return firstValue(headers[name])?.toLowerCase();
}

/** @param type the media type, perhaps with the encoding. Most pages are UTF-8 */
function decoded(bytes: Uint8Array, type: string): string {
  const [, charset = "utf-8"] = /charset="?([\w-]{1,40})/.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown name.
    return new TextDecoder().decode(bytes);
  }
}

/** @param address of the page */
async function factsIn(html: string, address: string): Promise<PageFacts | undefined> {
  const { Parser } = await import("htmlparser2");
  const metas = new Map<string, string>();
  let title = "";
  let isInTitle = false;
  const parser = new Parser({
    onopentag(name, { property, name: called, content = "" }) {
      const key = (property ?? called ?? "").toLowerCase();
      if (name === "meta" && !metas.has(key)) metas.set(key, content);
      isInTitle = name === "title" && title === "";
      // What follows can no longer be the page's own.
      if (name === "body") parser.pause();
    },
    ontext(text) {
      if (isInTitle) title += text;
    },
    onclosetag() {
      isInTitle = false;
    },
  });
  parser.end(html);
  const named = firstText(metas.get("og:title"), title);
  const about = firstText(metas.get("og:description"), metas.get("description"));
  if (named === "") return undefined;
  const shown = firstText(metas.get("og:image"), metas.get("twitter:image"));
  const picture = shown === "" ? undefined : parseUrl(shown, address)?.href;
  return {
    title: shortened(named, LONGEST_TITLE),
    description: shortened(about, LONGEST_DESCRIPTION),
    ...(picture === undefined ? {} : { picture }),
  };
}

function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

/** The first text that is not blank, on one line. */
function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.map((text = "") => text.replaceAll(/\s+/g, " ").trim()).find((text) => text !== "") ?? "";
}
