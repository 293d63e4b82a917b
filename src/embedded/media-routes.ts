import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { fileTypeFromFile } from "file-type";
import { syncFolder } from "../state/folder.ts";
import { media, mediaList, MEDIA_TYPES } from "./answers.ts";
import { pageOf } from "./paging.ts";
import { randomId } from "./random-id.ts";
import type { StoredMedia } from "./records.ts";
import { invalid } from "./request-body.ts";
import { mediaQuery } from "./requests.ts";
import { endpoint, fileForm, noBody, noQuery, serviceUrl, type RequestContext, type Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";
import { receiveFile } from "./upload.ts";

const listMedia = endpoint({
  method: "GET",
  path: "/media",
  scope: "read",
  operation: "listMedia",
  summary: "Lists the media library, oldest first",
  query: mediaQuery,
  body: noBody,
  answer: mediaList,
  handle({ query, context }, { store }) {
    const matching = store.allMedia().filter((item) => query.type === undefined || item.type === query.type);
    const page = pageOf(matching, (item) => `${item.created_at} ${item.id}`, query);
    return { ...page, data: page.data.map((item) => shown(item, context)) };
  },
});

const uploadMedia = endpoint({
  method: "POST",
  path: "/media",
  scope: "write",
  operation: "uploadMedia",
  summary: "Uploads an image or a video",
  query: noQuery,
  body: fileForm,
  status: 201,
  answer: media,
  async handle({ context }, { store, random, now }) {
    const id = randomId("media", random, (each) => store.media(each) !== undefined);
    const draft = store.uploadPath(id);
    let made: StoredMedia;
    try {
      await receiveFile(context.env.incoming, draft);
      made = {
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
    await store.append({ media: made });
    return shown(made, context);
  },
});

const sendFile = endpoint({
  method: "GET",
  path: "/media/:id/file",
  scope: "read",
  operation: "downloadMedia",
  summary: "Sends the file of a media item",
  query: noQuery,
  body: noBody,
  answer: "file",
  async handle({ id, context }, { store }) {
    const found = store.media(id);
    if (found === undefined) throw new ServiceError("not_found", "There is no such media item.");
    const file = await open(store.mediaPath(found.id), "r");
    const { outgoing } = context.env;
    outgoing.writeHead(200, {
      "Content-Type": found.mime,
      "Content-Length": found.bytes,
      "X-Content-Type-Options": "nosniff",
    });
    // A reader that goes away is its own affair; hono's own streaming would print about it.
    await pipeline(file.createReadStream(), outgoing).catch(() => outgoing.destroy());
    return RESPONSE_ALREADY_SENT;
  },
});

export const mediaRoutes: readonly Route[] = [listMedia, uploadMedia, sendFile];

/** What the bytes are; the sender's word for it is not asked. */
async function kindOf(path: string): Promise<Pick<StoredMedia, "type" | "mime">> {
  const found = await fileTypeFromFile(path).catch(() => undefined);
  const type = MEDIA_TYPES.find((each) => found?.mime.startsWith(`${each}/`) === true);
  if (found === undefined || type === undefined) throw invalid("file", "must be an image or a video");
  return { type, mime: found.mime };
}

/** The address is made for the caller and not kept. */
function shown(item: StoredMedia, context: RequestContext) {
  return { ...item, url: `${serviceUrl(context)}/media/${item.id}/file` };
}
