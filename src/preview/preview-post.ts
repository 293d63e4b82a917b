/** One post as the page shows it; platforms and media are in separate lists. */

import { type PlatformLimits, limitsOfProject } from "../checks/networks/network-names.ts";
import type { CheckedPost } from "../checks/rules/rule.ts";
import { findZone } from "../checks/when/local-time.ts";
import { textLengths } from "../checks/rules/text-rules.ts";
import { readOption } from "../model/options/catalogue.ts";
import { type PostExtras, filledExtras, REFERENCES } from "../model/extras.ts";
import { displayAddress } from "../model/address.ts";
import type { Change, Keep, MissingRow, PendingChange } from "../model/plan.ts";
import {
  type ListedMedia,
  type ListedPost,
  type MediaFile,
  type Post,
  type UtcTime,
  idOf,
  withoutMedia,
} from "../model/post.ts";
import type { PlatformResult, Publication } from "../model/publication.ts";
import { type Problem, rowName } from "../model/problem.ts";
import { type RawCalendar, RowIndex, rowMark } from "../model/row.ts";
import { twoDigits } from "../model/text.ts";
import { FIELD_NAMES, type PostView, postView } from "../report/plan/plan-view.ts";
import { visibleText } from "../report/text/escape.ts";
import { endTime, sortableTime } from "../report/text/local-time.ts";
import { wordDiff } from "../report/text/word-diff.ts";
import { formatBytes } from "../report/text/numbers.ts";
import type { Config } from "../settings/config.ts";
import { accountLabel } from "../settings/accounts.ts";
import type {
  EditableFile,
  Meter,
  PreviewData,
  PreviewDifference,
  PreviewMedia,
  PreviewPlatform,
  PreviewPost,
  PreviewStatus,
} from "./preview-data.ts";

export type PlannedRow = Exclude<Change, { action: "cancel" }> | Keep | MissingRow | PendingChange;

/** A platform with its network, and with its account if plancast publishes there itself. */
export function previewPlatform(
  name: string,
  limitsOf: ReturnType<typeof limitsOfProject>,
  { accounts }: Pick<Config, "accounts">,
): PreviewPlatform {
  const title = visibleText(limitsOf(name)?.title ?? name);
  if (Object.keys(accounts).length === 0) return { name: visibleText(name), title };
  return {
    name: visibleText(name),
    title,
    account: visibleText(accountLabel(name, accounts) ?? "no account"),
  };
}

export class PreviewPostBuilder {
  readonly platforms: IndexedList<string, PreviewData["platforms"][number]>;
  readonly media: IndexedList<string, PreviewData["media"][number]>;
  readonly #timezone: string;
  readonly #problemsOf: RowProblems;
  readonly #zoneOf: (source: Post["source"]) => string | undefined;
  readonly #limitsOf: ReturnType<typeof limitsOfProject>;
  readonly #byKey = new Map<string, ShownMedia>();
  readonly #fileIndexes: ReadonlyMap<string, number>;
  readonly #known: KnownMeters;

