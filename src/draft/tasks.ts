/** Finds out what rows ask the service for: a text for each platform that has none, and one picture. Pure. */

import { createHash } from "node:crypto";
import type { CalendarFile } from "../calendars/edit/edit-calendar.ts";
import { type Value, RowView } from "../checks/row-view.ts";
import { readStatus } from "../checks/statuses.ts";
import { RowFilter } from "../checks/filter-rows.ts";
import type { Aliases } from "../checks/networks/network-names.ts";
import type { ReadPlatforms } from "../checks/platforms.ts";
import type { MediaReference } from "../model/post.ts";
import { type Problem, hasErrors, problem, rowName } from "../model/problem.ts";
import type { Only } from "../model/row-filter.ts";
import type { RowVariant } from "../model/row.ts";

/** One request to the service, with its row. */
export interface DraftTask {
  readonly file: CalendarFile;
  /** Index of the row. */
  readonly row: number;
  /** How people name the row: its id, otherwise its place. */
  readonly name: string;
  readonly kind: "text" | "image" | "alt";
  /** For an alt text: the text of the post. */
  readonly prompt: string;
  /** For an alt text: the picture, and its position among the row's media, from 0. */
  readonly picture?: { readonly reference: MediaReference; readonly index: number };
  /** All platforms of the row. */
  readonly platforms: readonly string[];
  /** For a text: its platform. */
  readonly platform: string | undefined;
  /** The tone of a text, or the size of a picture. */
  readonly manner: string | undefined;
  /** Identifies the request: equal in every run for the same row and the same words. */
  readonly request: string;
  /** The current content, if it will be replaced. */
  readonly current: string | undefined;
  /** A new text or picture is requested, whatever the current content is. */
  readonly isAgain: boolean;
}

