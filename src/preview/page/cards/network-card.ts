/** A post as each of its networks shows it, with a tab for each. A card has only plain shapes, and copies no network's own design. */

import {
  type ActionName,
  type CardPart,
  type FoldedText,
  type NetworkLook,
  foldText,
  hostOf,
  isKnownLook,
  lookOf,
  lookOfType,
  shownLink,
} from "../../network-looks.ts";
import type { PreviewData, PreviewPlatform, PreviewPost } from "../../preview-data.ts";
import { ICONS, element, icon, moveFocus } from "../parts/dom.ts";
import {
  mediaOf,
  mediaOfTexts,
  meterList,
  platformMark,
  platformTitle,
  platformsOf,
} from "../parts/post-parts.ts";
import { readersClock } from "../parts/reader.ts";
import { mediaOfCard, profileTile } from "./pictures.ts";

function networkCard(post: PreviewPost, platform: PreviewPlatform, data: PreviewData): HTMLElement {
  const optionOf = (wanted: string): string | undefined =>
    post.options?.find(([of, option]) => of === platform.name && option === wanted)?.[2];
  const look = lookOfType(lookOf(platform.title), optionOf("type"));
  const name = look.network.toLowerCase().replaceAll(" ", "-") || "other";
  const title = optionOf("title") ?? optionOf("subject");
  const parts = look.parts.flatMap((part) => [
    ...(part === "text" && title !== undefined ? [element("p", { class: "post-title" }, title)] : []),
    partOf(part, look, post, data),
  ]);
  return element("div", { class: `network look-${name}` }, ...parts);
}

function partOf(
  part: CardPart,
  look: NetworkLook,
  post: PreviewPost,
  data: PreviewData,
): HTMLElement | undefined {
  const { content } = post;
  const [ownMedia = []] = mediaOfTexts(post, data);
  switch (part) {
    case "head":
      return accountHead(post, data);
    case "text":
      if (content === undefined)
        return element("p", { class: "quiet" }, "The service does not show the text of this post.");
      if (content === "") return undefined;
      // A client approves every word, so no word is hidden.
      return caption(content, data.client === undefined ? look.fold : undefined, look.links);
    case "media":
      return mediaOfCard(ownMedia, look);
    case "link":
      if (look.linkCard === undefined || content === undefined || ownMedia.length > 0) return undefined;
      return linkCard(content, look.linkCard);
    case "actions":
      return actionRow(look.actions);
    case "profile":
      return profileTile(mediaOf(post, data), look);
    default:
      return part satisfies never;
  }
}

/** The project's name in place of the account's. */
function accountHead({ clock }: PreviewPost, { title }: PreviewData): HTMLElement {
  const [letter = ""] = Array.from(title);
  return element(
    "div",
    { class: "account" },
    element("span", { class: "avatar", "aria-hidden": "true" }, letter.toUpperCase()),
    element("bdi", { class: "account-name" }, title),
    element("span", { class: "quiet" }, readersClock(clock)),
  );
}

const ACTION_ICONS: Readonly<Record<ActionName, string>> = {
  like: ICONS.heart,
  comment: ICONS.bubble,
  repeat: ICONS.swap,
  send: ICONS.send,
  save: ICONS.flag,
};

/** Only drawn: nothing can be liked here. */
function actionRow(actions: readonly ActionName[]): HTMLElement | undefined {
  if (actions.length === 0) return undefined;
  return element(
    "div",
    { class: "actions", "aria-hidden": "true" },
    ...actions.map((each) => element("span", { class: `action action-${each}` }, icon(ACTION_ICONS[each]))),
  );
}

/** What the card only approximates, in a sentence or two. */
function approximation({ title }: PreviewPlatform): string {
  const look = lookOf(title);
  if (!isKnownLook(look))
    return `plancast does not know how ${title} shows posts, so this card is a plain one.`;
  const rest = "Names, crops and link cards may differ in its apps.";
  const { characters, onComputers, lines } = look.fold ?? {};
  if (characters === undefined && lines === undefined) return `Approximate. ${rest}`;
  const most = [
    characters === undefined ? undefined : `${characters} characters`,
    lines === undefined ? undefined : `${lines} lines`,
  ].filter((each) => each !== undefined);
  const computers = onComputers === undefined ? "" : ` on a phone, and ${onComputers} on a computer`;
  return `Approximate: ${title} shows about ${most.join(" or ")}${computers} before the rest. ${rest}`;
}

// The tabs of the networks, and the card of the chosen one. The choice counts for all posts.

/** The network that the reader looked at last, by name. */
export interface NetworkChoice {
  network: string;
}

/** For a row with a fault in its networks, and for a post of the service without any. */
const NO_NETWORK: PreviewPlatform = { name: "", title: "" };

/** @param isWhole whether to say what the card only approximates */
export function postOnNetworks(
  post: PreviewPost,
  data: PreviewData,
  choice: NetworkChoice,
  isWhole: boolean,
): HTMLElement {
  const known = platformsOf(post, data);
  const platforms = known.length === 0 ? [NO_NETWORK] : known;
  const panel = element("div", { class: "network-panel" });
  const made = element("div", { class: "on-networks" });
  let shown = platforms.find(({ name }) => name === choice.network) ?? platforms[0];

  const tabs = platforms.map((platform) =>
    element(
      "button",
      { class: "network-tab", type: "button", role: "tab", onclick: () => choose(platform) },
      platformMark(platform),
      element("span", {}, platformTitle(platform)),
    ),
  );

  function choose(platform: PreviewPlatform): void {
    choice.network = platform.name;
    shown = platform;
    show();
  }

  function show(): void {
    for (const [index, tab] of tabs.entries()) {
      const isShown = platforms[index] === shown;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    if (shown === undefined) return;
    const place = data.platforms.indexOf(shown);
    panel.setAttribute("aria-label", shown.title === "" ? "Post" : shown.title);
    const meters = meterList(
      post.meters.filter(({ platform }) => platform === place),
      data,
    );
    const note =
      isWhole && shown.title !== "" ? element("p", { class: "approximate" }, approximation(shown)) : "";
    panel.replaceChildren(networkCard(post, shown, data), note, meters ?? "");
  }

  if (tabs.length > 1) {
    const list = element(
      "div",
      { class: "network-tabs", role: "tablist", "aria-label": "Networks" },
      ...tabs,
    );
    list.addEventListener("keydown", (event) => moveFocus(event, tabs, (tab) => tab.click()));
    panel.setAttribute("role", "tabpanel");
    made.append(list);
  } else panel.setAttribute("role", "group");
  show();
  made.append(panel);
  return made;
}

// The text: highlighted links, tags and mentions, folded where the network folds it. Nothing in it can be opened but the rest
// of the text.

const PARTS =
  /https?:\/\/[^\s<>"]{1,2000}|(?<![\p{L}\p{N}_&/])[#＃][\p{L}\p{N}\p{M}_]{1,140}|(?<![\p{L}\p{N}_.])@[\w.@-]{1,100}/gu;

function caption(content: string, fold: NetworkLook["fold"], links: NetworkLook["links"]): HTMLElement {
  const { shown, rest }: FoldedText = foldText(content, fold);
  // Each paragraph has its own direction, so that one cannot change the others.
  const text = element("div", { class: "text", dir: "auto" }, ...richParts(shown, links));
  const made = element("div", { class: "caption" }, text);
  if (fold === undefined || rest === "") return made;
  const { word } = fold;
  const hidden = element("span", { class: "rest", hidden: true }, ...richParts(rest, links));
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
function linkCard(content: string, which: "first" | "last"): HTMLElement | undefined {
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
