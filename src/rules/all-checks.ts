/** All checks before posting. A new one is a file with a function, a line here, and a line in calendar/checks.ts. */
import { brokenLinks } from "./broken-links.ts";
import { brokenMedia } from "./broken-media.ts";
import type { Rule } from "./check.ts";
import { tooManyHashtags } from "./hashtags.ts";
import { tooManyLinks } from "./link-count.ts";
import { tooManyMedia } from "./media-count.ts";
import { mixedMedia } from "./media-mixed.ts";
import { mediaMissing } from "./media-required.ts";
import { tooLarge, tooSmall } from "./media-size.ts";
import { unsupportedType } from "./media-type.ts";
import { wrongDimensions, wrongRatio } from "./picture-shape.ts";
import { repeatedText } from "./repeated-text.ts";
import { sameMinute } from "./same-minute.ts";
import { textTooLong } from "./text-length.ts";
import { videoTooLong } from "./video-length.ts";

export const ALL_RULES: readonly Rule[] = [
  { code: "content/too-long", of: "platform", find: textTooLong },
  { code: "content/hashtags", of: "platform", find: tooManyHashtags },
  { code: "content/links", of: "platform", find: tooManyLinks },
  { code: "content/link", of: "post", find: brokenLinks },
  { code: "media/required", of: "platform", find: mediaMissing },
  { code: "media/too-many", of: "media", find: tooManyMedia },
  { code: "media/mixed", of: "media", find: mixedMedia },
  { code: "media/unsupported", of: "media", find: unsupportedType },
  { code: "media/too-large", of: "media", find: tooLarge },
  { code: "media/too-small", of: "media", find: tooSmall },
  { code: "media/dimensions", of: "media", find: wrongDimensions },
  { code: "media/aspect-ratio", of: "media", find: wrongRatio },
  { code: "media/too-long", of: "media", find: videoTooLong },
  { code: "media/broken", of: "post", find: brokenMedia },
  { code: "row/same-minute", of: "rows", find: sameMinute },
  { code: "row/repeated-text", of: "rows", find: repeatedText },
];
