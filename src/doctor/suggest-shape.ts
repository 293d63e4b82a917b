/** What `service.shape` would have to say for answers to be read: only what decoding does not find by itself. */
import { pathText, stepsOf, valueAtPath, type ServiceShape } from "../calendar/service-shape.ts";
import { Failure } from "../calendar/failure.ts";
import { networkNamed } from "../rules/platform-limits.ts";
import { isObject, itemsIn, UNFOLLOWED_KEYS } from "../service/decode-list.ts";
import { decodePlatform } from "../service/decode-platform.ts";
import { decodePost, POST_KEYS } from "../service/decode-post.ts";
import { meaningOf } from "../service/post-state.ts";
import { idIn, pick, recordIn } from "../service/record.ts";
import type { Json } from "../service/records.ts";
import { bestOf, guessFields, type GuessedField } from "./guess-fields.ts";
import { leavesIn, listsIn, pathToRecord, type FoundList, type Leaf } from "./json-leaves.ts";

/** The JSON of answers; undefined where there was none. */
export interface Answers {
  /** To the list of scheduled posts. */
  readonly posts: unknown;
  /** To one post. */
  readonly single: unknown;
  readonly platforms: unknown;
}

type Post = NonNullable<ServiceShape["post"]>;
type Platform = NonNullable<ServiceShape["platform"]>;

/** Undefined where there is nothing to say: all is read already, or nothing looks like posts. */
export function suggestShape({ posts, single, platforms }: Answers, now: number): ServiceShape | undefined {
  const found = postsIn(posts, now);
  const accounts = accountsIn(platforms);
  const post = found === undefined ? {} : fieldsOf(found);
  const record = found === undefined ? undefined : recordPath(single, found, post);
  const shape: ServiceShape = {
    ...placeOf(listPath(posts, found), listPath(platforms, accounts)),
    ...(record !== undefined && { record }),
    ...nextIn(posts),
  };
  const named: ServiceShape = {
    ...shape,
    ...withFields("post", { ...shape.post, ...post }),
    ...withFields("platform", { ...shape.platform, ...accountFields(accounts) }),
    ...(found !== undefined && statusWords(found)),
  };
  return Object.keys(named).length === 0 ? undefined : named;
}

interface FoundPosts extends FoundList {
  readonly guessed: ReadonlyMap<GuessedField, Leaf>;
}

/** The list whose objects look most like posts: they have an id, and a time or a text. */
function postsIn(body: unknown, now: number): FoundPosts | undefined {
  const candidates = listsIn(body).map((list) => ({
    ...list,
    guessed: guessFields(leavesIn(list.items), now),
  }));
  return bestOf(candidates, ({ guessed, items }) => {
    const isPosts = guessed.has("id") && (guessed.has("scheduled_at") || guessed.has("content"));
    return isPosts ? guessed.size + Math.min(items.length, 9) / 10 : 0;
  });
}

/** Accounts: objects, of which each names one network. */
function accountsIn(body: unknown): FoundList | undefined {
  return bestOf(listsIn(body), (list) => (networkLeaf(list) === undefined ? 0 : list.items.length));
}

function isNetwork(value: unknown): boolean {
  return typeof value === "string" && networkNamed(value) !== undefined;
}

function networkLeaf({ items }: FoundList): Leaf | undefined {
  return bestOf(leavesIn(items), ({ byItem }) => {
    const names = byItem.filter((values) => values.length === 1 && values.every(isNetwork)).length;
    return names > byItem.length / 2 ? names : 0;
  });
}

/** Undefined where the list is found without being told. */
function listPath(body: unknown, found: FoundList | undefined): string | undefined {
  if (found === undefined) return undefined;
  const usual = itemsIn(body);
  return usual !== undefined && usual.length >= found.items.length && usual[0] === found.items[0]
    ? undefined
    : pathText(found.path);
}

/** One place for all lists, where they share it. */
function placeOf(posts: string | undefined, accounts: string | undefined): ServiceShape {
  if (posts !== undefined && posts === accounts) return { list: posts };
  return { ...withFields("post", { list: posts }), ...withFields("platform", { list: accounts }) };
}

function withFields<Name extends string, Fields extends object>(
  name: Name,
  fields: Fields,
): Partial<Record<Name, Fields>> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return said.length === 0 ? {} : ({ [name]: Object.fromEntries(said) } as Record<Name, Fields>);
}

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

function isReadAsUsual(field: GuessedField, item: Json): boolean {
  if (field === "id") return idIn(item) !== undefined;
  const [keys, part] = USUAL[field];
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

const USUAL = {
  scheduled_at: [POST_KEYS.scheduledAt, "scheduledAt"],
  status: [POST_KEYS.status, "status"],
  platforms: [POST_KEYS.platforms, "platforms"],
  content: [POST_KEYS.content, "content"],
  media: [POST_KEYS.mediaIds, "mediaIds"],
} as const;

function recordPath(body: unknown, { guessed }: FoundPosts, { id }: Post): string | undefined {
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
  if (isRead) return {};
  const id = guessFields(leavesIn(found.items), 0).get("id");
  const isIdRead = found.items.every((item) => idIn(item) !== undefined);
  return { ...(id !== undefined && !isIdRead && { id: pathText(id.path) }), platform: pathText(leaf.path) };
}

/** The filter asked for scheduled posts: a word that all of them have, and that is not known, means that. */
function statusWords({ items, guessed }: FoundPosts): Pick<ServiceShape, "status"> {
  const leaf = guessed.get("status");
  const usual = items.map((item) => pick(item, POST_KEYS.status));
  const words = new Set((leaf?.byItem.flat() ?? usual).filter((each) => typeof each === "string"));
  const [word] = words;
  const isWord = word !== undefined && /^[\p{L}\p{N}_ -]{1,40}$/u.test(word);
  if (!isWord || words.size !== 1 || meaningOf(word.toLowerCase()) !== undefined) return {};
  return { status: { [word.toLowerCase()]: "scheduled" } };
}

/** Nobody tells of pages further down than this. */
const DEEPEST_PAGING = 4;

/** A next page that is named in a way that decoding cannot follow. */
function nextIn(body: unknown): Pick<ServiceShape, "next" | "next_as"> {
  const holders = isObject(body) ? [{ path: [], holder: body }, ...objectsIn(body)] : [];
  for (const { path, holder } of holders) {
    const key = UNFOLLOWED_KEYS.find((each) => ["string", "number"].includes(typeof holder[each]));
    const value = key === undefined ? "" : holder[key];
    if (key === undefined || value === "" || /^(https?:\/\/|[/?])/.test(String(value))) continue;
    return { next: pathText([...path, key]), next_as: parameterFor(key) };
  }
  return {};
}

function objectsIn(body: Json, path: readonly string[] = []): { path: string[]; holder: Json }[] {
  if (path.length >= DEEPEST_PAGING) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (!isObject(value)) return [];
    const here = [...path, key];
    return [{ path: here, holder: value }, ...objectsIn(value, here)];
  });
}

/** As services mostly call it: `next_page_token` goes back as `page_token`, `nextPage` as `page`. */
function parameterFor(key: string): string {
  const rest = key.replace(/^next_?/i, "");
  return rest === "" ? "cursor" : rest.charAt(0).toLowerCase() + rest.slice(1);
}
