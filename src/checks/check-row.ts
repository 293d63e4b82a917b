/** Checks one ready row: turns it into as few posts as possible, or reports its faults. */

import { hash } from "node:crypto";
import { clipped, shellArgument } from "../model/text.ts";
import { utcTime } from "../model/canonical.ts";
import { type PostExtras, MAX_REPLIES, filledExtras, hasExtras, mediaByText } from "../model/extras.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { type Position, type Problem, problem } from "../model/problem.ts";
import type { Assumed, RawRow } from "../model/row.ts";
import type { Field } from "../model/fields.ts";
import type { CalendarReading } from "./calendar-reading.ts";
import { NEVER_EXPIRES, readExpiry } from "./expiry.ts";
import { optionReferences } from "./media-cells.ts";
import type { NetworkVersion, UnclearLink, VersionFor } from "./network-texts.ts";
import { readPoll } from "./polls.ts";
import type { Platforms } from "./platforms.ts";
import { type RowOption, filledOption, readOptions, unusedOptions } from "./options.ts";
import { readType } from "./post-types.ts";
import type { RowView } from "./row-view.ts";
import { readTexts } from "./row-texts.ts";
import { dueTime } from "./schedule.ts";
import { rowsByPlatform } from "./variants.ts";

export interface CheckedRow {
  /** Empty if the problems include an error. */
  readonly posts: readonly Post[];
  readonly problems: readonly Problem[];
  /** Defaults for what the row does not say. */
  readonly assumed?: readonly Assumed[];
}

/** Shared by all rows that say everything themselves. */
export const NOTHING_ASSUMED: readonly Assumed[] = [];

/** @param platforms the row's */
export function checkRow(
  row: RowView,
  reading: CalendarReading,
  platforms: Platforms = reading.read(row),
): CheckedRow {
  const checked = checkWholeRow(row, reading, platforms);
  return reading.hasOneAccountPerPost
    ? { ...checked, posts: checked.posts.flatMap(splitByAccount) }
    : checked;
}

/**
 * Each part has a key with its account, even if it is the only part. So adding or removing an account changes no
 * other key.
 */
function splitByAccount(post: Post): readonly Post[] {
  return post.platforms.map((platform) => {
    const part = onlyOn(platform, post);
    if (post.key.startsWith(DERIVED_KEY_PREFIX)) return { ...part, key: derivedKey(part) };
    return post.key.endsWith(`@${platform}`) ? part : { ...part, key: `${post.key}@${platform}` };
  });
}

/** The post with the options of one account. */
function onlyOn(platform: string, post: Post): Post {
  const part = { ...post, platforms: [platform] };
  const { options = [] } = post;
  if (options.length === 0) return part;
  const own = options.filter((text) => text.startsWith(`${platform}.`));
  const { optionMedia: _all, ...rest } = part;
  const at: Post["at"] = (field, item) =>
    post.at(field, field === "options" ? options.indexOf(own[item ?? 0] ?? "") : item);
  return { ...rest, ...mediaOf(own), options: own, at };
}

/** The media of options, such as a cover. */
function mediaOf(options: readonly string[]): Pick<Post, "optionMedia"> {
  const optionMedia = optionReferences(options);
  return optionMedia === undefined ? {} : { optionMedia };
}

