/** A mark for each platform: letters in a square of a colour of its own. No network's sign is copied. */
import type { PreviewPlatform } from "../preview/preview-data.ts";
import { element } from "./dom.ts";

/** By title. Letters, and the colour's name in page.css. */
const MARKS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["Bluesky", ["Bs", "sky"]],
  ["Facebook", ["Fb", "blue"]],
  ["Google Business", ["G", "green"]],
  ["Instagram", ["Ig", "pink"]],
  ["LinkedIn", ["in", "deep"]],
  ["Mastodon", ["Ma", "violet"]],
  ["Pinterest", ["Pi", "red"]],
  ["Threads", ["Th", "ink"]],
  ["TikTok", ["Tk", "teal"]],
  ["X", ["X", "ink"]],
  ["YouTube", ["Yt", "red"]],
]);

export function platformMark({ title }: PreviewPlatform): HTMLElement {
  const [letters, colour] = MARKS.get(title) ?? [Array.from(title).slice(0, 2).join(""), "grey"];
  return element("span", { class: `mark mark-${colour}`, "aria-hidden": "true" }, letters);
}

/**
 * The marks of a post, with the platforms' names for who does not see them.
 * @param most how many marks there is room for; of more, one gives its place to how many are left out
 */
export function platformMarks(platforms: readonly PreviewPlatform[], most = Infinity): HTMLElement {
  const names = platforms.map(({ title }) => title).join(", ");
  const shown = platforms.slice(0, platforms.length > most ? most - 1 : most);
  const more = platforms.length - shown.length;
  return element(
    "span",
    { class: "marks", title: names },
    ...shown.map(platformMark),
    more === 0 ? undefined : element("span", { class: "more-marks", "aria-hidden": "true" }, `+${more}`),
    element("span", { class: "unseen" }, names),
  );
}
