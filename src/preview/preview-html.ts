/**
 * The preview as one file. Its data is inert JSON. Only its own script may run, identified by hash, and the page's
 * policy forbids that script to turn text into HTML or scripts. Small pictures are embedded up to a limit; for others,
 * the page has the addresses of files beside it.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { MediaFile } from "../model/post.ts";
import type { PreviewData } from "./preview-data.ts";

/** The page's code and style, as the build makes them from src/preview/page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** Whether the page is a separate file, or comes from a server on this machine and follows it. */
export type PageKind = "file" | "live";

/** The page's permissions: its own script and style, and pictures that are embedded or in the same place. */
export function pagePolicy({ script, style }: PageAssets, kind: PageKind): string {
  const isLive = kind === "live";
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Browsers differ in the meaning of 'self' for a file.
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
    // Otherwise, browsers request one.
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

/** JSON without anything that an HTML parser takes for an end tag, a comment or a script. */
function inertJson(data: PreviewData): string {
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Larger files are not embedded, bytes. Most pictures for screens are smaller. */
const MAX_PICTURE = 200_000;
/** Limit for all embedded pictures, bytes. A page of this size still opens at once and can be sent by mail. */
const MAX_ALL = 8_000_000;
/** Types that browsers show. */
const SHOWN = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Whether browsers show this file, and it is in the project. */
export function isBrowserImage({ mime, url }: MediaFile): boolean {
  return url === undefined && SHOWN.has(mime);
}

/**
 * Pictures as `data:` addresses, by the SHA-256 of their bytes.
 * @param files in the order of their importance; the last ones are left out first
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
    // One at a time, because each one reduces the remaining space.
    const data = await readFile(join(root, path)).catch(() => undefined);
    // It may have changed since it was hashed.
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
  // Escapes special characters of addresses. The leading dot prevents a name from being read as a scheme or host.
  return `./${path.split(sep).map(encodeURIComponent).join("/")}`;
}
