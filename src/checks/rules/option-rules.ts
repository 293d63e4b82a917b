/** Rules about options: whether the service carries them, and whether the post is what its type needs. */

import { type Carried, carries } from "../../model/options/carried.ts";
import {
  type PostOption,
  mediaOptions,
  networkOf,
  optionFacts,
  optionText,
  optionsOn,
  readOption,
} from "../../model/options/catalogue.ts";
import { writtenMedia } from "../../model/post.ts";
import { networkTitle } from "../networks/network-names.ts";
import { type CheckedPost, type Finding, type Rule, NO_FINDINGS } from "./rule.ts";

function optionsOf({ options = [] }: CheckedPost): readonly (PostOption & { readonly item: number })[] {
  return options.flatMap((text, item) => {
    const read = readOption(text);
    return read === undefined ? [] : [{ ...read, item }];
  });
}

export const optionUnsupported: Rule = {
  code: "options/unsupported",
  severity: "error",
  rule: "The network has each option of a row, and the service has a field for it.",
  cause:
    "The service or the network cannot do what the row asks for: a Story, a title or another visibility. Without it, the post would be another one.",
  fix: "Take the option or the network out of the row. docs/write/options.md shows what each service carries. With `rules: { options/unsupported: warning }`, plancast schedules the post without the option.",
  of: "option",
  check: (post, carried) =>
    optionsOf(post).flatMap((each) => {
      const message = whyNotSent(each, carried);
      return message === undefined ? [] : [{ message, field: "options", item: each.item }];
    }),
};

function whyNotSent(given: PostOption, carried: Carried | undefined): string | undefined {
  const { platform, option, value } = given;
  const network = networkOf(platform);
  const title = networkTitle(network);
  if (optionFacts(network, option) === undefined)
    return `${title} has no option \`${option}\`, so the post would not be "${value}" there. Take ${title} out of the row, or clear the option.`;
  if (carried === undefined || carries(carried, given)) return undefined;
  const isOther = Object.hasOwn(carried, `${network}.${option}`);
  const what = isOther
    ? `cannot set \`${option}\` on ${title} to "${value}"`
    : `has no field for \`${network}.${option}\``;
  return `The service ${what}. Take ${title} out of the row, or clear the option.`;
}

export const optionTooLong: Rule = {
  code: "options/too-long",
  severity: "error",
  rule: "A title is not longer than its network allows.",
  cause:
    "YouTube and Pinterest allow 100 characters in a title, and TikTok 90. The title may be the first line of the text.",
  fix: "Shorten the title, or the first line of the text.",
  of: "option",
  check: (post) =>
    optionsOf(post).flatMap(({ platform, option, value, item }) => {
      const { kind, max = Infinity } = optionFacts(platform, option) ?? {};
      const length = Array.from(value).length;
      if (kind !== "text" || length <= max) return [];
      const message = `\`${option}\` for ${networkTitle(platform)} has ${length} characters, and at most ${max} are allowed. Shorten it.`;
      return [{ message, field: "options", item } satisfies Finding];
    }),
};

/** Whether `options/type` says which media a post needs on a platform. */
export function typeNeedsMedia({ options }: CheckedPost, platform: string): boolean {
  return options !== undefined && Object.hasOwn(NEEDS, optionsOn(platform, options).get("type") ?? "");
}

/** What a type of post needs. */
const NEEDS: Readonly<Record<string, (post: CheckedPost) => string | undefined>> = {
  story: ({ media = [], thread, first_comment: comment }) =>
    media.length !== 1
      ? "A Story needs exactly one picture or video."
      : thread === undefined && comment === undefined
        ? undefined
        : "A Story has no thread and no first comment.",
  reel: oneVideo,
  short: oneVideo,
  carousel: ({ media = [] }) =>
    media.length < 2 ? "A carousel needs at least two pictures or videos." : undefined,
};

function oneVideo({ media = [] }: CheckedPost): string | undefined {
  const [only, ...more] = media;
  const isVideo = only !== undefined && (only.kind !== "file" || only.mime.startsWith("video/"));
  return isVideo && more.length === 0 ? undefined : "A reel or a Short needs exactly one video.";
}

export const optionType: Rule = {
  code: "options/type",
  severity: "error",
  rule: "A Story has one picture or video, a reel or a Short one video, and a carousel at least two media.",
  cause: "The media of the row do not fit the type that the row asks for.",
  fix: "Name the right media, or another type.",
  of: "option",
  check: (post) => {
    // Its media are faulty, and have problems of their own.
    if (post.media === undefined) return NO_FINDINGS;
    const types = optionsOf(post).filter(({ option }) => option === "type");
    // All networks with the same type have the same fault.
    return [...new Map(types.map(({ value, item }) => [value, item]))].flatMap(([type, item]) => {
      const message = Object.hasOwn(NEEDS, type) ? NEEDS[type]?.(post) : undefined;
      return message === undefined ? [] : [{ message, field: "options", item } satisfies Finding];
    });
  },
};

export const mediaCover: Rule = {
  code: "media/cover",
  severity: "error",
  rule: "A cover is a picture, and its row has a video.",
  cause:
    "The cover is another kind of file, or the row has only pictures, for which no network shows a cover.",
  fix: "Name a picture as the cover, or clear the cell. To publish the picture, name it in media.",
  of: "option",
  check: ({ media, options, optionMedia }) => {
    if (media === undefined || optionMedia === undefined) return NO_FINDINGS;
    const hasNoVideo = media.every((each) => each.kind === "file" && !each.mime.startsWith("video/"));
    const covers = mediaOptions(options);
    const found = new Map<string, Finding>();
    for (const [index, each] of optionMedia.entries()) {
      const text = covers[index] === undefined ? "" : optionText(covers[index]);
      const isPicture = each.kind !== "file" || each.mime.startsWith("image/");
      if (isPicture && !hasNoVideo) continue;
      const message = isPicture
        ? "The row has a cover but no video, so no network shows it. To publish the picture, name it in media."
        : `"${writtenMedia(each)}" is not a picture, so it cannot be a cover. Name a picture.`;
      found.set(message, { message, field: "options", item: options?.indexOf(text) ?? 0 });
    }
    return [...found.values()];
  },
};

export const storyText: Rule = {
  code: "options/story-text",
  severity: "warning",
  rule: "A Story has no text, because nobody sees it.",
  cause: "A Story shows only its picture or video, and the row also has a text.",
  fix: "Write the text into the picture. If the text is a note, turn the rule off.",
  of: "option",
  check: (post) =>
    // Without its picture, a Story has an error already.
    post.content === "" || post.media?.length === 0
      ? NO_FINDINGS
      : optionsOf(post)
          .filter(({ option, value }) => option === "type" && value === "story")
          .slice(0, 1)
          .map(() => ({ message: "Nobody sees the text of a Story.", field: "content" })),
};
