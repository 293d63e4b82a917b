/**
 * The page on which a client approves posts. It holds only what the client may see: no paths, ids, problems and plan,
 * and no other rows.
 */

import { limitsOfProject } from "../checks/networks/network-names.ts";
import { hiddenName, keysOfPosts, sealOf } from "../model/post-seal.ts";
import { canonicalContent, utcTime } from "../model/canonical.ts";
import { groupBy } from "../model/data.ts";
import type { ListedPost, UtcTime } from "../model/post.ts";
import { rowMark } from "../model/row.ts";
import { twoDigits } from "../model/text.ts";
import { defaultMonth } from "../report/calendar/month.ts";
import { visibleText } from "../report/text/escape.ts";
import { endTime, shortTime, sortableTime } from "../report/text/local-time.ts";
import { formatBytes } from "../report/text/numbers.ts";
import type { Config } from "../settings/config.ts";
import type { PreviewData, PreviewMedia, PreviewPost } from "./preview-data.ts";
import {
  IndexedList,
  type SourceOf,
  byTime,
  extrasOf,
  coverSource,
  mediaFacts,
  mediaKey,
  previewPlatform,
  type ShownMedia,
  shownMedia,
} from "./preview-post.ts";

/** Days as `YYYY-MM-DD`, both ends included; an open end is "" or "9999". */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

export interface ClientPosts {
  /** Posts for the page, earliest first. */
  readonly posts: readonly ListedPost[];
  /** Posts of these days that are past. */
  readonly past: readonly ListedPost[];
  /** Others with a picture or video that cannot be used. */
  readonly faulty: readonly ListedPost[];
  readonly from: string;
  readonly to: string;
}

function isUsable({ media }: ListedPost): boolean {
  return media.every((each) => each.kind !== "file" || "sha256" in each);
}

/**
 * Chooses the posts for a page: all posts of each row that has a post on one of the days, in the project's time zone.
 * Leaves out skipped rows, past posts, and posts whose pictures or videos cannot be used.
 * @param spans default: the month of the next post
 */
export function clientPosts(
  all: readonly ListedPost[],
  spans: readonly DaySpan[],
  { timezone = "UTC" }: Pick<Config, "timezone">,
  pastUntil: UtcTime,
): ClientPosts {
  const posts = all.filter(({ status }) => status !== "skip");
  const month = defaultMonth(posts, pastUntil, timezone);
  const wanted = spans.length > 0 ? spans : [{ from: `${month}-01`, to: `${month}-31` }];
  const dayOf = ({ scheduledAt }: Pick<ListedPost, "scheduledAt">): string =>
    sortableTime(scheduledAt, timezone).date;
  const isWanted = (post: ListedPost): boolean =>
    [post, ...(post.repeats?.posts ?? [])].some((each) => {
      const day = dayOf(each);
      return each.scheduledAt >= post.scheduledAt && wanted.some(({ from, to }) => from <= day && day <= to);
    });
  // A row has one status for all its posts, so the client sees all of them.
  const rows = [...groupBy(posts, ({ source }) => rowMark(source)).values()].filter((row) =>
    row.some(isWanted),
  );
  const chosen = new Set(rows.flat());
  const due = posts.filter((post) => chosen.has(post) && post.scheduledAt >= pastUntil);
  const shown = due.filter(isUsable);
  const days = shown.map(dayOf).sort();
  const [first = `${month}-01`] = [...wanted.map(({ from }) => from).filter(Boolean), ...days].sort();
  const ends = wanted.map(({ to }) => to).filter((to) => to !== "9999");
  const last = [...ends, ...days].sort().at(-1) ?? first;
  return {
    posts: shown,
    past: [...chosen].filter((post) => post.scheduledAt < pastUntil),
    faulty: due.filter((post) => !isUsable(post)),
    from: first,
    to: lastDayOf(last),
  };
}

/** `2027-02-31`, the end of a named month, as a day that exists. */
function lastDayOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return `${day.slice(0, 8)}${twoDigits(Math.min(date, last))}`;
}

/**
 * @param all every post of the project, for the posts' names @param sourceOf must give addresses inside the page
 * @param now ms since the epoch
 */
