import type { Finding, PlatformRule } from "./check.ts";
import { mediaFiles, type MediaKind } from "./media-kind.ts";
import { countWithNoun } from "./counted.ts";

/** media/too-many: of each kind, and of all together. */
export const tooManyMedia: PlatformRule = (post, { title, limits }) => {
  const { media = [] } = post;
  const limitOf = { picture: limits.images, GIF: limits.gifs, video: limits.videos } as const;
  const files = mediaFiles(post, limits);
  const findings: Finding[] = [];
  for (const kind of ["picture", "GIF", "video"] as const satisfies readonly MediaKind[]) {
    const items = files.filter((each) => each.kind === kind).map(({ item }) => item);
    findings.push(...tooMany(items, limitOf[kind], kind, title));
  }
  return [...findings, ...tooMany([...media.keys()], limits.media, "picture or video", title)];
};

/** The finding stands at the first one that is too many. */
function tooMany(
  items: readonly number[],
  limit: number | undefined,
  what: string,
  title: string,
): Finding[] {
  const item = limit === undefined ? undefined : items[limit];
  if (limit === undefined || item === undefined) return [];
  const nouns = what === "picture or video" ? `${limit} pictures and videos` : countWithNoun(limit, what);
  const message = `The row has ${items.length}, and ${title} takes ${nouns} in a post. Take ${items.length - limit} out.`;
  return [{ message, field: "media", item }];
}
