/** The lists: their items, their order, and the fields around them. */
import { cursorParameter, pageOf, type Page } from "./paging.ts";
import type { StoredPost } from "./post-book.ts";
import { field, nest, renderAccount, renderMedia, renderPost, type Json } from "./render.ts";
import { errorReply, jsonReply, type Reply } from "./reply.ts";
import type { Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** How a fault changes a list. */
export interface ListView {
  readonly writesAgo: number;
  /** Returns only this many first items, without a hint of more. */
  readonly items: number | undefined;
}

const ORDERS: Readonly<Record<Shape["order"], (a: StoredPost, b: StoredPost) => number>> = {
  "newest-first": (a, b) => b.number - a.number,
  "oldest-first": (a, b) => a.number - b.number,
  "due-first": (a, b) => Date.parse(a.scheduled_at) - Date.parse(b.scheduled_at) || a.number - b.number,
};

export function listPosts(query: URLSearchParams, world: World, view: ListView): Reply {
  const { shape, posts } = world;
  const order = ORDERS[shape.order];
  const status = query.get("status") ?? undefined;
  if (status !== undefined && !Object.hasOwn(shape.statusWords, status)) {
    return errorReply("validation_error", `There is no status ${status}.`, shape);
  }
  const isSeen = (post: StoredPost): boolean =>
    post.listedFrom <= world.now() &&
    (status === undefined || shape.statusFilter === "ignored" || post.status === status) &&
    !(post.status === "cancelled" && shape.cancelled === "not-found");
  return listReply("posts", query, world, view, {
    all: posts.asOf(view.writesAgo).filter(isSeen).sort(order),
    afterItem: (id) => {
      const anchor = posts.current.get(id);
      return anchor && ((post) => order(post, anchor) > 0);
    },
    render: (post) => renderPost(post, shape, (id) => renderMedia(id, world.media.get(id), world.origin)),
  });
}

export function listMedia(query: URLSearchParams, world: World, view: ListView): Reply {
  const type = query.get("type") ?? undefined;
  const all = [...world.media].map(([id, media], index) => ({ id, media, index }));
  return listReply("media", query, world, view, {
    all: all.filter(({ media }) => type === undefined || media.mime.startsWith(`${type}/`)),
    afterItem: (id) => afterIndex(all, id),
    render: ({ id, media }) => renderMedia(id, media, world.origin),
  });
}

export function listAccounts(query: URLSearchParams, world: World, view: ListView): Reply {
  const all = world.platforms.map((platform, index) => ({ id: platform, index }));
  return listReply("platforms", query, world, view, {
    all,
    afterItem: (id) => afterIndex(all, id),
    render: ({ id, index }) =>
      world.accountIds === undefined
        ? renderAccount(id, index, world.shape)
        : { id: world.accountIds[index], platform: id },
  });
}

export function listAutomations(query: URLSearchParams, world: World, view: ListView): Reply {
  const all = world.automations.map((id, index) => ({ id, index }));
  return listReply("automations", query, world, view, {
    all,
    afterItem: (id) => afterIndex(all, id),
    render: ({ id }) => ({ [world.shape.idKey]: id, name: `The automation ${id}` }),
  });
}

function afterIndex<T extends { readonly id: string; readonly index: number }>(
  all: readonly T[],
  id: string,
) {
  const anchor = all.find((each) => each.id === id);
  return anchor && ((item: T) => item.index > anchor.index);
}

interface ListOf<T> {
  /** All items that match the query, in order. */
  readonly all: readonly T[];
  readonly afterItem: (id: string) => ((item: T) => boolean) | undefined;
  readonly render: (item: T) => unknown;
}

function listReply<T extends { readonly id: string }>(
  name: "posts" | "media" | "platforms" | "automations",
  query: URLSearchParams,
  world: World,
  view: ListView,
  { all, afterItem, render }: ListOf<T>,
): Reply {
  const page = pageOf(all, query, world.paging, afterItem);
  if ("refused" in page) return errorReply("validation_error", `Not a list: ${page.refused}.`, world.shape);
  if (name === "posts") world.counters.lists += 1;
  const shown = cutShort(page, view);
  const next = nextPage(shown, `/v1/${name}`, query, world);
  const headers: Record<string, string> =
    world.paging.paging === "link" && next !== undefined ? { link: `<${next.url}>; rel="next"` } : {};
  // A service that calls its list of posts `posts` has its media under `media`.
  const keys = world.shape.list.map((key) => (key === "posts" ? name : key));
  const list = nest(keys, shown.items.map(render));
  return jsonReply(
    200,
    withExtras(list, { next, total: all.length, hasMore: shown.hasMore }, world),
    headers,
  );
}

function cutShort<T>(page: Page<T>, { items }: ListView): Page<T> {
  if (items === undefined) return page;
  return { items: page.items.slice(0, items), cursor: undefined, hasMore: false };
}

interface Next {
  readonly url: string;
  readonly cursor: string;
}

function nextPage(page: Page<unknown>, path: string, query: URLSearchParams, world: World): Next | undefined {
  const parameter = cursorParameter(world.paging.paging);
  if (page.cursor === undefined || parameter === undefined) return undefined;
  const following = new URLSearchParams(query);
  following.set(parameter, page.cursor);
  const search = `?${following.toString()}`;
  switch (world.shape.nextUrl) {
    case "absolute":
      return { url: `${world.origin}${path}${search}`, cursor: page.cursor };
    case "path":
      return { url: path + search, cursor: page.cursor };
    case "query":
      return { url: search, cursor: page.cursor };
  }
}

/** Adds the fields beside the list. A bare array has no place for them. */
function withExtras(
  list: unknown,
  about: { next: Next | undefined; total: number; hasMore: boolean },
  { shape, paging }: World,
): unknown {
  if (!isObject(list)) return list;
  const told: Json = {
    ...(paging.paging === "next-url" && { next: about.next?.url ?? null }),
    ...(paging.paging === "next-cursor" && field(shape.cursorKey, about.next?.cursor ?? null)),
    ...(shape.listTotal !== undefined && { [shape.listTotal]: about.total }),
    ...(shape.listHasMore !== undefined && { [shape.listHasMore]: about.hasMore }),
  };
  const body: Json = { ...shape.listExtras, ...list };
  if (shape.pagingIn === undefined) return { ...body, ...told };
  const holder = body[shape.pagingIn];
  return { ...body, [shape.pagingIn]: isObject(holder) ? { ...holder, ...told } : told };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
