/**
 * The preview as one file. Its data is inert JSON. Only its own script may run, identified by hash, and the page's
 * policy forbids that script to turn text into HTML or scripts.
 */

import { createHash } from "node:crypto";
import type { PreviewData } from "./preview-data.ts";

/** The page's code and style, as the build makes them from src/preview/page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** A file; a page from a server on this machine that follows it; or a file for a client, who has no other files. */
export type PageKind = "file" | "live" | "client";

/**
 * The page's permissions: its own script and style, pictures that are embedded, and pictures and videos in the same
 * place. A client's page loads nothing.
 */
export function pagePolicy({ script, style }: PageAssets, kind: PageKind): string {
  const isLive = kind === "live";
  // Browsers differ in the meaning of 'self' for a file.
  const beside = { live: "'self'", file: "'self' file:", client: "" }[kind];
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    `img-src data: ${beside}`.trimEnd(),
    `media-src ${kind === "client" ? "data:" : beside}`,
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
    `<title>${kind === "client" ? "Posts to approve" : "Content calendar"}</title>`,
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
