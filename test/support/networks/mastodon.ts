/**
 * A strict stand-in for a Mastodon server: it keeps an Idempotency-Key for one hour, counts requests, processes media only
 * after a while, refuses what Mastodon refuses, and writes HTML. Source: docs.joinmastodon.org.
 */
import { createHash } from "node:crypto";
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from "./stand-in.ts";

export const MASTODON_TOKEN = "mastodon-secret-token";

interface Media {
  readonly id: string;
  readonly description: string | undefined;
  readonly sha256: string;
  readonly bytes: Buffer;
  readonly isFilm: boolean;
  /** The number of requests until it is processed. */
  polls: number;
}

interface Status {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  readonly media: readonly Media[];
  readonly replyTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface MastodonOptions {
  /** Unix time, in ms. Default: the machine's. */
  readonly now?: () => number;
  /** Statuses per window of five minutes. Default: enough. */
  readonly limit?: number;
  /** Whether it forgets every Idempotency-Key, as snac does. */
  readonly ignoresKeys?: boolean;
  /** Whether it has only the first version of its endpoints. */
  readonly isOld?: boolean;
  /** Longest text. Default: Mastodon's. */
  readonly characters?: number;
  /** Media types that it names. Default: Mastodon's. */
  readonly types?: readonly string[];
  /** Most px of a picture. Default: Mastodon's. */
  readonly area?: number;
}

export interface MastodonStandIn extends StandIn {
  readonly statuses: Status[];
  /** A text that the server refuses for now. */
  refusesText: string;
  /** Id of the status that is first on the account's page, however old it is. */
  pinned: string | undefined;
}

/** Source: `PollOptionsValidator`, `PollExpirationValidator` and `PostStatusService` of Mastodon 4.5. */
function wrongPoll(given: unknown, text: string, files: number): string | undefined {
  if (given === undefined) return undefined;
  const { options, expires_in: seconds } = Object(given);
  if (!Array.isArray(options) || options.length < 2) return "Options must have more than one item";
  if (options.length > POLL.max_options) return "Options can't contain more than 4 items";
  if (new Set(options).size < options.length) return "Options contain duplicate items";
  if (
    options.some(
      (each) => [...new Intl.Segmenter().segment(String(each))].length > POLL.max_characters_per_option,
    )
  )
    return "Options can't be longer than 50 characters each";
  if (typeof seconds !== "number" || seconds > POLL.max_expiration)
    return "Expires at is too far into the future";
  if (seconds < POLL.min_expiration) return "Expires at is too soon";
  if (text === "") return "Text can't be blank";
  return files > 0 ? "Cannot attach a video to a post that already contains images" : undefined;
}

const POLL = {
  max_options: 4,
  max_characters_per_option: 50,
  min_expiration: 300,
  max_expiration: 2_629_746,
};

const HOUR_MS = 3_600_000;
const WINDOW_MS = 300_000;

export async function startMastodon(options: MastodonOptions = {}): Promise<MastodonStandIn> {
  const {
    now = Date.now,
    limit = 100_000,
    ignoresKeys = false,
    isOld = false,
    characters = 500,
    types = TYPES,
    area = 33_177_600,
  } = options;
  const statuses: Status[] = [];
  const media = new Map<string, Media>();
  const keys = new Map<string, { readonly status: Status; readonly at: number }>();
  let window = { ends: 0, left: 0 };
  let ids = 1000;

  const limited = (): Record<string, string> | undefined => {
    if (now() >= window.ends) window = { ends: now() + WINDOW_MS, left: limit };
    if (window.left === 0) return undefined;
    window.left -= 1;
    return rateHeaders();
  };
  const rateHeaders = (): Record<string, string> => ({
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(window.left),
    "x-ratelimit-reset": new Date(window.ends).toISOString().replace("Z", "000Z"),
    date: new Date(now()).toUTCString(),
  });
  const create = ({ headers, body }: StandInRequest): StandInAnswer => {
    const counted = limited();
    if (counted === undefined)
      return { status: 429, json: { error: "Too many requests" }, headers: rateHeaders() };
    const fields: Record<string, unknown> = JSON.parse(body.toString("utf8"));
    const key = String(headers["idempotency-key"] ?? "");
    const known = keys.get(key);
    if (known !== undefined && now() - known.at < HOUR_MS)
      return { json: statusJson(known.status), headers: counted };
    const text = typeof fields["status"] === "string" ? fields["status"] : "";
    const warning = typeof fields["spoiler_text"] === "string" ? fields["spoiler_text"] : "";
    const mediaIds = Array.isArray(fields["media_ids"]) ? fields["media_ids"].map(String) : [];
    const attached = mediaIds.map((id) => media.get(id));
    if (text === made.refusesText) return { status: 401, json: { error: "Not for this text" } };
    if (text === "" && attached.length === 0) return invalid("Text can't be blank");
    if (countOf(text) + countOf(warning) > characters) return invalid("Text character limit exceeded");
    if (attached.length > 4) return invalid("Cannot attach more than 4 files");
    if (attached.length > 1 && attached.some((each) => each?.isFilm === true))
      return invalid("Cannot attach a video to a post that already contains images");
    if (attached.some((each) => each === undefined || each.polls > 0))
      return invalid("Cannot attach files that have not finished processing");
    const refusal = wrongPoll(fields["poll"], text, attached.length);
    if (refusal !== undefined) return invalid(refusal);
    const replyTo = fields["in_reply_to_id"];
    if (replyTo !== undefined && !statuses.some(({ id }) => id === replyTo)) return { status: 404, json: {} };
    const status: Status = {
      id: String((ids += 1)),
      text,
      at: now(),
      media: attached.filter((each) => each !== undefined),
      replyTo: typeof replyTo === "string" ? replyTo : undefined,
      fields,
    };
    statuses.push(status);
    if (key !== "" && !ignoresKeys) keys.set(key, { status, at: now() });
    return { json: statusJson(status), headers: counted };
  };
  const upload = ({ headers, body }: StandInRequest): StandInAnswer => {
    const { file, description } = partsOf(headers["content-type"] ?? "", body);
    if (file === undefined) return invalid("File can't be blank");
    if (Array.from(description ?? "").length > 1500) return invalid("Description is too long");
    // Source: Mastodon's `Attachmentable`. Only the header of a PNG is read.
    if (file.toString("latin1", 1, 4) === "PNG" && file.readUInt32BE(16) * file.readUInt32BE(20) > area)
      return invalid("images of this size are not supported");
    const item: Media = {
      id: String((ids += 1)),
      description,
      sha256: createHash("sha256").update(file).digest("hex"),
      bytes: file,
      // Pictures of phones are in the same kind of file.
      isFilm: /^ftyp(?!heic|heix|mif1|avif)/.test(file.toString("latin1", 4, 12)),
      polls: 2,
    };
    media.set(item.id, item);
    return { status: 202, json: { id: item.id, url: null } };
  };
  const poll = (id: string): StandInAnswer => {
    const item = media.get(id);
    if (item === undefined) return { status: 404, json: { error: "Record not found" } };
    item.polls -= 1;
    return { status: item.polls > 0 ? 206 : 200, json: { id } };
  };
  const list = ({ url }: StandInRequest): StandInAnswer => {
    const before = url.searchParams.get("max_id");
    const older = statuses.filter(({ id }) => before === null || Number(id) < Number(before));
    const count = Number(url.searchParams.get("limit") ?? 20);
    const first = before === null ? statuses.filter(({ id }) => id === made.pinned) : [];
    return { json: [...first, ...older.slice(-count).reverse()].map(statusJson) };
  };
  const standIn = await startStandIn((request) => {
    const path = `${request.method} ${request.url.pathname}`;
    if (path === "GET /api/v2/instance" && !isOld) return { json: instance(characters, types, area) };
    if (path === "GET /api/v1/instance") return { json: instance(characters, types, area) };
    if (request.headers.authorization !== `Bearer ${MASTODON_TOKEN}`)
      return { status: 401, json: { error: "The access token is invalid" } };
    if (path === "POST /api/v1/statuses") return create(request);
    if (path === "POST /api/v2/media" && !isOld) return upload(request);
    if (path === "POST /api/v1/media") return upload(request);
    if (path.startsWith("GET /api/v1/media/")) return poll(path.split("/").at(-1) ?? "");
    if (path === "GET /api/v1/accounts/verify_credentials")
      return { json: { id: "7", acct: "garden", url: "https://social.example/@garden" } };
    if (path === "GET /api/v1/accounts/7/statuses") return list(request);
    if (path === "GET /api/v2/search") {
      const asked = request.url.searchParams.get("q");
      const found = statuses.map(statusJson).filter((each) => Reflect.get(each, "url") === asked);
      return { json: { accounts: [], hashtags: [], statuses: found } };
    }
    return { status: 404, json: { error: "Record not found" } };
  });
  const made: MastodonStandIn = Object.assign(standIn, {
    statuses,
    refusesText: "nothing breaks",
    pinned: undefined,
  });
  return made;
}

/** Source: Mastodon's `MediaAttachment`. */
const TYPES = [
  ...["jpeg", "png", "gif", "heic", "heif", "webp", "avif"].map((type) => `image/${type}`),
  ...["webm", "mp4", "quicktime", "ogg"].map((type) => `video/${type}`),
];

/** Source: Mastodon's `StatusLengthValidator`: a link counts as 23, and a mention without its server. */
function countOf(text: string): number {
  const counted = text.replaceAll(/https?:\/\/\S+/g, "x".repeat(23)).replaceAll(/(@\w+)@[\w.-]+\w/g, "$1");
  return [...new Intl.Segmenter().segment(counted)].length;
}

function instance(characters: number, types: readonly string[], area: number): object {
  return {
    configuration: {
      statuses: {
        max_characters: characters,
        max_media_attachments: 4,
        characters_reserved_per_url: 23,
      },
      polls: POLL,
      media_attachments: {
        description_limit: 1500,
        supported_mime_types: types,
        image_size_limit: 16_777_216,
        image_matrix_limit: area,
        video_size_limit: 103_809_024,
        video_matrix_limit: 8_294_400,
      },
    },
  };
}

function invalid(error: string): StandInAnswer {
  return { status: 422, json: { error: `Validation failed: ${error}` } };
}

function statusJson({ id, text, at, media, fields }: Status): object {
  return {
    id,
    url: `https://social.example/@garden/${id}`,
    created_at: new Date(at).toISOString(),
    content: htmlOf(text),
    media_attachments: media.map(({ id: own, description }) => ({ id: own, description })),
    poll: fields["poll"] === undefined ? null : { id, options: Object(fields["poll"]).options },
  };
}

/** As Mastodon writes a status: links are shortened with invisible parts, and a mention loses its server. */
function htmlOf(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const linked = escaped
    .replaceAll(
      /(https?:\/\/)(\S{1,30})(\S*)/g,
      '<a href="$&"><span class="invisible">$1</span><span class="ellipsis">$2</span><span class="invisible">$3</span></a>',
    )
    .replaceAll(/@(\w+)@[\w.]+/g, '<span class="h-card"><a href="#">@<span>$1</span></a></span>');
  return `<p>${linked.replaceAll("\n\n", "</p><p>").replaceAll("\n", "<br />")}</p>`;
}

/** The file and the description of an upload. Read by hand, because a Response reads only asynchronously. */
function partsOf(type: string, body: Buffer): { file: Buffer | undefined; description: string | undefined } {
  const boundary = `--${/boundary=(.+)$/.exec(type)?.[1] ?? ""}`;
  const parts = body.toString("latin1").split(boundary).slice(1, -1);
  const named = (name: string): Buffer | undefined => {
    const part = parts.find((each) => each.includes(`name="${name}"`));
    return part === undefined
      ? undefined
      : Buffer.from(part.slice(part.indexOf("\r\n\r\n") + 4, -2), "latin1");
  };
  return { file: named("file"), description: named("description")?.toString("utf8") };
}
