import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** media/mixed */
export const mixedMedia: PlatformRule = (post, { title, limits }) => {
  if (limits.mixed !== false) return NO_FINDINGS;
  const files = mediaFiles(post, limits);
  const other = files.find(({ kind }) => kind !== files[0]?.kind);
  if (other === undefined) return NO_FINDINGS;
  const kinds = [...new Set(files.map(({ kind }) => `${kind}s`))].join(" and ");
  const message = `${title} takes one kind of media in a post, and the row has ${kinds}. Make two posts of it.`;
  return [{ message, field: "media", item: other.item }];
};
