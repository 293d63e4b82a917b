/**
 * Parts that show posts in a month, in a list and in the dialog: platforms, status, problems, text length, results, replies
 * and alt texts.
 */

import { mediaByText } from "../../../model/extras.ts";
import { formatNumber } from "../../../model/text.ts";
import { plural } from "../../../report/text/numbers.ts";
import { groupBy } from "../../../model/data.ts";
import { lookOf } from "../../network-looks.ts";
import type { Meter, PreviewData, PreviewMedia, PreviewPlatform, PreviewPost } from "../../preview-data.ts";
import { ICONS, element, icon } from "./dom.ts";
import { STATUS_LABELS } from "./model.ts";
import { fullDay, readersClock } from "./reader.ts";

// A mark for each platform: letters in a square with a colour.

export function platformMark({ title }: PreviewPlatform): HTMLElement {
  const [letters, colour] = lookOf(title).mark;
  const mark = element("span", { class: "mark", "aria-hidden": "true" }, letters);
  mark.style.background = colour;
  return mark;
}

/** For example `Mastodon (press, mastodon.social)`. */
export function platformTitle({ title, account }: PreviewPlatform): string {
  return account === undefined ? title : `${title} (${account})`;
}

/**
 * The marks of a post, with the platforms' names for screen readers.
 * @param most space for this many marks; if there are more, the last one counts the rest
 */
export function platformMarks(platforms: readonly PreviewPlatform[], most = Infinity): HTMLElement {
  const names = platforms.map(platformTitle).join(", ");
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

/** A medium of a post, with its description in that post. */
export interface ShownMedia extends PreviewMedia {
  /** Empty for none. */
  readonly alt: string;
}

export function mediaOf({ media, alt = [] }: PreviewPost, data: PreviewData): readonly ShownMedia[] {
  return media.flatMap((place, index) => {
    const found = data.media[place];
    return found === undefined ? [] : [{ ...found, alt: alt[index] ?? "" }];
  });
}

/** The media of each of its texts: of the post itself, and then of its replies. */
export function mediaOfTexts(post: PreviewPost, data: PreviewData): readonly (readonly ShownMedia[])[] {
  const counts = (post.replies ?? []).map(({ media = 0 }) => media);
  return mediaByText(mediaOf(post, data), { thread_media: counts });
}

/** Its name; a client's page has none. */
export function mediaTitle({ name, kind }: Pick<ShownMedia, "name" | "kind">): string {
  if (name !== "") return name;
  return { picture: "Picture", video: "Video", unknown: "Picture or video" }[kind];
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

/** The time of a post: the next free slot can still change. */
export const NEXT_SLOT = "next free slot";

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
  return element("ul", { class: "problems" }, ...problems.map((each) => problemItem(each)));
}

/** From this number on, problems of one kind are shown together, because that takes less space. */
const ALIKE = 3;

/** The problems of a post. Of many that are alike, only the first one is open. */
export function postProblems(post: PreviewPost, data: PreviewData): HTMLElement | undefined {
  const groups = [...groupBy(problemsOf(post, data), ({ code, severity }) => `${severity} ${code}`).values()];
  if (groups.length === 0) return undefined;
  const items = groups.flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || group.length < ALIKE) return group.map((each) => problemItem(each));
    const more = element("summary", {}, `${formatNumber(others.length)} more like this`);
    return problemItem(first, element("details", {}, more, problemList(others)));
  });
  return element("ul", { class: "problems" }, ...items);
}

function problemItem(
  { severity, message, place, code }: PreviewData["problems"][number],
  others?: HTMLElement,
): HTMLElement {
  return element(
    "li",
    { class: `problem is-${severity}` },
    icon(ICONS.warning),
    element(
      "div",
      {},
      element("strong", {}, severity === "error" ? "Error: " : "Warning: "),
      element("bdi", {}, ...withCode(message)),
      element("small", {}, element("bdi", {}, place), ` ${code}`),
      others,
    ),
  );
}