function checkWholeRow(row: RowView, reading: CalendarReading, platforms: Platforms): CheckedRow {
  const { id } = row;
  const { versionFor } = reading;
  const problems: Problem[] = id === undefined ? [] : idProblems(id, row);
  if (platforms.names.length === 0 && platforms.problems.length === 0) return { posts: [], problems };
  const unused = unusedOptions(row, platforms.names, reading.aliases);
  if ((row.row.variants.length === 0 && versionFor === undefined) || platforms.names.length === 0) {
    const said = readRowBody(row, platforms.names, reading, problems);
    problems.push(...platforms.problems);
    if (said === undefined || problems.length > 0) return { posts: [], problems };
    const posts = [toPost(said, platforms.names, id)];
    return { posts, problems: [...said.warnings, ...unused], assumed: said.assumed };
  }
  problems.push(...platforms.problems);
  const seen = rowsByPlatform(row.row, platforms.names, reading.aliases);
  const all = seen.rows.map(({ row: own, ...rest }) => ({
    ...rest,
    said: readRowBody(row.as(own), rest.platforms, reading, problems),
  }));
  if (problems.length > 0) return { posts: [], problems: [...deduplicate(problems), ...seen.problems] };
  if (seen.problems.some(({ severity }) => severity === "error"))
    return { posts: [], problems: seen.problems };
  const bodies =
    versionFor === undefined
      ? all
      : all.flatMap((each) =>
          versionsByNetwork(each, versionFor, { id, isOnly: platforms.names.length === 1 }),
        );
  const posts = mergeSameBodies(bodies).map((group) => toPost(group, group.platforms, postKey(group, id)));
  return {
    posts,
    problems: [
      ...seen.problems,
      ...unused,
      ...deduplicate(bodies.flatMap(({ said }) => said?.warnings ?? [])),
    ],
    assumed: all.flatMap(({ said }) => said?.assumed ?? []),
  };
}

/** The content of a row for all its platforms. */
interface RowBody extends Pick<Post, "content" | "scheduledAt" | "media">, Omit<PostExtras, "options"> {
  readonly rowOptions: readonly RowOption[];
  readonly row: RawRow;
  readonly slot: Post["slot"] | undefined;
  readonly timezone: string | undefined;
  readonly campaign: string | undefined;
  readonly warnings: readonly Problem[];
  readonly assumed: readonly Assumed[];
}

/** Undefined if there are problems, which are added to `problems`. */
function readRowBody(
  row: RowView,
  platforms: readonly string[],
  reading: CalendarReading,
  problems: Problem[],
): RowBody | undefined {
  const before = problems.length;
  const { orders, weekOf } = reading;
  const due = dueTime(row, orders, hasSlots(reading, platforms));
  if ("problems" in due) problems.push(...due.problems);
  const { problems: faults, warnings, ...texts } = readTexts(row);
  const { content, media, thread = [] } = texts;
  const type = readType(row, media, platforms, reading.options);
  problems.push(...faults, ...type.problems);
  const rowOptions = readOptions(row, platforms, reading, problems, type.options);
  const isWaiting = isUndrafted(row, problems);
  const isEmpty = content === "" && media.length === 0;
  if (isEmpty && !isWaiting && faults.length + type.problems.length === 0) {
    const message = "The row has no text and no media. Fill in content, or mark the row as draft or skip.";
    problems.push(problem("row/missing-field", message, row.at("content")));
  }
  if (thread.length > MAX_REPLIES)
    problems.push(tooManyReplies(thread.length, row.at("thread", MAX_REPLIES)));
  const poll = readPoll(row, problems);
  const expiry =
    "problems" in due ? NEVER_EXPIRES : readExpiry(row, orders, "ms" in due ? due.ms : undefined);
  if ("problems" in expiry) problems.push(...expiry.problems);
  if (problems.length > before || "problems" in due || "problems" in expiry) return undefined;
  const { assumed = NOTHING_ASSUMED } = due;
  const { ms: expiresMs, lastsMs } = expiry;
  const campaign = row.values.campaign?.text.normalize("NFC") ?? "";
  return {
    row: row.row,
    rowOptions,
    ...texts,
    ...poll,
    scheduledAt: "slot" in due ? "" : utcTime(due.ms),
    slot:
      "slot" in due && weekOf !== undefined
        ? { ...due.slot, isTaken: false, weekOf, ...(lastsMs === undefined ? {} : { lastsMs }) }
        : undefined,
    timezone: row.zone?.name,
    campaign: campaign === "" ? undefined : campaign,
    reply_to: row.values.reply_to?.text,
    quote: row.values.quote?.text,
    expires: expiresMs === undefined ? undefined : utcTime(expiresMs),
    assumed: expiry.assumed.length === 0 ? assumed : [...assumed, ...expiry.assumed],
    warnings,
  };
}

function tooManyReplies(count: number, at: Position): Problem {
  const message = `The thread has ${count} texts after the post, but at most ${MAX_REPLIES} are allowed. Split the row into several posts.`;
  return problem("row/too-many-replies", message, at);
}

