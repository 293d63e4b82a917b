/** What stands above the posts: filters, which are the legend as well. */
import type { PreviewStatus } from "../preview/preview-data.ts";
import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";
import { platformMark } from "./marks.ts";
import { numberText, type Filters, type Model } from "./model.ts";
import { STATUS_NAMES, STATUS_LABELS } from "./standings.ts";

type Change = (filters: Filters) => void;

/** Statuses with how many posts have them; those that no post has are left out. */
export function statusChips({ data }: Model, filters: Filters, change: Change): HTMLElement {
  const counts = new Map<PreviewStatus, number>();
  for (const { status: standing } of data.posts) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  const chips = STATUS_NAMES.filter((name) => counts.has(name)).map((name) => {
    const { label, meaning, icon: drawn } = STATUS_LABELS[name];
    const press = (): void => change({ ...filters, statuses: toggled(filters.statuses, name) });
    return chip(
      `is-${name}`,
      filters.statuses.has(name),
      meaning,
      press,
      icon(ICONS[drawn]),
      label,
      countBadge(counts.get(name)),
    );
  });
  const wrong = data.posts.filter(({ problems }) => problems.length > 0).length;
  if (wrong > 0) {
    const press = (): void => change({ ...filters, problems: !filters.problems });
    chips.push(
      chip(
        "is-problem",
        filters.problems,
        "Posts with problems",
        press,
        icon(ICONS.warning),
        "Problems",
        countBadge(wrong),
      ),
    );
  }
  return element("div", { class: "chips", role: "group", "aria-label": "Filter by status" }, ...chips);
}

export function platformChips({ data }: Model, filters: Filters, change: Change): HTMLElement | undefined {
  if (data.platforms.length < 2) return undefined;
  const sorted = [...data.platforms].sort((one, other) => one.title.localeCompare(other.title, "en"));
  const chips = sorted.map((platform) => {
    const press = (): void => change({ ...filters, platforms: toggled(filters.platforms, platform.name) });
    return chip(
      "is-platform",
      filters.platforms.has(platform.name),
      undefined,
      press,
      platformMark(platform),
      platform.title,
    );
  });
  return element("div", { class: "chips", role: "group", "aria-label": "Filter by platform" }, ...chips);
}

function chip(
  name: string,
  isPressed: boolean,
  title: string | undefined,
  onclick: () => void,
  ...children: (Node | string)[]
): HTMLElement {
  return element(
    "button",
    { class: `filter ${name}`, type: "button", "aria-pressed": String(isPressed), title, onclick },
    ...children,
  );
}

function countBadge(number = 0): HTMLElement {
  return element("span", { class: "count" }, numberText(number));
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
