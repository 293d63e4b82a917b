/** The outbox for people: pages and files, below a path of their own. They are no part of the service's interface. */
import { z } from "zod";
import { OUTBOX_POLICY, outboxPage, outboxPath, type OutboxEntry } from "./outbox-page.ts";
import { OUTBOX_PATH } from "./paths.ts";
import { mediaOf } from "./publish-due.ts";
import { postAt } from "./publishing.ts";
import type { StoredPost } from "./records.ts";
import { parseQuery } from "./request-body.ts";
import type { Backend, RequestContext } from "./route.ts";
import { sendMedia } from "./send-media.ts";
import { ServiceError } from "./service-error.ts";

/** Posts on a page. */
const PAGE_SIZE = 50;

const outboxQuery = z.strictObject({ before: z.string().optional() });

interface OutboxRoute {
  readonly path: string;
  readonly respond: (context: RequestContext, backend: Backend) => Promise<Response>;
}

/** The first that fits a path is taken. */
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
  const tried = pastPosts(backend).filter((post) => before === undefined || sortKeyOf(post) < before);
  const shown = tried.slice(0, PAGE_SIZE);
  const last = shown.length < tried.length ? shown.at(-1) : undefined;
  return await pageResponse(context, {
    title: "Outbox",
    entries: shown.flatMap((post) => entriesOf(post, backend)),
    older: last && `${OUTBOX_PATH}?before=${encodeURIComponent(sortKeyOf(last))}`,
  });
}

async function showOne(context: RequestContext, backend: Backend): Promise<Response> {
  const [id, platform] = [param(context, "id"), param(context, "platform")];
  const entries = pastPosts(backend)
    .filter((post) => post.id === id)
    .flatMap((post) => entriesOf(post, backend))
    .filter((entry) => entry.platform === platform);
  if (entries.length === 0) throw new ServiceError("not_found", "Nothing of this was published.");
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

/** Every post whose time has come, newest first. */
function pastPosts(backend: Backend): StoredPost[] {
  const at = backend.now();
  return backend.store
    .posts()
    .map((post) => postAt(post, at, backend))
    .filter((post) => post.results !== undefined)
    .reverse();
}

/** Its place in the order of posts, as text that sorts. */
function sortKeyOf(post: StoredPost): string {
  return `${post.scheduled_at} ${post.id}`;
}

function entriesOf(post: StoredPost, backend: Backend): OutboxEntry[] {
  const media = mediaOf(post, backend);
  return (post.results ?? []).map(({ platform, error }) => ({ post, platform, error, media }));
}

function param(context: RequestContext, name: string): string {
  return context.req.param(name) ?? "";
}
