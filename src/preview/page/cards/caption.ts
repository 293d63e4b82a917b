/**
 * A text as a network shows it: highlighted links, tags and mentions, folded where the network folds it. Nothing in it
 * can be opened but the rest of the text.
 */

import { type NetworkLook, type FoldedText, foldText, hostOf, shownLink } from "../../network-looks.ts";
import { element } from "../parts/dom.ts";

const PARTS =
  /https?:\/\/[^\s<>"]{1,2000}|(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{N}\p{M}_]{1,140}|(?<![\p{L}\p{N}_.])@[\w.@-]{1,100}/gu;

export function caption(content: string, look: NetworkLook): HTMLElement {
  const { shown, rest }: FoldedText = foldText(content, look.fold);
  // Each paragraph has its own direction, so that one cannot change the others.
  const text = element("div", { class: "text", dir: "auto" }, ...richParts(shown, look.links));
  const made = element("div", { class: "caption" }, text);
  if (look.fold === undefined || rest === "") return made;
  const { word } = look.fold;
  const hidden = element("span", { class: "rest", hidden: true }, ...richParts(rest, look.links));
  const toggle = element(
    "button",
    {
      class: "see-more",
      type: "button",
      "aria-expanded": "false",
      onclick: () => {
        const isOpen = hidden.hidden;
        hidden.hidden = !isOpen;
        made.classList.toggle("is-folded", !isOpen);
        toggle.setAttribute("aria-expanded", String(isOpen));
        toggle.textContent = isOpen ? "Show less" : word;
      },
    },
    word,
  );
  made.classList.add("is-folded");
  text.append(hidden);
  made.append(toggle);
  return made;
}

function richParts(text: string, links: NetworkLook["links"]): (Node | string)[] {
  const made: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    const [part] = match;
    const isLink = part.startsWith("http");
    const isPlain = isLink && links === "plain";
    const shown = isLink ? shownLink(part, links) : part;
    const title = shown === part ? undefined : part;
    made.push(text.slice(end, match.index));
    made.push(isPlain ? part : element("span", { class: "entity", title }, shown));
    end = match.index + part.length;
  }
  made.push(text.slice(end));
  return made;
}

/** A card for the first or last link of a post without media. Its title and picture come from the linked page. */
export function linkCard(content: string, which: "first" | "last"): HTMLElement | undefined {
  const links = [...content.matchAll(PARTS)].map(([part]) => part).filter((part) => part.startsWith("http"));
  const address = which === "first" ? links[0] : links.at(-1);
  const host = address === undefined ? "" : hostOf(address);
  if (host === "") return undefined;
  return element(
    "div",
    { class: "link-card" },
    element("bdi", { class: "link-host" }, host),
    element(
      "span",
      { class: "quiet" },
      "Link card. The title and picture come from the linked page when the post is published.",
    ),
  );
}
