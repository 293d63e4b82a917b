/** The type of post that a word names, in any language, and whether plancast can publish it. */

import { yamlKey } from "../model/columns.ts";
import { type MediaReference, writtenMedia } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { carries } from "../model/options/carried.ts";
import { networkTitles } from "./networks/network-names.ts";
import type { ProjectOptions, RowOption } from "./options.ts";
import { POST_TYPES, postTypeNamed } from "../settings/post-types.ts";
import type { RowView } from "./row-view.ts";

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
  if (publishedAs === "post" || (publishedAs === "poll" && row.values.poll !== undefined)) return ORDINARY;
  const options = platforms
    .map((platform) => ({ platform, option: "type", value: type, item: "type" }) as const)
    .filter((each) => carries(carried, each));
  if (publishedAs === "video") {
    if (media.some((each) => !PICTURE.test(writtenMedia(each)))) return { options, problems: [] };
    const message = `"${value.text}" needs a video, but the row has none. Name the video, write another type such as \`photo\`, or mark the row as draft or skip.`;
    return { options: [], problems: [problem("row/type", message, value.at())] };
  }
  if (options.length > 0 && options.length === platforms.length) return { options, problems: [] };
  if (options.length > 0) {
    const others = networkTitles(
      platforms.filter((platform) => !options.some((each) => each.platform === platform)),
    );
    const message = `The service cannot publish "${value.text}" on ${others}. Take ${others} out of the row, or mark it as draft or skip.`;
    return { options: [], problems: [problem("row/type", message, value.at())] };
  }
  const message =
    `plancast cannot publish "${value.text}", and never publishes it as an ordinary post. Mark the row as draft or skip, ` +
    `or leave out all of these rows with \`values: { type: { ${yamlKey(value.text)}: skip } }\` in plancast.yaml.`;
  return { options: [], problems: [problem("row/type", message, value.at())] };
}
