/** A stored post as networks get it. */

import { readFacts } from "../../media/read-media.ts";
import type { NetworkMedia, NetworkPost } from "../../networks/network.ts";
import type { StoredMedia, StoredPost } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** Undefined if the library does not have all of its media. */
export async function networkPost(
  { id, content, scheduled_at, media_ids, alt = [], thread, first_comment: comment }: StoredPost,
  accountId: string,
  store: Store,
): Promise<NetworkPost | undefined> {
  const media: NetworkMedia[] = [];
  for (const [index, mediaId] of media_ids.entries()) {
    const item = store.media(mediaId);
    if (item === undefined) return undefined;
    const text = alt[index] ?? "";
    media.push({ ...(await networkMedia(item, store)), ...(text === "" ? {} : { alt: text }) });
  }
  return {
    key: `${accountId} ${id}`,
    content,
    scheduledAt: scheduled_at,
    media,
    ...(thread === undefined ? {} : { thread }),
    ...(comment === undefined ? {} : { comment }),
  };
}

async function networkMedia({ id, mime, bytes }: StoredMedia, { files }: Store): Promise<NetworkMedia> {
  const place = files.place(id);
  const facts = place === undefined ? {} : await readFacts(place.path, mime).catch(() => ({}));
  return { mime, bytes, facts, open: () => files.file(id, mime) };
}
