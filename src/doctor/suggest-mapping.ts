/** A shape that was found, as advice: what would be read with it, and what to paste where. */

import { isDeepStrictEqual } from "node:util";
import { networkNamed } from "../checks/networks/platform-limits.ts";
import { Failure } from "../model/failure.ts";
import { isObject } from "../model/json.ts";
import type { RemotePost } from "../model/post.ts";
import { plural } from "../report/text/numbers.ts";
import { type Page, isAddress, itemsIn } from "../service/answers/list-page.ts";
import { decodeMedia, decodePlatform } from "../service/answers/other-records.ts";
import { type PaginationHint, isAboutPages, paginationHints } from "../service/answers/pagination-hints.ts";
import { POST_KEYS, decodePost, statusMeaning } from "../service/answers/post.ts";
import { idIn, pick, recordIn } from "../service/answers/record.ts";
import { bodyOf } from "../service/http/refusal.ts";
import type { HttpAnswer } from "../service/http/request.ts";
import type { Json, PostRecord } from "../service/records.ts";
import { type ResponseMapping, pathText, stepsOf, valueAtPath } from "../settings/response-mapping.ts";
import { decodedPage } from "./answers.ts";
import type { Facts, ServiceFacts } from "./facts.ts";
import {
  type FoundList,
  type FoundPosts,
  type GuessedField,
  accountsIn,
  guessFields,
  isName,
  leavesIn,
  networkLeaf,
  pathToRecord,
  postsIn,
  recordsIn,
} from "./guess-fields.ts";
import { pasteMapping } from "./paste-mapping.ts";

interface MappingAdvice extends Suggested {
  /** What to do with the lines, as the end of a sentence that the lines follow. */
  readonly paste: string;
  /** What of it has to be looked up; a sentence, or empty. */
  readonly guess: string;
  /** Lines for the project file. */
  readonly snippet: string;
}

/** Undefined where nothing in the answers looks like posts, or all of it is read already. */
export function adviseMapping({ service, now, projectText }: Facts): MappingAdvice | undefined {
  const found = service && suggestedFor(service, now);
  if (service === undefined || found === undefined) return undefined;
  const { where, lines } = pasteMapping(found.shape, projectText);
  const isGuessed = found.shape.next_as !== service.settings.shape?.next_as;
  return {
    ...found,
    guess: isGuessed ? GUESSED : "",
    paste: `${where}, and run doctor again:`,
    snippet: lines,
  };
}

const GUESSED =
  "What its cursor is sent back as (next_as) is a guess: look it up in the service's documentation. ";

/** One post as an example, cut short: whoever pastes the lines should see what was taken for what. */
export function exampleOf({ posts, guess, paste }: MappingAdvice): string {
  const [first] = posts;
  if (first === undefined)
    return `What was found does not make posts readable by itself: fill in what is missing (docs/doctor.md), then ${paste}`;
  return `With the lines below ${plural(posts.length, "post")} can be read, the first as: ${describePost(first)}. ${guess}If that is right, ${paste}`;
}

function describePost({ id, status, scheduledAt, platforms, content }: PostRecord): string {
  const parts = [
    `id ${id.slice(0, 40)}`,
    `scheduled_at ${scheduledAt ?? "not found"}`,
    `platforms ${platforms?.join(", ").slice(0, 60) ?? "not found"}`,
    `content ${content === undefined ? "not found" : JSON.stringify(content.slice(0, 24))}`,
    `status ${status?.slice(0, 24) ?? "not found"}`,
  ];
  return parts.join("; ");
}

/** A `service.shape` for answers that cannot be read, looked at with the decoding that it is for. */

interface Suggested {
  /** The whole of it, with what the project says already. */
  readonly shape: ResponseMapping;
  /** The posts of the first page, as they would be read with it. */
  readonly posts: readonly PostRecord[];
}

/** Undefined where nothing in the answers looks like posts, or all of it is read already. */
export function suggestedFor(
  { heard, further, settings }: Pick<ServiceFacts, "heard" | "further" | "settings">,
  now: number,
): Suggested | undefined {
  const said = settings.shape ?? {};
  const answers = bodiesIn([...heard, ...further]);
  const places = mergeMapping(suggestMapping(answers, now), said, answers);
  const posts = firstTo(heard, POSTS);
  const page = posts && decodedPage(posts, places).page;
  const paging = posts === undefined || page === undefined ? {} : suggestPaging(posts, page);
  const { list, record, next, next_as, total, ...fields } = { ...places, ...paging };
  const shape = definedFields({ list, record, next, next_as, total, ...fields });
  if (isDeepStrictEqual(shape, said)) return undefined;
  return { shape, posts: posts === undefined ? [] : decodedPage(posts, shape).posts };
}

