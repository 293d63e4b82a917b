import { pipeline } from "node:stream/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Backend, RequestContext } from "./route.ts";
import { ServiceError } from "./service-error.ts";

/** Answers with the bytes of a media item. Rejects with not_found, or with the disk's error. */
export async function sendMedia(id: string, context: RequestContext, { store }: Backend): Promise<Response> {
  const found = store.media(id);
  if (found === undefined) throw new ServiceError("not_found", "There is no such media item.");
  const bytes = await store.files.read(found.id);
  const { outgoing } = context.env;
  outgoing.writeHead(200, {
    "Content-Type": found.mime,
    "Content-Length": found.bytes,
    "X-Content-Type-Options": "nosniff",
  });
  // A reader that goes away is its own affair; hono's own streaming would print about it.
  await pipeline(bytes, outgoing).catch(() => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}
