import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { media, mediaList } from "./answers.ts";
import { addMedia, shownMedia } from "./new-media.ts";
import { pageOf } from "./paging.ts";
import { mediaQuery } from "./requests.ts";
import { endpoint, fileForm, noBody, noQuery, type Route } from "./route.ts";
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
    return { ...page, data: page.data.map((item) => shownMedia(item, context)) };
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
  async handle({ context }, backend) {
    const made = await addMedia(backend, (sink) => receiveFile(context.env.incoming, sink));
    return shownMedia(made, context);
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
    const file = await store.files.read(found.id);
    const { outgoing } = context.env;
    outgoing.writeHead(200, {
      "Content-Type": found.mime,
      "Content-Length": found.bytes,
      "X-Content-Type-Options": "nosniff",
    });
    // A reader that goes away is its own affair; hono's own streaming would print about it.
    await pipeline(file, outgoing).catch(() => outgoing.destroy());
    return RESPONSE_ALREADY_SENT;
  },
});

export const mediaRoutes: readonly Route[] = [listMedia, uploadMedia, sendFile];
