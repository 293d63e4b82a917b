import { NO_FINDINGS, type PlatformRule } from "./check.ts";
import { countWithNoun } from "./counted.ts";

/** A number alone is no hashtag, nor is the end of an address such as `/page#part`. */
const HASHTAG = /(?<![\p{L}\p{N}_&/#＃])[#＃](?=[\p{N}_]*[\p{L}\p{M}])[\p{L}\p{M}\p{N}_]+/gu;

/** content/hashtags */
export const tooManyHashtags: PlatformRule = ({ content }, { title, limits: { hashtags } }) => {
  if (hashtags === undefined || !/[#＃]/.test(content)) return NO_FINDINGS;
  const count = content.match(HASHTAG)?.length ?? 0;
  if (count <= hashtags) return NO_FINDINGS;
  const message = `The text has ${countWithNoun(count, "hashtag")}, and ${title} takes ${hashtags}. Remove ${count - hashtags}.`;
  return [{ message, field: "content" }];
};
