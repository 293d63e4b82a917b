/** The previews of several projects in one file, which needs no script of its own: each page is in a frame. */

import { createHash } from "node:crypto";
import { type PageAssets, pagePolicy } from "./preview-html.ts";

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
