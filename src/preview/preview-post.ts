/** One post as the page shows it; platforms and media are in separate lists. */

import { limitsOfProject } from "../checks/networks/platform-limits.ts";
import type { CheckedPost } from "../checks/rules/rule.ts";
import { textLengths } from "../checks/rules/text-rules.ts";
import { displayAddress } from "../model/media-address.ts";
import type { Change, Keep, PendingChange } from "../model/plan.ts";
import type { ListedMedia, ListedPost, MediaFile, UtcTime } from "../model/post.ts";
import { type Problem, rowName } from "../model/problem.ts";
import { type RawCalendar, rowAt } from "../model/row.ts";
import { FIELD_NAMES, idOf, postView } from "../report/plan/plan-view.ts";
import { visibleText } from "../report/text/escape.ts";
import { sortableTime } from "../report/text/local-time.ts";
import { formatBytes } from "../report/text/numbers.ts";
import type { Config } from "../settings/config.ts";
import type { Meter, PreviewData, PreviewMedia, PreviewPost, PreviewStatus } from "./preview-data.ts";

export type PlannedRow = Exclude<Change, { action: "cancel" }> | Keep | PendingChange;

export class PreviewPostBuilder {
  readonly platforms: IndexedList<string, PreviewData["platforms"][number]>;
  readonly media: IndexedList<string, PreviewData["media"][number]>;
  readonly #timezone: string;
  readonly #problemsOf: RowProblems;
  readonly #limitsOf: ReturnType<typeof limitsOfProject>;
  readonly #byKey = new Map<string, ListedMedia>();

