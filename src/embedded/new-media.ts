import type { Writable } from "node:stream";
import { MEDIA_TYPES } from "./answers.ts";
import { randomId } from "./random-id.ts";
import type { StoredMedia } from "./records.ts";
import { invalidField } from "./request-body.ts";
import { serviceUrl, type Backend, type RequestContext } from "./route.ts";

/**
 * Puts a file into the media library. `write` brings its bytes to what `sink` gives, and resolves when all are there.
 * Rejects with what `write` rejects with, and with validation_error for what is no image or video; then nothing is kept.
 */
export async function addMedia(
  { store, random, now }: Backend,
  write: (sink: () => Writable) => Promise<void>,
): Promise<StoredMedia> {
  const id = randomId("media", random, (each) => store.media(each) !== undefined);
  const draft = store.files.draft(id);
  try {
    await write(() => draft.sink());
    const media = {
      id,
      ...detectMediaType(await draft.mime().catch(() => undefined)),
      bytes: await draft.bytes(),
      created_at: new Date(now()).toISOString(),
    };
    // The file is on the disk before the record that leads to it.
    await draft.keep();
    await store.append({ media });
    return media;
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Goes by what the bytes are; the sender's word for it is not asked. */
function detectMediaType(mime: string | undefined): Pick<StoredMedia, "type" | "mime"> {
  const type = MEDIA_TYPES.find((each) => mime?.startsWith(`${each}/`) === true);
  if (mime === undefined || type === undefined) throw invalidField("file", "must be an image or a video");
  return { type, mime };
}

/** A media item as callers see it. The address is made for the caller and not kept. */
export function toMediaAnswer(item: StoredMedia, context: RequestContext) {
  return { ...item, url: `${serviceUrl(context)}/media/${item.id}/file` };
}
