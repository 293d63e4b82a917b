/** The previews of several projects in one file, which needs no script of its own: each page is in a frame, to unfold. */

import { createHash } from "node:crypto";
import { type PageAssets, pagePolicy } from "./preview-html.ts";

/** The preview of one project. */
export interface ProjectPage {
  /** Of the project, for people. */
  readonly name: string;
  readonly html: string;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem}
h1{font-size:1.3rem;margin:0 0 1rem}
summary{cursor:pointer;padding:.5rem 0;font-weight:600;overflow-wrap:anywhere}
iframe{width:100%;height:90vh;border:1px solid #8888}
:root{color-scheme:light dark}`;

/** Each page keeps its own policy, and cannot reach the others. @param pages the first is open */
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
    ...pages.map(({ name, html }, index) =>
      [
        `<details${index === 0 ? " open" : ""}><summary>${escapeHtml(name)}</summary>`,
        `<iframe sandbox="allow-scripts allow-popups" title="${escapeHtml(name)}" srcdoc="${escapeHtml(html)}"></iframe></details>`,
      ].join("\n"),
    ),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