/** What a row asks `plancast draft` for, and the field for the result. */
const PROMPT_FIELDS = [
  { prompt: "prompt", wanted: "content", what: "text" },
  { prompt: "image_prompt", wanted: "media", what: "picture" },
] as const;

/** Whether the row asks for something that is still missing. Adds a problem for each missing part. */
function isUndrafted(row: RowView, problems: Problem[]): boolean {
  const before = problems.length;
  for (const { prompt, wanted, what } of PROMPT_FIELDS) {
    const asked = row.values[prompt];
    if (asked === undefined || row.values[wanted] !== undefined) continue;
    const message =
      `The row has a prompt but no ${what} yet. Run \`plancast draft ${shellArgument(row.row.file)}\`, ` +
      `fill in ${wanted} yourself, or mark the row as draft or skip.`;
    problems.push(problem("row/not-drafted", message, asked.at()));
  }
  return problems.length > before;
}

/** The content of a row that is only for some of its platforms. */
interface SaidForPlatforms {
  readonly platforms: readonly string[];
  /** Whether some of it is only for these platforms. */
  readonly isOwn: boolean;
  /** Undefined if there are problems. */
  readonly said: RowBody | undefined;
}

/** Whether one of the networks has slots. */
export function hasSlots({ weekOf }: CalendarReading, networks: readonly string[]): boolean {
  return weekOf !== undefined && networks.some((name) => weekOf(name) !== undefined);
}

/** The platforms of a row, with each network's version of the texts. Networks that share a version stay together. */
function versionsByNetwork(
  { platforms, isOwn, said }: SaidForPlatforms,
  versionFor: VersionFor,
  row: { readonly id: string | undefined; readonly isOnly: boolean },
): readonly SaidForPlatforms[] {
  if (said === undefined) return [{ platforms, isOwn, said }];
  const values = { id: row.id, campaign: said.campaign };
  const each = platforms.map((platform) => ({ platform, ...versionFor(said, values, platform) }));
  const shared = each.filter((version) => !version.isOwn);
  const groups = [
    ...(shared.length === 0 ? [] : [shared]),
    ...each.filter((one) => one.isOwn).map((one) => [one]),
  ];
  return groups.map((group) => ({
    platforms: group.map(({ platform }) => platform),
    // The only network of a row needs no key of its own.
    isOwn: isOwn || (!row.isOnly && group.some((version) => version.isOwn)),
    said: withVersion(said, group),
  }));
}

/** @param versions with equal texts */
function withVersion(said: RowBody, versions: readonly NetworkVersion[]): RowBody {
  const warnings = versions.flatMap(({ unclear }) => unclear.map((each) => untaggedLink(each, said.row)));
  return { ...said, ...versions[0]?.texts, warnings: [...said.warnings, ...warnings] };
}

function untaggedLink({ link, field, item }: UnclearLink, row: RawRow): Problem {
  const shown = clipped(link);
  const message = `plancast adds no UTM parameters to "${shown}", because the end of the link is not clear. Write a space after it, or add them yourself.`;
  return problem("row/untagged-link", message, row.at(field, item));
}

interface BodyForPlatforms extends RowBody {
  readonly platforms: readonly string[];
  readonly isOwn?: boolean;
}

/** Platforms with the same content share one post. The row's own comes first. */
function mergeSameBodies(all: readonly SaidForPlatforms[]): BodyForPlatforms[] {
  const found = new Map<string, BodyForPlatforms>();
  for (const { platforms, isOwn, said } of all) {
    if (said === undefined) continue;
    const mark = JSON.stringify([said.content, dueMark(said), said.media, filledExtras(said)]);
    const same = found.get(mark);
    if (same === undefined) found.set(mark, { ...said, platforms, isOwn });
    else
      found.set(mark, {
        ...same,
        platforms: [...same.platforms, ...platforms].sort(),
        rowOptions: [...same.rowOptions, ...said.rowOptions],
      });
  }
  return [...found.values()];
}

/** A post for all platforms has the row's id. A post for one platform adds the platform's name. */
function postKey({ platforms, isOwn }: BodyForPlatforms, id: string | undefined): string | undefined {
  return id === undefined || isOwn !== true ? id : `${id}@${platforms[0] ?? ""}`;
}

