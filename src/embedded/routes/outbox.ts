/**
 * The outbox: pages for people that show what each platform would have received, and the files of its media. Not part
 * of the interface. The pages need no scripts, and escape all text.
 */

import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { z } from "zod";
import { visibleText } from "../../report/text/escape.ts";
import { OUTBOX_PATH, outboxPath } from "../publishing/paths.ts";
import { connectionsOf, postMedia, postAt } from "../publishing/post-state.ts";
import type { StoredMedia, StoredPost } from "../store/records.ts";
import { placeOfPost } from "../store/store-index.ts";
import { type Backend, type RequestContext, EndpointError, parseQuery } from "./endpoint.ts";
import { sendMedia } from "./media.ts";

/** Posts per page. */
const PAGE_SIZE = 50;

const outboxQuery = z.strictObject({ before: z.string().optional() });

interface OutboxRoute {
  readonly path: string;
  readonly respond: (context: RequestContext, backend: Backend) => Promise<Response>;
}

/** The first match counts. */
export const outboxRoutes: readonly OutboxRoute[] = [
  { path: OUTBOX_PATH, respond: showAll },
  {
    path: `${OUTBOX_PATH}/media/:id`,
    respond: (context, backend) => sendMedia(param(context, "id"), context, backend),
  },
  { path: outboxPath(":id", ":platform"), respond: showOne },
];

async function showAll(context: RequestContext, backend: Backend): Promise<Response> {
  const { before } = parseQuery(context.req.url, outboxQuery);
  const at = backend.now();
  const connections = await connectionsOf(backend);
  const tried = (await backend.store.list("post", { after: before, isReversed: true }))
    .map((post) => postAt(post, at, connections))
    .filter((post) => post.results !== undefined);
  const shown = tried.slice(0, PAGE_SIZE);
  const last = shown.length < tried.length ? shown.at(-1) : undefined;
  const entries = await Promise.all(shown.map((post) => entriesOf(post, backend)));
  return await pageResponse(context, {
    title: "Outbox",
    entries: entries.flat(),
    older: last && `${OUTBOX_PATH}?before=${encodeURIComponent(placeOfPost(last))}`,
  });
}

async function showOne(context: RequestContext, backend: Backend): Promise<Response> {
  const [id, platform] = [param(context, "id"), param(context, "platform")];
  const post = await backend.store.get("post", id);
  const tried = post && postAt(post, backend.now(), await connectionsOf(backend));
  const entries = (tried === undefined ? [] : await entriesOf(tried, backend)).filter(
    (entry) => entry.platform === platform,
  );
  if (entries.length === 0) throw new EndpointError("not_found", "None of these posts was really published.");
  return await pageResponse(context, { title: platform, entries, older: undefined });
}

async function pageResponse(
  context: RequestContext,
  view: Parameters<typeof outboxPage>[0],
): Promise<Response> {
  const headers = {
    "Content-Security-Policy": OUTBOX_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  };
  return context.html(await outboxPage(view), 200, headers);
}

async function entriesOf(post: StoredPost, backend: Backend): Promise<OutboxEntry[]> {
  const media = await postMedia(post, backend);
  return (post.results ?? []).map(({ platform, error, url }) => ({ post, platform, error, url, media }));
}

function param(context: RequestContext, name: string): string {
  return context.req.param(name) ?? "";
}

type Html = ReturnType<typeof html>;

/** A post as one platform received or refused it. */
interface OutboxEntry {
  readonly post: StoredPost;
  readonly platform: string;
  /** Why the platform did not take it. */
  readonly error: string | undefined;
  /** On a real network. */
  readonly url: string | undefined;
  readonly media: readonly StoredMedia[];
}

interface OutboxView {
  readonly title: string;
  readonly entries: readonly OutboxEntry[];
  /** Path of the page with older posts. */
  readonly older: string | undefined;
}

/** Path of a media item's file for the page's visitors. */
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

/** Only the page's own style, and images and videos from this service. */
const OUTBOX_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "img-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

async function outboxPage({ title, entries, older }: OutboxView): Promise<string> {
  const nothing = html`<p>Nothing has been published yet. Each post appears here at its time.</p>`;
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

function postArticle({ post, platform, error, url, media }: OutboxEntry): Html {
  const own = outboxPath(post.id, encodeURIComponent(platform));
  const path = url !== undefined && /^(?:https?:\/\/|\/)/.test(url) ? url : own;
  return html`<article class="${error === undefined ? "published" : "failed"}">
    <h2><a href="${path}">${platform}</a></h2>
    <small
      >${post.scheduled_at} ·
      ${post.id}${error === undefined ? "" : html` · failed: ${visibleText(error)}`}</small
    >
    <p dir="auto">${visibleText(post.content)}</p>
    ${(post.thread ?? []).map((text) => html`<p dir="auto">${visibleText(text)}</p>`)}
    ${media.map((item, index) => mediaElement(item, visibleText(post.alt?.[index] ?? "")))}
    ${post.first_comment === undefined ? "" : html`<p dir="auto"><small>First comment:</small> ${visibleText(post.first_comment)}</p>`}
  </article> `;
}

/** @param alt the item's description; empty for none */
function mediaElement({ id, type }: StoredMedia, alt: string): Html {
  const path = mediaPath(id);
  const medium =
    type === "image"
      ? html`<a href="${path}"><img src="${path}" alt="${alt || id}" loading="lazy" /></a>`
      : html`<video src="${path}" controls preload="metadata"></video>`;
  return alt === "" ? medium : html`${medium}<small dir="auto">${alt}</small>`;
}