const POSTS = /\/v1\/posts\?/;

function bodiesIn(heard: ServiceFacts["heard"]): Answers {
  const body = (path: RegExp): unknown => {
    const answer = firstTo(heard, path);
    return answer === undefined ? undefined : bodyOf(answer);
  };
  return {
    posts: body(POSTS),
    single: body(/\/v1\/posts\/[^/]+$/),
    platforms: body(/\/v1\/platforms\?/),
    media: body(/\/v1\/media\?/),
    automations: body(/\/v1\/automations\?/),
  };
}

/** The first page of a list, the only answer about one record. */
function firstTo(heard: ServiceFacts["heard"], path: RegExp): HttpAnswer | undefined {
  return heard.flatMap((each) =>
    each.result.kind === "answer" && each.result.status < 300 && path.test(each.path) ? [each.result] : [],
  )[0];
}

/** What `service.shape` would have to say for answers to be read: only what decoding does not find by itself. */

/** The JSON of answers; undefined where there was none. */
interface Answers {
  /** To the list of scheduled posts. */
  readonly posts: unknown;
  /** To one post. */
  readonly single: unknown;
  readonly platforms: unknown;
  readonly media?: unknown;
  readonly automations?: unknown;
}

/** As if the project had none; it says nothing where all is read already, or nothing looks like posts. */
export function suggestMapping(answers: Answers, now: number): ResponseMapping {
  const { posts, single, platforms } = answers;
  const found = postsIn(posts, now);
  const accounts = accountsIn(platforms);
  const post = found === undefined ? {} : fieldsOf(found);
  const record = found === undefined ? undefined : recordPath(single, found, post);
  const places = placeOf(listPath(posts, found), listPath(platforms, accounts));
  return {
    ...places,
    ...(record !== undefined && { record }),
    ...withFields("post", { ...places.post, ...post }),
    ...withFields("platform", { ...places.platform, ...accountFields(accounts) }),
    ...withFields("media", fieldsIn(answers.media, places, mediaFields)),
    ...withFields("automation", fieldsIn(answers.automations, places, idField)),
    ...(found !== undefined && statusWords(found)),
  };
}

/** Where one place is said for all lists, those that stand elsewhere must say so, also where they stand as usual. */
function fieldsIn<Fields extends object>(
  body: unknown,
  { list }: ResponseMapping,
  fieldsOf: (found: FoundList) => Fields,
): Partial<Fields> & { readonly list?: string | undefined } {
  const found = recordsIn(body);
  if (found === undefined) return {};
  const here = pathText(found.path);
  return {
    ...fieldsOf(found),
    list: list === undefined ? listPath(body, found) : here === list ? undefined : here,
  };
}

/** Where the lists and a single record stand, as far as decoding does not find them by itself. */

/** Undefined where the list is found without being told. */
function listPath(body: unknown, found: FoundList | undefined): string | undefined {
  if (found === undefined) return undefined;
  const usual = itemsIn(body);
  return usual !== undefined && usual.length >= found.items.length && usual[0] === found.items[0]
    ? undefined
    : pathText(found.path);
}

/** One place for all lists, where they share it. */
function placeOf(posts: string | undefined, accounts: string | undefined): ResponseMapping {
  if (posts !== undefined && posts === accounts) return { list: posts };
  return { ...withFields("post", { list: posts }), ...withFields("platform", { list: accounts }) };
}

function recordPath(
  body: unknown,
  { guessed }: FoundPosts,
  { id }: NonNullable<ResponseMapping["post"]>,
): string | undefined {
  const steps = id === undefined ? undefined : stepsOf(id);
  const idOf = (record: Json): unknown => (steps === undefined ? idIn(record) : valueAtPath(record, steps));
  const known = new Set(guessed.get("id")?.byItem.flat().map(String));
  const isIt = (record: Json): boolean => {
    const found = idOf(record);
    return (typeof found === "string" || typeof found === "number") && known.has(String(found));
  };
  const usual = recordIn(body, (record) => ({ ...record, id: idOf(record) }));
  if (usual !== undefined && isIt(usual)) return undefined;
  const path = pathToRecord(body, isIt);
  return path === undefined || path.length === 0 ? undefined : pathText(path);
}

/** The fields of posts and accounts that decoding does not read by itself. */