export interface DraftTasks {
  readonly wanted: readonly DraftTask[];
  /** The requests of all rows, and what they have; by request. */
  readonly had: ReadonlyMap<string, DraftTask>;
  /** The requests of all rows, including those that are left out. */
  readonly known: ReadonlySet<string>;
  /** Calendars with a row that has unreadable requests. */
  readonly unsure: ReadonlySet<string>;
  /** Names for the rows with a prompt, including those outside this run. */
  readonly names: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

export interface DraftSelection {
  readonly aliases: Aliases;
  readonly read: ReadPlatforms;
  readonly only: Only | undefined;
  readonly again: RedraftSelection;
}

/** What to make again, although it exists. */
export interface RedraftSelection {
  /** Whether the run includes a row, by its names. */
  readonly includesRow: (names: readonly string[]) => boolean;
  /** Whether to make it again. `isOpen`: it is a draft or missing, so nobody has marked it as ready. */
  readonly includesTask: (isOpen: boolean) => boolean;
}

export function findDraftTasks(files: readonly CalendarFile[], wish: DraftSelection): DraftTasks {
  const wanted: DraftTask[] = [];
  const had = new Map<string, DraftTask>();
  const problems: Problem[] = [];
  const known = new Set<string>();
  const unsure = new Set<string>();
  const allNames = new Set<string>();
  for (const file of files) {
    const { calendar } = file;
    if (hasErrors(calendar.problems)) unsure.add(calendar.file);
    const filter = RowFilter.of([calendar.settings.only, wish.only], wish.aliases);
    const seen = new Map<string, number>();
    for (const row of calendar.rows.keys()) {
      const asking = tasksOfRow(file, row, wish, seen);
      if (asking === undefined) continue;
      const { view, asked } = asking;
      for (const { request } of asked) known.add(request);
      if (asking.problems.length > 0) unsure.add(calendar.file);
      const status = readStatus(view.values.status, calendar.settings.status_values);
      if (status === "skip" || filter?.fitsCells(view, wish.read(view).names) === false) continue;
      const own = [asking.name, view.id, `${calendar.file}:${view.row.line}`];
      const names = own.flatMap((name) => name ?? []);
      for (const name of names) allNames.add(name);
      if (!wish.again.includesRow(names)) continue;
      problems.push(...asking.problems);
      for (const each of asked) {
        const isAgain = wish.again.includesTask(status === "draft" || each.current === undefined);
        if (status !== "unknown" && (each.current === undefined || isAgain))
          wanted.push({ ...each, isAgain });
        else had.set(each.request, each);
      }
    }
  }
  return { wanted, had, known, unsure, names: allNames, problems };
}

// The requests of one row, whether or not the result exists.

interface RowTasks {
  readonly view: RowView;
  readonly name: string;
  readonly asked: readonly DraftTask[];
  readonly problems: readonly Problem[];
}

/**
 * Undefined for a row without a prompt.
 * @param seen how often each request occurred before; updated here
 */
function tasksOfRow(
  file: CalendarFile,
  index: number,
  { aliases, read }: Pick<DraftSelection, "aliases" | "read">,
  seen: Map<string, number>,
): RowTasks | undefined {
  const { calendar } = file;
  const row = calendar.rows[index];
  if (row === undefined) return undefined;
  const view = new RowView(row, calendar);
  const [prompt, imagePrompt] = [view.values.prompt, view.values.image_prompt];
  if (prompt === undefined && imagePrompt === undefined) return undefined;
  const id = view.id;
  const name = id ?? rowName(row, row.at());
  const request = (words: readonly (string | undefined)[]): string =>
    requestId([calendar.file, id ?? "", ...words.map((word) => word ?? "")], seen);
  const platforms = read(view);
  const asking: TaskContext = {
    base: { file, row: index, name, platforms: platforms.names },
    view,
    aliases,
    request,
  };
  const isSound = platforms.problems.length === 0;
  const texts = prompt === undefined || !isSound ? [] : textTasks(asking, textOf(prompt), calendar);
  const picture = imagePrompt === undefined ? [] : pictureTask(asking, textOf(imagePrompt));
  const asked = [...texts, ...picture.filter((each) => "request" in each)];
  const wrong = picture.filter((each) => "severity" in each);
  return { view, name, asked, problems: [...(prompt === undefined ? [] : platforms.problems), ...wrong] };
}

/**
 * Identifies a request by what it says. Rows that say the same are distinguished by their order.
 * @param seen how often each request occurred before; updated here
 */
export function requestId(parts: readonly unknown[], seen: Map<string, number>): string {
  const said = JSON.stringify(parts);
  const count = (seen.get(said) ?? 0) + 1;
  seen.set(said, count);
  return createHash("sha256").update(`${said}${count}`).digest("hex").slice(0, 32);
}

interface TaskContext {
  readonly base: Pick<DraftTask, "file" | "row" | "name" | "platforms">;
  readonly view: RowView;
  readonly aliases: Aliases;
  readonly request: (words: readonly (string | undefined)[]) => string;
}

function textTasks(
  { base, view, aliases, request }: TaskContext,
  prompt: string,
  { defaults }: CalendarFile["calendar"],
): DraftTask[] {
  const { cells, variants } = view.row;
  const manner = view.values.tone?.text;
  return base.platforms.map((platform) => {
    const own = variants.find((each) => isVariantFor(each, platform, aliases))?.cells.content;
    const current = cellText(own ?? cells.content ?? defaults?.cells.content);
    const made = request(["text", platform, prompt, manner]);
    return { ...base, kind: "text", prompt, manner, platform, request: made, current, isAgain: false };
  });
}

/** The picture, or what is wrong with the request for it. */
function pictureTask(
  { base, view, aliases, request }: TaskContext,
  prompt: string,
): readonly (DraftTask | Problem)[] {
  const size = view.values.size;
  const own = cellText(view.values.media?.items);
  const current = own ?? variantMedia(view.row.variants, base.platforms, aliases);
  const wrong = sizeProblem(size);
  if (wrong !== undefined && current === undefined) return [wrong];
  const manner = size?.text;
  const made = request(["image", prompt, manner]);
  return [
    { ...base, kind: "image", prompt, manner, platform: undefined, request: made, current, isAgain: false },
  ];
}

/** Source: the interface's form of a size. */
const SIZE = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;

function sizeProblem(size: Value | undefined): Problem | undefined {
  if (size === undefined || SIZE.test(size.text)) return undefined;
  const message = `"${size.text}" is not the size of a picture. Write width and height in pixels, such as 1024x1024.`;
  return problem("draft/size", message, size.at());
}

function isVariantFor(variant: RowVariant, platform: string, aliases: Aliases): boolean {
  const typed = variant.platform.trim().toLowerCase();
  return (aliases.get(typed) ?? typed) === platform;
}

/** A row needs no media if all its platforms have their own media. */
function variantMedia(
  variants: readonly RowVariant[],
  platforms: readonly string[],
  aliases: Aliases,
): string | undefined {
  const own = platforms.map(
    (name) => variants.find((each) => isVariantFor(each, name, aliases))?.cells.media,
  );
  return own.length > 0 && own.every((media) => media !== undefined)
    ? own.map(cellText).join(", ")
    : undefined;
}

function textOf({ items }: Value): string {
  return items.join("\n").trim();
}

function cellText(cell: string | readonly string[] | undefined): string | undefined {
  return typeof cell === "string" || cell === undefined ? cell : cell.join(", ");
}