export function makeClientPage(
  { posts, from, to }: ClientPosts,
  all: readonly ListedPost[],
  config: Config,
  { sourceOf, now }: { readonly sourceOf: SourceOf; readonly now: number },
): PreviewData {
  const timezone = config.timezone ?? "UTC";
  const keys = keysOfPosts(all);
  const limitsOf = limitsOfProject(config);
  const platforms = new IndexedList((name: string) => previewPlatform(name, limitsOf, config));
  const byKey = new Map(posts.flatMap(shownMedia).map((each) => [mediaKey(each), each] as const));
  const media = new IndexedList((key: string) => clientMedia(byKey.get(key), sourceOf));
  const shown = posts.map((post): PreviewPost => {
    const { date, clock, offset } = sortableTime(post.scheduledAt, timezone);
    // Of a row that repeats, the texts of its next post.
    const said = post.repeats?.posts.find(({ scheduledAt }) => scheduledAt === post.scheduledAt) ?? post;
    return {
      status: "unanswered",
      day: date,
      clock,
      offset,
      at: post.scheduledAt,
      id: hiddenName(keys.get(post) ?? post.key),
      place: "",
      seal: sealOf(post),
      platforms: post.platforms.map((each) => platforms.placeOf(each)),
      media: shownMedia(post).map((each) => media.placeOf(mediaKey(each))),
      problems: [],
      content: visibleText(said.content),
      ...extrasOf(said),
      ...(said.expires === undefined ? {} : { expires: visibleText(endTime(said.expires, timezone)) }),
      ...seriesOf(post, said, timezone),
      meters: [],
      differences: [],
    };
  });
  const made = utcTime(now);
  return {
    title: visibleText(config.project ?? "Content calendar"),
    timezone,
    madeAt: shortTime(made.replace(/\d\dZ$/, "00Z"), timezone),
    today: sortableTime(made, timezone).date,
    notices: [],
    platforms: platforms.entries,
    media: media.entries,
    problems: [],
    posts: shown.sort(byTime),
    client: { ...(config.project === undefined ? {} : { project: config.project }), made, from, to },
  };
}

/** @param shown the post of the series whose texts the page shows anyway */
function seriesOf(
  { repeats, scheduledAt: next }: ListedPost,
  shown: PostTexts,
  timezone: string,
): Pick<PreviewPost, "repeats"> {
  if (repeats === undefined) return {};
  const { rule, until, except, pool } = repeats;
  const due = repeats.posts.filter(({ scheduledAt }) => scheduledAt >= next);
  const known = new Set(allTexts(shown));
  const texts = [...new Set([...due.flatMap(allTexts), ...pool.map(canonicalContent)])];
  return {
    repeats: {
      rule: visibleText(rule),
      ...(until === undefined ? {} : { until }),
      days: due.map(({ scheduledAt }) => {
        const { date, clock } = sortableTime(scheduledAt, timezone);
        return `${date} ${clock}`;
      }),
      except: except.map(visibleText),
      texts: texts.filter((text) => !known.has(text)).map(visibleText),
    },
  };
}

type PostTexts = Pick<ListedPost, "content" | "thread" | "first_comment" | "alt">;

/** Every text that a post publishes. */
function allTexts({ content, thread = [], first_comment: comment = "", alt = [] }: PostTexts): string[] {
  return [content, ...thread, comment, ...alt].filter((text) => text !== "");
}

/** Without its name, which may be meant for the team only. */
function clientMedia(shown: ShownMedia | undefined, sourceOf: SourceOf): PreviewMedia {
  const why = "It is not in this page. Ask for it before you approve the post.";
  const { media, cover } = shown ?? {};
  if (media === undefined || !("sha256" in media)) return { kind: "unknown", name: "", why };
  const source = sourceOf(media.sha256);
  return {
    kind: media.mime.startsWith("video/") ? "video" : "picture",
    name: "",
    size: formatBytes(media.bytes),
    ...mediaFacts(media),
    ...coverSource(cover, sourceOf),
    ...(source === undefined ? { why } : { source }),
  };
}
