import { NOTHING, type PlatformCheck } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** media/required. Media that the row names by id may be what is needed. */
export const mediaMissing: PlatformCheck = (post, { title, limits: { media_required } }) => {
  if (post.media === undefined || media_required === undefined || media_required === "no") return NOTHING;
  const files = mediaFiles(post);
  if (files.length < post.media.length) return NOTHING;
  if (files.some(({ kind }) => media_required === "any" || kind === "video")) return NOTHING;
  const what = media_required === "any" ? "a picture or video" : "a video";
  const message = `${title} takes no post without ${what}. Name a file in media, or leave ${title} out of the row.`;
  return [{ message, field: "media" }];
};