/** Names between backticks, as in the terminal, in the form of code. */
function withCode(text: string): (HTMLElement | string)[] {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

// How much of each network's limit a text uses.

/** From this share on, a text is nearly too long. */
const NEARLY = 0.9;

export function meterList(
  meters: readonly Meter[],
  { platforms }: Pick<PreviewData, "platforms">,
): HTMLElement | undefined {
  const counted = new Set(meters.flatMap(({ unit, platform }) => (unit === "characters" ? platform : [])));
  // If a network has two limits, that of bytes is shown only if it decides.
  const shown = meters.filter(
    ({ unit, platform, used, limit }) =>
      unit === "characters" || !counted.has(platform) || used > limit * NEARLY,
  );
  if (shown.length === 0) return undefined;
  const rows = shown.map((meter) => meterRow(meter, platforms));
  return element("ul", { class: "meters", "aria-label": "Length of the text" }, ...rows);
}

function meterRow({ platform, used, limit, unit }: Meter, platforms: PreviewData["platforms"]): HTMLElement {
  const known: PreviewPlatform = platforms[platform] ?? { name: "", title: "?" };
  const share = limit === 0 ? 1 : used / limit;
  const state = share > 1 ? "over" : share > NEARLY ? "near" : "fine";
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", { class: "fill" }));
  const fill = bar.firstElementChild;
  if (fill instanceof HTMLElement) fill.style.width = `${Math.min(1, share) * 100}%`;
  const left =
    share > 1 ? `${formatNumber(used - limit)} too many` : `${formatNumber(used)} of ${formatNumber(limit)}`;
  return element(
    "li",
    { class: `meter is-${state}` },
    platformMark(known),
    element("span", { class: "meter-name" }, platformTitle(known)),
    bar,
    element("span", { class: "meter-count" }, `${left}${unit === "bytes" ? " bytes" : ""}`),
  );
}

// What belongs to a post besides its text and media.

/** More days are only counted. */
const MAX_DAYS = 12;

/** What a row that repeats publishes besides this post. */
export function seriesList({ repeats }: PreviewPost): HTMLElement | undefined {
  if (repeats === undefined) return undefined;
  const { rule, until, days, except, texts } = repeats;
  const shown = days.slice(0, MAX_DAYS).map((each) => {
    const [day = "", clock = ""] = each.split(" ");
    return element("li", {}, `${fullDay(day)}, ${readersClock(clock)}`);
  });
  const rest = days.length - shown.length;
  return element(
    "section",
    { class: "extras series" },
    element("h3", {}, "This post repeats"),
    element(
      "dl",
      {},
      element("dt", {}, "How often"),
      element("dd", { dir: "auto" }, rule),
      element("dt", {}, "Until"),
      element("dd", {}, until === undefined ? "It never stops." : fullDay(until)),
      ...(except.length === 0
        ? []
        : [element("dt", {}, "Exceptions"), element("dd", { dir: "auto" }, except.join("; "))]),
    ),
    element("h3", {}, "Next posts"),
    element(
      "ol",
      {},
      ...shown,
      rest === 0 ? undefined : element("li", {}, `and ${plural(rest, "more post")}`),
    ),
    ...(texts.length === 0
      ? []
      : [
          element("h3", {}, "All other texts"),
          element(
            "ol",
            { class: "series-texts" },
            ...texts.map((text) => element("li", { dir: "auto" }, text)),
          ),
        ]),
    element("p", { class: "quiet" }, "Your answer is for all of these posts."),
  );
}

/** When the post expires, on a client's page. */
export function expiryLine({ expires }: PreviewPost): HTMLElement | undefined {
  return expires === undefined ? undefined : element("p", { class: "quiet" }, `Expires: ${expires}`);
}

/** What single networks need for the post, such as a title or a visibility. */
export function optionList({ options }: PreviewPost, { platforms }: PreviewData): HTMLElement | undefined {
  if (options === undefined) return undefined;
  const rows = options.flatMap(([platform, option, value]) => {
    const title = platforms.find(({ name }) => name === platform)?.title ?? platform;
    return [
      element("dt", {}, `${title} ${option.replaceAll("_", " ")}`.trim()),
      element("dd", { dir: "auto" }, value),
    ];
  });
  return element("section", { class: "extras" }, element("h3", {}, "Options"), element("dl", {}, ...rows));
}

/** The description of each picture and video, if any of them has one. */
export function altList(post: PreviewPost, data: PreviewData): HTMLElement | undefined {
  if (post.alt === undefined) return undefined;
  const rows = mediaOf(post, data).flatMap(({ alt, ...media }) => [
    element("dt", {}, element("bdi", {}, mediaTitle(media))),
    element("dd", alt === "" ? { class: "quiet" } : { dir: "auto" }, alt || "No alt text"),
  ]);
  return element("section", { class: "extras" }, element("h3", {}, "Alt texts"), element("dl", {}, ...rows));
}

/** What happened on each network. */
export function resultList({ results = [] }: PreviewPost): HTMLElement | undefined {
  if (results.length === 0) return undefined;
  const rows = results.map(({ network, state, reason, url }) =>
    element(
      "li",
      { class: `result is-${state}` },
      icon(state === "published" ? ICONS.check : ICONS.warning),
      element(
        "div",
        {},
        element("strong", {}, `${network}: ${state}`),
        reason === undefined ? undefined : element("bdi", { class: "result-text" }, reason),
        url === undefined ? undefined : publishedAt(url),
      ),
    ),
  );
  return element(
    "section",
    { class: "results" },
    element("h3", {}, "What happened"),
    element("ul", {}, ...rows),
  );
}

/** The address of a published post. The service could write anything into it, so it is a link only if it is of the web. */
function publishedAt(url: string): HTMLElement {
  const text = element("bdi", {}, url);
  if (!/^https?:\/\//i.test(url)) return element("span", { class: "result-text quiet" }, text);
  return element(
    "a",
    { class: "result-text", href: url, target: "_blank", rel: "noopener noreferrer" },
    text,
  );
}
