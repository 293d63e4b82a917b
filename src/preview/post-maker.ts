/** One post as the page shows it, with its platforms and media in lists of their own. */
import type { Change, PendingChange, Keep } from "../calendar/change.ts";
import type { Config } from "../calendar/config.ts";
import type { ListedMedia, ListedPost } from "../calendar/listed-post.ts";
import { rowName } from "../calendar/place-name.ts";
import type { UtcTime } from "../calendar/post.ts";
import { sortableTime } from "../report/local-time.ts";
import { FIELD_NAMES, idOf, postView } from "../report/post-view.ts";
import { visibleText } from "../report/visible-text.ts";
import type { CheckedPost } from "../rules/check.ts";
import { limitsOfProject } from "../rules/platform-limits.ts";
import { textLengths } from "../rules/text-length.ts";
import { IndexedList } from "./numbered.ts";
import type { Meter, PreviewData, PreviewPost, PreviewStatus } from "./preview-data.ts";
import { mediaKey, previewMedia, type SourceOf } from "./preview-media.ts";
import type { RowProblems } from "./row-problems.ts";

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

  ofRow(post: ListedPost, decision: PlannedRow | undefined, standing: PreviewStatus): PreviewPost {
    const { key, source, scheduledAt, content, platforms } = post;
    const view =
      decision === undefined || decision.action === "keep" ? undefined : postView(decision, this.#timezone);
    return {
      status: standing,
      ...this.#when(scheduledAt),
      ...this.#id(key),
      place: visibleText(rowName(source, post.at())),
      platforms: platforms.map((each) => this.platforms.placeOf(each)),
      media: post.media.map((each) => this.#mediaPlace(each)),
      // A draft is not checked, but stands on the lines of its row.
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
