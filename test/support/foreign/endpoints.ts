/** The endpoints that a calendar needs. Handling is synchronous, so a request has its whole effect or none. */
import { addWebhook, triggerAutomation } from "./automations.ts";
import { listAccounts, listAutomations, listMedia, listPosts, type ListView } from "./lists.ts";
import type { StoredPost } from "./post-book.ts";
import type { Body } from "./read-upload.ts";
import { field, nest, renderId, renderMedia, renderPost } from "./render.ts";
import { emptyReply, errorReply, jsonReply, type Reply } from "./reply.ts";
import { validatePost } from "./validate-post.ts";
import { mediaId, type World } from "./world.ts";

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Body;
}

/** Answers a request whose key and rate are in order. The AI endpoints are missing. */
export function handle(request: Incoming, world: World, view: ListView): Reply {
  const [, version, collection = "", id, ...rest] = request.path.split("/");
  if (version !== "v1") return noSuchPath(world);
  const path = [collection, ...(id === undefined ? [] : ["{id}"]), ...rest].join("/");
  switch (`${request.method} /${path}`) {
    case "GET /posts":
      return listPosts(request.query, world, view);
    case "POST /posts":
      return createPost(request, world);
    case "GET /posts/{id}":
      return withPost(id, world, (post) => recordReply(200, post, world));
    case "DELETE /posts/{id}":
      return withPost(id, world, (post) => cancelPost(post, world));
    case "GET /media":
      return listMedia(request.query, world, view);
    case "POST /media":
      return uploadMedia(request, world);
    case "GET /platforms":
      return listAccounts(request.query, world, view);
    case "GET /automations":
      return listAutomations(request.query, world, view);
    case "POST /automations/{id}/trigger":
      return triggerAutomation(decodeSegment(id ?? ""), request, world);
    case "POST /webhooks":
      return addWebhook(request, world);
    default:
      return noSuchPath(world);
  }
}

function noSuchPath(world: World): Reply {
  return errorReply("not_found", "There is no such endpoint.", world.shape);
}

function createPost({ body, contentType }: Incoming, world: World): Reply {
  const refuse = (why: string): Reply => errorReply("validation_error", `Not a post: ${why}.`, world.shape);
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    return refuse("the content type is not application/json");
  if (body.kind !== "text") return refuse("the body is not UTF-8 text");
  const post = validatePost(body.text, world.platforms, world.now());
  if ("refused" in post) return refuse(post.refused);
  const unknown = post.media_ids.find((id) => !world.media.has(id));
  if (unknown !== undefined && world.unknownMedia !== undefined) {
    return errorReply(world.unknownMedia, `There is no media item ${unknown}.`, world.shape);
  }
  const createdAt = world.now();
  world.counters.creates += 1;
  const made = world.posts.add({
    ...post,
    madeBy: "api",
    createdAt,
    listedFrom: createdAt + world.listLagMs,
  });
  const { shape } = world;
  if (shape.created === "record") return recordReply(shape.createdStatus, made, world);
  return jsonReply(shape.createdStatus, nest(shape.record, field(shape.idKey, renderId(made, shape))));
}

function withPost(segment: string | undefined, world: World, answer: (post: StoredPost) => Reply): Reply {
  const post = world.posts.current.get(decodeSegment(segment ?? ""));
  const isHidden = post?.status === "cancelled" && world.shape.cancelled === "not-found";
  if (post === undefined || isHidden) return errorReply("not_found", "There is no such post.", world.shape);
  return answer(post);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

function cancelPost(post: StoredPost, world: World): Reply {
  const { shape } = world;
  switch (post.status) {
    case "scheduled":
      world.counters.cancels += 1;
      return cancelledReply(world.posts.change(post.id, { status: "cancelled" }), world);
    case "cancelled":
      if (shape.cancelAgain === "ok") return cancelledReply(post, world);
      return errorReply(shape.cancelAgain, "The post is cancelled already.", shape);
    case "published":
    case "failed":
      return errorReply("validation_error", `The post is ${post.status}, not scheduled.`, shape);
  }
}

function cancelledReply(post: StoredPost, world: World): Reply {
  switch (world.shape.deleted) {
    case "record":
      return recordReply(200, post, world);
    case "empty-204":
      return emptyReply(204);
    case "empty-200":
      return emptyReply(200);
    case "flag":
      return jsonReply(200, { deleted: true });
  }
}

function recordReply(status: number, post: StoredPost, world: World): Reply {
  const mediaOf = (id: string) => renderMedia(id, world.media.get(id), world.origin);
  return jsonReply(status, nest(world.shape.record, renderPost(post, world.shape, mediaOf)));
}

function uploadMedia({ body }: Incoming, world: World): Reply {
  const refuse = (why: string): Reply =>
    errorReply("validation_error", `Not an upload: ${why}.`, world.shape);
  if (body.kind === "unreadable") return refuse(body.why);
  if (body.kind !== "form") return refuse("the content type is not multipart/form-data");
  const [file, second] = body.files;
  if (file === undefined || second !== undefined)
    return refuse(`there are ${body.files.length} files in the form`);
  if (world.uploadField !== undefined && file.fieldName !== world.uploadField) {
    return refuse(`the file is not in the field ${world.uploadField}`);
  }
  if (file.bytes === 0) return refuse("the file is empty");
  world.counters.uploads += 1;
  const id = mediaId(world.counters.uploads);
  world.media.set(id, file);
  const { shape, origin } = world;
  return jsonReply(shape.createdStatus, nest(shape.mediaRecord, renderMedia(id, file, origin)));
}
