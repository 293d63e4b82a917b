import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** media/required. Media that the row names by id may be what is needed. */
export const mediaMissing: PlatformRule = (post, { title, limits: { media_required } }) => {
  if (post.media === undefined || media_required === undefined || media_required === "no") return NO_FINDINGS;
  const files = mediaFiles(post);
  if (files.length < post.media.length) return NO_FINDINGS;
  if (files.some(({ kind }) => media_required === "any" || kind === "video")) return NO_FINDINGS;
  const what = media_required === "any" ? "a picture or video" : "a video";
  const message = `${title} takes no post without ${what}. Name a file in media, or leave ${title} out of the row.`;
  return [{ message, field: "media" }];
};
