/** The page's address. It contains the reader's view, so that a link shows the same view to somebody else. Pure. */

import type { PreviewStatus } from "../preview-data.ts";
import { isDay } from "./parts/days.ts";
import type { Filters } from "./parts/model.ts";
import { isStatusName } from "./parts/statuses.ts";

export const VIEWS = ["month", "week", "list"] as const;
export type View = (typeof VIEWS)[number];

/** What the reader sees. */
export interface Place {
  readonly view: View;
  /** The focused day, whose month or week is shown, and with which the list begins. */
  readonly day: string;
  readonly filters: Filters;
  /** The open post, by its id or its place in a calendar. */
  readonly post: string | undefined;
}

/** What an address names; parts that it does not name, or that make no sense, are absent. */
export interface NamedPlace {
  readonly view: View | undefined;
  readonly day: string | undefined;
  /** Of an address that names only a month, `YYYY-MM`. */
  readonly month: string | undefined;
  readonly filters: Filters;
  readonly post: string | undefined;
}

/** @param hash with or without `#` */
export function readAddress(hash: string): NamedPlace {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const day = asked.get("day") ?? "";
  const month = asked.get("month") ?? "";
  return {
    view: VIEWS.find((view) => view === asked.get("view")),
    day: isDay(day) ? day : undefined,
    month: isDay(`${month}-01`) ? month : undefined,
    filters: {
      text: asked.get("search") ?? "",
      platforms: new Set(asked.getAll("network")),
      statuses: new Set(asked.getAll("status").filter((name): name is PreviewStatus => isStatusName(name))),
      campaigns: new Set(asked.getAll("campaign")),
      problems: asked.has("problems"),
    },
    post: asked.get("post") ?? undefined,
  };
}

export function writeAddress({ view, day, filters, post }: Place): string {
  const { text, platforms, statuses, campaigns, problems } = filters;
  const named = new URLSearchParams({ view, day });
  if (text.trim() !== "") named.set("search", text);
  for (const name of platforms) named.append("network", name);
  for (const name of statuses) named.append("status", name);
  for (const name of campaigns) named.append("campaign", name);
  if (problems) named.set("problems", "yes");
  if (post !== undefined) named.set("post", post);
  return `#${named}`;
}
