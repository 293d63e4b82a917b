import { NO_FINDINGS, type PostRule } from "./check.ts";
import { mediaFiles } from "./media-kind.ts";

/** media/broken */
export const brokenMedia: PostRule = (post) => {
  if (post.media === undefined || post.media.length === 0) return NO_FINDINGS;
  return mediaFiles(post).flatMap(({ file: { path, facts }, item }) => {
    if (facts?.damage === undefined) return [];
    const what =
      facts.damage === "cut-short" ? "is cut short: its end is missing" : "is damaged: it cannot be read";
    return [{ message: `"${path}" ${what}. Export or copy it again.`, field: "media", item } as const];
  });
};
