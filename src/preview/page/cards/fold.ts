/** Where networks fold a text, and how they show its links. Pure. */

import type { Fold, NetworkLook } from "../../network-looks.ts";

export interface FoldedText {
  readonly shown: string;
  /** Empty if the network shows all of it. */
  readonly rest: string;
}

/** A word is moved to the rest as a whole if it starts at most this many characters before the fold. */
const LONGEST_WORD = 20;

/** Splits a text where the network hides the rest. Counts characters as people see them. */
export function foldText(text: string, fold: Fold | undefined): FoldedText {
  if (fold === undefined) return { shown: text, rest: "" };
  const end = Math.min(lineEnd(text, fold.lines), characterEnd(text, fold.characters));
  // A few spaces at the end are not worth a fold.
  if (text.slice(end).trim() === "") return { shown: text, rest: "" };
  const shown = text.slice(0, end).trimEnd();
  return { shown, rest: text.slice(shown.length) };
}

function lineEnd(text: string, lines: number | undefined): number {
  if (lines === undefined) return text.length;
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) return text.length;
  }
  return end;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function characterEnd(text: string, characters: number | undefined): number {
  if (characters === undefined || text.length <= characters) return text.length;
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === characters) return wordStart(text, index);
    count += 1;
  }
  return text.length;
}

/** The start of the word at a place, unless the word is long. */
function wordStart(text: string, at: number): number {
  if (isBlank(text, at)) return at;
  for (let start = at; start > 0 && at - start <= LONGEST_WORD; start -= 1)
    if (isBlank(text, start - 1)) return start;
  return at;
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at).trim() === "";
}

/** A link as the network writes it into a text: without the scheme, its path shortened. */
export function shownLink(address: string, links: NetworkLook["links"]): string {
  if (typeof links === "string") return address;
  const rest = address.replace(/^https?:\/\/(?:www\.)?/i, "");
  const end = rest.search(/[/?#]/);
  const host = end === -1 ? rest : rest.slice(0, end);
  const path = end === -1 ? "" : rest.slice(rest[end] === "/" ? end + 1 : end);
  if (host === "") return address;
  if (path === "") return host;
  return `${host}/${path.length > links ? `${path.slice(0, links)}…` : path}`;
}

/** The host of a link, as on its card. */
export function hostOf(address: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)/i.exec(address) ?? [];
  return host.toLowerCase();
}
