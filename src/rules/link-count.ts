import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { findLinks } from "./find-links.ts";
import { countWithNoun } from "./counted.ts";

/** content/links: different ones, as a link that stands twice counts once. */
export const tooManyLinks: PlatformRule = ({ content }, { title, limits: { links } }) => {
  // Text without a link has one part here, with one link two.
  if (links === undefined || content.split("://", links + 2).length - 1 <= links) return NO_FINDINGS;
  const { size } = new Set(findLinks(content, { bare: false }).map(({ text }) => text));
  if (size <= links) return NO_FINDINGS;
  const message = `The text has ${countWithNoun(size, "different link")}, and ${title} takes ${links}. Remove ${size - links}.`;
  return [{ message, field: "content" }];
};
