/** What stands above the posts: filters, which are the legend as well. */
import type { Standing } from "../preview/preview-data.ts";
import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";
import { platformMark } from "./marks.ts";
import { numberText, type Filters, type Model } from "./model.ts";
import { STANDING_NAMES, STANDINGS } from "./standings.ts";

type Change = (filters: Filters) => void;

/** Statuses with how many posts have them; those that no post has are left out. */
export function standingChips({ data }: Model, filters: Filters, change: Change): HTMLElement {
  const counts = new Map<Standing, number>();
  for (const { standing } of data.posts) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  const chips = STANDING_NAMES.filter((name) => counts.has(name)).map((name) => {
    const { label, meaning, icon: drawn } = STANDINGS[name];
    const press = (): void => change({ ...filters, standings: toggled(filters.standings, name) });
    return chip(
      `is-${name}`,
      filters.standings.has(name),
      meaning,
      press,
      icon(ICONS[drawn]),
      label,
      count(counts.get(name)),
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
        count(wrong),
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

function count(number = 0): HTMLElement {
  return element("span", { class: "count" }, numberText(number));
}

function toggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