  constructor(
    config: Config,
    calendars: readonly RawCalendar[],
    {
      sourceOf,
      problems,
      editing = [],
      meters = new KnownMeters(),
    }: {
      readonly sourceOf: SourceOf;
      readonly meters?: KnownMeters | undefined;
      readonly problems: readonly Problem[];
      /** For a page whose posts can be edited. */
      readonly editing?: readonly EditableFile[] | undefined;
    },
  ) {
    this.#known = meters;
    this.#fileIndexes = new Map(editing.map(({ name }, index) => [name, index]));
    this.#timezone = config.timezone ?? "UTC";
    this.#problemsOf = rowProblems(problems, calendars);
    this.#zoneOf = rowZones(calendars);
    this.#limitsOf = limitsOfProject(config);
    this.platforms = new IndexedList((name) => previewPlatform(name, this.#limitsOf, config));
    this.media = new IndexedList((key) => {
      const media = this.#byKey.get(key);
      return media === undefined ? { kind: "unknown", name: key } : previewMedia(media, sourceOf);
    });
  }

  /** @param publication what happened to the post, if it was due and somebody knows */
  ofRow(
    post: ListedPost,
    decision: PlannedRow | undefined,
    status: PreviewStatus,
    publication: Publication | undefined,
  ): PreviewPost {
    const { key, source, scheduledAt, content, platforms } = post;
    const view =
      decision === undefined || decision.action === "keep" ? undefined : postView(decision, this.#timezone);
    const reason = publication?.reason ?? view?.reason;
    return {
      status,
      ...this.#when(scheduledAt),
      ...(post.slot === undefined ? {} : { slot: post.slot.isTaken ? "kept" : "next" }),
      ...this.#author(post),
      ...this.#id(key),
      place: visibleText(rowName(source, post.at())),
      ...this.#row(source),
      platforms: platforms.map((each) => this.platforms.placeOf(each)),
      media: shownMedia(post).map((each) => this.#mediaPlace(each)),
      // A draft is not checked, but its row has a place in its file.
      problems: this.#problemsOf(source),
      content: visibleText(content),
      ...extrasOf(post),
      ...(post.expires === undefined ? {} : { expires: visibleText(endTime(post.expires, this.#timezone)) }),
      ...(post.campaign === undefined ? {} : { campaign: visibleText(post.campaign) }),
      meters: this.#meters(post),
      differences: (view?.differences ?? []).map(previewDifference),
      ...(publication === undefined
        ? {}
        : { results: publication.results.map((each) => this.#result(each)) }),
      ...(reason === undefined ? {} : { reason: visibleText(reason) }),
    };
  }

  ofCancel(cancel: Extract<Change, { action: "cancel" }>): PreviewPost {
    const { at, content, media, place, reason } = postView(cancel, this.#timezone);
    return {
      status: "cancel",
      ...this.#when(at),
      ...this.#id(cancel.key),
      place: visibleText(place),
      platforms: (cancel.remote.platforms ?? []).map((each) => this.platforms.placeOf(each)),
      media: media.map((id) => this.#mediaPlace({ media: { kind: "id", id } })),
      problems: [],
      ...(content === undefined ? {} : { content: visibleText(content) }),
      ...extrasOf(cancel.remote),
      meters: [],
      differences: [],
      ...(reason === undefined ? {} : { reason: visibleText(reason) }),
    };
  }

  #when(time: UtcTime): Pick<PreviewPost, "day" | "clock" | "offset" | "at"> {
    const { date, clock, offset } = sortableTime(time, this.#timezone);
    return { day: date, clock, offset, at: time };
  }

  #row({ file, sheet, line }: ListedPost["source"]): Pick<PreviewPost, "row"> {
    const index = this.#fileIndexes.get(file);
    if (index === undefined) return {};
    return { row: { file: index, ...(sheet === undefined ? {} : { sheet }), line } };
  }

  #author({ source, scheduledAt }: ListedPost): Pick<PreviewPost, "author"> {
    const zone = this.#zoneOf(source);
    if (zone === undefined || zone === this.#timezone) return {};
    const { date, clock } = sortableTime(scheduledAt, zone);
    return { author: { zone, day: date, clock } };
  }

  #result({ platform, state, reason, url }: PlatformResult): NonNullable<PreviewPost["results"]>[number] {
    return {
      network: visibleText(this.#limitsOf(platform)?.title ?? platform),
      state,
      ...(reason === undefined ? {} : { reason: visibleText(reason) }),
      ...(url === undefined ? {} : { url: visibleText(url) }),
    };
  }

  #id(key: string): Pick<PreviewPost, "id"> {
    const id = idOf(key);
    return id === undefined ? {} : { id: visibleText(id) };
  }

  #mediaPlace(shown: ShownMedia): number {
    const key = mediaKey(shown);
    this.#byKey.set(key, shown);
    return this.media.placeOf(key);
  }

  #meters(post: ListedPost): Meter[] {
    const checked = { ...withoutMedia(post), media: post.media.every(isKnown) ? post.media : undefined };
    return post.platforms.flatMap((platform) => {
      const limits = this.#limitsOf(platform);
      if (limits === undefined) return [];
      const place = this.platforms.placeOf(platform);
      return this.#known.of(checked, platform, () => textMeters(checked, limits, place), place);
    });
  }
}

/**
 * The meters of a project's posts. A server keeps them between two readings, because most texts stay the same and
 * counting takes long.
 */
export class KnownMeters {
  #last = new Map<string, readonly Meter[]>();
  #next = new Map<string, readonly Meter[]>();

  /** Begins another reading, and forgets texts that the last one did not have. */
  read(): void {
    this.#last = this.#next;
    this.#next = new Map();
  }

  /** @param place of the platform in this reading */
  of(
    { content, media, thread, first_comment: comment }: CheckedPost,
    name: string,
    count: () => readonly Meter[],
    place: number,
  ): Meter[] {
    // A limit may be another one for a post with only pictures.
    const kinds = media?.map((each) => (each.kind === "file" ? each.mime : each.kind));
    // Some accounts get one text with all of them.
    const key = JSON.stringify([name, kinds, thread, comment]) + content;
    const known = this.#last.get(key) ?? count();
    this.#next.set(key, known);
    return known.map((meter) => ({ ...meter, platform: place }));
  }
}

/** How much a post's text uses of a network's limits. @param platform index */
export function textMeters(post: CheckedPost, network: PlatformLimits, platform: number): Meter[] {
  return textLengths(post, network).map(({ count, length, limit }) => ({
    platform,
    used: length,
    limit,
    unit: count === "bytes" ? "bytes" : "characters",
  }));
}

export function extrasOf(post: PostExtras): Pick<PreviewPost, "alt" | "replies" | "options"> {
  const {
    alt,
    thread = [],
    thread_media = [],
    first_comment: comment,
    options,
    poll,
    ...rest
  } = filledExtras(post);
  const replies = [
    ...REFERENCES.flatMap((kind) => {
      const address = rest[kind];
      return address === undefined ? [] : [{ kind, text: visibleText(address) }];
    }),
    ...(poll === undefined ? [] : [{ kind: "poll" as const, text: visibleText(poll.join(" | ")) }]),
    ...thread.map((text, index) => {
      const media = thread_media[index] ?? 0;
      return { kind: "thread" as const, text: visibleText(text), ...(media === 0 ? {} : { media }) };
    }),
    ...(comment === undefined ? [] : [{ kind: "comment" as const, text: visibleText(comment) }]),
  ];
  return {
    ...(alt === undefined ? {} : { alt: alt.map(visibleText) }),
    ...(replies.length === 0 ? {} : { replies }),
    ...(options === undefined ? {} : { options: options.map(shownOption) }),
  };
}

function shownOption(text: string): readonly [platform: string, option: string, value: string] {
  const { platform = "", option = "", value = text } = readOption(text) ?? {};
  return [visibleText(platform), visibleText(option), visibleText(value)];
}

function previewDifference({ field, before, after }: PostView["differences"][number]): PreviewDifference {
  const now = visibleText(after);
  if (before === undefined) return { field: FIELD_NAMES[field], parts: [{ kind: "added", text: now }] };
  const old = visibleText(before);
  const parts =
    field !== "platforms" && field !== "scheduledAt" && field !== "mediaIds"
      ? wordDiff(old, now)
      : ([
          { kind: "removed", text: old },
          { kind: "added", text: now },
        ] as const);
  return { field: FIELD_NAMES[field], parts };
}

function isKnown(
  media: ListedMedia,
): media is Exclude<ListedMedia, { kind: "file" }> | Extract<ListedMedia, { sha256: string }> {
  return media.kind !== "file" || "sha256" in media;
}

/** Address of a picture or video with these bytes (SHA-256, hex); undefined if the page cannot show it. */
export type SourceOf = (sha256: string) => string | undefined;

/** A medium of a post, and the picture that its networks show for a video. */
export interface ShownMedia {
  readonly media: ListedMedia;
  readonly cover?: MediaFile;
}

/** The media of a post. If networks have different covers, the page shows the first one. */
export function shownMedia({
  media,
  optionMedia = [],
}: Pick<ListedPost, "media" | "optionMedia">): ShownMedia[] {
  const [cover] = optionMedia.flatMap((each) =>
    each.kind === "file" && "sha256" in each && each.mime.startsWith("image/") ? each : [],
  );
  return media.map((each) => {
    const isVideo = each.kind === "file" && "sha256" in each && each.mime.startsWith("video/");
    return isVideo && cover !== undefined ? { media: each, cover } : { media: each };
  });
}

/** Identifies a file: equal bytes with one name are one file. */
export function mediaKey({ media, cover }: ShownMedia): string {
  if (media.kind === "url") return `url ${media.url}`;
  if (media.kind === "id") return `id ${media.id}`;
  if (!("sha256" in media)) return `file ${media.path}`;
  return `file ${media.path} ${media.sha256} ${cover?.sha256 ?? ""}`;
}

function previewMedia({ media, cover }: ShownMedia, sourceOf: SourceOf): PreviewMedia {
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
  const { mime, bytes, sha256 } = media;
  const isVideo = mime.startsWith("video/");
  const source = sourceOf(sha256);
  return {
    kind: isVideo ? "video" : "picture",
    name,
    size: formatBytes(bytes),
    ...mediaFacts(media),
    ...(source === undefined ? {} : { source }),
    ...coverSource(cover, sourceOf),
    ...whyNot(media, source),
  };
}

export function coverSource(cover: MediaFile | undefined, sourceOf: SourceOf): Pick<PreviewMedia, "cover"> {
  const source = cover && sourceOf(cover.sha256);
  return source === undefined ? {} : { cover: source };
}

/** The size of the picture and the length of the video, as far as they are known. */
export function mediaFacts({ facts = {} }: MediaFile): Pick<PreviewMedia, "width" | "height" | "length"> {
  return {
    ...(facts.width === undefined || facts.height === undefined
      ? {}
      : { width: facts.width, height: facts.height }),
    ...(facts.lengthMs === undefined ? {} : { length: lengthText(facts.lengthMs) }),
  };
}

/** Shown instead of the file. Embedded pictures are always there. */
function whyNot({ mime, url }: MediaFile, source: string | undefined): Pick<PreviewMedia, "why"> {
  if (source?.startsWith("data:")) return {};
  const isVideo = mime.startsWith("video/");
  if (url !== undefined)
    return {
      why: `The ${isVideo ? "video" : "picture"} comes from an address, so there is no file to show.`,
    };
  if (source === undefined) return { why: `Browsers do not show ${mime}.` };
  return isVideo
    ? { why: "The page plays videos from files next to it, but your browser cannot play this file here." }
    : { why: "This picture is not in the page, and its file is not next to it." };
}

/** As players show it: `0:34`, `1:02:03`. */
function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}

/** The problems of a row, by where it starts; each as its index in the list. */
type RowProblems = (source: Post["source"]) => readonly number[];

/** The zones that rows, or their files, name for their times. */
function rowZones(calendars: readonly RawCalendar[]): (source: Post["source"]) => string | undefined {
  const index = new RowIndex(calendars);
  const ofFile = new Map(
    calendars.map(({ file, timezone, defaults }) => [file, defaults?.cells.timezone ?? timezone?.text]),
  );
  return (source) => {
    const zone = index.at(source)?.cells.timezone ?? ofFile.get(source.file);
    return typeof zone === "string" ? findZone(zone.trim())?.name : undefined;
  };
}

/** Groups problems by their rows. */
function rowProblems(problems: readonly Problem[], calendars: readonly RawCalendar[]): RowProblems {
  const index = new RowIndex(calendars);
  const found = new Map<string, number[]>();
  for (const [place, each] of problems.entries()) {
    const row = index.at(each);
    if (row === undefined) continue;
    const key = rowMark(row);
    const those = found.get(key);
    if (those === undefined) found.set(key, [place]);
    else those.push(place);
  }
  return (source) => found.get(rowMark(source)) ?? [];
}

/** A list without duplicates. Others refer to its entries by index. */
export class IndexedList<K, V> {
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

/** For sorting by day, then by time. */
export function byTime(one: PreviewPost, other: PreviewPost): number {
  if (one.day !== other.day) return one.day < other.day ? -1 : 1;
  return one.clock < other.clock ? -1 : Number(one.clock > other.clock);
}
