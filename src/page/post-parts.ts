/** The parts that posts are shown with, in a month, in a list and by themselves. */
import type { PreviewData, PreviewPost } from "../preview/preview-data.ts";
import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";
import { plural } from "./model.ts";
import { STATUS_LABELS } from "./standings.ts";

export function platformsOf(post: PreviewPost, data: PreviewData): PreviewData["platforms"] {
  return post.platforms.flatMap((place) => data.platforms[place] ?? []);
}

export function mediaOf(post: PreviewPost, data: PreviewData): PreviewData["media"] {
  return post.media.flatMap((place) => data.media[place] ?? []);
}

export function problemsOf(post: PreviewPost, data: PreviewData): PreviewData["problems"] {
  return post.problems.flatMap((place) => data.problems[place] ?? []);
}

/** The worst of the problems of posts. */
function severityOf(posts: readonly PreviewPost[], data: PreviewData): "error" | "warning" | undefined {
  const found = posts.flatMap((post) => problemsOf(post, data));
  if (found.length === 0) return undefined;
  return found.some(({ severity }) => severity === "error") ? "error" : "warning";
}

export function badge({ status: standing }: PreviewPost): HTMLElement {
  const { label, meaning, icon: name } = STATUS_LABELS[standing];
  return element("span", { class: `badge is-${standing}`, title: meaning }, icon(ICONS[name]), label);
}

/** A sign that a post has problems, with how many for who does not see it. */
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

/** A sign that posts of a day have problems, where there is no room for those of each; the day says how many. */
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
