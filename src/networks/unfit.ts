/** Refuses a post that a network would refuse, before anything is sent. It counts as the checks before apply count. */

import { type AccountLimits, TEXT_SEPARATOR } from "../checks/networks/account-limits.ts";
import { countText } from "../checks/rules/count-text.ts";
import { type Limits, sizeBytes, takesType } from "../settings/limits.ts";
import { type NetworkMedia, type NetworkPoll, type PostText, refused } from "./network.ts";

/** The limits that need no look into the files. */
type SentLimits = Pick<
  Limits,
  | "text"
  | "count"
  | "text_bytes"
  | "alt"
  | "images"
  | "media"
  | "media_size"
  | "image_types"
  | "video_types"
  | "video_size"
> & {
  /** What a link counts, where links count differently. */
  readonly perLink?: number | undefined;
};

/** Throws NotPublished for a post that does not fit. */
export function refuseUnfit(
  texts: readonly PostText[],
  limits: SentLimits,
  account: AccountLimits,
  warning: unknown = "",
): void {
  for (const { text, media } of sentTexts(texts, account)) {
    refuseLongText(text, limits, typeof warning === "string" ? warning : "");
    refuseMedia(media, limits);
  }
}

/** The texts of a post as an account gets them. */
export function sentTexts(
  texts: readonly PostText[],
  { joinsTexts, shown = (text) => text }: AccountLimits,
): readonly PostText[] {
  const all = texts.map(({ text, media }) => ({ text: shown(text), media }));
  if (joinsTexts !== true) return all;
  const media = all.flatMap((each) => each.media);
  return [{ text: all.map(({ text }) => text).join(TEXT_SEPARATOR), media }];
}

/** Throws NotPublished for a poll that the server would refuse. */
export function refuseUnfitPoll(
  poll: NetworkPoll | undefined,
  { poll_choices: most, poll_choice: longest }: Pick<Limits, "poll_choices" | "poll_choice">,
): void {
  if (poll === undefined) return;
  if (most !== undefined && poll.choices.length > most)
    throw refused(`the poll has ${poll.choices.length} choices, and the server accepts at most ${most}`);
  if (longest !== undefined && poll.choices.some((choice) => countText(choice, "graphemes") > longest))
    throw refused(`a choice of the poll has more than ${longest} characters`);
}

function refuseLongText(
  text: string,
  { text: most, count = "characters", text_bytes: bytes, perLink }: SentLimits,
  warning: string,
): void {
  const length = countText(text, count, perLink) + (warning === "" ? 0 : countText(warning, count));
  if (most !== undefined && length > most)
    throw refused(`the text has ${length} characters, and the server accepts at most ${most}`);
  const size = Buffer.byteLength(text);
  if (bytes !== undefined && size > bytes)
    throw refused(`the text has ${size} bytes, and the server accepts at most ${bytes}`);
}

function refuseMedia(
  media: readonly NetworkMedia[],
  { alt: longest, media: most, media_size: together, ...limits }: SentLimits,
): void {
  if (most === 0 && media.length > 0) throw refused("the server accepts no pictures and videos");
  if (most !== undefined && media.length > most)
    throw refused(`the post has ${media.length} files, and the server accepts at most ${most}`);
  const pictures = media.filter(({ mime }) => mime.startsWith("image/")).length;
  if (limits.images !== undefined && pictures > limits.images)
    throw refused(`the post has ${pictures} pictures, and the server accepts at most ${limits.images}`);
  const bytes = media.reduce((sum, file) => sum + file.bytes, 0);
  if (together !== undefined && bytes > sizeBytes(together))
    throw refused(`the files have ${bytes} bytes, and the server accepts at most ${together}`);
  for (const [index, { alt = "", mime, bytes: size }] of media.entries()) {
    if (longest !== undefined && countText(alt, "characters") > longest)
      throw refused(`the description of file ${index + 1} has more than ${longest} characters`);
    const isVideo = mime.startsWith("video/");
    const { video_size: largest } = limits;
    if (isVideo && largest !== undefined && size > sizeBytes(largest))
      throw refused(`the video has ${size} bytes, and the server accepts at most ${largest}`);
    const types = isVideo ? limits.video_types : limits.image_types;
    if (types !== undefined && !takesType(types, mime))
      throw refused(`file ${index + 1} is ${mime}, and the server accepts only ${types.join(", ")}`);
  }
}