type Post = NonNullable<ResponseMapping["post"]>;
type Platform = NonNullable<ResponseMapping["platform"]>;

/** The fields that decoding does not read by itself in these records. */
function fieldsOf({ items, guessed }: FoundPosts): Post {
  const said = (field: GuessedField): string | undefined => {
    const leaf = guessed.get(field);
    const isUsual = items.every((item) => isReadAsUsual(field, item));
    return leaf === undefined || isUsual ? undefined : pathText(leaf.path);
  };
  return {
    id: said("id"),
    scheduled_at: said("scheduled_at"),
    status: said("status"),
    platforms: said("platforms"),
    content: said("content"),
    media: said("media"),
  };
}

/** @param field of a post, as a shape names it */
function isReadAsUsual(field: string, item: Json): boolean {
  if (field === "id") return idIn(item) !== undefined;
  const [keys, part] = USUAL[field] ?? [];
  if (keys === undefined || part === undefined) return false;
  const alone = Object.fromEntries(
    keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]),
  );
  try {
    const { post, status } = decodePost({ id: "any", ...alone }, "");
    return part === "status" ? status !== undefined : post[part] !== undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const USUAL: Readonly<
  Record<string, readonly [readonly string[], "status" | Exclude<keyof RemotePost, "id">]>
> = {
  scheduled_at: [POST_KEYS.scheduledAt, "scheduledAt"],
  status: [POST_KEYS.status, "status"],
  platforms: [POST_KEYS.platforms, "platforms"],
  content: [POST_KEYS.content, "content"],
  media: [POST_KEYS.mediaIds, "mediaIds"],
};

function accountFields(found: FoundList | undefined): Platform {
  const leaf = found && networkLeaf(found);
  if (found === undefined || leaf === undefined) return {};
  const isRead = found.items.every((item) => {
    try {
      return networkNamed(decodePlatform(item, "").platform ?? "") !== undefined;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  });
  return { ...idField(found), ...(!isRead && { platform: pathText(leaf.path) }) };
}

/** Of a media item. */
function mediaFields(found: FoundList): NonNullable<ResponseMapping["media"]> {
  const media = found.items.map((item) => decodeMedia({ ...item, id: "any" }, ""));
  const type = leafOf(found, (value) => typeof value === "string" && /^(image|video|gif)\b/i.test(value));
  const url = leafOf(found, (value) => typeof value === "string" && /^https?:\/\//.test(value));
  return {
    ...idField(found),
    ...(type !== undefined && media.every((each) => each.type === undefined) && { type }),
    ...(url !== undefined && media.every((each) => each.url === undefined) && { url }),
  };
}

/** Of records that are known by their id alone. */
function idField(found: FoundList): { readonly id?: string } {
  const id = guessFields(leavesIn(found.items), 0).get("id");
  return id === undefined || found.items.every((item) => idIn(item) !== undefined)
    ? {}
    : { id: pathText(id.path) };
}

/** The first path that leads to one such value in each item. */
function leafOf(found: FoundList, fits: (value: unknown) => boolean): string | undefined {
  const leaf = leavesIn(found.items).find(({ byItem }) =>
    byItem.every((values) => values.length === 1 && values.every(fits)),
  );
  return leaf === undefined ? undefined : pathText(leaf.path);
}

/** The filter asked for scheduled posts: a word that all of them have, and that is not known, means that. */
function statusWords({ items, guessed }: FoundPosts): Pick<ResponseMapping, "status"> {
  const leaf = guessed.get("status");
  const usual = items.map((item) => pick(item, POST_KEYS.status));
  const words = new Set((leaf?.byItem.flat() ?? usual).filter((each) => typeof each === "string"));
  const [word] = words;
  const isWord = word !== undefined && /^[\p{L}\p{N}_ -]{1,40}$/u.test(word);
  if (!isWord || words.size !== 1 || statusMeaning(word.toLowerCase()) !== undefined) return {};
  return { status: { [word.toLowerCase()]: "scheduled" } };
}

/** How a next page or a total is told, where decoding cannot follow it. */

type Paging = Pick<ResponseMapping, "next" | "next_as" | "total">;

/** @param page the answer's, as far as it is read */
function suggestPaging(answer: HttpAnswer, { next, total, items }: Page): Paging {
  const isUnderstood = next.kind === "url" || next.kind === "cursor" || next.kind === "end";
  if (isUnderstood || (next.kind === "unsaid" && total !== undefined && total <= items.length)) return {};
  const signs = paginationHints(answer, items.length);
  // A number that stands elsewhere may count anything, and as the total it would stop every run.
  const all =
    total === undefined
      ? pathOf(
          signs.filter(({ path = [] }) => isAboutPages(path)),
          "total",
        )
      : undefined;
  return { ...nextAt(answer, pathOf(signs, "next")), ...(all !== undefined && { total: pathText(all) }) };
}

function pathOf(
  signs: readonly PaginationHint[],
  kind: PaginationHint["kind"],
): readonly string[] | undefined {
  return signs.flatMap((sign) =>
    sign.kind === kind && sign.path?.every(isName) === true ? [sign.path] : [],
  )[0];
}

function nextAt(answer: HttpAnswer, path: readonly string[] | undefined): Paging {
  if (path === undefined) return {};
  const next = pathText(path);
  return isAddress(valueAtPath(bodyOf(answer), path))
    ? { next }
    : { next, next_as: parameterFor(path.at(-1) ?? "") };
}

/** As services mostly call it: `next_page_token` goes back as `page_token`, `nextPage` as `page`. */
function parameterFor(key: string): string {
  if (/^(end|after)_?cursor$/i.test(key)) return "after";
  const rest = key.replace(/^next[_-]?/i, "");
  const name = rest.charAt(0).toLowerCase() + rest.slice(1);
  return /^[\w-]+$/.test(name) ? name : "cursor";
}

/** What a project's `service.shape` says already, with what was found; what leads nowhere gives way. */

/** @param found of these answers, as if the project had no shape */
export function mergeMapping(
  found: ResponseMapping,
  said: ResponseMapping,
  answers: Answers,
): ResponseMapping {
  const { posts, single, platforms } = answers;
  const isRecord = (path: string): boolean => single === undefined || isObject(at(single, path));
  const lists = [posts, platforms].filter((body) => body !== undefined);
  const isList = (path: string): boolean => lists.length === 0 || lists.some((body) => isListIn(body, path));
  const places = mergeFields(placesIn(found), placesIn(said), (field, path) =>
    field === "list" ? isList(path) : isRecord(path),
  );
  const { list: _list, record: _record, ...others } = { ...found, ...said };
  const fields = (name: "post" | "platform" | "media" | "automation", body: unknown) => {
    const list = said[name]?.list ?? found[name]?.list ?? places.list;
    const items = itemsAt(body, list);
    return mergeFields(found[name] ?? {}, said[name] ?? {}, (field, path) => {
      if (field === "list") return isListIn(body, path);
      if (field === "record") return isRecord(path);
      if (items.length === 0 || items.some((item) => at(item, path) !== undefined)) return true;
      // Nothing stands there. Where nothing better is known, it may be of use for other records.
      const isUsual = name === "post" && items.every((item) => isReadAsUsual(field, item));
      return !Object.hasOwn(found[name] ?? {}, field) && !isUsual;
    });
  };
  return {
    ...places,
    ...others,
    ...withFields("post", fields("post", posts)),
    ...withFields("platform", fields("platform", platforms)),
    ...withFields("media", fields("media", answers.media)),
    ...withFields("automation", fields("automation", answers.automations)),
    ...withFields("status", { ...found.status, ...said.status }),
  };
}

function placesIn({ list, record }: ResponseMapping): Pick<ResponseMapping, "list" | "record"> {
  return definedFields({ list, record });
}

/** What was found, and over it what was said and leads somewhere. */
function mergeFields<Fields extends object>(
  found: Fields,
  said: Fields,
  leads: (field: string, path: string) => boolean,
): Fields {
  const kept = Object.entries(said).filter(([field, path]) => typeof path === "string" && leads(field, path));
  return { ...found, ...Object.fromEntries(kept) };
}

function isListIn(body: unknown, path: string): boolean {
  return body === undefined || Array.isArray(at(body, path));
}

function itemsAt(body: unknown, path: string | undefined): readonly Record<string, unknown>[] {
  const found = path === undefined ? itemsIn(body) : at(body, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

function at(value: unknown, path: string): unknown {
  return valueAtPath(value, stepsOf(path));
}

/** What is said of some fields, without those of which nothing is. */
function definedFields<Fields extends object>(fields: Fields): Fields {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return Object.fromEntries(said) as Fields;
}

/** A part of a shape; no part at all where nothing is said in it. */
function withFields<Name extends string, Fields extends object>(
  name: Name,
  fields: Fields,
): Partial<Record<Name, Fields>> {
  const said = definedFields(fields);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one name, one part
  return Object.keys(said).length === 0 ? {} : ({ [name]: said } as Record<Name, Fields>);
}
