/** The outbox as a page: what each platform would have got. Needs no scripts; what others wrote is text and nothing else. */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { OUTBOX_PATH } from "./paths.ts";
import type { StoredMedia, StoredPost } from "./records.ts";

type Html = ReturnType<typeof html>;

/** A post as one platform got it, or would not take it. */
export interface OutboxEntry {
  readonly post: StoredPost;
  readonly platform: string;
  /** Why the platform did not take it. */
  readonly error: string | undefined;
  readonly media: readonly StoredMedia[];
}

export interface OutboxView {
  readonly title: string;
  readonly entries: readonly OutboxEntry[];
  /** Path of the page with what is older. */
  readonly older: string | undefined;
}

/** Where a platform shows a post. */
export function outboxPath(postId: string, platform: string): string {
  return `${OUTBOX_PATH}/${postId}/${platform}`;
}

/** Path of a media item's file, for who looks at the page. */
function mediaPath(id: string): string {
  return `${OUTBOX_PATH}/media/${id}`;
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem; }
article { border: 1px solid #8886; border-radius: .5rem; margin: 1rem 0; padding: 1rem; }
article.failed { border-color: #c33; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1rem; margin: 0; }
p { overflow-wrap: anywhere; white-space: pre-wrap; }
img, video { display: block; margin-top: .5rem; max-height: 20rem; max-width: 100%; }
small { opacity: .75; }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** Nothing but the page's own style, and images and videos from here. */
export const OUTBOX_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export async function outboxPage({ title, entries, older }: OutboxView): Promise<string> {
  const nothing = html`<p>Nothing has been published yet. A post shows here when its time has come.</p>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <h1>${title}</h1>
        ${entries.length === 0 ? nothing : entries.map(postArticle)}
        ${older === undefined ? "" : html`<p><a href="${older}">Older posts</a></p>`}
      </body>
    </html>`;
  return String(await page);
}

function postArticle({ post, platform, error, media }: OutboxEntry): Html {
  const path = outboxPath(post.id, platform);
  return html`<article class="${error === undefined ? "published" : "failed"}">
    <h2><a href="${path}">${platform}</a></h2>
    <small>${post.scheduled_at} · ${post.id}${error === undefined ? "" : html` · failed: ${error}`}</small>
    <p dir="auto">${post.content}</p>
    ${media.map(mediaElement)}
  </article> `;
}

function mediaElement({ id, type }: StoredMedia): Html {
  const path = mediaPath(id);
  return type === "image"
    ? html`<a href="${path}"><img src="${path}" alt="${id}" loading="lazy" /></a>`
    : html`<video src="${path}" controls preload="metadata"></video>`;
}
