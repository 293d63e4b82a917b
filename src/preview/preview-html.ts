/**
 * The preview as one file, of one project or several. Its data is inert JSON. Only its own script may run,
 * identified by hash, and the page's policy forbids that script to turn text into HTML or scripts.
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
function inertJson(data: object): string {
  return JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

// The previews of several projects in one file, which needs no script of its own: each page is in a frame.

/** The preview of one project. */
export interface ProjectPage {
  /** The name of the project, for people. */
  readonly name: string;
  readonly html: string;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem}
h1{font-size:1.3rem;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
h2,li{overflow-wrap:anywhere}
iframe{width:100%;height:90vh;border:1px solid #8888}
:root{color-scheme:light dark}`;

/** Each page keeps its own policy, and cannot reach the others. */
export function severalPreviewsHtml(pages: readonly ProjectPage[], assets: PageAssets): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  // Frames inherit this policy, so it allows what the pages need.
  const policy = pagePolicy(assets, "file").replace("style-src ", `style-src 'sha256-${hash}' `);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="robots" content="noindex">',
    '<link rel="icon" href="data:,">',
    "<title>Content calendars</title>",
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<h1>Content calendars</h1>",
    `<nav><ul>${pages.map(linkTo).join("")}</ul></nav>`,
    ...pages.map(frameOf),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function linkTo({ name }: ProjectPage, index: number): string {
  return `<li><a href="#project-${index}">${escapeHtml(name)}</a></li>`;
}

/** Open from the start: a page in a closed frame has no width, and would look as on a phone. */
function frameOf({ name, html }: ProjectPage, index: number): string {
  const title = escapeHtml(name);
  return `<h2 id="project-${index}">${title}</h2>
<iframe sandbox="allow-scripts allow-popups" title="${title}" srcdoc="${escapeHtml(html)}"></iframe>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
