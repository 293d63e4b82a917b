import { NOTHING, type PlatformCheck } from "./check.ts";
import { counted } from "./counted.ts";

/** A number alone is no hashtag, nor is the end of an address such as `/page#part`. */
const HASHTAG = /(?<![\p{L}\p{N}_&/#＃])[#＃](?=[\p{N}_]*[\p{L}\p{M}])[\p{L}\p{M}\p{N}_]+/gu;

/** content/hashtags */
export const tooManyHashtags: PlatformCheck = ({ content }, { title, limits: { hashtags } }) => {
  if (hashtags === undefined || !/[#＃]/.test(content)) return NOTHING;
  const count = content.match(HASHTAG)?.length ?? 0;
  if (count <= hashtags) return NOTHING;
  const message = `The text has ${counted(count, "hashtag")}, and ${title} takes ${hashtags}. Remove ${count - hashtags}.`;
  return [{ message, field: "content" }];
};
