import { mediaAnswer, mediaList } from "./answers.ts";
import { addMedia, toMediaAnswer } from "./new-media.ts";
import { pageOf } from "./paging.ts";
import { mediaQuery } from "./requests.ts";
import { endpoint, fileForm, noBody, noQuery, type Route } from "./route.ts";
import { sendMedia } from "./send-media.ts";
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
    return { ...page, data: page.data.map((item) => toMediaAnswer(item, context)) };
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
  answer: mediaAnswer,
  async handle({ context }, backend) {
    const made = await addMedia(backend, (sink) => receiveFile(context.env.incoming, sink));
    return toMediaAnswer(made, context);
  },
});

const downloadMedia = endpoint({
  method: "GET",
  path: "/media/:id/file",
  scope: "read",
  operation: "downloadMedia",
  summary: "Sends the file of a media item",
  query: noQuery,
  body: noBody,
  answer: "file",
  handle: ({ id, context }, backend) => sendMedia(id, context, backend),
});

export const mediaRoutes: readonly Route[] = [listMedia, uploadMedia, downloadMedia];
