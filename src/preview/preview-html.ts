/**
 * The preview as one file. Its data stand in it as inert JSON; what may run is its own script and nothing else, by hash,
 * and the page's policy forbids that script to make HTML or scripts of any text.
 */
import { createHash } from "node:crypto";
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
    "<noscript><p>This page shows its posts with a script of its own. Let your browser run it.</p></noscript>",
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