  constructor(config: Config, sourceOf: SourceOf, timezone: string, problemsOf: RowProblems) {
    this.#timezone = timezone;
    this.#problemsOf = problemsOf;
    this.#limitsOf = limitsOfProject(config);
    this.platforms = new IndexedList((name) => ({
      name: visibleText(name),
      title: visibleText(this.#limitsOf(name)?.title ?? name),
    }));
    this.media = new IndexedList((key) => {
      const media = this.#byKey.get(key);
      return media === undefined ? { kind: "unknown", name: key } : previewMedia(media, sourceOf);
    });
  }

  ofRow(post: ListedPost, decision: PlannedRow | undefined, status: PreviewStatus): PreviewPost {
    const { key, source, scheduledAt, content, platforms } = post;
    const view =
      decision === undefined || decision.action === "keep" ? undefined : postView(decision, this.#timezone);
    return {
      status,
      ...this.#when(scheduledAt),
      ...this.#id(key),
      place: visibleText(rowName(source, post.at())),
      platforms: platforms.map((each) => this.platforms.placeOf(each)),
      media: post.media.map((each) => this.#mediaPlace(each)),
      // A draft is not checked, but its row has lines.
      problems: this.#problemsOf(source),
      content: visibleText(content),
      meters: this.#meters(post),
      differences: (view?.differences ?? []).map(({ field, before, after }) => ({
        field: FIELD_NAMES[field],
        ...(before === undefined ? {} : { before: visibleText(before) }),
        after: visibleText(after),
      })),
      ...(view?.reason === undefined ? {} : { reason: visibleText(view.reason) }),
    };
  }

  ofCancel(cancel: Extract<Change, { action: "cancel" }>): PreviewPost {
    const { at, content, platforms, media, place, reason } = postView(cancel, this.#timezone);
    return {
      status: "cancel",
      ...this.#when(at),
      ...this.#id(cancel.key),
      place: visibleText(place),
      platforms: platforms.map((each) => this.platforms.placeOf(each)),
      media: media.map((id) => this.#mediaPlace({ kind: "id", id })),
      problems: [],
      ...(content === undefined ? {} : { content: visibleText(content) }),
      meters: [],
      differences: [],
      ...(reason === undefined ? {} : { reason: visibleText(reason) }),
    };
  }

  #when(time: UtcTime): Pick<PreviewPost, "day" | "clock" | "offset"> {
    const { date, clock, offset } = sortableTime(time, this.#timezone);
    return { day: date, clock, offset };
  }

  #id(key: string): Pick<PreviewPost, "id"> {
    const id = idOf(key);
    return id === undefined ? {} : { id: visibleText(id) };
  }

  #mediaPlace(media: ListedMedia): number {
    const key = mediaKey(media);
    this.#byKey.set(key, media);
    return this.media.placeOf(key);
  }

  #meters(post: ListedPost): Meter[] {
    const checked: CheckedPost = { ...post, media: post.media.every(isKnown) ? post.media : undefined };
    return post.platforms.flatMap((platform) => {
      const limits = this.#limitsOf(platform)?.limits;
      const lengths = limits === undefined ? [] : textLengths(checked, limits);
      return lengths.map(({ count, length, limit }): Meter => ({
        platform: this.platforms.placeOf(platform),
        used: length,
        limit,
        unit: count === "bytes" ? "bytes" : "characters",
      }));
    });
  }
}

function isKnown(
  media: ListedMedia,
): media is Exclude<ListedMedia, { kind: "file" }> | Extract<ListedMedia, { sha256: string }> {
  return media.kind !== "file" || "sha256" in media;
}

/** Source of a picture with these bytes (SHA-256, hex); undefined if the page cannot show it. */
export type SourceOf = (sha256: string) => string | undefined;

/** Identifies a file: equal bytes with one name are one file. */
function mediaKey(media: ListedMedia): string {
  if (media.kind === "url") return `url ${media.url}`;
  if (media.kind === "id") return `id ${media.id}`;
  return `file ${media.path} ${"sha256" in media ? media.sha256 : ""}`;
}

function previewMedia(media: ListedMedia, sourceOf: SourceOf): PreviewMedia {
  if (media.kind === "url")
    return {
      kind: "unknown",
      name: visibleText(displayAddress(media.url)),
      why: "The preview does not download files.",
    };
  if (media.kind === "id")
    return {
      kind: "unknown",
      name: visibleText(media.id),
      why: "The file is on the service, and the preview does not download it.",
    };
  const name = visibleText(media.path.slice(media.path.lastIndexOf("/") + 1));
  if (!("sha256" in media)) return { kind: "unknown", name, why: "plancast cannot use the file." };
  const { mime, bytes, sha256, facts = {} } = media;
  const isVideo = mime.startsWith("video/");
  const source = isVideo ? undefined : sourceOf(sha256);
  return {
    kind: isVideo ? "video" : "picture",
    name,
    size: formatBytes(bytes),
    ...(facts.width === undefined || facts.height === undefined
      ? {}
      : { width: facts.width, height: facts.height }),
    ...(facts.lengthMs === undefined ? {} : { length: lengthText(facts.lengthMs) }),
    ...(source === undefined ? {} : { source }),
    ...whyNot(media, source),
  };
}

/** Shown instead of the picture. Embedded pictures are always there. */
function whyNot({ mime, url }: MediaFile, source: string | undefined): Pick<PreviewMedia, "why"> {
  if (mime.startsWith("video/") || source?.startsWith("data:")) return {};
  if (url !== undefined) return { why: "The picture comes from an address, so there is no file to show." };
  if (source === undefined) return { why: `Browsers do not show ${mime}.` };
  return { why: "The page shows larger pictures from files next to it, but this file is not there." };
}

/** In the form of players: `0:34`, `1:02:03`. */
function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The problems of a row, by where it starts; each as its index in the list. */
type RowProblems = (source: { readonly file: string; readonly line: number }) => readonly number[];

/** Groups problems by their rows. */
export function rowProblems(problems: readonly Problem[], calendars: readonly RawCalendar[]): RowProblems {
  const rowsOf = new Map(calendars.map(({ file, rows }) => [file, rows]));
  const found = new Map<string, number[]>();
  for (const [place, { file, line }] of problems.entries()) {
    const rows = file === undefined ? undefined : rowsOf.get(file);
    const row = rows === undefined || line === undefined ? undefined : rows[rowAt(rows, line)];
    if (row === undefined) continue;
    const key = keyOf(row);
    const those = found.get(key);
    if (those === undefined) found.set(key, [place]);
    else those.push(place);
  }
  return (source) => found.get(keyOf(source)) ?? [];
}

function keyOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${line} ${file}`;
}

/** A list without duplicates. Others refer to its entries by index. */
class IndexedList<K, V> {
  readonly #places = new Map<K, number>();
  readonly #make: (key: K) => V;
  readonly entries: V[] = [];

  /** @param make makes the entry of a key; called once per key */
  constructor(make: (key: K) => V) {
    this.#make = make;
  }

  placeOf(key: K): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.entries.length);
    return this.entries.push(this.#make(key)) - 1;
  }
}
