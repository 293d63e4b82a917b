/** The fields of posts and accounts that decoding does not read by itself. */
import type { RemotePost } from "../calendar/post.ts";
import type { ResponseMapping } from "../calendar/service-shape.ts";
import { pathText } from "../calendar/shape-path.ts";
import { Failure } from "../calendar/failure.ts";
import { networkNamed } from "../rules/platform-limits.ts";
import { decodeMedia } from "../service/decode-media.ts";
import { decodePlatform } from "../service/decode-platform.ts";
import { decodePost, POST_KEYS } from "../service/decode-post.ts";
import { statusMeaning } from "../service/post-state.ts";
import { idIn, pick } from "../service/record.ts";
import type { Json } from "../service/records.ts";
import { networkLeaf, type FoundPosts } from "./find-records.ts";
import { guessFields, type GuessedField } from "./guess-fields.ts";
import { leavesIn, type FoundList } from "./json-leaves.ts";

type Post = NonNullable<ResponseMapping["post"]>;
type Platform = NonNullable<ResponseMapping["platform"]>;

/** The fields that decoding does not read by itself in these records. */
export function fieldsOf({ items, guessed }: FoundPosts): Post {
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
export function isReadAsUsual(field: string, item: Json): boolean {
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

export function accountFields(found: FoundList | undefined): Platform {
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
export function mediaFields(found: FoundList): NonNullable<ResponseMapping["media"]> {
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
export function idField(found: FoundList): { readonly id?: string } {
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
export function statusWords({ items, guessed }: FoundPosts): Pick<ResponseMapping, "status"> {
  const leaf = guessed.get("status");
  const usual = items.map((item) => pick(item, POST_KEYS.status));
  const words = new Set((leaf?.byItem.flat() ?? usual).filter((each) => typeof each === "string"));
  const [word] = words;
  const isWord = word !== undefined && /^[\p{L}\p{N}_ -]{1,40}$/u.test(word);
  if (!isWord || words.size !== 1 || statusMeaning(word.toLowerCase()) !== undefined) return {};
  return { status: { [word.toLowerCase()]: "scheduled" } };
}
