import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { fileTypeFromFile } from "file-type";
import { z } from "zod";
import { syncFolder } from "../state/folder.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { randomId } from "./random-id.ts";
import type { StoredMedia } from "./records.ts";
import { invalid, readQuery } from "./request-body.ts";
import type { Backend, RequestContext, Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";
import { receiveFile } from "./upload.ts";

const TYPES = ["image", "video"] as const;

const listQuery = pageQuery.extend({
  type: z.enum(TYPES, `must be one of ${TYPES.join(", ")}`).optional(),
});

export const mediaRoutes: readonly Route[] = [
  { method: "GET", path: "/media", scope: "read", handle: listMedia },
  { method: "POST", path: "/media", scope: "write", handle: uploadMedia },
  { method: "GET", path: "/media/:id/file", scope: "read", handle: sendFile },
];

function listMedia(context: RequestContext, { store }: Backend): Response {
  const query = readQuery(context.req.query(), listQuery);
  const matching = store.allMedia().filter((item) => query.type === undefined || item.type === query.type);
  const page = pageOf(matching, (item) => `${item.created_at} ${item.id}`, query);
  return context.json({ ...page, data: page.data.map((item) => shown(item, context)) });
}

async function uploadMedia(context: RequestContext, { store, random, now }: Backend): Promise<Response> {
  const id = randomId("media", random, (each) => store.media(each) !== undefined);
  const draft = store.uploadPath(id);
  let media: StoredMedia;
  try {
    await receiveFile(context.env.incoming, draft);
    media = {
      id,
      ...(await kindOf(draft)),
      bytes: (await stat(draft)).size,
      created_at: new Date(now()).toISOString(),
    };
    await rename(draft, store.mediaPath(id));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // The name is on the disk before the record that leads to it.
  await syncFolder(dirname(store.mediaPath(id)));
  await store.append({ media });
  return context.json(shown(media, context), 201);
}

/** What the bytes are; the sender's word for it is not asked. */
async function kindOf(path: string): Promise<Pick<StoredMedia, "type" | "mime">> {
  const found = await fileTypeFromFile(path).catch(() => undefined);
  const type = TYPES.find((each) => found?.mime.startsWith(`${each}/`) === true);
  if (found === undefined || type === undefined) throw invalid("file", "must be an image or a video");
  return { type, mime: found.mime };
}

async function sendFile(context: RequestContext, { store }: Backend): Promise<Response> {
  const media = store.media(context.req.param("id") ?? "");
  if (media === undefined) throw new ServiceError("not_found", "There is no such media item.");
  const file = await open(store.mediaPath(media.id), "r");
  const { outgoing } = context.env;
  outgoing.writeHead(200, {
    "Content-Type": media.mime,
    "Content-Length": media.bytes,
    "X-Content-Type-Options": "nosniff",
  });
  // A reader that goes away is its own affair; hono's own streaming would print about it.
  await pipeline(file.createReadStream(), outgoing).catch(() => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** The port changes from run to run, so the address is made for the caller and not kept. */
function shown(media: StoredMedia, context: RequestContext) {
  const { localAddress, localPort } = context.env.incoming.socket;
  return { ...media, url: `http://${localAddress}:${localPort}/v1/media/${media.id}/file` };
}
