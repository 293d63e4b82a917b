import { NOTHING, type PlatformCheck } from "./check.ts";
import { findLinks } from "./find-links.ts";
import { counted } from "./counted.ts";

/** content/links: different ones, as a link that stands twice counts once. */
export const tooManyLinks: PlatformCheck = ({ content }, { title, limits: { links } }) => {
  // Text without a link has one part here, with one link two.
  if (links === undefined || content.split("://", links + 2).length - 1 <= links) return NOTHING;
  const { size } = new Set(findLinks(content, { bare: false }).map(({ text }) => text));
  if (size <= links) return NOTHING;
  const message = `The text has ${counted(size, "different link")}, and ${title} takes ${links}. Remove ${size - links}.`;
  return [{ message, field: "content" }];
};
