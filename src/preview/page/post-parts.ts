/** Parts that show posts in a month, in a list and in the dialog: status, platforms, problems, text length. */

import type { Meter, PreviewData, PreviewPlatform, PreviewPost, PreviewStatus } from "../preview-data.ts";
import { type IconName, ICONS, element, icon } from "./dom.ts";
import { numberText, plural } from "./model.ts";

interface StatusLabel {
  readonly label: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly icon: IconName;
}

/** In the order of the legend. The colours are in page.css, under `.is-` and the name, and are never the only sign. */
export const STATUS_LABELS = {
  create: { label: "Create", meaning: "Apply would schedule this post.", icon: "plus" },
  replace: {
    label: "Replace",
    meaning: "Apply would replace the scheduled post with this one.",
    icon: "swap",
  },
  cancel: { label: "Cancel", meaning: "Apply would cancel this post.", icon: "cross" },
  adopt: {
    label: "Adopt",
    meaning: "The service has this post; apply would adopt it for the row.",
    icon: "link",
  },
  hold: {
    label: "On hold",
    meaning: "plancast does not know yet whether this post is scheduled.",
    icon: "pause",
  },
  keep: {
    label: "Scheduled",
    meaning: "This post is scheduled as shown here; apply would not change it.",
    icon: "check",
  },
  ready: { label: "Ready", meaning: "The row is ready to be scheduled.", icon: "clock" },
  draft: { label: "Draft", meaning: "The row is a draft, so plancast does not schedule it.", icon: "pen" },
  skip: { label: "Skip", meaning: "The row is skipped, so plancast does not schedule it.", icon: "skip" },
  past: { label: "Past", meaning: "Its time has passed; apply would not change it.", icon: "past" },
} as const satisfies Record<PreviewStatus, StatusLabel>;

function isStatusName(name: string): name is PreviewStatus {
  return Object.hasOwn(STATUS_LABELS, name);
}

export const STATUS_NAMES = Object.keys(STATUS_LABELS).filter(isStatusName);

// A mark for each platform: letters in a square with a colour. No network's logo is copied.

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
 * The marks of a post, with the platforms' names for screen readers.
 * @param most space for this many marks; if there are more, the last one counts the rest
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

export function platformsOf(post: PreviewPost, data: PreviewData): PreviewData["platforms"] {
  return post.platforms.flatMap((place) => data.platforms[place] ?? []);
}

export function mediaOf(post: PreviewPost, data: PreviewData): PreviewData["media"] {
  return post.media.flatMap((place) => data.media[place] ?? []);
}

export function problemsOf(post: PreviewPost, data: PreviewData): PreviewData["problems"] {
  return post.problems.flatMap((place) => data.problems[place] ?? []);
}

/** The most severe problem of the posts. */
function severityOf(posts: readonly PreviewPost[], data: PreviewData): "error" | "warning" | undefined {
  const found = posts.flatMap((post) => problemsOf(post, data));
  if (found.length === 0) return undefined;
  return found.some(({ severity }) => severity === "error") ? "error" : "warning";
}

export function badge({ status }: PreviewPost): HTMLElement {
  const { label, meaning, icon: name } = STATUS_LABELS[status];
  return element("span", { class: `badge is-${status}`, title: meaning }, icon(ICONS[name]), label);
}

/** A sign that a post has problems, with their number for screen readers. */
export function problemSign(post: PreviewPost, data: PreviewData): HTMLElement | undefined {
  const severity = severityOf([post], data);
  if (severity === undefined) return undefined;
  const text = plural(post.problems.length, "problem");
  return element(
    "span",
    { class: `sign is-${severity}`, title: text },
    icon(ICONS.warning),
    element("span", { class: "unseen" }, text),
  );
}

/** A sign that posts of a day have problems, if there is no space for each; the day has the number. */
export function daySign(posts: readonly PreviewPost[], data: PreviewData): HTMLElement | undefined {
  const severity = severityOf(posts, data);
  if (severity === undefined) return undefined;
  return element("span", { class: `day-sign is-${severity}`, "aria-hidden": "true" }, icon(ICONS.warning));
}

export function problemList(problems: PreviewData["problems"]): HTMLElement | undefined {
  if (problems.length === 0) return undefined;
  const items = problems.map(({ severity, message, place, code }) =>
    element(
      "li",
      { class: `problem is-${severity}` },
      icon(ICONS.warning),
      element(
        "div",
        {},
        element("strong", {}, severity === "error" ? "Error: " : "Warning: "),
        element("bdi", {}, message),
        element("small", {}, element("bdi", {}, place), ` ${code}`),
      ),
    ),
  );
  return element("ul", { class: "problems" }, ...items);
}

// How much of each network's limit a text uses.

/** From this share on, a text is nearly too long. */
const NEARLY = 0.9;

export function meterList(meters: readonly Meter[], { platforms }: PreviewData): HTMLElement | undefined {
  // Bytes are a second limit, shown only if they decide.
  const shown = meters.filter(({ unit, used, limit }) => unit === "characters" || used > limit * NEARLY);
  if (shown.length === 0) return undefined;
  const rows = shown.map((meter) => meterRow(meter, platforms));
  return element("ul", { class: "meters", "aria-label": "Length of the text" }, ...rows);
}

function meterRow({ platform, used, limit, unit }: Meter, platforms: PreviewData["platforms"]): HTMLElement {
  const known = platforms[platform] ?? { name: "", title: "?" };
  const share = limit === 0 ? 1 : used / limit;
  const state = share > 1 ? "over" : share > NEARLY ? "near" : "fine";
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", { class: "fill" }));
  const fill = bar.firstElementChild;
  if (fill instanceof HTMLElement) fill.style.width = `${Math.min(1, share) * 100}%`;
  const left =
    share > 1 ? `${numberText(used - limit)} too many` : `${numberText(used)} of ${numberText(limit)}`;
  return element(
    "li",
    { class: `meter is-${state}` },
    platformMark(known),
    element("span", { class: "meter-name" }, known.title),
    bar,
    element("span", { class: "meter-count" }, `${left}${unit === "bytes" ? " bytes" : ""}`),
  );
}