/** Rows for several platforms repeat the faults of their shared parts. */
function deduplicate(problems: readonly Problem[]): Problem[] {
  const found = new Map(problems.map((each) => [JSON.stringify(each), each]));
  return [...found.values()];
}

function toPost(said: RowBody, platforms: readonly string[], id: string | undefined): Post {
  const { row, content, scheduledAt, slot, timezone, campaign, media } = said;
  const options = postOptions(said, platforms);
  const post: Post = {
    key: id ?? derivedKey({ content, platforms, scheduledAt, slot, media }),
    source: row,
    at: (field, item) => {
      if (field !== "options") return placeOf(said, field, item);
      const own = options.get([...options.keys()][item ?? 0] ?? "");
      return own === "type" ? row.at("type") : row.at(field, own);
    },
    content,
    platforms,
    scheduledAt,
    media,
    ...(timezone === undefined ? {} : { timezone }),
  };
  // Most rows have none of these.
  const isPlain = slot === undefined && campaign === undefined && row.occurrence === undefined;
  if (isPlain && options.size === 0 && !hasExtras(said)) return post;
  return {
    ...post,
    ...filledExtras({ ...said, options: [...options.keys()] }),
    ...mediaOf([...options.keys()]),
    ...(slot === undefined ? {} : { slot }),
    ...(campaign === undefined ? {} : { campaign }),
    ...(row.occurrence === undefined ? {} : { series: row.occurrence }),
  };
}

/** The options of the platforms of a post, each with its place in the row. */
function postOptions(
  { rowOptions, content }: RowBody,
  platforms: readonly string[],
): ReadonlyMap<string, RowOption["item"]> {
  if (rowOptions.length === 0) return NO_OPTIONS;
  const own = rowOptions
    .filter(({ platform }) => platforms.includes(platform))
    .map((each) => [filledOption(each, content), each.item] as const);
  return new Map(own.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const NO_OPTIONS: ReadonlyMap<string, undefined> = new Map();

/**
 * What the row says about its time. The slot is not part of the key, because the row must keep its key when it gets a
 * slot.
 */
function dueMark({ scheduledAt, slot }: DueParts): string {
  return slot === undefined ? scheduledAt : `slot ${slot.day ?? ""}`;
}

interface DueParts {
  readonly scheduledAt: string;
  readonly slot?: Post["slot"] | undefined;
}

/** The key of a row without an id: derived from its content, so that it stays the same when the row moves. */
export function derivedKey({
  content,
  platforms,
  media,
  scheduledAt,
  slot,
}: Pick<Post, "content" | "platforms" | "media"> & DueParts): string {
  const said = [content, platforms, dueMark({ scheduledAt, slot }), content === "" ? media : []];
  return `${DERIVED_KEY_PREFIX}${hash("sha256", JSON.stringify(said)).slice(0, 16)}`;
}

/** The place of a field of a post, or of one of its items. Media of the thread are in cells of their own. */
function placeOf({ row, media, thread_media }: RowBody, field?: Field, item?: number): Position {
  if ((field === "media" || field === "alt") && item !== undefined && thread_media !== undefined) {
    const texts = mediaByText([...media.keys()], { thread_media });
    const text = texts.findIndex((items) => items.includes(item));
    if (text > 0) return row.at(field === "media" ? "thread_media" : "thread_alt", text - 1);
  }
  return row.at(fieldAsWritten(field, row), item);
}

/** A row with separate date and time has its time there. */
function fieldAsWritten(field: Field | undefined, { cells }: RawRow): Field | undefined {
  return field === "scheduled_at" && cells.scheduled_at === undefined ? "date" : field;
}

// oxlint-disable-next-line no-control-regex
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,200}$/u;

/** The one name that is not a normal property of a JavaScript object. */
const UNUSABLE_ID = "__proto__";

function idProblems(id: string, row: RowView): Problem[] {
  if (PRINTABLE.test(id) && !id.startsWith(DERIVED_KEY_PREFIX) && id !== UNUSABLE_ID) return [];
  const message = `An id must be one line of at most 200 characters. It must not start with "${DERIVED_KEY_PREFIX}" and must not be "${UNUSABLE_ID}".`;
  return [problem("row/id", message, row.at("id"))];
}
