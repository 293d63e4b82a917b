/** Posts, media and accounts in the form of a shape. Pure. */
import type { StoredMedia } from "./read-upload.ts";
import type { StoredPost } from "./post-book.ts";
import type { Shape, TimeFormat } from "./shape.ts";

export type Json = Record<string, unknown>;

/** The value under the given keys, outermost first. */
export function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** @param mediaOf the kind and address of a media item, also of one that is gone */
export function renderPost(post: StoredPost, shape: Shape, mediaOf: (id: string) => Json): Json {
  const shows = (part: Shape["omit"][number]): boolean => !shape.omit.includes(part);
  return {
    ...shape.extras,
    ...field(shape.idKey, renderId(post, shape)),
    ...(shows("content") && field(shape.contentKey, echo(post.content, shape.contentEcho))),
    ...(shows("platforms") && field(shape.platformsKey, renderPlatforms(post.platforms, shape))),
    ...(shows("time") && field(shape.timeKey, renderTime(post.scheduled_at, timeFormat(post, shape)))),
    ...(shows("media") && renderMediaOf(post, shape, mediaOf)),
    ...renderResults(post, shape),
    ...(post.published_at === undefined ? {} : { published_at: post.published_at }),
    ...(shows("status") && field(shape.statusKey, shape.statusWords[post.status])),
  };
}

/** One field. A dot in its key means one more object. */
export function field(key: string, value: unknown): Json {
  const [first = "", ...inner] = key.split(".");
  return { [first]: nest(inner, value) };
}

function renderResults({ results }: StoredPost, shape: Shape): Json {
  if (results === undefined) return {};
  const word = (error: string | undefined): string =>
    shape.statusWords[error === undefined ? "published" : "failed"];
  switch (shape.results) {
    case "absent":
      return {};
    case "list":
      return {
        results: results.map(({ platform, url, error }) => ({
          platform,
          status: word(error),
          ...(error === undefined ? { url } : { error: { code: "platform_error", message: error } }),
        })),
      };
  }
}

export function renderId(post: StoredPost, shape: Shape): string | number {
  return shape.idForm === "number" ? Number(post.id) : post.id;
}

/** A media item in lists, in answers to uploads and in posts. It is the only documented record. */
export function renderMedia(id: string, media: StoredMedia | undefined, origin: string): Json {
  const type = media?.mime.split("/")[0] ?? "image";
  return { id, url: `${origin}/files/${id}`, type };
}

/** A connected account. */
export function renderAccount(platform: string, index: number, shape: Shape): unknown {
  if (shape.platforms === "accounts") return { id: `acc_${index + 1}`, platform, name: `@${platform}` };
  return shape.platforms === "strings" ? platform : renderPlatform(platform, shape);
}

function renderPlatforms(platforms: readonly string[], shape: Shape): unknown[] {
  const order = shape.platformOrder === "reversed" ? [...platforms].reverse() : platforms;
  return order.map((platform) => renderPlatform(platform, shape));
}

function renderPlatform(platform: string, shape: Shape): unknown {
  switch (shape.platforms) {
    case "strings":
    case "accounts":
      return platform;
    case "upper":
      return platform.toUpperCase();
    case "coded-networks":
      return { network: { code: platform }, handle: `@${platform}` };
  }
}

function renderMediaOf(post: StoredPost, shape: Shape, mediaOf: (id: string) => Json): Json {
  const key = shape.mediaKey ?? (shape.media === "ids" ? "media_ids" : "media");
  if (post.media_ids.length > 0) {
    return { [key]: shape.media === "ids" ? post.media_ids : post.media_ids.map(mediaOf) };
  }
  switch (shape.emptyMedia) {
    case "empty-array":
      return { [key]: [] };
    case "null":
      return { [key]: null };
    case "absent":
      return {};
  }
}

function echo(content: string, how: Shape["contentEcho"]): string {
  switch (how) {
    case "exact":
      return content;
    case "crlf":
      return content.replaceAll("\n", "\r\n");
    case "escaped":
      return content.trimStart().replaceAll("&", "&amp;");
    case "nfd":
      return content.normalize("NFD");
    case "trailing-newline":
      return `${content}\n`;
  }
}

function timeFormat(post: StoredPost, { times }: Shape): TimeFormat {
  return times[(post.number - 1) % times.length] ?? "Z";
}

/** One instant in another form. */
function renderTime(scheduledAt: string, format: TimeFormat): string | number {
  const ms = Date.parse(scheduledAt);
  switch (format) {
    case "Z":
      return `${localText(ms, 0)}Z`;
    case ".000Z":
      return `${localText(ms, 0)}.000Z`;
    case ".000000Z":
      return `${localText(ms, 0)}.000000Z`;
    case "+00:00":
      return `${localText(ms, 0)}+00:00`;
    case "+05:45":
      return `${localText(ms, 5 * 60 + 45)}+05:45`;
    case "-03:30":
      return `${localText(ms, -(3 * 60 + 30))}-03:30`;
    case "epoch":
      return ms / 1_000;
    case "epoch-ms":
      return ms;
  }
}

function localText(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19);
}
