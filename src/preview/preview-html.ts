/**
 * The preview as one file. Its data stand in it as inert JSON; what may run is its own script and nothing else, by hash,
 * and the page's policy forbids that script to make HTML or scripts of any text. Small pictures are inside it up to a limit;
 * for others it has the addresses of files beside it.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { MediaFile } from "../model/post.ts";
import type { PreviewData } from "./preview-data.ts";

/** The page's code and look, as the build makes them of src/preview/page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** Whether the page is a file by itself, or comes from a server on this machine and follows it. */
export type PageKind = "file" | "live";

/** What the page may do: nothing, but for its own script and style, and pictures that it carries, or that lie where it lies. */
export function pagePolicy({ script, style }: PageAssets, kind: PageKind): string {
  const isLive = kind === "live";
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Browsers differ in whether a file has a self.
    `img-src data: 'self'${isLive ? "" : " file:"}`,
    ...(isLive ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

export function previewHtml(data: PreviewData, assets: PageAssets, kind: PageKind): string {
  return [
    "<!doctype html>",
    `<html lang="en" data-kind="${kind}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(assets, kind)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="robots" content="noindex">',
    // Else browsers ask for one.
    '<link rel="icon" href="data:,">',
    "<title>Content calendar</title>",
    `<style>${assets.style}</style>`,
    "</head>",
    "<body>",
    "<noscript><p>This page needs JavaScript to show the posts. Turn it on in your browser.</p></noscript>",
    `<script type="application/json" id="data">${inertJson(data)}</script>`,
    `<script>${assets.script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** JSON that no parser of HTML finds an end, a comment or a script in. */
function inertJson(data: PreviewData): string {
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Larger files are not embedded, bytes. A picture made for a screen has less. */
const MAX_PICTURE = 200_000;
/** All that one page carries, bytes. A page of this size still opens at once and goes through mail. */
const MAX_ALL = 8_000_000;
/** What browsers show. */
const SHOWN = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Whether browsers show this file, and it lies in the project. */
export function isBrowserImage({ mime, url }: MediaFile): boolean {
  return url === undefined && SHOWN.has(mime);
}

/**
 * Pictures as `data:` addresses, by the SHA-256 of their bytes.
 * @param files in the order in which they matter; what comes last is left out first
 */
export async function embeddedImageUrls(
  root: string,
  files: readonly MediaFile[],
): Promise<ReadonlyMap<string, string>> {
  const embedded = new Map<string, string>();
  let room = MAX_ALL;
  for (const file of files) {
    const { sha256, bytes, path, mime } = file;
    if (!isBrowserImage(file) || embedded.has(sha256) || bytes > Math.min(MAX_PICTURE, room)) continue;
    // One at a time: what fits depends on what came before.
    const data = await readFile(join(root, path)).catch(() => undefined);
    // It may have changed since it was looked at.
    if (data === undefined || data.length !== bytes) continue;
    room -= bytes;
    embedded.set(sha256, `data:${mime.replace("apng", "png")};base64,${data.toString("base64")}`);
  }
  return embedded;
}

/**
 * Relative addresses by the SHA-256 of the pictures' bytes.
 * @param root of the project @param folder that the page is written into; both absolute
 */
export function relativeImageUrls(
  root: string,
  folder: string,
  files: readonly MediaFile[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    if (isBrowserImage(file)) found.set(file.sha256, relativeUrl(folder, join(root, file.path)));
  }
  return found;
}

function relativeUrl(folder: string, file: string): string {
  const path = relative(folder, file);
  // On another drive.
  if (isAbsolute(path)) return pathToFileURL(path).href;
  // A name may hold what means something in an address; with a dot first, none is taken for another scheme or host.
  return `./${path.split(sep).map(encodeURIComponent).join("/")}`;
}
