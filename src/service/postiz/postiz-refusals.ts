/**
 * What Postiz would refuse in a post: long texts by its own count, files that it does not take, and
 * options that its version does not have. Source: validatePosts, maxLength and the upload validation in
 * gitroomhq/postiz-app, 2026-08.
 */

import { countText } from "../../checks/rules/count-text.ts";
import { formatNumber } from "../../model/text.ts";
import { CARRIED_BY_POSTIZ, carriedFields } from "../../model/options/carried.ts";
import { networkOf, optionFacts, optionsOn, splitOption } from "../../model/options/catalogue.ts";
import type { PlannedPost, RefusedPost } from "../service.ts";
import { type AccountSettings, type FieldSchema, type PostizAccount, toHtml } from "./postiz-api.ts";

/** The longest text, by Postiz's own name of the network. */
const LONGEST: Readonly<Record<string, number>> = {
  x: 280,
  bluesky: 300,
  moltbook: 300,
  mastodon: 500,
  "mastodon-custom": 500,
  threads: 500,
  pinterest: 500,
  kick: 500,
  twitch: 500,
  wrapcast: 800,
  gmb: 1_500,
  discord: 1_980,
  tiktok: 2_000,
  vk: 2_048,
  instagram: 2_200,
  "instagram-standalone": 2_200,
  "tiktok-business": 2_200,
  linkedin: 3_000,
  "linkedin-page": 3_000,
  telegram: 4_096,
  youtube: 5_000,
  skool: 5_000,
  hashnode: 10_000,
  lemmy: 10_000,
  reddit: 10_000,
  tumblr: 32_768,
  dribbble: 40_000,
  whop: 50_000,
  facebook: 63_206,
  mewe: 63_206,
};

/** Largest texts of a post together, as HTML in bytes. Its server takes requests of up to 100 kB. */
const MAX_TEXTS = 98_000;

const MEBIBYTE = 1_048_576;

/** By media type: the largest file, in bytes. It takes others for upload, and then refuses posts with them. */
const LARGEST_FILES: Readonly<Record<string, number>> = {
  "image/jpeg": 10 * MEBIBYTE,
  "image/png": 10 * MEBIBYTE,
  "image/gif": 10 * MEBIBYTE,
  "image/webp": 10 * MEBIBYTE,
  "video/mp4": 1_024 * MEBIBYTE,
};

/**
 * Why Postiz would refuse a post for an account; undefined if nothing is known to be wrong.
 * @param ask asks Postiz about the account, which only few posts need
 */
export async function whyPostizRefuses(
  post: PlannedPost,
  account: PostizAccount,
  ask: () => Promise<AccountSettings>,
): Promise<RefusedPost | undefined> {
  const file = whyNotFile(post);
  if (file !== undefined) return file;
  const hasOptions = optionsOn(account.platform, post.options).size > 0;
  const isLong = tooLong(post, account, LONGEST[account.identifier] ?? Infinity) !== undefined;
  const settings = hasOptions || isLong ? await ask() : undefined;
  const limit = settings?.maxLength || (LONGEST[account.identifier] ?? Infinity);
  return (hasOptions ? whyNotOption(post, account, settings) : undefined) ?? tooLong(post, account, limit);
}

function whyNotFile({ media }: PlannedPost): RefusedPost | undefined {
  for (const [item, file] of media.entries()) {
    if (file.kind !== "file") continue;
    const { mime, bytes, path } = file;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const most = Object.hasOwn(LARGEST_FILES, mime) ? (LARGEST_FILES[mime] ?? 0) : undefined;
    const why =
      most === undefined
        ? `Postiz does not publish ${mime} (${name}). Export it as JPEG, PNG, GIF, WebP or MP4.`
        : bytes > most
          ? `Postiz takes files like ${name} only up to ${most / MEBIBYTE} MiB. Make it smaller.`
          : undefined;
    if (why !== undefined) return { code: "service/would-refuse", field: "media", item, message: why };
  }
  return undefined;
}

/** Postiz counts UTF-16 units, and on X the larger of these and of what X counts. */
function lengthIn({ identifier }: PostizAccount, text: string): number {
  return Math.max(text.length, identifier === "x" ? countText(text, "twitter") : 0);
}

function tooLong(post: PlannedPost, account: PostizAccount, limit: number): RefusedPost | undefined {
  const { content, thread = [], first_comment: comment } = post;
  const all = [
    { text: content, name: "the text", field: "content" as const },
    ...thread.map((text, item) => ({ text, name: `reply ${item + 1}`, field: "thread" as const, item })),
    ...(comment === undefined
      ? []
      : [{ text: comment, name: "the first comment", field: "first_comment" as const }]),
  ];
  for (const { text, name, ...place } of all) {
    const length = lengthIn(account, text);
    if (length <= limit) continue;
    const [own, most] = [length, limit].map(formatNumber);
    const message = `Postiz counts ${own} characters in ${name} for ${account.platform}, and accepts ${most}. It counts an emoji as 2 or more, and a link in full. Shorten ${name}.`;
    return { code: "service/would-refuse", ...place, message };
  }
  const bytes = all.reduce((sum, { text }) => sum + Buffer.byteLength(toHtml(text)), 0);
  if (bytes <= MAX_TEXTS) return undefined;
  const message = `The texts of the post have ${formatNumber(Math.ceil(bytes / 1_000))} kB, and Postiz accepts about 100 kB. Shorten them.`;
  return { code: "service/would-refuse", field: "content", message };
}

function whyNotOption(
  { options }: PlannedPost,
  { platform }: PostizAccount,
  settings: AccountSettings,
): RefusedPost | undefined {
  const known = settings?.settings;
  if (known === undefined) return undefined;
  const properties = typeof known === "string" ? {} : known.properties;
  for (const [field, value] of Object.entries(carriedFields(CARRIED_BY_POSTIZ, platform, options))) {
    const name = optionOf(field, platform, options);
    if (field === "" || name === undefined) continue;
    const why = whyNotValue(name, value, Object.hasOwn(properties, field) ? properties[field] : undefined);
    if (why !== undefined) return { code: "platform/settings", field: "platforms", message: why };
  }
  return undefined;
}

/** The option that a field is for, if the post has it. */
function optionOf(
  field: string,
  platform: string,
  options: readonly string[] | undefined,
): string | undefined {
  const network = networkOf(platform);
  return [...optionsOn(platform, options).keys()]
    .map((option) => `${network}.${option}`)
    .find((name) => CARRIED_BY_POSTIZ[name]?.as === field);
}

function whyNotValue(name: string, value: unknown, schema: FieldSchema | undefined): string | undefined {
  if (schema === undefined)
    return `This Postiz has no setting for \`${name}\`. Update Postiz, or clear the option.`;
  if (typeof value !== "string") return undefined;
  const { enum: values, minLength = 0, maxLength = Infinity } = schema;
  const { platform = "", option = "" } = splitOption(name) ?? {};
  // `options/too-long` says it.
  if (value.length > (optionFacts(platform, option)?.max ?? Infinity)) return undefined;
  if (values !== undefined && !values.includes(value))
    return `This Postiz does not know "${value}" for \`${name}\`. It knows ${values.join(", ")}. Update Postiz, or choose another value.`;
  if (value.length >= minLength && value.length <= maxLength) return undefined;
  const range = maxLength === Infinity ? `at least ${minLength}` : `${minLength} to ${maxLength}`;
  return `Postiz accepts ${range} characters in \`${name}\`, and it has ${value.length}. Change it.`;
}
