/** A text as a network shows it: links, tags and mentions stand out. None can be opened from here. */
import { element } from "./dom.ts";

const PARTS =
  /https?:\/\/[^\s<>"]{1,2000}|(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{N}\p{M}_]{1,140}|(?<![\p{L}\p{N}_.])@[\w.@-]{1,100}/gu;

export function richText(text: string): HTMLElement {
  // The direction of each paragraph is its own; what one of them says moves nothing around it.
  const made = element("div", { class: "text", dir: "auto" });
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    made.append(text.slice(end, match.index), element("span", { class: "entity" }, match[0]));
    end = match.index + match[0].length;
  }
  made.append(text.slice(end));
  return made;
}
