import { NOTHING, type PlatformCheck } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** media/mixed */
export const mixedMedia: PlatformCheck = (post, { title, limits }) => {
  if (limits.mixed !== false) return NOTHING;
  const files = mediaFiles(post, limits);
  const other = files.find(({ kind }) => kind !== files[0]?.kind);
  if (other === undefined) return NOTHING;
  const kinds = [...new Set(files.map(({ kind }) => `${kind}s`))].join(" and ");
  const message = `${title} takes one kind of media in a post, and the row has ${kinds}. Make two posts of it.`;
  return [{ message, field: "media", item: other.item }];
};
