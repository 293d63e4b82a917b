/** The fields of posts and accounts that decoding does not read by itself. */
import type { RemotePost } from "../calendar/post.ts";
import type { ServiceShape } from "../calendar/service-shape.ts";
import { pathText } from "../calendar/shape-path.ts";
import { Failure } from "../calendar/failure.ts";
import { networkNamed } from "../rules/platform-limits.ts";
import { decodePlatform } from "../service/decode-platform.ts";
import { decodePost, POST_KEYS } from "../service/decode-post.ts";
import { meaningOf } from "../service/post-state.ts";
import { idIn, pick } from "../service/record.ts";
import type { Json } from "../service/records.ts";
import { networkLeaf, type FoundPosts } from "./find-records.ts";
import { guessFields, type GuessedField } from "./guess-fields.ts";
import { leavesIn, type FoundList } from "./json-leaves.ts";

type Post = NonNullable<ServiceShape["post"]>;
type Platform = NonNullable<ServiceShape["platform"]>;

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
  if (isRead) return {};
  const id = guessFields(leavesIn(found.items), 0).get("id");
  const isIdRead = found.items.every((item) => idIn(item) !== undefined);
  return { ...(id !== undefined && !isIdRead && { id: pathText(id.path) }), platform: pathText(leaf.path) };
}

/** The filter asked for scheduled posts: a word that all of them have, and that is not known, means that. */
export function statusWords({ items, guessed }: FoundPosts): Pick<ServiceShape, "status"> {
  const leaf = guessed.get("status");
  const usual = items.map((item) => pick(item, POST_KEYS.status));
  const words = new Set((leaf?.byItem.flat() ?? usual).filter((each) => typeof each === "string"));
  const [word] = words;
  const isWord = word !== undefined && /^[\p{L}\p{N}_ -]{1,40}$/u.test(word);
  if (!isWord || words.size !== 1 || meaningOf(word.toLowerCase()) !== undefined) return {};
  return { status: { [word.toLowerCase()]: "scheduled" } };
}
