/** The type of post that a word names, in any language, and whether plancast can publish it. */

import { once } from "../model/data.ts";
import { yamlKey } from "../model/columns.ts";
import { type MediaReference, writtenMedia } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { carries } from "../options/carried.ts";
import { networkOf } from "./networks/network-names.ts";
import type { ProjectOptions, RowOption } from "./options.ts";
import { POST_TYPES, POST_TYPE_NAMES, type PostTypeName } from "../settings/post-types.ts";
import { looseHeader, wordsOf } from "../settings/languages/languages.ts";
import type { RowView } from "./row-view.ts";

const typesByWord = once(
  () =>
    new Map(
      POST_TYPE_NAMES.flatMap((name) =>
        [name, ...wordsOf(POST_TYPES[name].words)].map((word) => [looseHeader(word), name] as const),
      ),
    ),
);

/** The type that a word names, such as `story` for `IG Story`; undefined if plancast does not know the word. */
export function postTypeNamed(text: string): PostTypeName | undefined {
  return typesByWord().get(looseHeader(text.slice(0, MAX_TYPE)));
}

/** No name of a type is longer, in UTF-16 units. */
const MAX_TYPE = 60;

const PICTURE = /\.(?:jpe?g|png|gif|webp|heic|avif)(?:[?#]\S{0,200})?$/i;

interface ReadType {
  readonly options: readonly RowOption[];
  readonly problems: readonly Problem[];
}

const ORDINARY: ReadType = { options: [], problems: [] };

/**
 * The options that the type of a row means, such as `instagram.type: story`; or the problem of a type that plancast cannot
 * publish. @param media of the row
 */
export function readType(
  row: RowView,
  media: readonly MediaReference[],
  platforms: readonly string[],
  { carried = {} }: ProjectOptions,
): ReadType {
  const value = row.values.type;
  const type = value === undefined ? undefined : postTypeNamed(value.text);
  if (value === undefined || type === undefined) return ORDINARY;
  const { publishedAs } = POST_TYPES[type];
  if (publishedAs === "post") return ORDINARY;
  const options = platforms
    .filter((platform) => carries(carried, networkOf(platform), "type", type))
    .map((platform): RowOption => ({ platform, option: "type", value: type, item: undefined }));
  if (publishedAs === "video") {
    if (media.some((each) => !PICTURE.test(writtenMedia(each)))) return { options, problems: [] };
    const message = `"${value.text}" needs a video, but the row has none. Name the video, write another type such as \`photo\`, or mark the row as draft or skip.`;
    return { options: [], problems: [problem("row/type", message, value.at())] };
  }
  if (options.length > 0 && options.length === platforms.length) return { options, problems: [] };
  if (options.length > 0) {
    const others = platforms.filter((platform) => !options.some((each) => each.platform === platform));
    const message = `The service cannot publish "${value.text}" on ${others.join(", ")}. Take ${others.join(", ")} out of the row, or mark it as draft or skip.`;
    return { options: [], problems: [problem("row/type", message, value.at())] };
  }
  const message =
    `plancast cannot publish "${value.text}", and never publishes it as an ordinary post. Mark the row as draft or skip, ` +
    `or leave out all of these rows with \`values: { type: { ${yamlKey(value.text)}: skip } }\` in plancast.yaml.`;
  return { options: [], problems: [problem("row/type", message, value.at())] };
}
