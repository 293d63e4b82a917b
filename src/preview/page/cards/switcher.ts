/** A post with a tab for each of its networks, and the card of the chosen one. The choice counts for all posts. */

import type { PreviewData, PreviewPlatform, PreviewPost } from "../../preview-data.ts";
import { element } from "../parts/dom.ts";
import { moveFocus } from "../parts/roving.ts";
import { meterList, platformMark, platformName, platformsOf } from "../parts/post-parts.ts";
import { approximation, networkCard } from "./network-card.ts";

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
      element("span", {}, platformName(platform)),
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
