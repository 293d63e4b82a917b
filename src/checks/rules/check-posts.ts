/** Checks before posting: what the networks would refuse or cut, for the posts that are still to come. */

import { utcTime } from "../../model/canonical.ts";
import type { Post, ResolvedPost } from "../../model/post.ts";
import { type Problem, problem } from "../../model/problem.ts";
import { type CheckCode, CHECKS } from "../../problems/checks.ts";
import type { CheckSeverity, Config } from "../../settings/config.ts";
import { limitsOfProject } from "../networks/platform-limits.ts";
import {
  brokenMedia,
  mediaMissing,
  mixedMedia,
  tooLarge,
  tooManyMedia,
  tooSmall,
  unsupportedType,
  videoTooLong,
  wrongDimensions,
  wrongRatio,
} from "./media-rules.ts";
import { repeatedText, sameMinute } from "./row-rules.ts";
import type { CheckedPost, Finding, Rule, TitleOf } from "./rule.ts";
import { brokenLinks, textTooLong, tooManyHashtags, tooManyLinks } from "./text-rules.ts";

interface PostsToCheck {
  readonly posts: readonly ResolvedPost[];
  /** Posts of which some medium is not in order. */
  readonly unresolved: readonly Post[];
  readonly config: Pick<Config, "rules" | "limits" | "platforms">;
  /** Ms since the epoch. */
  readonly now: number;
}

/** Pure. Problems have the severity that the project gives the check; in no particular order. */
export function checkPosts({ posts, unresolved, config, now }: PostsToCheck): Problem[] {
  const all =
    unresolved.length === 0
      ? posts
      : [...posts, ...unresolved.map((post): CheckedPost => ({ ...post, media: undefined }))];
  const today = utcTime(now);
  const limitsOf = limitsOfProject(config);
  const titleOf: TitleOf = (platform) => limitsOf(platform)?.title ?? platform;
  const problems: Problem[] = [];
  const add = ({ code }: Rule, post: CheckedPost, { field, item, message }: Finding): void => {
    const severity = severityOf(code, config.rules);
    if (severity !== "off") problems.push({ ...problem(code, message, post.at(field, item)), severity });
  };
  const checks = ALL_RULES.filter(({ code }) => severityOf(code, config.rules) !== "off");
  const ofPost = checks.filter((check) => check.of === "post");
  const ofPlatform = checks.filter((check) => check.of === "platform");
  const ofMedia = checks.filter((check) => check.of === "media");
  for (const post of all) {
    if (post.scheduledAt <= today) continue;
    for (const check of ofPost) for (const finding of check.find(post)) add(check, post, finding);
    const onPlatform = post.media?.length === 0 ? ofPlatform : [...ofPlatform, ...ofMedia];
    for (const platform of post.platforms) {
      const limits = limitsOf(platform);
      if (limits === undefined) continue;
      for (const check of onPlatform)
        for (const finding of check.find(post, limits)) add(check, post, finding);
    }
  }
  // A post that is past may still be the earlier one of two.
  for (const check of checks.filter((each) => each.of === "rows")) {
    for (const { post, ...finding } of check.find(all, titleOf))
      if (post.scheduledAt > today) add(check, post, finding);
  }
  return problems;
}

/** The severity of a check in a project. */
export function severityOf(code: CheckCode, rules: Config["rules"]): CheckSeverity {
  return rules[code] ?? CHECKS[code].severity;
}

/** All checks before posting. A new one is a file with a function, a line here, and a line in calendar/checks.ts. */

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
