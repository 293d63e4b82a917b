/** Texts on Mastodon: how long a text is, and whether a status shows the text that was sent. */

import { findLinks } from "../checks/rules/links-and-tags.ts";

/** Characters of a text. @param perLink how many characters each link counts as; undefined for its own length */
export function countWithLinks(text: string, perLink: number | undefined): number {
  const links = perLink === undefined ? [] : findLinks(text, { bare: false });
  const spared = links.reduce((sum, { text: link }) => sum + graphemes(link) - (perLink ?? 0), 0);
  return graphemes(text) - spared;
}

const segmenter = new Intl.Segmenter();

function graphemes(text: string): number {
  return [...segmenter.segment(text)].length;
}

/**
 * Whether a status shows the text. Servers write HTML: they add links, drop the server of a mention, and some apply
 * Markdown. Therefore only letters, digits and emoji count.
 */
export function isSameText(sent: string, html: string): boolean {
  const shown = skeleton(textIn(html));
  const text = withoutServers(sent);
  // Some servers treat tags in a text as their own.
  return skeleton(text) === shown || skeleton(textIn(text)) === shown;
}

/** `@name@server` is shown as `@name`. */
function withoutServers(text: string): string {
  return text.replaceAll(/(@[\w.-]+)@[\w.-]+\w/g, "$1");
}

function skeleton(text: string): string {
  return text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/gu, "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of simple HTML, as servers write statuses. */
function textIn(html: string): string {
  const text = html.replaceAll(/<[^<>]*>/g, "");
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === "string") return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
